// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/anvil/games.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

/// A skeleton with the name it has in messages: its file.
struct Part {
  const Skeleton* skeleton = nullptr;
  std::string label;
};

struct MergeOptions {
  std::optional<Game> game = {};  ///< unset: the count of bones is not limited to less than 65535
  bool strict = false;            ///< an addon may hang on bones of the base only, not on those of other addons
  bool append = false;            ///< bones of the base keep their indices, new ones follow all of them
};

/// Where a bone or a modifier of a merged skeleton is from.
inline constexpr std::int32_t kFromBase = -1;

struct BoneSource {
  std::int32_t part = kFromBase;        ///< the base, or an index into the addons
  std::vector<std::int32_t> modifiers;  ///< the same, one a modifier

  bool operator==(const BoneSource&) const = default;
};

/// One line of the table that `rig plan` shows.
struct AddonSummary {
  std::string label;
  std::string root;         ///< the bone it hangs on
  std::size_t bones = 0;    ///< in the file
  std::size_t matched = 0;  ///< that the skeleton has already, the root among them
  std::size_t added = 0;    ///< that are new
  std::size_t total = 0;    ///< of the skeleton with this addon and those before it
  std::size_t modifiers_added = 0;
  std::size_t modifiers_dropped = 0;  ///< that the skeleton has already, equal in all fields
  bool merged = false;
};

/// An object whose id was taken already.
struct IdChange {
  std::int32_t part = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

struct Merge {
  Skeleton skeleton;                 ///< meaningful where no finding is an error
  std::vector<BoneSource> sources;   ///< one a bone of `skeleton`
  std::vector<AddonSummary> addons;  ///< in the order in which they were merged, then those that could not be
  std::vector<IdChange> id_changes;
  Findings findings;

  bool succeeded() const;
};

/// Puts addons onto a skeleton as the game does when it loads them: matches bones by name, adds what is new as last
/// children, carries modifiers over, resolves links and computes global poses from the base. Linear in the bones.
Merge merge(const Skeleton& base, std::span<const Part> addons, const MergeOptions& options = {});

/// The main skeleton of a set in any order: the one that is not of the type of addons, else the one with the root
/// `Reference` and the most bones, else the first.
std::size_t find_main(std::span<const Part> parts);

/// The merged skeleton without what one addon brought, and without what hangs on that.
Skeleton without_addon(const Merge& merge, std::int32_t addon);

/// The inverse of a merge: an addon that holds what `merged` has more than `base`, with the path to it. `root` names
/// the bone to hang it on; unset: the deepest bone that reaches everything. Fails where the two do not fit or nothing
/// is new.
Result<Skeleton> extract_addon(const Skeleton& merged, const Skeleton& base, std::optional<std::uint32_t> root = {});

/// An addon with nothing new: the bone to hang on, and the paths to the bones named. Ready to be added to.
Result<Skeleton> new_addon(const Skeleton& base, std::uint32_t attach, std::span<const std::uint32_t> paths);

}  // namespace marrow::anvil
