// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/model/modifiers.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// Which wrinkles of the skin a bone drives, and how strongly.
struct Wrinkle {
  static constexpr std::int32_t kNone = 7;
  std::int32_t bone = kNoBone;
  std::int32_t category = kNone;  ///< the engine's `WrinkleCategory`
  float factor = 0.0f;

  bool operator==(const Wrinkle&) const = default;
};

/// A skeleton with its bone modifiers, of whatever format they came from. Every link of a modifier is an index into
/// `skeleton.bones`, or null. `motion::CompiledRig` runs it.
struct Rig {
  Skeleton skeleton = {};
  std::vector<Modifier> modifiers = {};  ///< by owner in order of bones, then in the order they were authored
  std::vector<std::uint8_t> solving_priority = {};  ///< one per bone, higher is solved later; empty: all 0
  std::vector<Wrinkle> wrinkles = {};               ///< only the bones that have one
  /// One per bone: the bone on the other side, itself if it lies in the middle, `kNoBone` if it is not mirrored.
  /// Empty: the format has none.
  std::vector<std::int32_t> mirror = {};
  std::vector<std::int32_t> mirroring_types = {};  ///< one per bone, the engine's `BoneMirroringType`; empty likewise
  double metres_per_unit = 1.0;  ///< of the skeleton's lengths; fields of modifiers are always in metres
  /// One per bone: the turn from X to the direction that runs along the bone. Empty: X itself, as in Anvil skeletons.
  std::vector<Quat> along_bone = {};

  bool operator==(const Rig&) const = default;
};

}  // namespace marrow
