// SPDX-License-Identifier: MIT
#include "anvil/build_table.h"

#include "anvil/encoding.h"
#include "samples.h"

namespace marrow::anvil {
namespace {

constexpr std::string_view kTable = R"(<?xml version="1.0"?>
<BuildTable ID="55">
  <BuildColumn Type="Skeleton">
    <Entry Path="882909070">882909070</Entry>
    <Entry>12</Entry>
    <Entry>4789178990</Entry>
  </BuildColumn>
  <BuildColumn Type="Mesh"><Entry>700000000</Entry><Entry Size="-700000000">7000000001</Entry></BuildColumn>
</BuildTable>
)";

std::vector<std::byte> copy_of(std::string_view text) { return {bytes_of(text).begin(), bytes_of(text).end()}; }

}  // namespace

TEST_CASE("what refers to skeletons in a table is found by its id, or by the column that it is in") {
  const std::uint64_t ids[] = {700000000};
  const auto found = find_references(bytes_of(kTable), ids);
  REQUIRE(found.has_value());
  REQUIRE(found->size() == 3);
  CHECK((*found)[0].id == 882909070);
  CHECK((*found)[0].line == 4);
  CHECK((*found)[0].element == "BuildTable/BuildColumn[0]/Entry[0]");
  CHECK((*found)[1].id == 4789178990);
  CHECK((*found)[2].id == 700000000);
  CHECK((*found)[2].element == "BuildTable/BuildColumn[1]/Entry[0]");
  CHECK_FALSE(find_references(bytes_of("no xml <"), {}));
  CHECK_FALSE(find_references({}, {}));
}

TEST_CASE("ids of a table change as whole numbers, and no other byte, in UTF-8 and UTF-16") {
  std::string wanted(kTable);
  for (std::size_t at; (at = wanted.find("882909070")) != std::string::npos;) wanted.replace(at, 9, "42");
  wanted.replace(wanted.find(">700000000<"), 11, ">43<");
  const std::map<std::uint64_t, std::uint64_t> ids = {{882909070, 42}, {700000000, 43}};
  auto plain = copy_of(kTable), wide = encode_utf16(kTable);
  const auto count = replace_ids(plain, ids);
  CHECK(count.at(882909070) == 2);
  CHECK(count.at(700000000) == 1);
  CHECK(plain == copy_of(wanted));
  replace_ids(wide, ids);
  CHECK(wide == encode_utf16(wanted));
  auto same = copy_of(kTable);
  CHECK(replace_ids(same, {{1, 2}}).empty());
  CHECK(same == copy_of(kTable));
}

TEST_CASE("every part of a table is read or refused") {
  const std::uint64_t ids[] = {882909070};
  for (std::size_t size = 0; size < kTable.size(); ++size) {
    std::vector<std::byte> cut(bytes_of(kTable).begin(), bytes_of(kTable).begin() + static_cast<std::ptrdiff_t>(size));
    if (const auto found = find_references(cut, ids)) CHECK(found->size() <= 4);
    replace_ids(cut, {{882909070, 1}});
    std::vector<std::byte> wide = encode_utf16(kTable);
    wide.resize(size);
    (void)find_references(wide, ids);
    replace_ids(wide, {{882909070, 1}});
  }
}

}  // namespace marrow::anvil
