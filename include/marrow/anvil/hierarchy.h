// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "marrow/anvil/skeleton.h"

namespace marrow::anvil {

/// The tree of a skeleton by index, computed in linear time and without recursion. Broken skeletons have one too: a
/// bone on a cycle, or with a link to nothing, stands as a root of its own at the end.
struct Hierarchy {
  static constexpr std::int32_t kNone = -1;      ///< no parent
  static constexpr std::int32_t kDangling = -2;  ///< a link to nothing

  std::vector<std::int32_t> parent;        ///< index of the parent, or one of the above
  std::vector<std::int32_t> first_child;   ///< or kNone
  std::vector<std::int32_t> next_sibling;  ///< or kNone
  std::vector<std::int32_t> depth_first;   ///< all bones, a parent before its children, siblings in order
  std::vector<std::int32_t> position;      ///< of every bone in `depth_first`
  std::vector<std::int32_t> depth;         ///< 0 for roots
  std::vector<std::uint32_t> descendants;  ///< of every bone, at any depth
  std::vector<std::int32_t> cyclic;        ///< bones that no root reaches, in order
  std::unordered_map<std::uint64_t, std::int32_t> by_id;    ///< the first bone of each object id
  std::unordered_map<std::uint32_t, std::int32_t> by_hash;  ///< the first bone of each name

  /// The bone that a link names, or kNone for null, or kDangling.
  std::int32_t find(BoneLink link) const;
  /// Whether `bone` hangs below `ancestor`, at any depth.
  bool is_below(std::int32_t bone, std::int32_t ancestor) const;
  /// The bone of that name, or kNone.
  std::int32_t find_hash(std::uint32_t hash) const;
};

Hierarchy hierarchy_of(const Skeleton& skeleton);

/// The name to show: the true text where it is known, else `x2BA0BB9F`.
std::string display_name(const BoneName& name);
/// `Reference/Hips/Spine`, from the root down to the bone; of a long chain the end, of a cycle one round.
std::string chain_of(const Skeleton& skeleton, const Hierarchy& hierarchy, std::int32_t bone);

/// Puts the bones into depth-first order; indices of a `Hierarchy` made before are void.
void sort_depth_first(Skeleton& skeleton);
/// Computes every global rest pose from the local ones. The root keeps its own.
void rebuild_globals(Skeleton& skeleton);

}  // namespace marrow::anvil
