// SPDX-License-Identifier: MIT
#include "havok/text/dump.h"

#include <doctest/doctest.h>

#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;

TEST_CASE("a dump shows each field with its value, and the offset at which the file holds it") {
  const auto bytes = *write_packfile(marrow::test::sample_packfile(kVersion2010, 8));
  const Packfile file = *read_packfile(bytes);
  const auto skeletons = file.find_all("hkaSkeleton");
  REQUIRE(skeletons.size() == 1);
  const std::string text = dump_text(file, skeletons[0]);
  CHECK(text.find("name: \"Root\"") != std::string::npos);
  CHECK(text.find("[1]: \"odd\"") != std::string::npos);
  CHECK(text.find("hkaAnimationContainer at") == std::string::npos);
  // The printed offset of bone 2's index is where its bytes are.
  const std::size_t line = text.find("[0]: -1");
  const std::size_t offset = std::stoul(text.substr(text.rfind('\n', line) + 1, 8), nullptr, 16);
  CHECK(load<std::int16_t>(bytes, offset) == -1);
  CHECK(load<std::int16_t>(bytes, offset + 4) == 1);
  CHECK(dump_text(file).find("-> object") != std::string::npos);
}
