// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/transform.h"

namespace marrow {

/// Parent of a root bone.
inline constexpr std::int32_t kNoBone = -1;

struct Bone {
  std::string name;               ///< exactly as in the game, e.g. `NPC COM [COM ]`
  std::int32_t parent = kNoBone;  ///< index into `Skeleton::bones`, always smaller than the bone's own
  Transform rest;                 ///< local to the parent, in the units of the file
  bool lock_translation = false;  ///< the game takes the translation from the rest pose

  bool operator==(const Bone&) const = default;
};

/// A named number that clips can animate, e.g. `hkVis:Quiver`.
struct FloatSlot {
  std::string name;
  float reference = 0.0f;

  bool operator==(const FloatSlot&) const = default;
};

/// A run of bones that Fallout 4 can animate on its own.
struct Partition {
  std::string name;
  std::int32_t first_bone = 0;
  std::int32_t bone_count = 0;

  bool operator==(const Partition&) const = default;
};

/// A named place on a bone, used by games and tools: where a hand grips, where a foot stands.
struct LocalFrame {
  std::string name;
  std::int32_t bone = 0;
  Transform place;  ///< relative to the bone; the scale is 1

  bool operator==(const LocalFrame&) const = default;
};

/// Bones with their rest pose. Parents come before their children.
struct Skeleton {
  std::string name;
  std::vector<Bone> bones;
  std::vector<FloatSlot> float_slots;
  std::vector<Partition> partitions;
  std::vector<LocalFrame> local_frames = {};

  bool operator==(const Skeleton&) const = default;
};

/// Returns the bone with exactly this name, or nothing.
std::optional<std::int32_t> find_bone(const Skeleton& skeleton, std::string_view name);
/// Checks that parents come before children, rest poses are finite with unit rotations, and no name is used twice.
Result<void> validate(const Skeleton& skeleton);

}  // namespace marrow
