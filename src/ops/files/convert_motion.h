// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Fits the clips of FBX and BVH to the bones of a skeleton that have the same names, ignoring case, blanks,
/// underscores and a namespace before `:`. Bones turn through the rest poses of both. `left_out` gets the bones that
/// the skeleton does not have. Fails if it has none of them.
Result<void> fit_motion_source(Document& document, const Skeleton& target, std::vector<std::string>& left_out,
                               Context& context);

/// Says how long a unit is taken to be, if the file does not; and which unit is more likely if that is no body's size.
void note_taken_unit(const MotionSource& source, double units_per_centimetre, Context& context);

}  // namespace marrow
