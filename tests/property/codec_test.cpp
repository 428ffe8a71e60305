// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "codec/bspline.h"
#include "marrow/codec/compiled_clip.h"
#include "marrow/codec/packed_quaternion.h"
#include "marrow/codec/scalar_range.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::codec;

namespace {

double angle_degrees(const Quaternion& a, const Quaternion& b) {
  double plus = 0, minus = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    plus += std::pow(static_cast<double>(a[i]) - b[i], 2);
    minus += std::pow(static_cast<double>(a[i]) + b[i], 2);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(plus, minus)) / 2)) * 180 / 3.14159265358979;
}

rc::Gen<Quaternion> unit_quaternion() {
  return rc::gen::map(rc::gen::container<std::array<std::int32_t, 4>>(rc::gen::inRange(-1'000'000, 1'000'001)),
                      [](const std::array<std::int32_t, 4>& lanes) {
                        double length = 0;
                        for (const double lane : lanes) length += lane * lane;
                        if (length == 0) return Quaternion{0, 0, 0, 1};
                        Quaternion q;
                        for (std::size_t i = 0; i < 4; ++i) q[i] = static_cast<float>(lanes[i] / std::sqrt(length));
                        return q;
                      });
}

}  // namespace

TEST_CASE("a rotation decodes within the bound of its encoding") {
  for (const auto encoding : {QuaternionEncoding::Polar32, QuaternionEncoding::ThreeComp40,
                              QuaternionEncoding::ThreeComp48, QuaternionEncoding::Uncompressed})
    CHECK(rc::check(std::string(to_string(encoding)), [&] {
      const Quaternion q = *unit_quaternion();
      std::vector<std::byte> packed(packed_bytes(encoding));
      encode_quaternion(encoding, q, packed);
      RC_ASSERT(angle_degrees(decode_quaternion(encoding, packed), q) <= max_rotation_error_degrees(encoding));
    }));
}

TEST_CASE("codes of rotations are stable: decoded and encoded again they are the same rotation") {
  for (const auto encoding : {QuaternionEncoding::ThreeComp40, QuaternionEncoding::ThreeComp48})
    CHECK(rc::check([&] {
      const ThreeComponentCode code = quantise(encoding, *unit_quaternion());
      const Quaternion q = dequantise(encoding, code);
      // Where two components tie for the largest the other may be left out; the rotation is the same.
      const ThreeComponentCode again = quantise(encoding, q);
      RC_ASSERT(again == code || again.omitted != code.omitted);
    }));
}

TEST_CASE("a scalar decodes within half a step") {
  for (const auto encoding : {ScalarEncoding::Bits8, ScalarEncoding::Bits16})
    CHECK(rc::check([&] {
      const float low = static_cast<float>(*rc::gen::inRange(-100'000, 100'000)) / 64.0f;
      const float width = static_cast<float>(*rc::gen::inRange(0, 100'000)) / 128.0f;
      const float value = low + width * static_cast<float>(*rc::gen::inRange(0, 1001)) / 1000.0f;
      const ScalarRange range{low, low + width};
      const double half_step = (static_cast<double>(range.high) - range.low) / code_limit(encoding) / 2;
      const double rounding = 2e-7 * (std::abs(low) + width);
      const float decoded = decode_scalar(range, encoding, encode_scalar(range, encoding, value));
      RC_ASSERT(std::abs(static_cast<double>(decoded) - value) <= half_step + rounding);
    }));
}

TEST_CASE("a spline stays between the least and the greatest of its control points") {
  CHECK(rc::check([] {
    const auto blob = test::random_blob(*rc::gen::arbitrary<std::uint32_t>(), {.frames = 60, .tracks = 1});
    const VectorChannel& channel = blob.blocks[0].transforms[0].translation;
    const double frame = *rc::gen::inRange(0, 59 * 16 + 1) / 16.0;
    const auto value = evaluate(channel, frame, 0.0f);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (channel.is_spline(axis)) {
        RC_ASSERT(value[axis] >= channel.range[axis].low - 1e-5f);
        RC_ASSERT(value[axis] <= channel.range[axis].high + 1e-5f);
      }
  }));
}

TEST_CASE("a blob that is written reads back the same, and so do its bytes") {
  CHECK(rc::check([] {
    const auto blob = test::random_blob(*rc::gen::arbitrary<std::uint32_t>(),
                                        {.frames = *rc::gen::inRange(1u, 80u), .max_frames_per_block = 30});
    const auto bytes = write_spline_blob(blob);
    RC_ASSERT(bytes.has_value());
    RC_ASSERT(summarize(test::view_of(blob, *bytes))->channels == bytes->channels);
    const auto back = read_spline_blob(test::view_of(blob, *bytes));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == blob);
    const auto again = write_spline_blob(*back);
    RC_ASSERT(again.has_value() && *again == *bytes);
  }));
}

TEST_CASE("a clip cut at a block boundary changes nothing") {
  CHECK(rc::check([] {
    constexpr std::uint32_t kMost = 12, kStride = kMost - 1;
    const auto whole = test::random_blob(*rc::gen::arbitrary<std::uint32_t>(),
                                         {.frames = *rc::gen::inRange(25u, 70u), .max_frames_per_block = kMost});
    const auto cut = *rc::gen::inRange<std::size_t>(1, whole.blocks.size());
    const auto middle = whole.blocks.begin() + static_cast<std::ptrdiff_t>(cut);
    const auto first_frames = static_cast<std::uint32_t>(cut) * kStride + 1;
    const SplineBlob left{first_frames, kMost, {whole.blocks.begin(), middle}};
    const SplineBlob right{whole.frame_count - first_frames + 1, kMost, {middle, whole.blocks.end()}};
    const auto compiled = [](const SplineBlob& blob) {
      const auto bytes = write_spline_blob(blob);
      RC_ASSERT(bytes.has_value());
      auto clip = compile_clip(test::view_of(blob, *bytes), 1.0);
      RC_ASSERT(clip.has_value());
      return std::move(*clip);
    };
    const CompiledClip a = compiled(whole), b = compiled(left), c = compiled(right);
    std::vector<float> pose(a.pose_floats()), part(a.pose_floats());
    const double frame = *rc::gen::inRange(0u, (whole.frame_count - 1) * 8 + 1) / 8.0;
    const double seam = first_frames - 1;
    sample_frame(a, frame, pose);
    if (frame < seam)
      sample_frame(b, frame, part);
    else
      sample_frame(c, frame - seam, part);
    RC_ASSERT(pose == part);
  }));
}
