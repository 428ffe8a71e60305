// SPDX-License-Identifier: MIT
#include "marrow/motion/sampler.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "marrow/model/pose.h"
#include "ops/clip/compress.h"
#include "ops/clip/motion_sampler.h"
#include "support/clips.h"
#include "support/documents.h"
#include "support/rigs.h"

using namespace marrow;
using test::Bytes;

namespace {

constexpr std::int32_t kBones = 7;
constexpr std::int32_t kFrames = 301;  // ten seconds, in two blocks
constexpr double kSeconds = 10.0;

/// A clip as the games store it.
Document compressed(std::int32_t frames) {
  Document made = test::clip_document(kBones, frames);
  Context context;
  REQUIRE(compress(made, {}, context));
  made = test::loaded(test::saved(made));
  REQUIRE(made.clips.front().spline);
  return made;
}
const Document& document() {
  static const Document made = compressed(kFrames);
  return made;
}
const DocumentClip& spline_clip() { return document().clips.front(); }

using Pose = std::vector<Transform>;

Pose pose_of(const Sampler& sampler, double seconds) {
  Pose pose(sampler.bone_count());
  sampler.pose(seconds, pose);
  return pose;
}

bool is_near(const Pose& a, const Pose& b, float degrees = 1e-3f, float units = 1e-3f) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (angle_degrees(a[i].rotation, b[i].rotation) > degrees ||
        glm::distance(a[i].translation, b[i].translation) > units)
      return false;
  return true;
}

/// Bytes in memory of exactly their size, aligned as a mapped file is, so that a sanitizer sees what is read beyond.
class Aligned {
 public:
  explicit Aligned(std::span<const std::byte> bytes)
      : size_(bytes.size()), memory_(static_cast<std::byte*>(::operator new(size_ + 1, std::align_val_t{64}))) {
    if (size_ > 0) std::memcpy(memory_, bytes.data(), size_);
  }
  ~Aligned() { ::operator delete(memory_, std::align_val_t{64}); }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;

  std::span<const std::byte> bytes() const { return {memory_, size_}; }

 private:
  std::size_t size_;
  std::byte* memory_;
};

/// Saved samplers of every kind of motion.
std::vector<Bytes> saved_clips() {
  const Skeleton skeleton = test::chain_skeleton(kBones);
  std::vector<Bytes> all;
  for (const auto form : {codec::CompiledForm::Hot, codec::CompiledForm::Compact})
    all.push_back(Sampler::open(spline_clip(), {.skeleton = &skeleton, .form = form})->save());
  all.push_back(Sampler::open(test::waving_clip(kBones, 12), {.skeleton = &skeleton})->save());
  return all;
}

}  // namespace

TEST_CASE("a pose at a time in seconds is the pose of its frame") {
  const auto frames = MotionSampler::open(spline_clip());
  const auto sampler = Sampler::open(spline_clip());
  REQUIRE(frames);
  REQUIRE(sampler);
  CHECK(sampler->duration_seconds() == doctest::Approx(kSeconds));
  CHECK(sampler->bone_count() == kBones);
  Pose wanted(kBones);
  for (const double seconds : {0.0, 0.01, 1.5, 4.2, 9.99, 10.0}) {
    frames->sample_frame(seconds * 30.0, wanted);
    CHECK(is_near(pose_of(*sampler, seconds), wanted));
  }
  CHECK(pose_of(*sampler, -3.0) == pose_of(*sampler, 0.0));
  CHECK(pose_of(*sampler, 13.0) == pose_of(*sampler, kSeconds));
  CHECK(pose_of(*sampler, std::nan("")) == pose_of(*sampler, 0.0));
}

TEST_CASE("both forms of a compiled clip and its frames give the same motion") {
  const auto hot = Sampler::open(spline_clip()),
             compact = Sampler::open(spline_clip(), {.form = codec::CompiledForm::Compact});
  const auto frames = Sampler::open(spline_clip().clip);
  REQUIRE(hot);
  REQUIRE(compact);
  REQUIRE(frames);
  for (int i = 0; i <= 300; i += 7) {
    CHECK(is_near(pose_of(*hot, i / 30.0), pose_of(*compact, i / 30.0)));
    CHECK(is_near(pose_of(*hot, i / 30.0), pose_of(*frames, i / 30.0), 0.01f, 0.01f));
  }
}

