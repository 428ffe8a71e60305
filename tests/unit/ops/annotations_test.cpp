// SPDX-License-Identifier: MIT
#include "marrow/ops/annotations.h"

#include <doctest/doctest.h>

#include "marrow/havok/animation.h"
#include "marrow/havok/xml.h"
#include "support/clips.h"

using namespace marrow;

namespace {

std::vector<std::byte> clip_file(Game game = Game::SkyrimSe) {
  return havok::write_packfile(havok::make_clip_file(test::waving_clip(3, 30), game).value()).value();
}

std::vector<std::string> texts(std::span<const std::byte> file) {
  std::vector<std::string> found;
  const auto events = list_events(file);
  for (const Event& event : events.value()) found.push_back(event.text);
  return found;
}

}  // namespace

TEST_CASE("events are exported in hkanno's form") {
  CHECK(export_events(clip_file()).value() ==
        "# numOriginalFrames: 30\n# duration: 0.96666664\n# numAnnotationTracks: 3\n# numAnnotations: 3\n"
        "0.1 FootLeft\n0.1 SoundPlay.Step\n0.3 FootRight\n");
}

TEST_CASE("exported and imported again the file is the same, for every game and as XML") {
  for (const auto game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const auto file = clip_file(game);
    const auto added = add_events(file, std::vector<Event>{{0, 2, 0.5f, "on track 2"}, {0, 1, 0.25f, "two\nlines\\"}});
    REQUIRE(added);
    const auto text = export_events(added->bytes);
    REQUIRE(text);
    CHECK(text->find("# track: 2\n0.5 on track 2\n") != std::string::npos);
    CHECK(import_events(added->bytes, *text).value().bytes == added->bytes);
    CHECK(import_events(file, *text).value().bytes == added->bytes);
    const auto xml = havok::write_xml(havok::read_packfile(added->bytes).value()).value();
    CHECK(import_events(xml, *text).value().bytes == xml);
  }
}

TEST_CASE("absent names and texts stay absent where events do not change") {
  auto file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const auto id = havok::find_animations(file).at(0);
  file.at(id).fields().element("annotationTracks", 1).set_text("trackName", std::nullopt);
  const auto bytes = havok::write_packfile(file).value();
  const auto edited = replace_events(bytes, "FootLeft", "FootRight");
  REQUIRE(edited);
  CHECK(replace_events(edited->bytes, "FootRight", "FootRight").value().bytes == edited->bytes);
  const auto back = havok::read_packfile(edited->bytes).value();
  CHECK_FALSE(back.at(id).fields().array("annotationTracks").record(1).text("trackName"));
}

TEST_CASE("an event is added after those of its time") {
  const auto edit = add_events(clip_file(), std::vector<Event>{{0, 0, 0.1f, "third"}, {0, 0, 0.0f, "first"}});
  REQUIRE(edit);
  CHECK(edit->changed == 2);
  CHECK(texts(edit->bytes) == std::vector<std::string>{"first", "FootLeft", "SoundPlay.Step", "third", "FootRight"});
}

TEST_CASE("an event past the end is added and told of; a track that is not there is an error") {
  CHECK(add_events(clip_file(), std::vector<Event>{{0, 0, 9.0f, "late"}}).value().notes.size() == 1);
  CHECK_FALSE(add_events(clip_file(), std::vector<Event>{{0, 3, 0.0f, "x"}}));
  CHECK_FALSE(add_events(clip_file(), std::vector<Event>{{0, -1, 0.0f, "x"}}));
}

TEST_CASE("events are removed and replaced by pattern, in any case") {
  CHECK(texts(remove_events(clip_file(), "foot*").value().bytes) == std::vector<std::string>{"SoundPlay.Step"});
  CHECK(remove_events(clip_file(), "foot").value().changed == 0);
  CHECK(texts(replace_events(clip_file(), "*.step", "SoundPlay.Other").value().bytes)[1] == "SoundPlay.Other");
}

TEST_CASE("texts of other tools are read: Windows line ends, a byte order mark, blank lines, tabs") {
  const auto events = parse_events("\xEF\xBB\xBF# numAnnotations: 2\r\n\r\n0.5\tHit Frame\r\n1e-1 x\r\n");
  REQUIRE(events);
  REQUIRE(events->size() == 2);
  CHECK((*events)[0].text == "Hit Frame");
  CHECK((*events)[1].time_seconds == 0.1f);
}

TEST_CASE("a line that is no event is an error with its number") {
  const auto events = parse_events("0.1 ok\nFootLeft 0.2\n");
  REQUIRE_FALSE(events);
  CHECK(events.error().offset == 2);
}

TEST_CASE("merging keeps what is there") {
  CHECK(texts(import_events(clip_file(), "0.2 New\n", true).value().bytes).size() == 4);
  CHECK(texts(import_events(clip_file(), "0.2 New\n").value().bytes) == std::vector<std::string>{"New"});
}

TEST_CASE("a file without a clip is refused") {
  CHECK_FALSE(export_events({}));
  CHECK_FALSE(holds_clip(std::as_bytes(std::span("text"))));
}
