// SPDX-License-Identifier: MIT
#include "havok/animation/animation.h"

#include <doctest/doctest.h>

#include "havok/animation/skeleton.h"
#include "havok/object/transcribe.h"
#include "havok/text/xml.h"
#include "support/clips.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

constexpr Game kGames[] = {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4};

Packfile through_bytes(const Packfile& file) { return read_packfile(write_packfile(file).value()).value(); }

Clip first_clip(const Packfile& file) { return read_clip(file, find_animations(file).at(0)).value(); }

std::uint64_t pack(const std::vector<std::uint16_t>& codes, std::size_t at) {
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < 4; ++i) packed |= std::uint64_t{codes[at + i]} << (16 * i);
  return packed;
}

/// Sets the lossless arrays of one kind of channel.
void set_part(Fields animation, const std::string& dynamic, const std::vector<float>& moving, const std::string& fixed,
              const std::vector<float>& still, const std::string& codes, const std::vector<std::uint16_t>& values) {
  animation.set_numbers<float>(dynamic, moving);
  animation.set_numbers<float>(fixed, still);
  // Translations and scales have their four codes in one 64-bit number.
  if (codes.starts_with("rotation"))
    animation.set_numbers<std::uint16_t>(codes, values);
  else
    animation.set_numbers<std::uint64_t>(codes, std::vector<std::uint64_t>{pack(values, 0), pack(values, 4)});
}

}  // namespace

TEST_CASE("a clip written as frames for each game reads back the same") {
  const Clip clip = test::waving_clip(4, 20);
  for (const Game game : kGames) CHECK(first_clip(through_bytes(make_clip_file(clip, game).value())) == clip);
}

TEST_CASE("spline motion goes into a file and comes out with the laws of the format kept") {
  const auto blob = test::random_blob(3, {.frames = 300, .tracks = 5, .floats = 1});
  Clip clip = test::waving_clip(5, 300);
  for (const Game game : kGames) {
    const Packfile file = through_bytes(make_clip_file(clip, game, &blob).value());
    const ObjectId id = find_animations(file).at(0);
    CHECK(codec::read_spline_blob(spline_data(file, id).value()).value() == blob);
    const FieldsView fields = file.at(id).fields();
    CHECK(fields.integer("numBlocks") == 2);
    CHECK(fields.real("blockDuration") == doctest::Approx(8.5));
    CHECK(fields.real("blockInverseDuration") == doctest::Approx(1 / 8.5));
    CHECK(fields.integer("type") == (game == Game::Fallout4 ? 3 : 5));
    CHECK(fields.integer("maskAndQuantizationSize") == 24);
  }
}

TEST_CASE("a clip whose unused floatBlockOffsets is wrong plays, is reported once, and is mended by writing") {
  Clip clip = test::waving_clip(5, 300);
  clip.float_track_count = 0;
  clip.floats.clear();
  clip.float_to_slot.clear();
  const auto blob = test::random_blob(3, {.frames = 300, .tracks = 5, .floats = 0});
  for (const Game game : kGames) {
    Packfile file = make_clip_file(clip, game, &blob).value();
    const std::vector<std::byte> good = write_packfile(file).value();
    const ObjectId id = find_animations(file).at(0);
    const Clip right = first_clip(file);
    for (const std::vector<std::uint32_t>& offsets : {std::vector<std::uint32_t>{0, 0}, {}, {7, 9, 11}}) {
      file.at(id).fields().set_numbers<std::uint32_t>("floatBlockOffsets", offsets);
      CHECK(first_clip(file) == right);
      CHECK(write_packfile(file).value() == good);
      // XML keeps what the file says, and reports it.
      Findings findings;
      const Packfile back = read_xml(write_xml(file).value(), {.findings = &findings}).value();
      CHECK(back == file);
      REQUIRE(findings.size() == 1);
      CHECK(findings[0].code == "W_FLOAT_BLOCK_OFFSETS");
      CHECK(findings[0].level == Level::Warning);
    }
    Findings findings;
    std::vector<std::byte> bytes = good;
    const Packfile stored = read_packfile(good).value();
    const std::size_t at =
        stored.at(find_animations(stored)[0]).fields().array("floatBlockOffsets").storage().source_offset();
    bytes[at] = std::byte{0};
    bytes[at + 1] = std::byte{0};
    CHECK(first_clip(read_packfile(bytes, {.findings = &findings}).value()) == right);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == "W_FLOAT_BLOCK_OFFSETS");
    CHECK(findings[0].where.find("hkaSplineCompressedAnimation") != std::string::npos);
    CHECK(write_packfile(read_packfile(bytes).value()).value() == good);
  }
}

