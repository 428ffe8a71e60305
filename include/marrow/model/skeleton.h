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

/// Parent of a bone that has none.
inline constexpr std::int32_t kNoBone = -1;

struct Bone {
  std::string name;               ///< exactly as in the game, `NPC COM [COM ]`
  std::int32_t parent = kNoBone;  ///< index into `Skeleton::bones`, always smaller than the bone's own
  Transform rest;                 ///< local to the parent, in the units of the file
  bool lock_translation = false;  ///< the runtime takes the translation from the rest pose

  bool operator==(const Bone&) const = default;
};

/// A named number that clips can animate, as `hkVis:Quiver`.
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

/// A named place on a bone that games and tools look up: where a hand grips, where a foot stands.
struct LocalFrame {
  std::string name;
  std::int32_t bone = 0;
  Transform place;  ///< relative to the bone; the scale is 1

  bool operator==(const LocalFrame&) const = default;
};

/// Bones in an order where parents come before children, with the pose that they rest in.
struct Skeleton {
  std::string name;
  std::vector<Bone> bones;
  std::vector<FloatSlot> float_slots;
  std::vector<Partition> partitions;
  std::vector<LocalFrame> local_frames = {};

  bool operator==(const Skeleton&) const = default;
};

/// The bone of that exact name, or nothing.
std::optional<std::int32_t> find_bone(const Skeleton& skeleton, std::string_view name);
/// Parents before children, finite unit rotations, names that are there and unique.
Result<void> validate(const Skeleton& skeleton);

}  // namespace marrow