TEST_CASE("a clip that loops goes round, backward too") {
  const auto sampler = Sampler::open(spline_clip(), {.loop = true});
  REQUIRE(sampler);
  for (const double seconds : {0.25, 3.0, 9.5}) {
    CHECK(is_near(pose_of(*sampler, seconds + 10 * kSeconds), pose_of(*sampler, seconds)));
    CHECK(is_near(pose_of(*sampler, seconds - 2 * kSeconds), pose_of(*sampler, seconds)));
  }
  CHECK(sampler->frame_at(kSeconds * 1e12 + 1.0) <= kFrames - 1);
  CHECK(pose_of(*sampler, std::numeric_limits<double>::infinity()) == pose_of(*sampler, 0.0));
}

TEST_CASE("root motion adds up round after round") {
  const auto once = Sampler::open(spline_clip()), loop = Sampler::open(spline_clip(), {.loop = true});
  REQUIRE(once);
  REQUIRE(loop);
  // A unit along Y per frame, 300 of them per round.
  CHECK(once->root_motion(5.0).translation.y == doctest::Approx(150.0f));
  CHECK(once->root_motion(50.0).translation.y == doctest::Approx(300.0f));
  CHECK(loop->root_motion(25.0).translation.y == doctest::Approx(750.0f));
  CHECK(loop->root_motion(-5.0).translation.y == doctest::Approx(-150.0f));
  CHECK(loop->root_motion(9.0, 11.0).translation.y == doctest::Approx(60.0f));

  Clip turning = test::waving_clip(kBones, 11);
  for (std::size_t f = 0; f < turning.root_motion->samples.size(); ++f)
    turning.root_motion->samples[f] = {0, static_cast<float>(f), 0, static_cast<float>(f) * 0.1f};
  const auto round = Sampler::open(turning, {.loop = true});
  REQUIRE(round);
  const double duration = round->duration_seconds();
  const Transform one = root_motion_at(*turning.root_motion, 1.0);
  const Transform three = one * one * one;
  CHECK(glm::distance(round->root_motion(3.0 * duration).translation, three.translation) < 1e-3f);
  CHECK(angle_degrees(round->root_motion(3.0 * duration).rotation, three.rotation) < 1e-2f);
}

TEST_CASE("with a skeleton, bones without a track are at rest and additive tracks lie over the rest pose") {
  const Skeleton skeleton = test::chain_skeleton(kBones + 2);
  Clip clip = test::waving_clip(kBones, 5);
  clip.track_to_bone = {8, 1, 2, 3, 4, 5, 6};
  for (const BlendHint hint : {BlendHint::Normal, BlendHint::Additive}) {
    clip.blend_hint = hint;
    const auto sampler = Sampler::open(clip, {.skeleton = &skeleton});
    REQUIRE(sampler);
    REQUIRE(sampler->bone_count() == skeleton.bones.size());
    Pose frame(kBones), wanted(skeleton.bones.size()), model(wanted.size());
    sample_frame(clip, 2.0, frame);
    pose_from_frame(skeleton, clip, frame, wanted);
    const double seconds = clip.duration_seconds / 2.0;
    CHECK(is_near(pose_of(*sampler, seconds), wanted));
    local_to_model(skeleton, wanted, wanted);
    sampler->model_pose(seconds, model);
    CHECK(is_near(model, wanted));

    std::vector<glm::mat4> matrices(model.size());
    Sampler::Scratch scratch;
    sampler->matrices(seconds, matrices, model, scratch);
    const Vec3 point(1, 2, 3);
    for (std::size_t i = 0; i < model.size(); ++i) {
      const Vec3 moved = model[i].translation + model[i].rotation * (model[i].scale * point);
      CHECK(glm::distance(Vec3(matrices[i] * Vec4(point, 1.0f)), moved) < 1e-4f);
    }
  }
  Skeleton none = test::chain_skeleton(1);
  clip.track_to_bone = {8, 7, 6, 5, 4, 3, 2};
  const auto refused = Sampler::open(clip, {.skeleton = &none});
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::WrongSkeleton);
}

