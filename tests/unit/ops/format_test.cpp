// SPDX-License-Identifier: MIT
#include "marrow/ops/document/format.h"

#include <doctest/doctest.h>

#include "marrow/core/byte_reader.h"
#include "nif/nif_file.h"
#include "support/documents.h"
#include "support/nif_sample.h"

using namespace marrow;

TEST_CASE("every format that is written and read is recognised by what is written") {
  const Document clip = test::clip_document(3, 5), skeleton = test::skeleton_document_of(3);
  for (const Format format : {Format::Hkx, Format::Xml}) CHECK(detect(test::saved(clip, {.format = format})) == format);
  for (const Format format : {Format::Glb, Format::Gltf, Format::AnvilStandard, Format::AnvilSchema})
    CHECK(detect(test::saved(skeleton, {.format = format})) == format);
  CHECK(detect(write_nif(test::sample_nif())) == Format::Nif);
  for (const char* start : {"", "\xEF\xBB\xBF", " \n"}) {
    const std::string text = start + std::string("<?xml version=\"1.0\"?><!-- a > b --><Skeleton ID=\"1\">");
    std::string wide("\xFE\xFF", 2);
    for (const char c : text.substr(text.find('<'))) wide += {'\0', c};
    CHECK(detect(as_bytes(text)) == Format::AnvilStandard);
    CHECK(detect(as_bytes(wide)) == Format::AnvilStandard);
  }
  CHECK(detect(as_bytes(std::string_view("\0\0\0\0", 4))) == Format::Unknown);
  CHECK(detect(as_bytes("2\r\nA.txt\r\nB.txt\r\n")) == Format::AnimationData);
  CHECK(detect(as_bytes("1\nAData\\A.txt\n")) == Format::AnimationSets);
  CHECK(detect(as_bytes("1\nwalk.hkx\n")) == Format::Unknown);
  CHECK(detect(as_bytes("# made by hand\no Cube\nv 0 0 0\n")) == Format::Obj);
}

TEST_CASE("every written format has a word, an extension and a title of its own") {
  for (const Format format : written_formats()) {
    CAPTURE(to_string(format));
    CHECK(find_format(to_string(format)) == format);
    CHECK(extension_of(format).starts_with('.'));
    CHECK_FALSE(title(format).empty());
    // Files of many kinds are called .txt.
    CHECK(format_of_extension(extension_of(format)).has_value() == !is_cache(format));
  }
  CHECK(format_of_extension(".HKT") == Format::Hkx);
  CHECK(format_of_extension(".xml") == Format::Xml);
  CHECK_FALSE(format_of_extension(".fbx"));
}

TEST_CASE("what is known and not read is refused by name") {
  Context context;
  const auto message = [&](std::string_view bytes) {
    const auto document = load(as_bytes(bytes), {}, context);
    return document ? std::string() : document.error().message;
  };
  CHECK(message(std::string_view("BSA\0h\0\0\0", 8)).find("BSA") != std::string::npos);
  CHECK(message("BTDX\1\0\0\0").find("BA2") != std::string::npos);
  CHECK(message(std::string_view("\0\0\0\x10TAG0....", 12)).find("section") != std::string::npos);
  CHECK(message("\x1E\x0D\xB0\xCA\xCE\xFA\x11\xD0 and more").find("tagfile") != std::string::npos);
  CHECK(message("hello").find("not a known format") != std::string::npos);
  CHECK(message("").find("empty") != std::string::npos);
}

TEST_CASE("what nobody touched is saved as it was, whatever parts were loaded") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const test::Bytes bytes = test::saved(test::clip_document(3, 40, game));
    for (const Parts parts : {Parts::None, Parts::Clips, Parts::Frames, Parts::All})
      CHECK(test::saved(test::loaded(bytes, parts)) == bytes);
  }
}
