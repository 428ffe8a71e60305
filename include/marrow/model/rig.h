// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "marrow/model/collider.h"
#include "marrow/model/modifiers.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// The skin wrinkles that a bone drives, and how strongly.
struct Wrinkle {
  static constexpr std::int32_t kNone = 7;
  std::int32_t bone = kNoBone;
  std::int32_t category = kNone;  ///< the engine's `WrinkleCategory`
  float factor = 0.0f;

  bool operator==(const Wrinkle&) const = default;
};

/// A skeleton with its bone modifiers, from any format. Every link of a modifier is an index into `skeleton.bones`, or
/// null. `motion::CompiledRig` runs it.
struct Rig {
  Skeleton skeleton = {};
  std::vector<Modifier> modifiers = {};             ///< by owner in bone order, then in authored order
  std::vector<std::uint8_t> solving_priority = {};  ///< one per bone, higher is solved later; empty: all 0
  std::vector<Wrinkle> wrinkles = {};               ///< only the bones that have one
  /// One per bone: the bone on the other side, the bone itself if it is in the middle, `kNoBone` if it is not mirrored.
  /// Empty if the format has no mirrors.
  std::vector<std::int32_t> mirror = {};
  std::vector<std::int32_t> mirroring_types = {};  ///< one per bone, the engine's `BoneMirroringType`; or empty
  double metres_per_unit = 1.0;  ///< of the skeleton's lengths; fields of modifiers are always in metres
  /// One per bone: the rotation from X to the direction along the bone. Empty: X itself, as in Anvil skeletons.
  std::vector<Quat> along_bone = {};
  std::vector<Collider> colliders = {};  ///< what ball joints and pendulums are kept out of
  std::optional<float> ground = {};      ///< likewise below this height of the world, metres

  bool operator==(const Rig&) const = default;
};

/// Where a modifier of a rig comes from after others were applied to it.
struct ModifierOrigin {
  static constexpr std::size_t kNew = static_cast<std::size_t>(-1);
  std::size_t before = kNew;  ///< the place among the modifiers before: it is that one, or has taken its place
  bool is_given = false;      ///< it was applied; false: it was there before and is unchanged
};

}  // namespace marrow
