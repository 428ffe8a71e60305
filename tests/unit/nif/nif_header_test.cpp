// SPDX-License-Identifier: MIT
#include "nif/nif_header.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/byte_writer.h"
#include "nif/nif_file.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

struct Sample {
  std::string_view line;
  std::uint32_t version, user_version, bethesda_version;
  int short_strings;  ///< after the Bethesda version
  bool has_endian = true;
};

std::vector<std::byte> header_of(const Sample& sample) {
  ByteWriter writer;
  writer.text(sample.line);
  writer.u32(sample.version);
  if (sample.has_endian) writer.u8(1);
  writer.u32(sample.user_version);
  writer.u32(3);
  writer.u32(sample.bethesda_version);
  for (int i = 0; i < sample.short_strings; ++i) {
    if (i == 1 && sample.bethesda_version > 130) writer.u32(0);
    writer.u8(1);
    writer.u8(0);
  }
  writer.u16(2);
  for (const std::string_view type : {"NiNode", "bhkRigidBody"}) {
    writer.u32(static_cast<std::uint32_t>(type.size()));
    writer.text(type);
  }
  for (const std::uint16_t type : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{1}}) writer.u16(type);
  return writer.take();
}

}  // namespace

TEST_CASE("the header of every Bethesda game says which it is and what it holds") {
  const auto check = [](const Sample& sample, std::string_view game) {
    const std::vector<std::byte> bytes = header_of(sample);
    const auto header = read_nif_header(bytes);
    REQUIRE_MESSAGE(header.has_value(), header.error().message);
    CHECK(header->game == game);
    CHECK(header->block_count == 3);
    CHECK(header->user_version == sample.user_version);
    CHECK(header->bethesda_version == sample.bethesda_version);
    const std::vector<std::pair<std::string, std::size_t>> types = {{"NiNode", 1}, {"bhkRigidBody", 2}};
    CHECK(header->types == types);
    CHECK(describe(*header).find("bhkRigidBody") != std::string::npos);
    if (game != "Fallout 4" && !game.starts_with("Skyrim")) {
      const auto refused = read_nif(bytes);
      REQUIRE_FALSE(refused.has_value());
      CHECK(refused.error().message.find("NIF of " + std::string(game)) != std::string::npos);
      CHECK(refused.error().message.find("2 bhkRigidBody") != std::string::npos);
    }
    for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(read_nif_header(std::span(bytes).first(size)));
  };
  constexpr std::string_view kGamebryo = "Gamebryo File Format, Version 20.2.0.7\n";
  check({"Gamebryo File Format, Version 20.0.0.5\n", 0x14000005, 11, 11, 3}, "Oblivion");
  check({kGamebryo, 0x14020007, 11, 34, 3}, "Fallout 3 or New Vegas");
  check({kGamebryo, 0x14020007, 12, 83, 3}, "Skyrim LE");
  check({kGamebryo, 0x14020007, 12, 100, 3}, "Skyrim SE");
  check({kGamebryo, 0x14020007, 12, 130, 4}, "Fallout 4");
  check({kGamebryo, 0x14020007, 12, 155, 3}, "Fallout 76");
}

TEST_CASE("files without a table of types give their version alone") {
  ByteWriter writer;
  writer.text("NetImmerse File Format, Version 4.0.0.2\n");
  writer.u32(0x04000002);
  writer.u32(7);
  const auto morrowind = read_nif_header(writer.view());
  REQUIRE(morrowind);
  CHECK(morrowind->game == "Morrowind");
  CHECK(morrowind->block_count == 7);
  CHECK(morrowind->types.empty());
  const auto old = read_nif_header(as_bytes("NetImmerse File Format, Version 3.03\nCopyright"));
  REQUIRE(old);
  CHECK(old->game.empty());
  CHECK_FALSE(read_nif_header(as_bytes("hello")));
}

TEST_CASE("counts and types in a header are not believed") {
  std::vector<std::byte> bytes = header_of({"Gamebryo File Format, Version 20.2.0.7\n", 0x14020007, 12, 100, 3});
  bytes.back() = std::byte{0x70};  // a type that is not there
  CHECK_FALSE(read_nif_header(bytes));
  bytes = header_of({"Gamebryo File Format, Version 20.2.0.7\n", 0x14020007, 12, 100, 3});
  CHECK_FALSE(read_nif_header(bytes, {.max_objects = 2}));
}

TEST_CASE("rigid bodies of before packfiles are distinguished from those of Fallout 4") {
  CHECK(is_legacy_collision("bhkRigidBodyT"));
  CHECK(is_legacy_collision("bhkCollisionObject"));
  CHECK(is_legacy_collision("hkPackedNiTriStripsData"));
  CHECK_FALSE(is_legacy_collision("bhkNPCollisionObject"));
  CHECK_FALSE(is_legacy_collision("bhkPhysicsSystem"));
  CHECK_FALSE(is_legacy_collision("NiNode"));
}

TEST_CASE("the headers of the game's files agree with their blocks") {
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const std::vector<std::byte> bytes = test::bytes_of(path);
    const auto header = read_nif_header(bytes);
    REQUIRE(header);
    const auto file = read_nif(bytes);
    REQUIRE(file);
    CHECK(header->game == "Fallout 4");
    CHECK(header->block_count == file->blocks.size());
    for (const auto& [type, count] : header->types) {
      std::size_t blocks = 0;
      for (std::size_t i = 0; i < file->blocks.size(); ++i)
        blocks += file->type_of(static_cast<std::int32_t>(i)) == type;
      CHECK(blocks == count);
    }
  }
}
