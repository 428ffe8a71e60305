// SPDX-License-Identifier: MIT
// What two skeletons have to do with each other, worked out once per clip.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "marrow/model/skeleton.h"
#include "marrow/ops/bone_map.h"
#include "ops/body_parts.h"

namespace marrow {

/// A leg or an arm: two bones that bend, and what they carry.
struct Limb {
  std::size_t from_root, from_mid, from_end;
  std::size_t to_root, to_mid, to_end;
  float from_length = 0.0f, to_length = 0.0f;  ///< at rest, from root to end along the bones
  bool is_leg = false;
};

/// How one bone of the target takes its motion.
struct Link {
  std::size_t from = 0;
  Role role = Role::None;
  Quat offset = make_quat(0, 0, 0, 1);  ///< target's model rotation = source's, turned, times this
};

struct BodyPair {
  std::vector<Transform> from_rest, to_rest;     ///< in model space
  std::vector<std::optional<Link>> links;        ///< by bone of the target
  std::vector<std::optional<std::size_t>> aims;  ///< by bone of the target: the mapped bone that it points at
  std::vector<Limb> limbs;
  std::optional<std::size_t> hips;    ///< the bone of the target that carries the legs, if there are legs
  Quat turn = make_quat(0, 0, 0, 1);  ///< from the way the source faces to the way the target faces
  float scale = 1.0f;                 ///< lengths of the target in those of the source
  float lift = 0.0f;                  ///< raises the scaled body until its soles are on the ground
};

/// Finds how the bones of a map follow each other. The map must refer to bones that exist.
BodyPair pair_bodies(const Skeleton& from, const Skeleton& to, const BoneMap& map);

}  // namespace marrow
