// SPDX-License-Identifier: MIT
// Curves cut, joined, turned around and stretched, with their codes.
#include "codec/splice.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "codec/curve.h"
#include "codec/fit_target.h"
#include "codec/quaternion_lattice.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::codec;
using edit::Curve;

namespace {

Curve scalar_curve(int degree, std::vector<std::int32_t> knots, const std::vector<double>& values) {
  Curve curve{.degree = degree, .knots = std::move(knots)};
  for (const double value : values) curve.points.push_back({.value = edit::Point(value, 0, 0, 0), .is_stored = true});
  return curve;
}

void check_points(const Curve& curve, const std::vector<std::int32_t>& knots, const std::vector<double>& values) {
  CHECK(curve.knots == knots);
  REQUIRE(curve.points.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(curve.points[i].value[0] == doctest::Approx(values[i]).epsilon(1e-6));
}

double degrees(const Quaternion& a, const Quaternion& b) {
  double minus = 0, plus = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    minus += std::pow(double{a[i]} - b[i], 2);
    plus += std::pow(double{a[i]} + b[i], 2);
  }
  return 4.0 * std::asin(std::min(1.0, std::sqrt(std::min(minus, plus)) / 2.0)) * 180.0 / std::numbers::pi;
}

/// The block that decodes a frame, and the frame in it.
std::pair<const SplineBlock*, double> at(const SplineBlob& blob, double frame) {
  const auto block = std::min(static_cast<std::size_t>(frame / blob.stride()), blob.blocks.size() - 1);
  return {&blob.blocks[block], frame - static_cast<double>(block * blob.stride())};
}

struct Apart {
  double rotation = 0, distance = 0;
};

/// How far two clips are apart at a frame of each.
Apart apart(const SplineBlob& a, double frame_a, const SplineBlob& b, double frame_b) {
  const auto [left, x] = at(a, frame_a);
  const auto [right, y] = at(b, frame_b);
  Apart out;
  for (std::size_t t = 0; t < left->transforms.size(); ++t) {
    out.rotation = std::max(
        out.rotation, degrees(evaluate(left->transforms[t].rotation, x), evaluate(right->transforms[t].rotation, y)));
    for (const auto& [member, identity] :
         {std::pair(&TransformTrack::translation, 0.0f), std::pair(&TransformTrack::scale, 1.0f)}) {
      const auto u = evaluate(left->transforms[t].*member, x, identity);
      const auto v = evaluate(right->transforms[t].*member, y, identity);
      out.distance = std::max(out.distance, std::hypot(double{u[0]} - v[0], double{u[1]} - v[1], double{u[2]} - v[2]));
    }
  }
  for (std::size_t t = 0; t < left->floats.size(); ++t)
    out.distance =
        std::max(out.distance, std::abs(double{evaluate(left->floats[t], x)} - evaluate(right->floats[t], y)));
  return out;
}

Spliced spliced(std::vector<SplinePart> parts, const SpliceOptions& options = {}) {
  auto result = splice(parts, options);
  REQUIRE(result.has_value());
  CHECK(write_spline_blob(result->blob).has_value());
  return std::move(*result);
}

// Points of game files turn by little from one to the next; those of `random_blob` do not.
SplineBlob smooth_blob(std::uint32_t seed, std::uint32_t frames) {
  SplineBlob blob = test::random_blob(seed, {.frames = frames, .tracks = 8, .floats = 1, .every_encoding = false});
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> step(-0.08f, 0.08f);
  for (SplineBlock& block : blob.blocks)
    for (TransformTrack& track : block.transforms) {
      Quaternion q{0.3f, -0.2f, 0.5f, 0.7f};
      RotationChannel& channel = track.rotation;
      for (std::size_t i = 0; i + 5 <= channel.codes.size(); i += 5) {
        for (float& component : q) component += step(random);
        encode_quaternion(channel.encoding, q, std::span(channel.codes).subspan(i, 5));
      }
    }
  return blob;
}

}  // namespace

TEST_CASE("a curve is cut by inserting knots, and old control points stay") {
  const Curve cubic = scalar_curve(3, {0, 0, 0, 0, 4, 4, 9, 12, 12, 12, 12}, {0, 1, 3, 2, 5, 4, 0});
  const Curve cut = edit::moved(edit::window(cubic, 3, 10), -3);
  check_points(cut, {0, 0, 0, 0, 1, 1, 6, 7, 7, 7, 7}, {2.484375, 2.625, 2.666667, 2, 4.25, 4.25, 4.074074});
  CHECK(cut.points[3].is_stored);
  CHECK_FALSE(cut.points[2].is_stored);
  const Curve square = scalar_curve(2, {0, 0, 0, 4, 7, 10, 10, 10}, {0, 2, 1, 4, 3});
  check_points(edit::moved(edit::window(square, 2, 7), -2), {0, 0, 0, 2, 5, 5, 5}, {1.357143, 1.714286, 1, 2.5});
}

