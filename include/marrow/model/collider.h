// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "marrow/model/skeleton.h"

namespace marrow {

/// A solid on the bones of a rig that chains are kept out of: a capsule, or a sphere if both ends are the same point.
/// Lengths are in metres. The games have none: they are for baked clips.
struct Collider {
  std::int32_t bone = kNoBone;
  std::int32_t to_bone = kNoBone;  ///< the bone of the second end; `kNoBone`: `bone` itself
  Vec3 from{0.0f};                 ///< the first end, in the space of `bone`
  Vec3 to{0.0f};                   ///< the second end, in the space of its bone
  float radius = 0.0f;

  bool operator==(const Collider&) const = default;
};

}  // namespace marrow
