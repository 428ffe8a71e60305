// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include "core/try.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/compare.h"
#include "marrow/havok/skeleton.h"
#include "ops/formats.h"

namespace marrow {
namespace {

/// More differences than anyone reads.
constexpr std::size_t kLimit = 100'000;

bool holds_motion(const havok::Packfile& file) {
  return !find_animations(file).empty() || !find_skeletons(file).empty();
}

/// Parts of the tree that `diff_animation` compares by what they show.
bool is_compared_as_model(std::string_view path) {
  constexpr std::array<std::string_view, 6> kParts = {".animations[", ".bindings[", ".skeletons[",
                                                      ".skeletonA",   ".skeletonB", ".skeleton."};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

}  // namespace

Result<std::vector<Difference>> diff_havok(std::span<const std::byte> left, std::span<const std::byte> right,
                                           const Limits& limits) {
  MARROW_TRY(const havok::Packfile a, read_havok(left, {.limits = limits}));
  MARROW_TRY(const havok::Packfile b, read_havok(right, {.limits = limits}));
  const bool moves = holds_motion(a) && holds_motion(b);
  std::vector<Difference> differences;
  if (moves) {
    MARROW_TRY(differences, diff_animation(a, b, limits));
  }
  // Between versions only clips and skeletons can be compared; for them a version is one more encoding.
  if (a.schema != b.schema) {
    if (!moves) differences.push_back({"version", a.schema->version(), b.schema->version()});
    return differences;
  }
  for (havok::TreeDifference& difference : compare(a, b, kLimit))
    if (!moves || !is_compared_as_model(difference.path))
      differences.push_back({std::move(difference.path), std::move(difference.left), std::move(difference.right)});
  return differences;
}

}  // namespace marrow
