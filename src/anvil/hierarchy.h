// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "anvil/skeleton.h"

namespace marrow::anvil {

/// The tree of a skeleton by index, computed in linear time and without recursion. Broken skeletons have one too: a
/// bone on a cycle, or with a link to nothing, becomes a root of its own at the end.
struct Hierarchy {
  static constexpr std::int32_t kNone = -1;      ///< no parent
  static constexpr std::int32_t kDangling = -2;  ///< a link to nothing

  std::vector<std::int32_t> parent;        ///< index of the parent, kNone or kDangling
  std::vector<std::int32_t> first_child;   ///< or kNone
  std::vector<std::int32_t> next_sibling;  ///< or kNone
  std::vector<std::int32_t> depth_first;   ///< all bones, a parent before its children, siblings in order
  std::vector<std::int32_t> position;      ///< of each bone in `depth_first`
  std::vector<std::int32_t> depth;         ///< 0 for roots
  std::vector<std::uint32_t> descendants;  ///< number per bone, at any depth
  std::vector<std::int32_t> cyclic;        ///< bones that no root reaches, in order
  std::unordered_map<std::uint64_t, std::int32_t> by_id;    ///< the first bone with each object id
  std::unordered_map<std::uint32_t, std::int32_t> by_hash;  ///< the first bone with each name

  /// Returns the bone that a link refers to, kNone for a null link, or kDangling.
  std::int32_t find(BoneLink link) const;
  /// True if `bone` is a descendant of `ancestor`, at any depth.
  bool is_below(std::int32_t bone, std::int32_t ancestor) const;
  /// Returns the bone with that name, or kNone.
  std::int32_t find_hash(std::uint32_t hash) const;
};

Hierarchy hierarchy_of(const Skeleton& skeleton);

/// Returns the name to show: the text if it is known, else `x2BA0BB9F`.
std::string display_name(const BoneName& name);
/// Returns `Reference/Hips/Spine`, from the root down to the bone. Of a long chain it returns the end, of a cycle one
/// round.
std::string chain_of(const Skeleton& skeleton, const Hierarchy& hierarchy, std::int32_t bone);

/// Sorts the bones into depth-first order. Invalidates the indices of every `Hierarchy` made before.
void sort_depth_first(Skeleton& skeleton);
/// Sets the numbers that a file states although they follow from the rest to what the writer writes. Numbers that
/// nobody stated stay out.
void restate_numbers(Skeleton& skeleton);
/// Computes every global rest pose from the local ones. The root keeps its own.
void rebuild_globals(Skeleton& skeleton);
/// Computes the global rest poses of what hangs on a bone, and leaves all others as they are to the bit.
void rebuild_globals_below(Skeleton& skeleton, std::int32_t bone);

}  // namespace marrow::anvil