TEST_CASE("an unknown rotation encoding on a channel that rests at identity is an error with its place") {
  const codec::SplineBlob blob{.frame_count = 2, .blocks = {{.transforms = std::vector<codec::TransformTrack>(1)}}};
  Clip clip = test::waving_clip(1, 2);
  Packfile file = make_clip_file(clip, Game::SkyrimSe, &blob).value();
  const ObjectId id = find_animations(file).at(0);
  std::vector<std::uint8_t> data(16);
  data[0] = 0xFF;
  file.at(id).fields().set_numbers<std::uint8_t>("data", data);
  const auto read = read_clip(file, id);
  REQUIRE_FALSE(read);
  CHECK(read.error().offset != kNoOffset);
  CHECK(read.error().path == "objects[2].data.blocks[0].tracks[0].rotation");
}

TEST_CASE("motion is replaced and everything else kept") {
  const Clip clip = test::waving_clip(5, 40);
  Packfile file = make_clip_file(clip, Game::SkyrimSe).value();
  const ObjectId id = find_animations(file).at(0);
  const auto blob = test::random_blob(8, {.frames = 40, .tracks = 5, .floats = 1});
  REQUIRE(set_spline_motion(file, id, blob, clip.duration_seconds));
  const Clip after = first_clip(through_bytes(file));
  CHECK(after.annotation_tracks == clip.annotation_tracks);
  CHECK(after.root_motion == clip.root_motion);
  CHECK(after.float_to_slot == clip.float_to_slot);
  CHECK(after.transforms != clip.transforms);
}

TEST_CASE("between frames the shorter way is taken") {
  Clip clip = test::waving_clip(1, 2);
  clip.transforms[1].rotation = -clip.transforms[0].rotation;
  clip.transforms[1].translation = {2, 4, 6};
  std::vector<Transform> pose(1);
  sample_frame(clip, 0.5, pose);
  CHECK(angle_degrees(pose[0].rotation, clip.transforms[0].rotation) < 1e-3f);
  CHECK(pose[0].translation == Vec3{1, 2, 3});
}

TEST_CASE("a lossless animation is read: identity, one value, a value per frame") {
  Clip clip = test::waving_clip(2, 3);
  clip.float_track_count = 0;
  clip.floats.clear();
  clip.float_to_slot.clear();
  Packfile file = make_clip_file(clip, Game::Fallout4).value();
  const ObjectId id = find_animations(file).at(0);
  Object& object = file.at(id);
  object.reset(*file.schema->find("hkaLosslessCompressedAnimation"));
  Fields animation = object.fields();
  animation.set_real("duration", 0.1);
  animation.set_integer("numberOfTransformTracks", 2);
  animation.set_integer("numFrames", 3);
  // Track 0: x moves, y is 7; track 1 is identity but for a turning rotation.
  set_part(animation, "dynamicTranslations", {1, 2, 3}, "staticTranslations", {5, 7}, "translationTypeAndOffsets",
           {0 << 2 | 2, 1 << 2 | 1, 0, 0, 0, 0, 0, 0});
  set_part(animation, "dynamicRotations", {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0}, "staticRotations", {},
           "rotationTypeAndOffsets", {0, 0 << 2 | 2});
  set_part(animation, "dynamicScales", {}, "staticScales", {2}, "scaleTypeAndOffsets", {0, 0, 1, 0, 0, 0, 0, 0});
  const Clip read = first_clip(through_bytes(file));
  CHECK(read.frame(2)[0].translation == Vec3{3, 7, 0});
  CHECK(read.frame(0)[0].scale == Vec3{1, 1, 2});
  CHECK(read.frame(1)[1].rotation == make_quat(1, 0, 0, 0));
  CHECK(read.frame(1)[0].rotation == make_quat(0, 0, 0, 1));

  animation.set_numbers<std::uint16_t>("rotationTypeAndOffsets", std::vector<std::uint16_t>{0, 9 << 2 | 2});
  CHECK_FALSE(read_clip(file, id));
  animation.set_integer("numFrames", 1 << 30);
  CHECK_FALSE(read_clip(file, id));

  Notes notes;
  animation.set_numbers<std::uint16_t>("rotationTypeAndOffsets", std::vector<std::uint16_t>{0, 2});
  animation.set_integer("numFrames", 3);
  const auto skyrim = transcribed(file, Game::SkyrimLe, notes);
  REQUIRE(skyrim);
  CHECK(first_clip(*skyrim).transforms == read.transforms);
  CHECK(notes.size() >= 1);
}

