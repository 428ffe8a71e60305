// SPDX-License-Identifier: MIT
#pragma once

#include "verb.h"

namespace marrow::cli {

// One function a verb, each in a file of its own name. main.cpp lists them in the order of --help.

}  // namespace marrow::cli
