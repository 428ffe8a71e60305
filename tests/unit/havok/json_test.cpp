// SPDX-License-Identifier: MIT
#include "havok/text/json.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "havok/text/dump.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

Packfile parsed(std::string_view text) {
  auto file = read_json(as_bytes(text));
  REQUIRE_MESSAGE(file.has_value(), (file ? "" : describe(file.error())));
  return std::move(*file);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a packfile comes back from JSON byte for byte: every kind of value, both pointer sizes, opaque objects") {
  for (const std::string_view version : {kVersion2010, kVersion2014})
    for (const std::uint32_t size : {4u, 8u})
      for (const bool with_opaque : {false, true}) {
        const auto bytes = write_packfile(marrow::test::sample_packfile(version, size, with_opaque)).value();
        const Packfile file = read_packfile(bytes).value();
        const Packfile back = parsed(dump_json(file));
        CHECK(back == file);
        CHECK(write_packfile(back).value() == bytes);
      }
  const Packfile behaviour = marrow::test::sample_behaviour(4);
  CHECK(parsed(dump_json(behaviour)) == behaviour);
}

TEST_CASE("JSON keeps what a number or a text could lose") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.padding = Padding(0x7F);
  file.user_tag = -3;
  file.root = file.add("hkaSkeleton");
  file.at(file.root).set_name("#0051");
  Fields fields = file.at(file.root).fields();
  fields.set_text("name", "caf\xE9 \"\\");  // Latin-1, not UTF-8
  fields.set_numbers<float>(
      "referenceFloats", std::vector<float>{-0.0f, std::numeric_limits<float>::infinity(), std::nanf("7"), 1e-45f, 0.1f,
                                            16777216.0f, 3.4028235e38f});
  fields.set_texts("floatSlots", std::vector<std::string>{"", "\xC3\xA9\x7F\x01"});
  const Packfile back = parsed(dump_json(file));
  CHECK(back == file);
  CHECK(back.padding == file.padding);
  CHECK(back.at(back.root).name() == "#0051");
  const auto before = file.at(file.root).fields().view().array("referenceFloats").numbers<std::uint32_t>();
  const auto after = back.at(back.root).fields().array("referenceFloats").numbers<std::uint32_t>();
  CHECK(std::ranges::equal(before, after));
}

TEST_CASE("JSON edited by hand: fields may be missing, in any order and unknown, and that is reported") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  file.at(file.root).fields().set_text("name", "Root");
  const std::string text = replaced(dump_json(file), "\"referenceFloats\"", "\"referenceFlots\"");
  Findings findings;
  const auto read = read_json(as_bytes(text), {.findings = &findings});
  REQUIRE(read);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].code == "W_UNKNOWN_PARAM");
  CHECK(findings[0].message.find("did you mean referenceFloats?") != std::string::npos);
  CHECK(findings[0].where == "objects[0] (hkaSkeleton)");
  CHECK(findings[1].code == "W_MISSING_PARAM");
}

TEST_CASE("JSON that is not a whole packfile is refused with its place") {
  const Packfile file = read_packfile(write_packfile(marrow::test::sample_packfile(kVersion2010, 8)).value()).value();
  const auto error_of = [](std::string_view text) {
    const auto read = read_json(as_bytes(text));
    REQUIRE_FALSE(read);
    return read.error();
  };
  CHECK(error_of("").code == ErrorCode::Truncated);
  CHECK(error_of("{}").code == ErrorCode::BadMagic);
  CHECK(error_of(dump_json(file, ObjectId{1})).path == "objects[0]");
  const std::string whole = dump_json(file);
  CHECK(error_of(replaced(whole, "hk_2010.2.0-r1", "hk_2010.two-r1")).code == ErrorCode::Unsupported);
  CHECK(error_of(replaced(whole, "\"root\":0", "\"root\":900")).path == "root");
  CHECK(error_of(replaced(whole, "\"class\":\"hkaSkeleton\"", "\"class\":\"hkaSkelton\"")).code ==
        ErrorCode::Unsupported);
  CHECK(error_of(replaced(whole, "\"parentIndices\":[-1", "\"parentIndices\":[-70000"))
            .path.ends_with("parentIndices[0]"));
  for (std::size_t length = 0; length < whole.size(); length += 7)
    CHECK_FALSE(read_json(as_bytes(std::string_view(whole).substr(0, length))));
}
