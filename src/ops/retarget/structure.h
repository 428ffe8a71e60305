// SPDX-License-Identifier: MIT
// Finds the parts of a body by its shape: where chains of bones begin, which are pairs, and which reach the ground.
#pragma once

#include "ops/retarget/body_parts.h"

namespace marrow {

/// Gives parts to the bones of a body whose names are not known: legs, arms or forelegs, spine, neck, head, tail. Parts
/// that names have found stay. Bodies with two pairs of legs have the parts of arms in their forelegs. Does nothing if
/// names have found both legs and both arms, or if the bones come in no pairs.
void add_parts_by_structure(const Skeleton& skeleton, BodyParts& parts);

}  // namespace marrow
