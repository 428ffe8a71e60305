// SPDX-License-Identifier: MIT
#include "ops/files/convert.h"

#include <doctest/doctest.h>

#include "marrow/core/byte_reader.h"
#include "support/documents.h"

using namespace marrow;

TEST_CASE("only files for another platform are wrong, and other games are left alone with a note") {
  const Document le = test::clip_document(3, 30, Game::SkyrimLe, Parts::None),
                 se = test::clip_document(3, 30, Game::SkyrimSe, Parts::None),
                 fo4 = test::clip_document(3, 30, Game::Fallout4, Parts::None);
  Context context;
  std::string because;
  const ConvertOptions to_se{.save = {.game = Game::SkyrimSe}, .only_wrong = true};
  CHECK(wrong_for(le, to_se, context, because) == Game::SkyrimSe);
  CHECK_FALSE(wrong_for(se, to_se, context, because));
  CHECK(context.notes.empty());
  CHECK_FALSE(wrong_for(fo4, to_se, context, because));
  REQUIRE(context.notes.size() == 1);
  CHECK(context.notes[0].message.find("retarget") != std::string::npos);
}

TEST_CASE("without a game, 32-bit files in a folder of Skyrim SE are wrong") {
  Document le = test::clip_document(3, 30, Game::SkyrimLe, Parts::None);
  Context context;
  std::string because;
  CHECK_FALSE(wrong_for(le, {.only_wrong = true}, context, because));
  le.name = "Skyrim Special Edition/Data/meshes/a.hkx";
  CHECK(wrong_for(le, {.only_wrong = true}, context, because) == Game::SkyrimSe);
}

TEST_CASE("a pointer size is one that a game with the file's version has") {
  const Document se = test::clip_document(3, 30, Game::SkyrimSe, Parts::None);
  const test::Bytes narrow = test::saved(se, {.pointer_size = 4});
  CHECK(narrow == test::saved(se, {.game = Game::SkyrimLe}));
  Context context;
  const auto none = save(test::clip_document(3, 30, Game::Fallout4, Parts::None), {.pointer_size = 4}, context);
  REQUIRE_FALSE(none);
  CHECK(none.error().path == "pointer_size");
}

TEST_CASE("plain XML says what it loses, and nothing if it loses nothing") {
  Context context;
  const Document clip = test::clip_document(3, 30, Game::SkyrimLe, Parts::None);
  const auto files = save(clip, {.format = Format::Xml, .xml_style = havok::XmlStyle::Plain}, context);
  REQUIRE(files);
  CHECK(as_text(files->at(0).bytes).find("pointersize") == std::string_view::npos);
  CHECK(context.notes.size() == 2);  // 32 bits, and rotations of more than six decimals
  context.notes.clear();
  REQUIRE(save(test::skeleton_document_of(3), {.format = Format::Xml, .xml_style = havok::XmlStyle::Plain}, context));
  CHECK(context.notes.empty());
}