TEST_CASE("a curve of a higher degree is the same curve") {
  const Curve line = scalar_curve(1, {0, 0, 3, 5, 5}, {0, 3, 1});
  const Curve cubic = edit::raised(line, 3);
  check_points(cubic, {0, 0, 0, 0, 3, 3, 3, 5, 5, 5, 5}, {0, 1, 2, 3, 2.333333, 1.666667, 1});
  for (double frame = 0; frame <= 5; frame += 0.25)
    CHECK(edit::evaluate(cubic, frame)[0] == doctest::Approx(edit::evaluate(line, frame)[0]));
}

TEST_CASE("the nearest code is searched, not rounded") {
  const edit::Point q = fit::normalised({0.501063, 0.501288, 0.498296, 0.499347});
  std::array<std::byte, 5> rounded, nearest;
  pack_code(QuaternionEncoding::ThreeComp40, fit::kLattice40.nearest(q), rounded);
  pack_code(QuaternionEncoding::ThreeComp40, fit::kLattice40.closest(q), nearest);
  CHECK(rounded == std::array{std::byte{0xAA}, std::byte{0x2D}, std::byte{0xDA}, std::byte{0xA5}, std::byte{0x1D}});
  CHECK(nearest == std::array{std::byte{0xAA}, std::byte{0x1D}, std::byte{0xDA}, std::byte{0xA5}, std::byte{0x1D}});
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const edit::Point p = fit::normalised({normal(random), normal(random), normal(random), normal(random)});
    const double chord = std::sqrt(squared_length(fit::kLattice40.decode(fit::kLattice40.closest(p)) - p));
    worst = std::max(worst, fit::degrees_of_chord(chord));
  }
  CHECK(worst < 0.0396);
  CHECK(worst > 0.03);
}

TEST_CASE("a cut clip has the values of the source, between frames too") {
  for (const std::uint32_t frames : {40u, 300u, 600u}) {
    const SplineBlob source = smooth_blob(frames, frames);
    const std::uint32_t first = frames / 4, last = frames - 1 - frames / 5;
    const Spliced cut = spliced({{&source, first, last}});
    CHECK(cut.blob.frame_count == last - first + 1);
    CHECK(cut.report.rotation_degrees <= 0.04);
    for (std::uint32_t frame = first; frame < last; ++frame) {
      const Apart whole = apart(source, frame, cut.blob, frame - first);
      CHECK(whole.rotation <= 0.0401);
      CHECK(whole.distance <= 0.001);
    }
  }
}

TEST_CASE("parts that are put together again are the clip") {
  const SplineBlob source = smooth_blob(7, 60);
  const Spliced left = spliced({{&source, 0, 21}}), right = spliced({{&source, 21, 59}});
  const Spliced both = spliced({{&left.blob, 0, 21}, {&right.blob, 0, 38}});
  CHECK(both.blob.frame_count == 60);
  CHECK(both.report.gap_degrees == 0.0);  // both sides of a cut have the same code
  for (double frame = 0; frame <= 59; frame += 0.25) CHECK(apart(source, frame, both.blob, frame).rotation <= 0.0401);
}

TEST_CASE("a clip of one block backwards and back again is the same, code for code") {
  const SplineBlob source = test::random_blob(3, {.frames = 60});
  const Spliced back = spliced({{.source = &source, .first = 0, .last = 59, .is_reversed = true}});
  for (double frame = 0; frame <= 59; frame += 0.5) {
    const Apart turned = apart(source, frame, back.blob, 59 - frame);
    // Where a curve jumps, the piece that begins there is used, and backwards that is the other one.
    if (frame != std::floor(frame)) CHECK(turned.rotation <= 1e-3);
  }
  const Spliced again = spliced({{.source = &back.blob, .first = 0, .last = 59, .is_reversed = true}});
  CHECK(again.report.new_points == 0);
  for (std::size_t t = 0; t < source.blocks[0].transforms.size(); ++t)
    CHECK(again.blob.blocks[0].transforms[t].rotation.codes == source.blocks[0].transforms[t].rotation.codes);
}

TEST_CASE("blocks that stay where they were are copied, whatever the gap between them") {
  const SplineBlob source = test::random_blob(5, {.frames = 600});
  CHECK(spliced({{&source, 0, 599}}).blob == source);
  const Spliced cut = spliced({{&source, 255, 599}});
  CHECK(cut.blob.blocks[0] == source.blocks[1]);
  CHECK(cut.blob.blocks[1] == source.blocks[2]);
  const SplineBlob exact = test::random_blob(6, {.frames = 256});
  const Spliced twice = spliced({{&exact, 0, 255}, {&exact, 0, 255}});
  CHECK(twice.blob.blocks == std::vector{exact.blocks[0], exact.blocks[0]});
}

TEST_CASE("a stretched clip keeps every old frame") {
  const SplineBlob source = smooth_blob(11, 50);
  const Spliced slow = spliced({{.source = &source, .first = 0, .last = 49, .stretch = 3}});
  CHECK(slow.blob.frame_count == 148);
  for (double frame = 0; frame <= 49; frame += 0.5) {
    const Apart between = apart(source, frame, slow.blob, 3 * frame);
    CHECK(between.rotation == doctest::Approx(0).epsilon(1e-4));
    CHECK(between.distance == doctest::Approx(0).epsilon(1e-5));
  }
}

