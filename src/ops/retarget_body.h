// SPDX-License-Identifier: MIT
// What two skeletons have to do with each other, worked out once a clip.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "marrow/model/skeleton.h"
#include "marrow/ops/bone_map.h"
#include "ops/body_parts.h"

namespace marrow {

struct Leg {
  std::size_t from_thigh, from_calf, from_foot;
  std::size_t to_thigh, to_calf, to_foot;
};

/// How one bone of the target takes its motion.
struct Link {
  std::size_t from = 0;
  Role role = Role::None;
  Quat offset = make_quat(0, 0, 0, 1);  ///< target's model rotation = source's, turned, times this
};

struct BodyPair {
  std::vector<Transform> from_rest, to_rest;  ///< in model space
  std::vector<std::optional<Link>> links;     ///< by bone of the target
  std::vector<Leg> legs;
  std::optional<std::size_t> hips;    ///< the bone of the target that carries the legs, where there are legs
  Quat turn = make_quat(0, 0, 0, 1);  ///< from the way the source faces to the way the target faces
  float scale = 1.0f;                 ///< lengths of the target in those of the source
  float hip_lift = 0.0f;              ///< raises the hips until legs at rest are bent as the source's are
};

BodyPair pair_bodies(const Skeleton& from, const Skeleton& to, const BoneMap& map);

}  // namespace marrow
