// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/model/collision.h"

namespace marrow::havok {

/// The ragdoll of a character as its skeleton.hkx keeps it. Lengths are game units.
struct CharacterRagdoll {
  /// Bodies with names, masses and joints. Of Havok 2010 no shapes are read.
  CollisionSystem system = {};
  std::vector<std::string> bones = {};  ///< one per body: the bone of the animated skeleton that the body moves
};

/// Reads the ragdoll of a skeleton.hkx: hkaRagdollInstance of Havok 2010 (Skyrim), hknpRagdollData of Havok 2014
/// (Fallout 4). Returns nothing if the file has none. Safe on untrusted input.
Result<std::optional<CharacterRagdoll>> read_character_ragdoll(const Packfile& file);

}  // namespace marrow::havok
