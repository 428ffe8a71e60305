// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "bench/reference_decoder.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/transcribe.h"
#include "havok/text/tagfile.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/text.h"
#include "ops/clip/motion_sampler.h"
#include "support/corpus.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

struct RealClip {
  std::filesystem::path path;
  Packfile file;
  ObjectId animation;
};

std::vector<RealClip> real_clips() {
  std::vector<RealClip> clips;
  for (const auto& path : test::files_below(test::corpus(), ".hkx")) {
    auto file = read_packfile(test::bytes_of(path));
    if (!file) continue;
    for (const ObjectId id : find_animations(*file)) clips.push_back({path, *file, id});
  }
  return clips;
}

std::vector<float> numbers(const std::string& line) {
  std::vector<float> values;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) values.push_back(parse_float(cell).value());
  return values;
}

/// Compares the motion with a table of right answers: frame, track, translation, rotation, scale.
void check_against(const Packfile& file, ObjectId animation, const std::filesystem::path& answers) {
  CAPTURE(answers);
  DocumentClip source{.name = {}, .clip = read_clip(file, animation).value()};
  if (const auto spline = spline_data(file, animation)) source.spline = codec::stored(*spline);
  const auto sampler = MotionSampler::open(source);
  REQUIRE_MESSAGE(sampler.has_value(), describe(sampler.error()));
  std::vector<Transform> pose(static_cast<std::size_t>(sampler->track_count()));
  const auto bytes = test::bytes_of(answers);
  std::istringstream lines(std::string(as_text(bytes)));
  std::string line;
  std::getline(lines, line);
  float worst_degrees = 0, worst_units = 0;
  for (float frame = -1; std::getline(lines, line);) {
    const std::vector<float> v = numbers(line);
    if (v[0] != frame) sampler->sample_frame(frame = v[0], pose);
    const Transform& t = pose.at(static_cast<std::size_t>(v[1]));
    worst_degrees = std::max(worst_degrees, angle_degrees(t.rotation, make_quat(v[5], v[6], v[7], v[8])));
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      worst_units = std::max({worst_units, std::abs(t.translation[i] - v[2 + at]), std::abs(t.scale[i] - v[9 + at])});
    }
  }
  CHECK(worst_degrees < 0.001f);
  CHECK(worst_units < 1e-4f);
}

}  // namespace

TEST_CASE("clips of the games decode to the right transforms, at whole and fractional frames") {
  for (const RealClip& clip : real_clips()) {
    const std::string name = clip.path.parent_path().filename().string() + "-" + clip.path.stem().string() + ".csv";
    if (std::filesystem::exists(test::golden() / name)) check_against(clip.file, clip.animation, test::golden() / name);
  }
}

TEST_CASE("clips of other tools decode to the right transforms, with their faults reported and mended") {
  for (const auto& path : test::files_below(test::foreign() / "hkx", ".hkx")) {
    const auto answer = test::foreign() / "golden" / ("hkx-" + path.stem().string() + ".csv");
    if (!std::filesystem::exists(answer)) continue;
    CAPTURE(path);
    const auto codes = [](std::span<const std::byte> bytes) {
      Findings findings;
      REQUIRE(read_packfile(bytes, {.findings = &findings}));
      std::map<std::string, int> counts;
      for (const Finding& finding : findings) ++counts[finding.code];
      return counts;
    };
    const std::vector<std::byte> bytes = test::bytes_of(path);
    const auto file = read_packfile(bytes);
    REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
    const auto animations = find_animations(*file);
    REQUIRE(animations.size() == 1);
    check_against(*file, animations[0], answer);
    CHECK(codes(bytes)["W_FLOAT_BLOCK_OFFSETS"] == 1);
    const auto mended = write_packfile(*file);
    REQUIRE(mended);
    CHECK(codes(*mended).empty());
    const auto again = read_packfile(*mended);
    check_against(*again, find_animations(*again).at(0), answer);
  }
}

