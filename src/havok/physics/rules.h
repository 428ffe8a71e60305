// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "havok/object/numbers.h"

namespace marrow::havok {

/// Returns the rules for the numbers of physics systems, ragdolls and their joints, for `check_numbers`.
std::span<const NumberRule> physics_rules();

}  // namespace marrow::havok
