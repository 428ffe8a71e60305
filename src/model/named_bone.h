// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Returns the bone with exactly this name. Fails with `NotFound` and suggests the bone that may have been meant.
Result<std::int32_t> named_bone(const Skeleton& skeleton, std::string_view name);

/// Returns the name with every mark of a side exchanged: `NPC L Thigh [LThg]` gives `NPC R Thigh [RThg]`, `LArm_Hand`
/// gives `RArm_Hand`; `Left`, `_L` and `.L` count too. Empty if the name has none.
std::string other_side(std::string_view name);

}  // namespace marrow
