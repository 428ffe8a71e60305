// SPDX-License-Identifier: MIT
#include "ops/clip/annotations.h"

#include <doctest/doctest.h>

#include "havok/animation/animation.h"
#include "support/clips.h"
#include "support/corpus.h"
#include "support/documents.h"

using namespace marrow;

namespace {

std::vector<std::string> texts(const Document& document) {
  Context context;
  std::vector<std::string> found;
  const auto report = list_events(document, {}, context);
  for (const Event& event : report.value().annotations) found.push_back(event.text);
  return found;
}

std::string exported(const Document& document) {
  Context context;
  return export_events(document, {}, context).value().annotations;
}

}  // namespace

TEST_CASE("events are exported in hkanno's form") {
  CHECK(exported(test::clip_document(3, 30)) ==
        "# numOriginalFrames: 30\n# duration: 0.96666664\n# numAnnotationTracks: 3\n# numAnnotations: 3\n"
        "0.1 FootLeft\n0.1 SoundPlay.Step\n0.3 FootRight\n");
}

TEST_CASE("exported and imported again the file is the same, for every game and as XML") {
  for (const auto game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    Context context;
    const Document source = test::clip_document(3, 30, game, Parts::Clips);
    Document added = source;
    REQUIRE(add_event(added, {.time = 0.5, .text = "on track 2", .track = 2}, context));
    REQUIRE(add_event(added, {.time = 0.25, .text = "two\nlines\\", .track = 1}, context));
    const std::string text = exported(added);
    CHECK(text.find("# track: 2\n0.5 on track 2\n") != std::string::npos);
    const test::Bytes bytes = test::saved(added);
    CHECK(bytes != test::saved(source));
    for (Document document : {source, added, test::loaded(bytes, Parts::Clips)}) {
      REQUIRE(import_events(document, {.text = text}, context));
      CHECK(test::saved(document) == bytes);
    }
    Document xml = test::loaded(test::saved(added, {.format = Format::Xml}), Parts::Clips);
    const test::Bytes before = test::saved(xml);
    REQUIRE(import_events(xml, {.text = text}, context));
    CHECK(test::saved(xml) == before);
  }
}

TEST_CASE("absent names and texts stay absent if events do not change") {
  auto file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const auto id = havok::find_animations(file).at(0);
  file.at(id).fields().element("annotationTracks", 1).set_text("trackName", std::nullopt);
  Document document = test::loaded(file, Parts::Clips);
  Context context;
  REQUIRE(replace_events(document, {.selection = {.match = "FootLeft"}, .text = "FootRight"}, context));
  const test::Bytes edited = test::saved(document);
  REQUIRE(replace_events(document, {.selection = {.match = "FootRight"}, .text = "FootRight"}, context));
  CHECK(test::saved(document) == edited);
  const auto back = havok::read_packfile(edited).value();
  CHECK_FALSE(back.at(id).fields().array("annotationTracks").record(1).text("trackName"));
}

TEST_CASE("the motion of a clip that has frames and no tracks stays as it is") {
  Context context;
  auto document = load(test::bytes_of("fuzz/seeds/clip/frames-without-tracks.hkx"), {.parts = Parts::Clips}, context);
  REQUIRE(document);
  REQUIRE(document->clips.size() == 2);
  CHECK(document->clips[1].clip.frame_count == 2143289344);
  REQUIRE(remove_events(*document, {.selection = {.match = "*"}}, context));
  // Fixups of the file lead from no field: that they are dropped must be wanted.
  const auto refused = save(*document, {}, context);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::Unrepresentable);
  const auto files = save(*document, {.allow_loss = true}, context);
  REQUIRE(files);
  CHECK(files->front().bytes.size() < 10'000);
}

