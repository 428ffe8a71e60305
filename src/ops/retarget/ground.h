// SPDX-License-Identifier: MIT
// Where a body stands. Many captures have their rest pose around the origin and their motion above the ground.
#pragma once

#include <cstddef>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Returns how far the rest pose has to be raised until it stands on the ground of the clip; 0 if it stands there, if
/// the ground of the rest pose is the clip's, or if no legs are found.
float rise_to_ground(const Skeleton& skeleton, const Clip& clip);

/// Returns the skeleton with its hips raised at rest.
Skeleton raised(const Skeleton& skeleton, float rise);

/// Gives the whole way of a body to its hips, and lets it begin over its root: what lies above the hips goes back to
/// rest. A body that faces a side or backwards in its first frame is turned by quarters until it faces ahead. Returns
/// how many quarters to the left it was turned; 0 to 3.
int start_over_root(Clip& clip, const Skeleton& skeleton, std::size_t hips);

}  // namespace marrow
