// SPDX-License-Identifier: MIT
// What two skeletons have to do with each other, worked out once per clip.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "marrow/model/skeleton.h"
#include "ops/retarget/body_parts.h"
#include "ops/retarget/bone_map.h"

namespace marrow {

/// A leg or an arm: two bones that bend, and what they carry.
struct Limb {
  std::size_t from_root, from_mid, from_end;
  std::size_t to_root, to_mid, to_end;
  float from_length = 0.0f, to_length = 0.0f;  ///< at rest, from root to end along the bones
  bool is_leg = false;                         ///< its end is a contact: it goes where the source has it
  bool is_hind = false;                        ///< a leg by its part; false for forelegs, which have the parts of arms
  std::optional<std::size_t> from_toe = {}, to_toe = {};  ///< of a leg, if both bodies have one
};

/// A bone that shares the roll between two others, as skin needs it.
struct Twist {
  std::size_t bone = 0, start = 0, end = 0;  ///< of the target; `start` does not roll, `end` rolls fully
  float share = 0.5f;                        ///< of the roll that the bone takes
};

/// A bone of a skirt, which a thigh pushes.
struct Skirt {
  std::size_t bone = 0;
  std::size_t left_thigh = 0, right_thigh = 0;  ///< of the target
  float left = 0.5f;                            ///< how much it follows the left one; the rest is the right one's
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
  std::vector<Twist> twists;
  std::vector<Skirt> skirts;
  /// The bodies are built differently, one upright and one on four legs. Bones then turn from their own rest as the
  /// source's do from theirs, instead of pointing where they point.
  bool is_relative = false;
  std::size_t limb_bones = 0, mapped_limb_bones = 0;  ///< of the target
  std::optional<std::size_t> hips;    ///< the bone of the target that carries the legs, if there are legs
  Quat turn = make_quat(0, 0, 0, 1);  ///< from the way the source faces to the way the target faces
  float scale = 1.0f;                 ///< lengths of the target in those of the source
  float lift = 0.0f;                  ///< raises the scaled body until its soles are on the ground
};

/// Finds how the bones of a map follow each other. The map must refer to bones that exist.
BodyPair pair_bodies(const Skeleton& from, const Skeleton& to, const BoneMap& map);

}  // namespace marrow
