// SPDX-License-Identifier: MIT
// Bodies of other games stand along another axis, and some are drawn in left-handed axes.
#pragma once

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// How a body stands at rest.
struct Standing {
  Quat turn = make_quat(0, 0, 0, 1);  ///< takes its way up to +Z
  /// Its toes point behind it, seen by the names of its sides: its axes are left-handed.
  bool is_mirrored = false;

  bool operator==(const Standing&) const = default;
};

/// Finds how a body stands by the way from its hips to its head, and of its legs. Bodies on four legs, and those of
/// which no legs are known, stand as they are.
Standing find_standing(const Skeleton& skeleton);

/// Turns a body upright; left and right change places if it is mirrored.
void stand_up(const Standing& standing, Skeleton& skeleton);
/// The same for a clip that moves `skeleton`.
void stand_up(const Standing& standing, const Skeleton& skeleton, Clip& clip);

}  // namespace marrow
