// SPDX-License-Identifier: MIT
#include "codec/spline_encoder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "support/motion.h"

using namespace marrow;
using namespace marrow::codec;
using marrow::test::decoded_difference;
using marrow::test::make_motion;
using marrow::test::Motion;
using marrow::test::MotionKind;

namespace {

/// One track of `frames` frames whose x translation is `x(frame)`; everything else is identity.
template <class X>
Motion moving_x(std::uint32_t frames, X x) {
  Motion motion{frames, 1, 0, std::vector<float>(frames * 10, 0.0f), {}};
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    float* out = &motion.transforms[frame * 10];
    out[0] = static_cast<float>(x(frame));
    out[6] = out[7] = out[8] = out[9] = 1.0f;
  }
  return motion;
}

EncodedSpline encoded(const Motion& motion, const Tolerance& tolerance = {}, const EncodeOptions& options = {}) {
  auto result = encode_spline(motion.view(), tolerance, options);
  REQUIRE(result.has_value());
  return std::move(*result);
}

std::size_t bytes_of_blob(const SplineBlob& blob) {
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes.has_value());
  return bytes->data.size();
}

void check_within(const EncodeErrors& errors, const Tolerance& tolerance) {
  CHECK(errors.rotation_degrees <= tolerance.rotation_degrees);
  CHECK(errors.translation <= tolerance.translation);
  CHECK(errors.scale <= tolerance.scale);
  CHECK(errors.value <= tolerance.value);
}

}  // namespace