TEST_CASE("a saved clip plays as it did, in place and copied") {
  const Skeleton skeleton = test::make_human();
  const Document& walk = document();
  for (const auto form : {codec::CompiledForm::Hot, codec::CompiledForm::Compact}) {
    for (const Skeleton* bones : {static_cast<const Skeleton*>(nullptr), &skeleton}) {
      const auto sampler = Sampler::open(walk.clips.front(), {.skeleton = bones, .form = form});
      REQUIRE(sampler);
      const Bytes bytes = sampler->save();
      CHECK(bytes[12] == std::byte{1});  // compiled, not frames
      const Aligned mapped(bytes);
      Bytes shifted(bytes.size() + 1);
      std::ranges::copy(bytes, shifted.begin() + 1);
      const auto in_place = Sampler::open(mapped.bytes());
      const auto copied = Sampler::open(std::span<const std::byte>(shifted).subspan(1));
      REQUIRE_MESSAGE(in_place.has_value(), (in_place ? "" : describe(in_place.error())));
      REQUIRE(copied);
      std::vector<float> floats(sampler->float_count()), again(sampler->float_count());
      for (const double seconds : {0.0, 0.37, 8.6, 10.0}) {
        CHECK(pose_of(*in_place, seconds) == pose_of(*sampler, seconds));
        CHECK(pose_of(*copied, seconds) == pose_of(*sampler, seconds));
        CHECK(in_place->root_motion(seconds) == sampler->root_motion(seconds));
        sampler->floats(seconds, floats);
        in_place->floats(seconds, again);
        CHECK(floats == again);
      }
      CHECK(in_place->save() == bytes);
    }
  }
  const Clip clip = test::waving_clip(kBones, 12);
  const auto frames = Sampler::open(clip);
  const auto back = Sampler::open(std::span<const std::byte>(frames->save()));
  REQUIRE(back);
  CHECK(pose_of(*back, 0.2) == pose_of(*frames, 0.2));
}

TEST_CASE("every prefix of a saved clip is refused, and so is what is no clip") {
  for (const Bytes& bytes : saved_clips()) {
    for (std::size_t size = 0; size < bytes.size(); size += size < 512 ? 1 : 61) {
      const Aligned part(std::span<const std::byte>(bytes).first(size));
      CHECK(!Sampler::open(part.bytes()));
    }
    Bytes longer = bytes;
    longer.resize(longer.size() + 64);
    CHECK(!Sampler::open(std::span<const std::byte>(longer)));
    Bytes other = bytes;
    other[0] = std::byte{'X'};
    CHECK(Sampler::open(std::span<const std::byte>(other)).error().code == ErrorCode::BadMagic);
  }
}

TEST_CASE("a damaged clip is refused or plays, and never reaches outside itself") {
  for (const Bytes& bytes : saved_clips()) {
    std::size_t refused = 0, tried = 0;
    for (std::size_t at = 0; at < bytes.size(); at += at < 2048 ? 1 : 97)
      for (const int value : {0x00, 0x7F, 0xFF}) {
        Bytes damaged = bytes;
        damaged[at] = static_cast<std::byte>(value);
        const Aligned part(damaged);
        const auto sampler = Sampler::open(part.bytes());
        ++tried;
        if (!sampler) {
          ++refused;
          continue;
        }
        Pose pose(sampler->bone_count());
        std::vector<float> floats(sampler->float_count());
        for (const double share : {0.0, 0.31, 1.0}) {
          sampler->pose(share * sampler->duration_seconds(), pose);
          sampler->floats(share * sampler->duration_seconds(), floats);
        }
      }
    CHECK(refused > 50);
    CHECK(refused < tried);
  }
}