TEST_CASE("kinds of animation that cannot be decoded are refused by name") {
  Packfile file = make_clip_file(test::waving_clip(1, 2), Game::SkyrimSe).value();
  const ObjectId id = file.add("hkaQuantizedAnimation");
  file.at(id).fields().set_integer("numberOfTransformTracks", 1);
  const auto clip = read_clip(file, id);
  REQUIRE_FALSE(clip);
  CHECK(clip.error().message.find("hkaQuantizedAnimation of hk_2010.2.0-r1 cannot be decoded") != std::string::npos);
  // Where it is known which game has such files, that is said.
  Packfile other = make_clip_file(test::waving_clip(1, 2), Game::Fallout4).value();
  other.reuses_padding = true;
  const auto refused = read_clip(other, other.add("hkaPredictiveCompressedAnimation"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("as in Bloodborne") != std::string::npos);
}

TEST_CASE("curves in the byte order of a console are refused, not read the wrong way round") {
  const auto blob = test::random_blob(3, {.frames = 30, .tracks = 2, .floats = 0});
  Packfile file = make_clip_file(test::waving_clip(2, 30), Game::SkyrimSe, &blob).value();
  const ObjectId id = find_animations(file).at(0);
  REQUIRE(read_clip(file, id));
  file.at(id).fields().set_integer("endian", 1);
  const auto clip = read_clip(file, id);
  REQUIRE_FALSE(clip);
  CHECK(clip.error().message.find("big-endian data") != std::string::npos);
  CHECK(read_packfile(write_packfile(file).value()).value() == file);
}

TEST_CASE("several clips of one file are told apart") {
  Packfile file = make_clip_file(test::waving_clip(2, 5), Game::SkyrimSe).value();
  const ObjectId second = file.add("hkaInterleavedUncompressedAnimation");
  REQUIRE(set_frames(file, second, test::waving_clip(1, 9)));
  CHECK(find_animations(file).size() == 2);
  CHECK(read_clip(file, second).value().frame_count == 9);
  CHECK(find_binding(file, second).is_null());
  CHECK_FALSE(find_binding(file, find_animations(file)[0]).is_null());
}

TEST_CASE("clips go to another version and back without a change") {
  for (const BlendHint hint : {BlendHint::Normal, BlendHint::AdditiveDeprecated}) {
    Clip clip = test::waving_clip(3, 12);
    clip.blend_hint = hint;
    const auto blob = test::random_blob(11, {.frames = 12, .tracks = 3, .floats = 1});
    for (const codec::SplineBlob* motion : {static_cast<const codec::SplineBlob*>(nullptr), &blob}) {
      const Packfile skyrim = make_clip_file(clip, Game::SkyrimSe, motion).value();
      Notes notes;
      const Packfile fallout = through_bytes(transcribed(skyrim, Game::Fallout4, notes).value());
      const Packfile back = transcribed(fallout, Game::SkyrimSe, notes).value();
      CHECK(notes.empty());
      CHECK(write_packfile(back).value() == write_packfile(skyrim).value());
      CHECK(first_clip(fallout) == first_clip(skyrim));
    }
  }
}

TEST_CASE("what a version cannot hold is reported") {
  Clip clip = test::waving_clip(3, 12);
  clip.blend_hint = BlendHint::Additive;
  clip.partitions = {1};
  Notes notes;
  const Packfile fallout = make_clip_file(clip, Game::Fallout4).value();
  const auto skyrim = transcribed(fallout, Game::SkyrimSe, notes);
  REQUIRE(skyrim);
  CHECK(notes.size() == 2);
  notes.clear();
  REQUIRE(make_clip_file(clip, Game::SkyrimLe, nullptr, &notes));
  CHECK(notes.size() == 2);
  CHECK_FALSE(transcribed(make_packfile(*builtin_schema(kVersion2014), 8), Game::SkyrimSe, notes));
}