TEST_CASE("clips that do not meet keep every frame of both") {
  const SplineBlob a = smooth_blob(21, 30), b = smooth_blob(22, 40);
  const Spliced both = spliced({{&a, 0, 29}, {&b, 0, 39}});
  CHECK(both.report.gap_degrees > 1.0);
  for (std::uint32_t frame = 0; frame < 29; ++frame) CHECK(apart(a, frame, both.blob, frame).rotation <= 0.0401);
  for (std::uint32_t frame = 0; frame < 40; ++frame) CHECK(apart(b, frame, both.blob, frame + 29).rotation <= 0.0401);
}

TEST_CASE("48 bits hold new points ten times as closely") {
  const SplineBlob source = smooth_blob(31, 80);
  const Spliced cut = spliced({{&source, 13, 61}}, {.encodings = EncodingSet::All});
  if (cut.report.past_bound == 0) CHECK(cut.report.rotation_degrees <= 0.005);
  for (std::uint32_t frame = 13; frame < 61; ++frame)
    CHECK(apart(source, frame, cut.blob, frame - 13).rotation <= 0.0052);
}

TEST_CASE("a closed loop has the same first and last code, and its middle stays") {
  const SplineBlob source = smooth_blob(41, 80);
  const auto loop = close_loop(source, {.window = 10});
  REQUIRE(loop.has_value());
  const Apart ends = apart(loop->blob, 0, loop->blob, 79);
  CHECK(ends.rotation <= 1e-3);
  CHECK(ends.distance <= 1e-3);
  for (double frame = 11; frame <= 68; frame += 0.5) {
    const Apart middle = apart(source, frame, loop->blob, frame);
    CHECK(middle.rotation <= 0.0401);
    CHECK(middle.distance <= 1e-3);
  }
}

TEST_CASE("a loop closes on the side where its curve ends") {
  // From q to -q: the same rotation, stored with the other sign.
  SplineBlob blob{.frame_count = 41, .blocks = {{.transforms = {{}}}}};
  RotationChannel& channel = blob.blocks[0].transforms[0].rotation;
  channel = {.flags = kSplineRotation,
             .shape = {.degree = 1, .knots = {0, 0, 10, 20, 30, 40, 40}},
             .codes = std::vector<std::byte>(25)};
  for (std::size_t i = 0; i < 5; ++i) {
    const double half = static_cast<double>(i) * std::numbers::pi / 4.0;  // a full turn
    encode_quaternion(channel.encoding, {static_cast<float>(std::sin(half)), 0, 0, static_cast<float>(std::cos(half))},
                      std::span(channel.codes).subspan(i * 5, 5));
  }
  const auto loop = close_loop(blob, {.window = 5});
  REQUIRE(loop.has_value());
  for (double frame = 0; frame <= 40; frame += 0.5) CHECK(apart(blob, frame, loop->blob, frame).rotation <= 0.5);
  CHECK(apart(loop->blob, 0, loop->blob, 40).rotation <= 1e-3);
}

TEST_CASE("a turned track is turned at every frame, a moved one moved") {
  SplineBlob blob = smooth_blob(51, 40);
  const SplineBlob source = blob;
  const float half = std::sqrt(0.5f);
  for (std::size_t t = 0; t < 8; ++t) {
    turn_track(blob, t, {0, 0, half, half}, TurnSpace::Parent);
    move_track(blob, t, {1, 0, -2});
  }
  CHECK(write_spline_blob(blob).has_value());
  for (std::size_t t = 0; t < 8; ++t)
    for (double frame = 0; frame <= 39; frame += 0.5) {
      const TransformTrack &before = source.blocks[0].transforms[t], &after = blob.blocks[0].transforms[t];
      CHECK(degrees(evaluate(before.rotation, frame), evaluate(after.rotation, frame)) ==
            doctest::Approx(90).epsilon(1e-3));
      const auto u = evaluate(before.translation, frame, 0.0f), v = evaluate(after.translation, frame, 0.0f);
      CHECK(v[0] - u[0] == doctest::Approx(1).epsilon(1e-4));
      CHECK(v[1] == doctest::Approx(u[1]));
      CHECK(v[2] - u[2] == doctest::Approx(-2).epsilon(1e-4));
    }
}

TEST_CASE("parts that cannot be are refused") {
  const SplineBlob source = smooth_blob(61, 20);
  const SplineBlob other = test::random_blob(61, {.frames = 20, .tracks = 3});
  CHECK_FALSE(splice({}).has_value());
  CHECK_FALSE(splice(std::vector<SplinePart>{{&source, 5, 5}}).has_value());
  CHECK_FALSE(splice(std::vector<SplinePart>{{&source, 5, 20}}).has_value());
  CHECK_FALSE(splice(std::vector<SplinePart>{{&source, 0, 19}, {&other, 0, 19}}).has_value());
  CHECK_FALSE(
      splice(std::vector<SplinePart>{{.source = &source, .first = 0, .last = 19, .stretch = 1u << 30}}).has_value());
}