TEST_CASE("an event is added after those of its time") {
  Document document = test::clip_document(3, 30);
  Context context;
  CHECK(add_event(document, {.time = 0.1, .text = "third"}, context).value().events == 1);
  REQUIRE(add_event(document, {.time = 0.0, .text = "first"}, context));
  CHECK(texts(document) == std::vector<std::string>{"first", "FootLeft", "SoundPlay.Step", "third", "FootRight"});
}

TEST_CASE("an event past the end is added with a note; a track that is not there is an error") {
  Document document = test::clip_document(3, 30);
  Context context;
  REQUIRE(add_event(document, {.time = 9.0, .text = "late"}, context));
  CHECK(context.notes.size() == 1);
  CHECK_FALSE(add_event(document, {.text = "x", .track = 3}, context));
  CHECK_FALSE(add_event(document, {.text = "x", .track = -1}, context));
}

TEST_CASE("events are removed and replaced by pattern, in any case") {
  Context context;
  Document document = test::clip_document(3, 30);
  CHECK(remove_events(document, {.selection = {.match = "foot"}}, context).value().events == 0);
  CHECK(context.notes.size() == 1);
  CHECK(
      replace_events(document, {.selection = {.match = "*.step"}, .text = "SoundPlay.Other"}, context).value().events ==
      1);
  REQUIRE(remove_events(document, {.selection = {.match = "foot*"}}, context));
  CHECK(texts(document) == std::vector<std::string>{"SoundPlay.Other"});
}

TEST_CASE("texts of other tools are read: Windows line ends, a byte order mark, blank lines, tabs") {
  const auto events = parse_events("\xEF\xBB\xBF# numAnnotations: 2\r\n\r\n0.5\tHit Frame\r\n1e-1 x\r\n");
  REQUIRE(events);
  REQUIRE(events->size() == 2);
  CHECK((*events)[0].text == "Hit Frame");
  CHECK((*events)[1].time_seconds == 0.1f);
}

TEST_CASE("a line that is not an event is an error with its number, in the text") {
  const auto events = parse_events("0.1 ok\nFootLeft 0.2\n");
  REQUIRE_FALSE(events);
  CHECK(events.error().offset == 2);
  Document document = test::clip_document(3, 30);
  Context context;
  CHECK(import_events(document, {.text = "nonsense"}, context).error().file == "text");
}

TEST_CASE("merging keeps what is there") {
  Context context;
  Document merged = test::clip_document(3, 30), replaced = merged;
  REQUIRE(import_events(merged, {.text = "0.2 New\n", .merge = true}, context));
  REQUIRE(import_events(replaced, {.text = "0.2 New\n"}, context));
  CHECK(texts(merged).size() == 4);
  CHECK(texts(replaced) == std::vector<std::string>{"New"});
}

TEST_CASE("a document without a clip is refused") {
  Context context;
  CHECK(export_events(test::skeleton_document_of(2), {}, context).error().code == ErrorCode::NoClip);
}

TEST_CASE("events are selected by text, time and track") {
  Document document = test::clip_document(3, 30);
  Context context;
  REQUIRE(add_event(document, {.time = 0.5, .text = "FootLeft", .track = 2}, context));
  const auto listed = [&](const EventSelection& selection) {
    return list_events(document, {.selection = selection}, context).value().annotations.size();
  };
  CHECK(listed({}) == 4);
  CHECK(listed({.match = "foot*"}) == 3);
  CHECK(listed({.since = 0.1, .until = 0.3}) == 3);  // the ends count
  CHECK(listed({.since = 0.11}) == 2);
  CHECK(listed({.match = "foot*", .tracks = {2}}) == 1);
  CHECK(
      export_events(document, {.selection = {.tracks = {2}}}, context).value().annotations.find("numAnnotations: 1") !=
      std::string::npos);
  CHECK(remove_events(document, {.selection = {.until = 0.2}}, context).value().events == 2);
  CHECK(remove_events(document, {}, context).error().path == "match");
}

