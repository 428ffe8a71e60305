// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "ops/table/operation.h"

namespace marrow::cli {

/// Returns all verbs of the program: the operations of the library, and `view`, which is a matter of disk and screen.
std::span<const Operation> verbs();
/// Returns the verb of that name; null if there is none.
const Operation* find_verb(std::string_view name);

}  // namespace marrow::cli
