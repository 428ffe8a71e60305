// SPDX-License-Identifier: MIT
#include "anvil/select.h"

#include <algorithm>

#include "anvil/at.h"
#include "anvil/names.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr std::string_view kChain = "..";

std::unexpected<Error> no_bone(const Skeleton& skeleton, std::string_view typed) {
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) names.push_back(display_name(bone.name));
  return fail(ErrorCode::NotFound, "there is no bone '" + std::string(typed) + "'" + did_you_mean(typed, names));
}

Result<std::vector<std::uint32_t>> chain(const Skeleton& skeleton, std::string_view first, std::string_view last) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::uint32_t first_hash, bone_named(skeleton, first));
  MARROW_TRY(const std::uint32_t last_hash, bone_named(skeleton, last));
  const std::int32_t top = tree.find_hash(first_hash), end = tree.find_hash(last_hash);
  if (top != end && !tree.is_below(end, top))
    return fail(ErrorCode::InvalidArgument,
                std::string(last) + " is not below " + std::string(first) + ", so the two are not a chain");
  std::vector<std::uint32_t> bones;
  for (std::int32_t bone = end; bone != top; bone = tree.parent[at(bone)])
    bones.push_back(skeleton.bones[at(bone)].name.hash);
  bones.push_back(first_hash);
  std::ranges::reverse(bones);
  return bones;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

Result<std::uint32_t> bone_named(const Skeleton& skeleton, std::string_view typed) {
  const std::uint32_t hash = hash_of(typed);
  for (const Bone& bone : skeleton.bones)
    if (bone.name.hash == hash) return hash;
  if (const auto place = parse_uint(typed)) {
    const std::vector<std::int32_t> bones = hierarchy_of(skeleton).depth_first;
    if (*place < bones.size()) return skeleton.bones[at(bones[*place])].name.hash;
  }
  return no_bone(skeleton, typed);
}

bool selects_many(std::string_view text) {
  return text.find(kChain) != std::string_view::npos || text.find_first_of("*?") != std::string_view::npos;
}

Result<std::vector<std::uint32_t>> select_bones(const Skeleton& skeleton, std::string_view text) {
  if (const std::size_t dots = text.find(kChain); dots != std::string_view::npos)
    return chain(skeleton, trim(text.substr(0, dots)), trim(text.substr(dots + kChain.size())));
  std::vector<std::uint32_t> bones;
  if (!selects_many(text)) {
    MARROW_TRY(const std::uint32_t bone, bone_named(skeleton, text));
    return std::vector{bone};
  }
  for (const std::int32_t index : hierarchy_of(skeleton).depth_first)
    if (const BoneName& name = skeleton.bones[at(index)].name; matches(text, display_name(name)))
      bones.push_back(name.hash);
  if (bones.empty()) return fail(ErrorCode::NotFound, "no bone matches '" + std::string(text) + "'");
  return bones;
}

std::string renamed_by_pattern(std::string_view from, std::string_view name, std::string_view to) {
  // Each star takes as little as it can, and more whenever the rest does not fit: two indices to go back to.
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // begin and length in `name`, one per star met
  std::size_t f = 0, n = 0, star = std::string_view::npos;
  while (n < name.size() || f < from.size()) {
    if (f < from.size() && from[f] == '*') {
      taken.emplace_back(n, 0);
      star = f++;
    } else if (f < from.size() && n < name.size() && (from[f] == '?' || lower(from[f]) == lower(name[n]))) {
      ++f, ++n;
    } else if (star != std::string_view::npos && taken.back().first + taken.back().second < name.size()) {
      f = star + 1;
      n = taken.back().first + ++taken.back().second;
    } else {
      return {};
    }
  }
  std::string out;
  std::size_t next = 0;
  for (const char c : to) {
    if (c != '*') {
      out += c;
    } else {
      if (next == taken.size()) return {};
      out += name.substr(taken[next].first, taken[next].second);
      ++next;
    }
  }
  return out;
}

}  // namespace marrow::anvil
