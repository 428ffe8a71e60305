// SPDX-License-Identifier: MIT
#include "marrow/core/text.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "core/crc32.h"
#include "core/float_list.h"
#include "core/lines.h"
#include "core/nearest.h"

using namespace marrow;

TEST_CASE("floats survive a trip through text bit for bit, the odd ones too") {
  for (const std::uint32_t bits : {0u, 0x80000000u, 1u, 0x7F7FFFFFu, 0x3DCCCCCDu, 0x7F800000u, 0xFF800000u, 0x7FC00000u,
                                   0x7FC12345u, 0x00800000u}) {
    const auto back = parse_float(float_text(std::bit_cast<float>(bits)));
    REQUIRE(back);
    CHECK(std::bit_cast<std::uint32_t>(*back) == bits);
  }
}

TEST_CASE("text that is not wholly a number is refused") {
  for (const char* text : {"", " ", "1.0x", "1,5", "--1", "0x", "1e", "one"}) {
    CHECK_FALSE(parse_float(text));
    CHECK_FALSE(parse_int(text));
  }
  CHECK(parse_float(" +1.5\n") == 1.5f);
  CHECK(parse_int("-12") == -12);
  CHECK(parse_uint("0xFFFFFFFFFFFFFFFF") == UINT64_MAX);
  CHECK_FALSE(parse_uint("18446744073709551616"));
}

TEST_CASE("a list of numbers is as long as it is asked to be") {
  std::array<float, 3> three{};
  for (const char* text : {"1,-2.5,3e2", " 1 ,\t-2.5\r\n, 300\n"}) {
    CHECK(parse_floats(text, three));
    CHECK(three == std::array{1.0f, -2.5f, 300.0f});
  }
  for (const char* text : {"", "1,2", "1,2,3,4", "1,2,3,", ",1,2,3", "1,,3", "1 2 3", "1,2,3x", "1,2,+3", "1,2,0x3"})
    CHECK_FALSE(parse_floats(text, three));
}

TEST_CASE("the two CRCs give the values that the games store") {
  CHECK(crc32("123456789") == 0xCBF43926u);
  CHECK(crc32("Skeleton") == 0x24AECB7Cu);
  CHECK(crc32("Bone") == 0x95741049u);
  CHECK(crc32_plain("metal") == 0x064003D4u);
  CHECK(crc32_plain("wood") == 0x1DD9C611u);
}

TEST_CASE("names compare without regard to case where asked") {
  CHECK(equal_ignoring_case("Material_Wood", "material_WOOD"));
  CHECK_FALSE(equal_ignoring_case("wood", "woods"));
  CHECK(trim("\t a b \r\n") == "a b");
  CHECK(hex_text(0x4B, 8) == "0x0000004b");
}

TEST_CASE("the nearest name is the one that was meant, or none") {
  constexpr std::string_view kBones[] = {"NPC Root [Root]", "NPC Head [Head]", "NPC Head MagicNode [Hmag]",
                                         "SkirtBBone01", "SkirtFBone01"};
  CHECK(nearest_name("NPC Head", kBones) == "NPC Head [Head]");
  CHECK(nearest_name("npc head [head]", kBones) == "NPC Head [Head]");
  CHECK(did_you_mean("npc head [head]", kBones) == "; did you mean NPC Head [Head]?");
  CHECK(did_you_mean("zzzzzz", kBones).empty());
  CHECK(nearest_name("NPC Hed [Haed]", kBones) == "NPC Head [Head]");
  CHECK(nearest_name("NPC Hed", kBones) == "NPC Head [Head]");
  CHECK(nearest_name("skirtfbone1", kBones) == "SkirtFBone01");
  CHECK(nearest_name("Tail", kBones).empty());
  CHECK(nearest_name("", kBones).empty());
  CHECK(nearest_name(std::string(1000, 'x'), kBones).empty());
}

TEST_CASE("patterns match whole texts") {
  CHECK(matches("*", ""));
  CHECK(matches("a*c", "abbbc"));
  CHECK(matches("A?C", "abc"));
  CHECK(matches("*left*", "FootLeft.x"));
  CHECK_FALSE(matches("a*c", "abcd"));
  CHECK_FALSE(matches("", "a"));
  CHECK(matches("*a*a*a*b", std::string(2000, 'a') + "b"));
}

TEST_CASE("lines have their text, offset and number, whatever ends them") {
  std::vector<std::string> seen;
  for (const TextLine& line : Lines("one\r\n\ntwo\rthree\nlast"))
    seen.push_back(std::to_string(line.number) + "@" + std::to_string(line.offset) + ":" + std::string(line.text));
  CHECK(seen == std::vector<std::string>{"1@0:one", "2@5:", "3@6:two\rthree", "4@16:last"});
  CHECK(Lines("").begin() == Lines("").end());
  std::size_t count = 0;
  for (const TextLine& line : Lines("a\n")) count += line.text == "a" ? 1u : 100u;
  CHECK(count == 1);
}

TEST_CASE("a number that its type cannot hold is none") {
  CHECK_FALSE(parse_float("1e39"));
  CHECK_FALSE(parse_float("-4e38"));
  CHECK_FALSE(parse_double("1e999999999"));
  CHECK(*parse_double("1e39") == 1e39);
  CHECK(*parse_float("3.4e38") > 3e38f);
  CHECK(*parse_float("1e-60") == 0.0f);
  CHECK(std::isinf(*parse_float("inf")));  // said, not computed
}

TEST_CASE("text for a terminal has nothing that steers it") {
  CHECK(printable("NPC COM [COM ] \u00e4\u4e2d") == "NPC COM [COM ] \u00e4\u4e2d");
  CHECK(printable("a\x1b[31m\x07\x7f") == "a\\x1b[31m\\x07\\x7f");
  CHECK(printable("\u202eabc\u2066\u009b") == "\\u202eabc\\u2066\\u009b");
  CHECK(printable("\x9b"
                  "31m") ==
        "\\x9b"
        "31m");  // not UTF-8: a terminal of eight bits would obey it
  CHECK(printable("a\nb\tc") == "a\\x0ab\\x09c");
  CHECK(printable("a\nb\tc\r", true) == "a\nb\tc\\x0d");
}
