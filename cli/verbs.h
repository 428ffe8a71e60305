// SPDX-License-Identifier: MIT
#pragma once

#include "verb.h"

namespace marrow::cli {

// One function a verb, each in a file of its own name. main.cpp lists them in the order of --help.
Verb info_verb();
Verb convert_verb();
Verb check_verb();
Verb diff_verb();
Verb dump_verb();
Verb retarget_verb();
Verb sample_verb();
Verb annotations_verb();
Verb compress_verb();
Verb rig_verb();
Verb mirror_verb();
Verb simulate_verb();
Verb collision_verb();

}  // namespace marrow::cli
