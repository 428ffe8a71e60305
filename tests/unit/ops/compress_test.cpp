// SPDX-License-Identifier: MIT
#include "ops/clip/compress.h"

#include <doctest/doctest.h>

#include <cmath>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "marrow/core/byte_reader.h"
#include "marrow/model/pose.h"
#include "ops/table/operation.h"
#include "support/documents.h"

using namespace marrow;

namespace {

constexpr std::size_t kBones = 6;

/// A chain of bones ten units long each, as an arm.
Skeleton arm() {
  Skeleton skeleton{.name = "Arm", .bones = {}, .float_slots = {{"hkVis:Lamp", 0.0f}}, .partitions = {}};
  for (std::size_t i = 0; i < kBones; ++i) {
    Bone bone{.name = "Arm" + std::to_string(i), .parent = static_cast<std::int32_t>(i) - 1, .rest = {}};
    if (i > 0) bone.rest.translation = {10, 0, 0};
    skeleton.bones.push_back(bone);
  }
  return skeleton;
}

/// The arm waving for two seconds, with an event, root motion and a lamp.
Clip wave() {
  Clip clip;
  clip.skeleton_name = "Arm";
  clip.frame_count = 61;
  clip.duration_seconds = 2.0f;
  clip.track_count = kBones;
  clip.float_track_count = 1;
  clip.float_to_slot = {0};
  clip.annotation_tracks.resize(kBones);
  clip.annotation_tracks[0].annotations = {{0.5f, "FootLeft"}, {1.25f, "Snap"}};
  RootMotion motion;
  motion.duration_seconds = 2.0f;
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    motion.samples.emplace_back(static_cast<float>(frame), 0, 0, 0);
    for (std::size_t bone = 0; bone < kBones; ++bone) {
      const float angle = 0.3f * std::sin(0.15f * static_cast<float>(frame) + static_cast<float>(bone));
      Transform transform;
      transform.translation = {bone > 0 ? 10.0f : 0.0f, 0, 0};
      transform.rotation = make_quat(0, 0, std::sin(angle / 2), std::cos(angle / 2));
      clip.transforms.push_back(transform);
    }
    clip.floats.push_back(frame < 30 ? 0.0f : 1.0f);
  }
  clip.root_motion = motion;
  return clip;
}

std::vector<std::byte> wave_file(Game game) {
  return havok::write_packfile(havok::make_clip_file(wave(), game).value()).value();
}

Clip read_first(std::span<const std::byte> bytes) {
  const auto file = havok::read_packfile(bytes);
  REQUIRE(file.has_value());
  const auto ids = havok::find_animations(*file);
  REQUIRE(ids.size() == 1);
  auto clip = havok::read_clip(*file, ids[0]);
  REQUIRE(clip.has_value());
  return std::move(*clip);
}

/// What became of a file.
struct Compressed : CompressReport {
  std::vector<std::byte> bytes;
};

Compressed compressed(std::span<const std::byte> bytes, const CompressOptions& options = {}) {
  Document document = test::loaded(bytes, Parts::Clips);
  Context context;
  auto report = compress(document, options, context);
  REQUIRE_MESSAGE(report.has_value(), (report ? "" : describe(report.error())));
  return {std::move(*report), test::saved(document)};
}

ErrorCode error_of(Document document, const CompressOptions& options = {}) {
  Context context;
  const auto report = compress(document, options, context);
  REQUIRE_FALSE(report);
  return report.error().code;
}

float worst_angle(const Clip& a, const Clip& b) {
  float worst = 0;
  for (std::size_t i = 0; i < a.transforms.size(); ++i)
    worst = std::max(worst, angle_degrees(a.transforms[i].rotation, b.transforms[i].rotation));
  return worst;
}

/// The furthest that the tip of the arm is from where it was.
float worst_tip(const Clip& a, const Clip& b) {
  const Skeleton skeleton = arm();
  float worst = 0;
  std::vector<Transform> left(kBones), right(kBones);
  for (std::int32_t frame = 0; frame < a.frame_count; ++frame) {
    local_to_model(skeleton, a.frame(frame), left);
    local_to_model(skeleton, b.frame(frame), right);
    worst = std::max(worst, glm::length(left.back().translation - right.back().translation));
  }
  return worst;
}

}  // namespace

TEST_CASE("frames become splines within the bound, and nothing else of the clip changes") {
  for (const Game game : {Game::SkyrimLe, Game::SkyrimSe, Game::Fallout4}) {
    const std::vector<std::byte> source = wave_file(game);
    const Compressed result = compressed(source);
    CHECK(result.bytes.size() * 3 < source.size());
    Clip before = read_first(source), after = read_first(result.bytes);
    CHECK(worst_angle(before, after) <= 0.05f);
    CHECK(result.clips.at(0).errors.rotation_degrees == doctest::Approx(0.05).epsilon(0.5));
    before.transforms = after.transforms;
    before.floats = after.floats;
    CHECK(before == after);
  }
}

TEST_CASE("splines are encoded again against themselves, and a looser bound is smaller") {
  const Compressed first = compressed(wave_file(Game::SkyrimSe));
  CompressOptions options;
  options.max_rotation_error = 0.5;
  const Compressed second = compressed(first.bytes, options);
  CHECK(second.clips.at(0).motion_bytes_after < first.clips.at(0).motion_bytes_after);
  CHECK(second.clips.at(0).motion_bytes_before == first.clips.at(0).motion_bytes_after);
  CHECK(worst_angle(read_first(first.bytes), read_first(second.bytes)) <= 0.5f);
  const auto tracks = read_first(second.bytes).annotation_tracks;
  CHECK(tracks == wave().annotation_tracks);
}

