// SPDX-License-Identifier: MIT
#include "havok/object/version.h"

#include <doctest/doctest.h>

#include "havok/animation/names.h"
#include "havok/object/game.h"
#include "havok/text/xml.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

Packfile small_file(const HavokVersion& version, std::uint32_t pointer_size) {
  Packfile file = make_packfile(*builtin_schema(version.name), pointer_size);
  file.root = file.add("hkRootLevelContainer");
  return file;
}

}  // namespace

TEST_CASE("a version is one row: its files are written and read by what the row says") {
  REQUIRE(havok_versions().size() >= 2);
  for (const HavokVersion& version : havok_versions()) {
    CAPTURE(version.name);
    CHECK(find_version(version.name) == &version);
    const Schema* schema = builtin_schema(version.name);
    REQUIRE(schema);
    CHECK(&version_of(*schema) == &version);
    const Packfile file = small_file(version, 8);
    const auto bytes = write_packfile(file).value();
    CHECK(load<std::int32_t>(bytes, 0x0C) == version.file_version);
    CHECK(load<std::int32_t>(bytes, 0x38) == version.usual_flags);
    CHECK(as_text(std::span(bytes).subspan(0x28, version.name.size())) == version.name);
    const std::size_t sections = 0x40 + version.usual_predicates.size();
    CHECK(as_text(std::span(bytes).subspan(sections, 14)) == "__classnames__");
    CHECK(as_text(std::span(bytes).subspan(sections + section_header_size(version.file_version), 9)) == "__types__");
    Packfile back = read_packfile(bytes).value();
    CHECK(back.class_list.empty() == !version.keeps_class_list);
    back.class_list.clear();
    CHECK(back == file);
    const auto xml = write_xml(file).value();
    CHECK(as_text(xml).find("classversion=\"" + std::to_string(version.file_version) + "\"") != std::string::npos);
    for (const AnimationType& type : version.animation_types) {
      CHECK(schema->find(type.class_name));
      CHECK(animation_type(*schema, type.class_name) == type.number);
    }
    CHECK(blend_hint_of(*schema, blend_hint_number(*schema, BlendHint::AdditiveDeprecated)) ==
          BlendHint::AdditiveDeprecated);
    CHECK((blend_hint_of(*schema, blend_hint_number(*schema, BlendHint::Additive)) == BlendHint::Additive) ==
          version.additive.has_value());
  }
}

TEST_CASE("a version that is not in the table is refused with those that are") {
  CHECK(find_version("hk_3017.1.0-r1") == nullptr);
  CHECK(builtin_schema("hk_3017.1.0-r1") == nullptr);
  CHECK(supported_versions() == "Havok-5.0.0-r1 to hk_2016.2.0-r1");
  auto bytes = write_packfile(small_file(default_version(), 8)).value();
  bytes[0x28 + 3] = std::byte{'3'};  // hk_3010.2.0-r1
  const auto refused = read_packfile(bytes);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find(supported_versions()) != std::string::npos);
  const auto xml = read_xml(as_bytes("<hkpackfile contentsversion=\"hk_3017.1.0-r1\"/>"));
  REQUIRE_FALSE(xml);
  CHECK(xml.error().message.find(supported_versions()) != std::string::npos);
}

TEST_CASE("a game is one row of version and pointer size, found from a file") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4})
    CHECK(game_of(small_file(*find_version(version_of(game)), pointer_size_of(game))) == game);
  // No game has the newer version in 32 bits: the version decides.
  CHECK(game_of(small_file(*find_version(kVersion2014), 4)) == Game::Fallout4);
  // Other versions and layouts are for other games.
  CHECK_FALSE(game_of(small_file(havok_versions().front(), 4)));
  Packfile console = small_file(default_version(), 4);
  console.is_big_endian = true;
  CHECK_FALSE(game_of(console));
}