TEST_CASE("frames that no track fills are refused before memory is taken for their blocks") {
  CHECK(SplineEncoder::from_frames({1000, 0, 0, {}, {}}));
  const auto refused = SplineEncoder::from_frames({2'000'000'000, 0, 0, {}, {}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("a track that rests at identity stores nothing") {
  const auto result = encoded(moving_x(40, [](std::uint32_t) { return 0.004; }));
  CHECK(result.blob.blocks[0].transforms[0].translation == VectorChannel{});
  CHECK(result.blob.blocks[0].transforms[0].rotation == RotationChannel{});
  CHECK(result.blob.blocks[0].transforms[0].scale == VectorChannel{});
  CHECK(result.errors.translation == doctest::Approx(0.004));
}

TEST_CASE("an axis that rests is one value, and the other axes are left out") {
  const auto result = encoded(moving_x(40, [](std::uint32_t) { return 7.25; }));
  const VectorChannel& channel = result.blob.blocks[0].transforms[0].translation;
  CHECK(channel.flags == kStaticAxis);
  CHECK(channel.range[0].low == 7.25f);
  CHECK(channel.shape.knots.empty());
}

TEST_CASE("straight motion takes two control points, and a corner one more") {
  const auto straight = encoded(moving_x(100, [](std::uint32_t frame) { return 0.5 * frame; }));
  CHECK(straight.blob.blocks[0].transforms[0].translation.shape.control_count() == 2);
  const auto bent = encoded(moving_x(100, [](std::uint32_t frame) { return std::abs(60.0 - frame); }));
  const SplineShape& shape = bent.blob.blocks[0].transforms[0].translation.shape;
  CHECK(shape.degree == 1);
  CHECK(shape.knots == std::vector<std::uint8_t>{0, 0, 60, 99, 99});
}

TEST_CASE("smooth motion becomes a cubic that is smaller than any polyline") {
  const Motion motion = moving_x(200, [](std::uint32_t frame) { return 20 * std::sin(frame * 0.03); });
  const auto fast = encoded(motion, {}, {.effort = Effort::Fast}), normal = encoded(motion);
  CHECK(fast.blob.blocks[0].transforms[0].translation.shape.degree == 1);
  CHECK(normal.blob.blocks[0].transforms[0].translation.shape.degree == 3);
  CHECK(bytes_of_blob(normal.blob) * 3 < bytes_of_blob(fast.blob) * 2);
  check_within(decoded_difference(normal.blob, motion), {});
}

TEST_CASE("a clip of several blocks keeps its seams") {
  const Motion motion = make_motion(MotionKind::Smooth, 600, 3, 2, 7);
  const auto result = encoded(motion);
  REQUIRE(result.blob.blocks.size() == 3);
  check_within(decoded_difference(result.blob, motion), {});
  for (std::size_t track = 0; track < 3; ++track) {
    const auto before = evaluate(result.blob.blocks[0].transforms[track].translation, 255, 0);
    const auto after = evaluate(result.blob.blocks[1].transforms[track].translation, 0, 0);
    CHECK(std::hypot(before[0] - after[0], before[1] - after[1], before[2] - after[2]) <= 0.02f);
  }
}

TEST_CASE("the reported errors are those that the decoder gives") {
  const Motion motion = make_motion(MotionKind::Noisy, 90, 4, 2, 3);
  const auto result = encoded(motion);
  const EncodeErrors decoded = decoded_difference(result.blob, motion);
  CHECK(decoded.rotation_degrees == doctest::Approx(result.errors.rotation_degrees).epsilon(0.01));
  CHECK(decoded.translation == doctest::Approx(result.errors.translation).epsilon(0.01));
  CHECK(decoded.scale == doctest::Approx(result.errors.scale).epsilon(0.01));
  CHECK(decoded.value == doctest::Approx(result.errors.value).epsilon(0.01));
  CHECK(result.errors.channels_past_tolerance == 0);
}

TEST_CASE("by default only the encodings of the games' own files are used") {
  for (const MotionKind kind : {MotionKind::Smooth, MotionKind::Noisy, MotionKind::Step}) {
    const auto result = encoded(make_motion(kind, 80, 4, 1, 11));
    for (const TransformTrack& track : result.blob.blocks[0].transforms) {
      CHECK(track.rotation.encoding == QuaternionEncoding::ThreeComp40);
      for (const VectorChannel* channel : {&track.translation, &track.scale})
        CHECK(channel->encoding == ScalarEncoding::Bits16);
      for (const SplineShape* shape : {&track.translation.shape, &track.rotation.shape, &track.scale.shape})
        if (!shape->knots.empty()) CHECK((shape->degree == 1 || shape->degree == 3));
    }
  }
}

TEST_CASE("a coarser encoding than the bound is taken as far as it goes, and said") {
  const Motion motion = make_motion(MotionKind::Smooth, 60, 2, 0, 5);
  const Tolerance tight{.rotation_degrees = 0.004, .translation = 0.01};
  const auto seen = encoded(motion, tight), all = encoded(motion, tight, {.encodings = EncodingSet::All});
  CHECK(seen.errors.channels_past_tolerance > 0);
  CHECK(seen.errors.rotation_degrees < max_rotation_error_degrees(QuaternionEncoding::ThreeComp40) * 1.2);
  CHECK(all.errors.channels_past_tolerance <= seen.errors.channels_past_tolerance);
  CHECK(all.errors.rotation_degrees < max_rotation_error_degrees(QuaternionEncoding::ThreeComp48) * 1.2);
}

TEST_CASE("what no curve holds between frames is not taken from the frames") {
  // A turn to and fro at every half frame: a curve with knots on whole frames cannot follow it.
  constexpr std::uint32_t kFrames = 20;
  std::vector<float> rows;
  for (std::uint32_t row = 0; row <= (kFrames - 1) * 4; ++row) {
    const double frame = static_cast<double>(row) / 4.0, fast = std::sin(12.57 * frame + 0.4);
    const double half = 0.2 * std::sin(frame) + 0.1 * fast;
    for (const double value : {5.0 * fast, 0.0, 0.0, std::sin(half), 0.0, 0.0, std::cos(half), 1.0, 1.0, 1.0})
      rows.push_back(static_cast<float>(value));
  }
  const auto result =
      encode_spline({.frame_count = kFrames, .track_count = 1, .transforms = rows, .floats = {}, .rows_per_frame = 4});
  REQUIRE(result);
  CHECK(result->errors.channels_past_tolerance == 2);
  CHECK(result->errors.rotation_degrees > 0.05);
  const SplineBlob& blob = result->blob;
  for (std::uint32_t f = 0; f < kFrames; ++f) {
    const float* want = &rows[f * 4 * 10];
    const auto q = evaluate(blob.blocks[0].transforms[0].rotation, static_cast<float>(f));
    const auto p = evaluate(blob.blocks[0].transforms[0].translation, static_cast<float>(f), 0);
    const double along = std::abs(q[0] * want[3] + q[3] * want[6]);
    CHECK(std::sqrt(std::max(0.0, 2.0 - 2.0 * along)) <= 0.00045);  // half of 0.05 degrees
    CHECK(std::abs(p[0] - want[0]) <= 0.0101f);
  }
}

TEST_CASE("one interval that no curve follows costs the others nothing") {
  // Two turns after each other, each with corners on whole frames; in one frame they whirl.
  constexpr std::uint32_t kFrames = 24, kWild = 11;
  struct Turn {
    double x, y, z, w;
  };
  const auto turn = [](double degrees, double x, double y) {
    const double half = degrees * 3.14159265358979323846 / 360.0, s = std::sin(half);
    return Turn{s * x, s * y, s * std::sqrt(1.0 - x * x - y * y), std::cos(half)};
  };
  const auto after = [](const Turn& a, const Turn& b) {
    return Turn{a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  };
  double angle = 0.0, other = 0.0;
  std::vector<double> angles, others;
  for (std::uint32_t f = 0; f < kFrames; ++f) {
    angles.push_back(angle);
    others.push_back(other);
    angle += f == kWild ? 170.0 : 22.0 * std::sin(1.7 * f);
    other += f == kWild ? 150.0 : 17.0 * std::cos(2.3 * f);
  }
  std::vector<float> rows;
  for (std::uint32_t row = 0; row <= (kFrames - 1) * 4; ++row) {
    const std::uint32_t f = row / 4;
    const double share = row % 4 / 4.0;
    const auto at = [&](const std::vector<double>& list) {
      return list[f] + (share > 0.0 ? share * (list[f + 1] - list[f]) : 0.0);
    };
    const Turn q = after(turn(at(angles), 0.3, 0.8), turn(at(others), 0.9, -0.2));
    for (const double value : {0.0, 0.0, 0.0, q.x, q.y, q.z, q.w, 1.0, 1.0, 1.0})
      rows.push_back(static_cast<float>(value));
  }
  const auto result =
      encode_spline({.frame_count = kFrames, .track_count = 1, .transforms = rows, .floats = {}, .rows_per_frame = 4});
  REQUIRE(result);
  double wild = 0.0, calm = 0.0;
  for (std::uint32_t row = 0; row <= (kFrames - 1) * 4; ++row) {
    const float* want = &rows[row * 10];
    const auto q = evaluate(result->blob.blocks[0].transforms[0].rotation, static_cast<float>(row) / 4.0f);
    double along = 0.0;
    for (std::size_t axis = 0; axis < 4; ++axis)
      along += static_cast<double>(q[axis]) * static_cast<double>(want[3 + axis]);
    const double degrees = 2.0 * 57.29577951308232 * std::acos(std::min(1.0, std::abs(along)));
    (row > kWild * 4 && row < kWild * 4 + 4 ? wild : calm) =
        std::max(row > kWild * 4 && row < kWild * 4 + 4 ? wild : calm, degrees);
  }
  CHECK(wild > 0.06);
  CHECK(calm < 0.075);  // the bound of 0.05, and what an arc cosine of floats loses
}

TEST_CASE("encoding again is never larger, and the source stays where nothing smaller follows it") {
  for (const MotionKind kind : {MotionKind::Smooth, MotionKind::Noisy, MotionKind::Step}) {
    const Motion motion = make_motion(kind, 70, 3, 1, 21);
    const SplineBlob source = encoded(motion, {.rotation_degrees = 0.06, .translation = 0.002}).blob;
    const auto again = reencode_spline(source, {});
    CHECK(bytes_of_blob(again.blob) <= bytes_of_blob(source));
    check_within(decoded_difference(again.blob, source), {});
    const auto kept = reencode_spline(source, {0, 0, 0, 0});
    CHECK(bytes_of_blob(kept.blob) <= bytes_of_blob(source));
    check_within(decoded_difference(kept.blob, source), {1e-3, 1e-5, 1e-5, 1e-5});
  }
}

TEST_CASE("the same input gives the same bytes") {
  const Motion motion = make_motion(MotionKind::Noisy, 50, 3, 1, 9);
  CHECK(encoded(motion).blob == encoded(motion).blob);
}

TEST_CASE("a clip of one frame or two is possible") {
  for (const std::uint32_t frames : {1u, 2u}) {
    const Motion motion = make_motion(MotionKind::Step, frames, 2, 1, 2);
    const auto result = encoded(motion);
    check_within(decoded_difference(result.blob, motion), {.rotation_degrees = 0.07});
    CHECK(write_spline_blob(result.blob).has_value());
  }
}

TEST_CASE("a track can be encoded again at another tolerance") {
  const Motion motion = make_motion(MotionKind::Noisy, 60, 2, 0, 4);
  auto encoder = SplineEncoder::from_frames(motion.view());
  REQUIRE(encoder.has_value());
  encoder->encode_track(0, {.translation = 0.5});
  encoder->encode_track(1, {.translation = 0.5});
  const SplineBlob loose = encoder->blob();
  encoder->encode_track(1, {.translation = 0.01});
  CHECK(encoder->blob().blocks[0].transforms[0] == loose.blocks[0].transforms[0]);
  CHECK(encoder->blob().blocks[0].transforms[1].translation.codes.size() >
        loose.blocks[0].transforms[1].translation.codes.size());
}

TEST_CASE("the bytes do not depend on the number of threads") {
  const Motion motion = make_motion(MotionKind::Noisy, 70, 5, 3, 17);
  const auto one = encoded(motion, {}, {.effort = Effort::Best});
  for (const std::size_t count : {1u, 2u, 3u, 16u}) {
    std::atomic<std::size_t> calls = 0;
    const auto run = [&](const std::function<void()>& work) {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i)
        threads.emplace_back([&] {
          ++calls;
          work();
        });
    };
    const auto several = encoded(motion, {}, {.effort = Effort::Best, .run_on_threads = run});
    CHECK(calls == count);
    CHECK(several.blob == one.blob);
    CHECK(several.errors.rotation_degrees == one.errors.rotation_degrees);
    CHECK(several.errors.translation == one.errors.translation);
  }
}

TEST_CASE("motion that cannot be encoded is refused") {
  CHECK(!encode_spline({}).has_value());
  Motion motion = make_motion(MotionKind::Smooth, 10, 1, 0, 1);
  MotionFrames frames = motion.view();
  frames.frame_count = 11;
  CHECK(encode_spline(frames).error().code == ErrorCode::InvalidArgument);
  motion.transforms[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(encode_spline(motion.view()).error().code == ErrorCode::InvalidArgument);
}