TEST_CASE("uncompressed stores the frames that the splines decode to") {
  const Compressed spline = compressed(wave_file(Game::Fallout4));
  CompressOptions options;
  options.uncompressed = true;
  const Compressed frames = compressed(spline.bytes, options);
  CHECK(read_first(spline.bytes) == read_first(frames.bytes));
  CHECK(frames.clips.at(0).motion_bytes_after > spline.clips.at(0).motion_bytes_after);
}

TEST_CASE("an error at the shoulder counts at the fingertip") {
  const std::vector<std::byte> source = wave_file(Game::Fallout4);
  const Skeleton skeleton = arm();
  CompressOptions options;
  options.skeleton = &skeleton;
  options.max_model_error = 0.1;
  const Compressed result = compressed(source, options);
  REQUIRE(result.clips.at(0).model_error.has_value());
  CHECK(*result.clips[0].model_error <= 0.1);
  CHECK(worst_tip(read_first(source), read_first(result.bytes)) <= 0.1f);
  // The hand may turn further than any bound that would hold for the shoulder: 0.1 units at 53 units are 0.1 degrees.
  CHECK(result.clips[0].errors.rotation_degrees > 0.15);

  CompressOptions local;
  local.max_rotation_error = 0.03;  // what keeps the same tip within the same 0.1 units
  CHECK(result.clips[0].motion_bytes_after < compressed(source, local).clips.at(0).motion_bytes_after);
}

TEST_CASE("a bone that has room in model space is given it") {
  Skeleton one = arm();
  one.bones.resize(1);
  CompressOptions options;
  options.skeleton = &one;
  options.max_model_error = 0.1;
  const Compressed result = compressed(wave_file(Game::Fallout4), options);
  REQUIRE(result.clips.at(0).model_error.has_value());
  // The first guess is 0.6 of the bound.
  CHECK(*result.clips[0].model_error > 0.07);
  CHECK(*result.clips[0].model_error <= 0.1);
}

TEST_CASE("bounds that are given hold beside the one in model space") {
  const std::vector<std::byte> source = wave_file(Game::Fallout4);
  const Skeleton skeleton = arm();
  CompressOptions options;
  options.skeleton = &skeleton;
  options.max_model_error = 5.0;
  options.max_rotation_error = 0.2;
  const Compressed result = compressed(source, options);
  CHECK(result.clips.at(0).errors.rotation_degrees <= 0.2);
  CHECK(*result.clips[0].model_error <= 5.0);
}

TEST_CASE("an XML packfile stays one") {
  const std::vector<std::byte> xml = test::saved(test::loaded(wave_file(Game::SkyrimSe)), {.format = Format::Xml});
  const Compressed result = compressed(xml);
  CHECK(as_text(result.bytes).starts_with("<?xml"));
  CHECK(result.bytes.size() < xml.size());
}

TEST_CASE("what cannot be compressed explains why") {
  CHECK(error_of(test::skeleton_document_of(2)) == ErrorCode::NoClip);
  const Document clip = test::loaded(wave_file(Game::Fallout4));
  CHECK(error_of(clip, {.max_model_error = 0.1}) == ErrorCode::NeedsSkeleton);
  const Skeleton skeleton = arm();
  CHECK(error_of(clip, {.skeleton = &skeleton}) == ErrorCode::BadOption);
}

TEST_CASE("a clip never becomes larger: its motion, or the whole file, is kept, and that is said") {
  // Two frames that do not move take less room as frames than as a curve.
  Clip still = wave();
  still.frame_count = 2;
  still.duration_seconds = 1.0f / 30;
  still.transforms.resize(2 * kBones);
  for (std::size_t i = 0; i < kBones; ++i) still.transforms[kBones + i] = still.transforms[i];
  still.floats.resize(2);
  still.root_motion.reset();
  still.track_count = 1;
  still.transforms = {still.transforms[0], still.transforms[0]};
  still.annotation_tracks.resize(1);
  const auto run = [](const std::vector<std::byte>& bytes, const Json& options) {
    Context context;
    const std::vector<OperationInput> inputs = {{.role = "clip", .name = "a.hkx", .bytes = bytes}};
    OperationCall call{.options = options, .inputs = inputs, .context = context};
    auto result = run_operation("compress", call);
    REQUIRE(result);
    CHECK(result->files.at(0).bytes.size() <= bytes.size());
    return std::pair(std::move(*result), context.notes.size());
  };
  const auto frames = havok::write_packfile(havok::make_clip_file(still, Game::SkyrimSe).value()).value();
  const auto [kept, notes] = run(frames, Json::object());
  CHECK(kept.report["kept"].boolean());
  CHECK(kept.files.at(0).bytes == frames);
  CHECK(kept.report["bytes_after"].integer() == static_cast<std::int64_t>(frames.size()));
  CHECK(notes == 1);
  // What is compressed already, and would need more room to be as exact as is asked for, stays as it is.
  const auto [once, none] = run(wave_file(Game::SkyrimSe), Json::object());
  CHECK_FALSE(once.report["kept"].boolean());
  const Json exact = Json().set("max_rotation_error", 0.001).set("max_position_error", 1e-5);
  const auto [twice, one] = run(once.files.at(0).bytes, exact);
  CHECK(twice.files.at(0).bytes == once.files.at(0).bytes);
  CHECK(twice.report["clips"].items().at(0)["kept"].boolean());
}
