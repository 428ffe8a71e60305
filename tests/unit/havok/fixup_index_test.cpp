// SPDX-License-Identifier: MIT
#include "havok/packfile/fixup_index.h"

#include <doctest/doctest.h>

using namespace marrow::havok;
using Fixups = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST_CASE("a slot leads to its target in whatever order slots are asked for") {
  const Fixups fixups = {{8, 100}, {64, 200}, {16, 300}, {512, 400}};
  FixupIndex in_order(fixups, 516);
  for (const auto& [slot, target] : fixups) CHECK(in_order.find(slot) == target);
  FixupIndex backwards(fixups, 516);
  for (std::size_t i = fixups.size(); i-- > 0;) CHECK(backwards.find(fixups[i].first) == fixups[i].second);
  for (const auto& [slot, target] : fixups) CHECK(backwards.find(slot) == target);  // once more, in order
}

TEST_CASE("a slot without a fixup leads nowhere, and so does one between slots") {
  const Fixups fixups = {{8, 100}};
  FixupIndex index(fixups, 64);
  for (const std::uint32_t slot : {0u, 4u, 9u, 10u, 12u, 60u, 63u}) CHECK(index.find(slot) == kNowhere);
  CHECK(index.find(8) == 100);
  CHECK(FixupIndex({}, 0).find(0) == kNowhere);
}

TEST_CASE("of several fixups for one slot the last one counts") {
  const Fixups fixups = {{8, 100}, {4, 200}, {8, 300}};
  FixupIndex index(fixups, 16);
  CHECK(index.find(8) == 300);
  CHECK(index.find(4) == 200);
  CHECK(index.find(8) == 300);
}
