// SPDX-License-Identifier: MIT
#include "ops/clip/sample.h"

#include <doctest/doctest.h>

#include "marrow/core/byte_reader.h"
#include "support/clips.h"
#include "support/documents.h"

using namespace marrow;

namespace {

Result<SampleReport> sampled(const SampleOptions& options, Notes* notes = nullptr) {
  Context context;
  auto report = sample(test::clip_document(3, 31, Game::SkyrimSe, Parts::Clips), options, context);
  if (notes) *notes = context.notes;
  return report;
}

}  // namespace

TEST_CASE("without a choice every whole frame is sampled, with a rate so many per second, ends included") {
  CHECK(sampled({}).value().poses.size() == 31);
  const auto doubled = sampled({.fps = 60});
  REQUIRE(doubled);
  CHECK(doubled->poses.size() == 61);
  CHECK(doubled->poses[1].frame == doctest::Approx(0.5));
  CHECK(doubled->poses.back().frame == 30.0);
  CHECK(sampled({.frames = {1}, .fps = 60}).error().code == ErrorCode::BadOption);
}

TEST_CASE("a frame past the end shows the end, with a note") {
  Notes notes;
  const auto report = sampled({.frames = {30, 99}}, &notes);
  REQUIRE(report);
  CHECK(report->poses[0].tracks == report->poses[1].tracks);
  CHECK(notes.size() == 1);
}

TEST_CASE("in model space a chain adds up") {
  const Skeleton skeleton = test::chain_skeleton(3);
  const auto local = sampled({.frames = {7}}).value();
  const auto model = sampled({.frames = {7}, .space = Space::Model, .skeleton = &skeleton}).value();
  const Transform tip = local.poses[0].tracks[0] * local.poses[0].tracks[1] * local.poses[0].tracks[2];
  for (int i = 0; i < 3; ++i) CHECK(model.poses[0].tracks[2].translation[i] == doctest::Approx(tip.translation[i]));
}

TEST_CASE("tracks without a bone are left out of model space, with a note") {
  const Skeleton skeleton = test::chain_skeleton(2);
  Notes notes;
  const auto model = sampled({.frames = {0}, .space = Space::Model, .skeleton = &skeleton}, &notes).value();
  CHECK(model.tracks == std::vector<std::int32_t>{0, 1});
  CHECK(notes.size() == 1);
}

TEST_CASE("model space without a skeleton, a clip that is not there, and a document without one are refused") {
  CHECK(sampled({.space = Space::Model}).error().code == ErrorCode::NeedsSkeleton);
  CHECK(sampled({.clip = {"1"}}).error().code == ErrorCode::NoClip);
  Context context;
  CHECK(sample(test::skeleton_document_of(2), {}, context).error().code == ErrorCode::NoClip);
}

TEST_CASE("the CSV has a header and one line per track") {
  const SavedFile file = sampled({.frames = {0.5}}).value().text();
  const std::string_view csv = as_text(file.bytes);
  CHECK(csv.starts_with("frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n0.5,0,"));
  CHECK(std::ranges::count(csv, '\n') == 4);
}

TEST_CASE("with a skeleton the last column is the bone") {
  const Skeleton skeleton = test::chain_skeleton(3);
  const SavedFile file = sampled({.frames = {0}, .skeleton = &skeleton}).value().text();
  const std::string_view csv = as_text(file.bytes);
  CHECK(csv.starts_with("frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,bone\n0,0,"));
  CHECK(csv.ends_with(",Bone 2\n"));
}

TEST_CASE("in model space an additive clip is applied to the rest pose") {
  const Skeleton skeleton = test::chain_skeleton(3);
  Clip clip = test::waving_clip(3, 2);
  for (Transform& t : clip.transforms) t = {};
  clip.transforms[1].translation = {0, 0, 2};
  clip.blend_hint = BlendHint::Additive;
  Document document;
  document.clips.push_back({.name = "clip", .clip = clip});
  Context context;
  const auto report = sample(document, {.frames = {0}, .space = Space::Model, .skeleton = &skeleton}, context);
  REQUIRE(report);
  CHECK(report->poses[0].tracks[1].translation.z == doctest::Approx(12.0));
  CHECK(report->poses[0].tracks[2].translation.z == doctest::Approx(22.0));
}

TEST_CASE("the skeleton of a clip is found in the folders of the games, from a relative name too, and parsed once") {
  const test::Bytes skeleton = test::saved(test::skeleton_document_of(3));
  int reads = 0;
  const Lookup lookup([&](const std::string& name, std::size_t) -> Result<test::Bytes> {
    if (name != "../../character assets/skeleton.hkx") return fail(ErrorCode::NotFound, "no");
    ++reads;
    return skeleton;
  });
  CHECK(lookup.skeleton_near("walk.hkx"));
  CHECK(lookup.skeleton_near("run.hkx"));
  CHECK(reads == 1);
  CHECK_FALSE(lookup.skeleton_near("/else/where.hkx"));
  Context context{.lookup = &lookup};
  Document clip = test::clip_document(3, 31, Game::SkyrimSe, Parts::Clips);
  CHECK(sample(clip, {.frames = {0}, .space = Space::Model}, context));
  CHECK(context.notes.size() == 1);
}
