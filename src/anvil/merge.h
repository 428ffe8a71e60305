// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "anvil/games.h"
#include "anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

/// A skeleton and its name in messages: its file.
struct Part {
  const Skeleton* skeleton = nullptr;
  std::string label;
};

struct MergeOptions {
  std::optional<Game> game = {};  ///< unset: the bone limit is 65535
  bool strict = false;            ///< addons may attach to bones of the base only, not to those of other addons
  bool append = false;            ///< bones of the base keep their indices, new ones follow them
};

/// The origin of a bone or modifier of a merged skeleton that came from the base.
inline constexpr std::int32_t kFromBase = -1;

struct BoneSource {
  std::int32_t part = kFromBase;        ///< the base, or an index into the addons
  std::vector<std::int32_t> modifiers;  ///< the same, one per modifier

  bool operator==(const BoneSource&) const = default;
};

/// One row of the table that `rig plan` shows.
struct AddonSummary {
  std::string label;
  std::string root;         ///< the bone it attaches to
  std::size_t bones = 0;    ///< in the file
  std::size_t matched = 0;  ///< already in the skeleton, including the root
  std::size_t added = 0;    ///< new ones
  std::size_t total = 0;    ///< bones of the skeleton with this addon and those before it
  std::size_t modifiers_added = 0;
  std::size_t modifiers_dropped = 0;  ///< already in the skeleton, equal in all fields
  bool merged = false;
};

/// An object that got a new id because its own was already taken.
struct IdChange {
  std::int32_t part = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

struct Merge {
  Skeleton skeleton;                 ///< meaningful only if no finding is an error
  std::vector<BoneSource> sources;   ///< one per bone of `skeleton`
  std::vector<AddonSummary> addons;  ///< in merge order, then those that could not be merged
  std::vector<IdChange> id_changes;
  Findings findings;

  bool succeeded() const;
};

/// Merges addons into a skeleton as the game does when it loads them: matches bones by name, adds new ones as last
/// children, copies modifiers, resolves links and computes global poses from the base. Linear in the number of bones.
Merge merge(const Skeleton& base, std::span<const Part> addons, const MergeOptions& options = {});

/// Returns the main skeleton of a set in any order: the one that does not have the type of addons, else the one with
/// the root `Reference` and the most bones, else the first.
std::size_t find_main(std::span<const Part> parts);

/// Returns the merged skeleton without what one addon added, and without what depends on that.
Skeleton without_addon(const Merge& merge, std::int32_t addon);

/// Extracts an addon, the inverse of a merge. It holds what `merged` has in addition to `base`, with the path to it.
/// `root` names the bone to attach it to; unset: the deepest bone that reaches everything. Fails if the two do not fit
/// or if nothing is new.
Result<Skeleton> extract_addon(const Skeleton& merged, const Skeleton& base, std::optional<std::uint32_t> root = {});

/// Creates an addon with nothing new, ready to be extended: the bone to attach to, and the paths to the named bones.
Result<Skeleton> new_addon(const Skeleton& base, std::uint32_t attach, std::span<const std::uint32_t> paths);

}  // namespace marrow::anvil