TEST_CASE("a clip of the content tools, an XML tagfile, decodes to the right transforms in every form") {
  const auto path = test::foreign() / "tagfile" / "clip.xml";
  if (!std::filesystem::exists(path)) return;
  const auto answer = test::foreign() / "golden" / "tagfile-clip.csv";
  Findings findings;
  const auto file = read_tagfile_xml(test::bytes_of(path), {.findings = &findings});
  REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
  // Only the number of the class of animations is another than in the version that it is read as.
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "I_ANIMATION_TYPE");
  const auto animations = find_animations(*file);
  REQUIRE(animations.size() == 1);
  const auto clip = read_clip(*file, animations[0]);
  REQUIRE(clip);
  CHECK(validate(*clip));
  CHECK(clip->frame_count == 301);
  CHECK(clip->duration_seconds == 5.0f);
  CHECK(clip->root_motion->samples.size() == 301);
  CHECK(clip->annotation_tracks.size() == 242);
  CHECK(clip->annotation_tracks[0].annotations.at(1).text == "FootRight");
  check_against(*file, animations[0], answer);
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    Notes notes;
    const auto bytes = write_packfile(transcribed(*file, game, notes).value());
    const auto back = read_packfile(bytes.value(), {.findings = &findings});
    REQUIRE(back);
    CHECK(findings.size() == 1);
    check_against(*back, find_animations(*back).at(0), answer);
  }
  const auto again = read_tagfile_xml(write_tagfile_xml(*file).value());
  REQUIRE(again);
  CHECK(*again == *file);
}

TEST_CASE("the skeleton of another tool is read") {
  const auto path = test::foreign() / "hkx" / "fo4_skeleton.hkx";
  if (!std::filesystem::exists(path)) return;
  const auto file = read_packfile(test::bytes_of(path));
  REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
  const auto skeletons = find_skeletons(*file);
  REQUIRE(skeletons.size() == 1);
  const auto skeleton = read_skeleton(*file, skeletons[0]);
  REQUIRE(skeleton);
  CHECK(validate(*skeleton));
  CHECK(skeleton->bones.size() > 90);
  CHECK(skeleton->bones[0].name == "Root");
}

TEST_CASE("spline data of the games, taken apart and written again, is the same bytes") {
  for (const RealClip& clip : real_clips()) {
    CAPTURE(clip.path);
    const auto view = spline_data(clip.file, clip.animation);
    REQUIRE(view);
    const auto blob = codec::read_spline_blob(*view);
    REQUIRE(blob);
    const auto bytes = codec::write_spline_blob(*blob);
    REQUIRE(bytes);
    CHECK(std::ranges::equal(bytes->data, view->data));
    CHECK(std::ranges::equal(bytes->block_offsets, view->block_offsets));
    CHECK(std::ranges::equal(bytes->float_block_offsets, view->float_block_offsets));
    CHECK(bytes->mask_bytes == view->mask_bytes);
  }
}

TEST_CASE("a new file made from a clip of the games and its spline data is the game's file") {
  for (const RealClip& clip : real_clips()) {
    CAPTURE(clip.path);
    const auto model = read_clip_header(clip.file, clip.animation);
    REQUIRE(model);
    const auto blob = codec::read_spline_blob(*spline_data(clip.file, clip.animation));
    const auto made = make_clip_file(*model, game_of(clip.file).value(), &*blob);
    REQUIRE(made);
    CHECK(write_packfile(*made).value() == test::bytes_of(clip.path));
  }
}

TEST_CASE("whole clips of the games decode as the plain decoder has them") {
  for (const RealClip& clip : real_clips()) {
    CAPTURE(clip.path);
    const auto decoded = read_clip(clip.file, clip.animation);
    REQUIRE(decoded);
    CHECK(validate(*decoded));
    const bench::ReferenceDecoder reference(*spline_data(clip.file, clip.animation));
    std::vector<Transform> right(static_cast<std::size_t>(decoded->track_count));
    float worst_degrees = 0, worst_units = 0;
    for (std::int32_t f = 0; f < decoded->frame_count; ++f) {
      reference.sample(f, reinterpret_cast<float*>(right.data()));
      const auto frame = decoded->frame(f);
      for (std::size_t i = 0; i < right.size(); ++i) {
        worst_degrees = std::max(worst_degrees, angle_degrees(frame[i].rotation, right[i].rotation));
        for (int axis = 0; axis < 3; ++axis)
          worst_units = std::max(worst_units, std::abs(frame[i].translation[axis] - right[i].translation[axis]));
      }
    }
    CHECK(worst_degrees < 0.001f);
    CHECK(worst_units < 1e-4f);
  }
}

TEST_CASE("a clip of the games written uncompressed reads back frame for frame") {
  for (RealClip& clip : real_clips()) {
    CAPTURE(clip.path);
    const auto before = read_clip(clip.file, clip.animation);
    REQUIRE(before);
    REQUIRE(set_frames(clip.file, clip.animation, *before));
    const auto again = read_packfile(write_packfile(clip.file).value());
    REQUIRE(again);
    CHECK(read_clip(*again, find_animations(*again).at(0)).value() == *before);
  }
}
