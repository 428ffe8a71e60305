// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// How a bone of one skeleton was found to be a bone of another.
enum class MapReason : std::uint8_t {
  Name,     ///< the same name, in any case
  Known,    ///< names that mean the same part of a body in the rigs that Marrow knows
  Guessed,  ///< its place in the hierarchy and in the body
  Given,    ///< a map file says so
};

std::string_view to_string(MapReason reason);

struct MappedBone {
  std::int32_t from = kNoBone;
  std::int32_t to = kNoBone;
  MapReason reason = MapReason::Name;

  bool operator==(const MappedBone&) const = default;
};

/// Which bones of two skeletons are the same part; in order of the target's bones, each bone once at the most.
struct BoneMap {
  std::vector<MappedBone> bones;

  bool operator==(const BoneMap&) const = default;

  std::optional<std::int32_t> from_of(std::int32_t to) const;
};

/// Maps by name, then by the names of Skyrim, Fallout 4, Anvil and HumanIK (Mixamo) rigs, then by place.
BoneMap map_bones(const Skeleton& from, const Skeleton& to);

/// A map as text, a bone a line: `NPC COM [COM ] = COM`. `#` starts a comment. `NAME = -` leaves a bone out.
std::string write_bone_map(const BoneMap& map, const Skeleton& from, const Skeleton& to);
/// Lays the lines of a map file over `automatic`: what they name is so, the rest stays. Fails with the line where a
/// bone is not there.
Result<BoneMap> read_bone_map(std::string_view text, const Skeleton& from, const Skeleton& to,
                              const BoneMap& automatic);

}  // namespace marrow
