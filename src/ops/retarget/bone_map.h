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

/// How a bone of one skeleton was matched to a bone of another.
enum class MapReason : std::uint8_t {
  Name,     ///< the same name, ignoring case
  Known,    ///< names of the same body part in the rigs that Marrow knows
  Guessed,  ///< its place in the hierarchy and in the body
  Given,    ///< listed in a map file
};

std::string_view to_string(MapReason reason);

struct MappedBone {
  std::int32_t from = kNoBone;
  std::int32_t to = kNoBone;
  MapReason reason = MapReason::Name;

  bool operator==(const MappedBone&) const = default;
};

/// Which bones of two skeletons correspond, in order of the target's bones; each bone occurs at most once.
struct BoneMap {
  std::vector<MappedBone> bones;

  bool operator==(const BoneMap&) const = default;

  std::optional<std::int32_t> from_of(std::int32_t to) const;
};

/// Maps bones by name, then by the known names of Skyrim, Fallout 4, Anvil and HumanIK (Mixamo) rigs, then by place.
BoneMap map_bones(const Skeleton& from, const Skeleton& to);

/// Writes a map as text, one bone per line: `NPC COM [COM ] = COM`. `#` starts a comment. `NAME = -` leaves a bone out.
std::string write_bone_map(const BoneMap& map, const Skeleton& from, const Skeleton& to);
/// Reads a map file. Its lines override `automatic`; the rest stays. If a bone does not exist, the error names the
/// line.
Result<BoneMap> read_bone_map(std::string_view text, const Skeleton& from, const Skeleton& to,
                              const BoneMap& automatic);

}  // namespace marrow
