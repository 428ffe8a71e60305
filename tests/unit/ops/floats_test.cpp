// SPDX-License-Identifier: MIT
#include "ops/clip/floats.h"

#include <doctest/doctest.h>

#include "ops/clip/sample.h"
#include "ops/files/convert.h"
#include "support/clips.h"
#include "support/documents.h"

using namespace marrow;

namespace {

Document waving() { return test::clip_document(3, 31, Game::SkyrimSe, Parts::Skeletons | Parts::Frames); }

// What the file itself says, after writing and reading.
Document rewritten(const Document& document) {
  return test::loaded(test::saved(document), Parts::Skeletons | Parts::Frames, "clip.hkx");
}

std::string floats_csv(const Document& document, const Skeleton* skeleton = nullptr) {
  Context context;
  const auto report = sample(document, {.frames = {0, 30}, .floats = true, .skeleton = skeleton}, context);
  REQUIRE(report);
  const SavedFile file = report->text();
  return std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
}

}  // namespace

TEST_CASE("float tracks are printed by slot, and by name too if the skeleton is given") {
  CHECK(floats_csv(waving()) == "frame,slot,value\n0,0,1\n30,0,1\n");
  const Skeleton skeleton = test::chain_skeleton(3);
  CHECK(floats_csv(waving(), &skeleton) == "frame,slot,value,name\n0,0,1,hkVis:Bone 0\n30,0,1,hkVis:Bone 0\n");
}

TEST_CASE("a float track is set for some frames, and the other tracks keep their codes") {
  Document document = waving();
  const auto before = document.clips[0].spline;
  Context context;
  REQUIRE(set_floats(document, {.slot = "0", .value = 0.25, .first = 10, .last = 20}, context));
  const Clip clip = rewritten(document).clips.at(0).clip;
  CHECK(clip.floats[9] == doctest::Approx(1.0));
  CHECK(clip.floats[15] == doctest::Approx(0.25));
  CHECK(clip.floats[21] == doctest::Approx(1.0));
  CHECK(clip.transforms == waving().clips[0].clip.transforms);
  CHECK(set_floats(document, {.slot = "0", .first = 10, .last = 99}, context).error().code == ErrorCode::BadOption);
}

TEST_CASE("a slot that has no track gets one, by number or by name, and loses it again") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.float_slots.push_back({"hkFade:Tail", 0.0f});
  Document document = waving();
  const test::Bytes before = test::saved(document);
  Context context;
  REQUIRE(set_floats(document, {.slot = "hkFade:Tail", .value = 0.5, .skeleton = &skeleton}, context));
  const Document two = rewritten(document);
  CHECK(two.clips[0].clip.float_to_slot == std::vector<std::int16_t>{0, 1});
  CHECK(floats_csv(two) == "frame,slot,value\n0,0,1\n0,1,0.5\n30,0,1\n30,1,0.5\n");
  document = two;
  REQUIRE(remove_floats(document, {.slot = "1"}, context));
  CHECK(test::saved(document) == before);
  CHECK(remove_floats(document, {.slot = "1"}, context).error().code == ErrorCode::NotFound);
  const auto wrong = set_floats(document, {.slot = "hkFade:Tial", .skeleton = &skeleton}, context);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("hkFade:Tail") != std::string::npos);
}

TEST_CASE("a table replaces the slots that it has; between its frames values are interpolated") {
  Document document = waving();
  Context context;
  const auto report = import_floats(document, {.table = "frame,slot,value\n0,4,0\n30,4,3\n"}, context);
  REQUIRE(report);
  CHECK(report->tracks == 2);
  CHECK(report->changed == 1);
  const Clip clip = rewritten(document).clips.at(0).clip;
  CHECK(clip.floats[2 * 10] == doctest::Approx(1.0));
  CHECK(clip.floats[2 * 10 + 1] == doctest::Approx(1.0).epsilon(0.001));
  CHECK(clip.floats[2 * 20 + 1] == doctest::Approx(2.0).epsilon(0.001));
  CHECK_FALSE(import_floats(document, {.table = "frame,slot,value\n"}, context));
  CHECK_FALSE(import_floats(document, {.table = "0,1,x\n"}, context));
  CHECK_FALSE(import_floats(document, {.table = "0,1.5,2\n"}, context));
}

TEST_CASE("float tracks go to glTF and come back as the same bytes") {
  Document document = waving();
  Context context;
  REQUIRE(import_floats(document, {.table = "0,0,0\n15,0,1\n30,0,0.5\n"}, context));
  Document moved = rewritten(document);
  const test::Bytes before = test::saved(moved);
  const Document skeleton = test::skeleton_document_of(3);
  REQUIRE(convert(moved, {.save = {.format = Format::Glb}, .skeleton = &skeleton}, context));
  const Document scene = test::loaded(test::saved(moved, {.format = Format::Glb}));
  CHECK(scene.clips.at(0).clip.floats.at(15) == doctest::Approx(1.0).epsilon(0.001));
  CHECK(test::saved(scene, {.format = Format::Hkx}) == before);
}
