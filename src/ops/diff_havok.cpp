// SPDX-License-Identifier: MIT
#include "core/try.h"
#include "marrow/havok/compare.h"
#include "ops/formats.h"

namespace marrow {

Result<std::vector<Difference>> diff_havok(std::span<const std::byte> left, std::span<const std::byte> right,
                                           const Limits& limits) {
  MARROW_TRY(const havok::Packfile a, read_havok(left, {.limits = limits}));
  MARROW_TRY(const havok::Packfile b, read_havok(right, {.limits = limits}));
  std::vector<Difference> differences;
  if (a.schema != b.schema) differences.push_back({"version", a.schema->version(), b.schema->version()});
  if (a.schema == b.schema)
    for (havok::TreeDifference& difference : compare(a, b))
      differences.push_back({std::move(difference.path), std::move(difference.left), std::move(difference.right)});
  return differences;
}

}  // namespace marrow