TEST_CASE("parts of texts are replaced, in any case and everywhere they occur") {
  Context context;
  Document document = test::clip_document(3, 30);
  CHECK(replace_events(document, {.text = "Toe", .part = "foot"}, context).value().events == 2);
  CHECK(texts(document) == std::vector<std::string>{"ToeLeft", "SoundPlay.Step", "ToeRight"});
  REQUIRE(replace_events(document, {.selection = {.match = "Sound*"}, .text = "X.", .part = "*."}, context));
  REQUIRE(replace_events(document, {.selection = {.match = "ToeL*"}, .text = "-", .part = "?e"}, context));
  CHECK(texts(document) == std::vector<std::string>{"T--ft", "X.Step", "ToeRight"});
  CHECK(replace_events(document, {.text = "y"}, context).error().code == ErrorCode::BadOption);
}

TEST_CASE("times are shifted and scaled, sorted tracks stay sorted, and what leaves the clip is noted") {
  Context context;
  Document document = test::clip_document(3, 30);
  CHECK(shift_events(document, {.selection = {.match = "FootLeft"}, .by = 0.5}, context).value().events == 1);
  CHECK(texts(document) == std::vector<std::string>{"SoundPlay.Step", "FootRight", "FootLeft"});
  CHECK(context.notes.empty());
  REQUIRE(scale_events(document, {.by = 2.0}, context));
  const auto events = list_events(document, {}, context).value().annotations;
  CHECK(events[0].time_seconds == 0.2f);
  CHECK(events[2].time_seconds == doctest::Approx(1.2));
  CHECK(context.notes.size() == 1);  // 1.2 s in a clip of 0.97 s
  document.clips[0].clip.annotation_tracks[0].annotations = {{0.5f, "b"}, {0.1f, "a"}, {0.5f, "c"}};
  CHECK(sort_events(document, {}, context).value().events == 2);
  CHECK(texts(document) == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("events are copied between clips, and fitted to their length") {
  Context context;
  const Document source = test::clip_document(3, 61);
  Document target = test::clip_document(3, 31);
  REQUIRE(remove_events(target, {.selection = {.match = "*"}}, context));
  CHECK(copy_events(target, {.selection = {.match = "Foot*"}, .from = &source, .fit = true}, context).value().events ==
        2);
  const auto events = list_events(target, {}, context).value().annotations;
  CHECK(events[0].time_seconds == doctest::Approx(0.05));
  CHECK(events[1].time_seconds == doctest::Approx(0.15));
  REQUIRE(copy_events(target, {.from = &source, .merge = true}, context));
  CHECK(texts(target).size() == 5);
  const Document none = test::skeleton_document_of(2);
  CHECK(copy_events(target, {.from = &none}, context).error().code == ErrorCode::NoClip);
}

TEST_CASE("every preset is a text of events, with times as shares of the clip") {
  Context context;
  const EventPresetsReport presets = event_presets({});
  REQUIRE(presets.presets.size() >= 5);
  for (const EventPreset& preset : presets.presets) {
    CAPTURE(preset.name);
    CHECK(event_preset(preset.name) == preset.text);
    CHECK(event_preset("").find(preset.name) != std::string_view::npos);
    Document document = test::clip_document(3, 31);
    CHECK(import_events(document, {.text = preset.text}, context).value().events > 0);
    const std::vector<Event> events = list_events(document, {}, context).value().annotations;
    for (const Event& event : events) CHECK(event.time_seconds <= document.clips[0].clip.duration_seconds);
  }
  CHECK(context.notes.empty());
  CHECK(event_preset("nothing").empty());
  CHECK(parse_events("50% Half\n", std::vector<float>{3.0f}).value()[0].time_seconds == 1.5f);
  CHECK_FALSE(parse_events("50% Half\n"));
}

TEST_CASE("times that are not finite are refused") {
  for (const char* text : {"inf A\n", "nan A\n", "0x7fc00000 A\n", "-inf A\n", "1e99 A\n", "inf% A\n"})
    CHECK_MESSAGE(!parse_events(text, std::vector<float>{1.0f}), text);
}
