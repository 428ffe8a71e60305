// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bench/reference_decoder.h"
#include "codec/sample_kernel.h"
#include "marrow/codec/compiled_clip.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::codec;
using marrow::test::random_blob;
using marrow::test::view_of;

namespace {

struct Worst {
  double degrees = 0, units = 0, length = 0;
};

void compare(std::span<const float> pose, std::span<const float> right, Worst& worst) {
  REQUIRE(pose.size() == right.size());
  for (std::size_t at = 0; at < pose.size(); at += kFloatsPerTrack) {
    double chord = 0, squared = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      const double difference = static_cast<double>(pose[at + i]) - right[at + i];
      if (i >= 3 && i < 7) {
        chord += difference * difference;
        squared += static_cast<double>(pose[at + i]) * pose[at + i];
      } else {
        worst.units = std::max(worst.units, std::abs(difference));
      }
    }
    worst.degrees =
        std::max(worst.degrees, 4 * std::asin(std::min(1.0, std::sqrt(chord) / 2)) * 180 / 3.14159265358979);
    worst.length = std::max(worst.length, std::abs(std::sqrt(squared) - 1.0));
  }
}

/// The fast sampler against the plain one: whole frames and with them every knot, fractions, both sides of every seam.
Worst against_reference(const SplineBlob& blob, CompiledForm form = CompiledForm::Hot) {
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const SplineBlobView view = view_of(blob, *bytes);
  const auto clip = compile_clip(view, 1.0, {.form = form});
  REQUIRE(clip);
  const bench::ReferenceDecoder reference(view);
  std::vector<double> frames;
  for (std::uint32_t f = 0; f < blob.frame_count; ++f) {
    frames.push_back(f);
    if (f + 1 < blob.frame_count)
      for (const double part : {1e-7, 0.125, 0.5, 1 - 1e-7}) frames.push_back(f + part);
  }
  std::vector<float> pose(clip->pose_floats()), right(clip->pose_floats());
  Worst worst;
  for (const double frame : frames) {
    sample_frame(*clip, frame, pose);
    reference.sample(frame, right.data());
    compare(pose, right, worst);
  }
  return worst;
}

constexpr CompiledForm kForms[] = {CompiledForm::Hot, CompiledForm::Compact};

struct KernelGuard {
  ~KernelGuard() { set_sample_kernel(best_sample_kernel()); }
};

}  // namespace

TEST_CASE("the fast sampler gives what the plain one gives, whatever the encoding, degree, form and instruction set") {
  KernelGuard guard;
  for (const auto kernel : {sample_moving_portable, narrow_sample_kernel(), best_sample_kernel()})
    for (const CompiledForm form : kForms) {
      set_sample_kernel(kernel);
      for (std::uint32_t seed = 0; seed < 40; ++seed) {
        // Only what the games write is packed in the compact form.
        const auto blob =
            random_blob(seed, {.frames = 2 + seed * 3, .tracks = 1 + seed % 9, .every_encoding = seed % 2 == 0});
        const Worst worst = against_reference(blob, form);
        CAPTURE(seed);
        CHECK(worst.degrees < 0.001);
        CHECK(worst.units < 1e-4);
        CHECK(worst.length < 2e-6);
      }
    }
}

TEST_CASE("blocks are entered at their first frame and left at their last") {
  for (const CompiledForm form : kForms)
    for (const std::uint32_t frames : {10u, 11u, 19u, 20u, 21u, 64u}) {
      const auto blob = random_blob(frames, {.frames = frames, .max_frames_per_block = 10, .every_encoding = false});
      const Worst worst = against_reference(blob, form);
      CHECK(worst.degrees < 0.001);
      CHECK(worst.units < 1e-4);
    }
}

TEST_CASE("a clip of one frame is still") {
  const auto blob = random_blob(5, {.frames = 1});
  for (const CompiledForm form : kForms) CHECK(against_reference(blob, form).degrees < 0.001);
}

TEST_CASE("the longest block reaches the last byte that a knot has") {
  for (const CompiledForm form : kForms) {
    const test::RandomBlobOptions longest{.frames = 256, .tracks = 30, .every_encoding = false};
    CHECK(against_reference(random_blob(9, longest), form).degrees < 0.001);
  }
  CHECK(against_reference(random_blob(9, {.frames = 257, .tracks = 30})).units < 1e-4);
}

TEST_CASE("times outside the clip take its ends, and no time is not a number") {
  const auto blob = random_blob(3);
  const auto bytes = write_spline_blob(blob);
  const auto clip = compile_clip(view_of(blob, *bytes), 1.3);
  REQUIRE(clip);
  const auto at = [&](double seconds) {
    std::vector<float> pose(clip->pose_floats());
    sample(*clip, seconds, pose);
    return pose;
  };
  CHECK(at(-1) == at(0));
  CHECK(at(std::numeric_limits<double>::quiet_NaN()) == at(0));
  CHECK(at(1e30) == at(1.3));
  CHECK(at(0.65) != at(0));
}

TEST_CASE("whole frames decoded are the frames sampled, to the bit, on every instruction set") {
  KernelGuard guard;
  for (const std::size_t tracks : {3u, 120u, 500u}) {
    const auto blob = random_blob(17, {.frames = 120, .max_frames_per_block = 50, .tracks = tracks});
    const auto bytes = write_spline_blob(blob);
    const auto clip = compile_clip(view_of(blob, *bytes), 1.0);
    REQUIRE(clip);
    std::vector<float> frames(clip->pose_floats() * blob.frame_count), pose(clip->pose_floats());
    decode_frames(*clip, 0, frames);
    set_sample_kernel(sample_moving_portable);
    for (std::uint32_t f = 0; f < blob.frame_count; ++f) {
      sample_frame(*clip, f, pose);
      REQUIRE(std::ranges::equal(pose, std::span(frames).subspan(f * pose.size(), pose.size())));
    }
    decode_frames(*clip, 60, std::span(frames).first(pose.size()));
    sample_frame(*clip, 60, pose);
    CHECK(std::ranges::equal(pose, std::span(frames).first(pose.size())));
  }
}

TEST_CASE("a kept pose is the same as a new one, over block seams and from clip to clip") {
  const auto blob = random_blob(21, {.frames = 30, .max_frames_per_block = 10});
  const auto other = random_blob(22, {.frames = 30, .max_frames_per_block = 10});
  const auto bytes = write_spline_blob(blob), other_bytes = write_spline_blob(other);
  const auto clip = compile_clip(view_of(blob, *bytes), 1.0), second = compile_clip(view_of(other, *other_bytes), 1.0);
  std::vector<float> kept(clip->pose_floats()), fresh(clip->pose_floats());
  SampleContext context;
  for (const double frame : {0.0, 3.5, 8.9, 9.0, 9.1, 25.0, 2.0}) {
    sample_frame(*clip, frame, kept, context);
    sample_frame(*clip, frame, fresh);
    CHECK(kept == fresh);
    sample_frame(*second, frame, kept, context);
    sample_frame(*second, frame, fresh);
    CHECK(kept == fresh);
  }
}

TEST_CASE("float tracks follow their curves") {
  const auto blob = random_blob(33, {.frames = 50, .max_frames_per_block = 20, .floats = 9, .every_encoding = false});
  const auto bytes = write_spline_blob(blob);
  for (const CompiledForm form : kForms) {
    const auto clip = compile_clip(view_of(blob, *bytes), 1.0, {.form = form});
    std::vector<float> floats(clip->float_track_count());
    for (double frame = 0; frame <= 49; frame += 0.25) {
      sample_floats(*clip, frame, floats);
      const auto block = std::min<std::size_t>(static_cast<std::size_t>(frame) / 19, blob.blocks.size() - 1);
      for (std::size_t i = 0; i < floats.size(); ++i)
        CHECK(floats[i] ==
              doctest::Approx(evaluate(blob.blocks[block].floats[i], frame - 19.0 * double(block))).epsilon(1e-5));
    }
  }
}

TEST_CASE("more moving channels than 16 bits can number are sampled all the same") {
  test::RandomBlobOptions options{.frames = 3, .tracks = 6600, .floats = 0};
  CHECK(against_reference(random_blob(1, options)).degrees < 0.001);
}

TEST_CASE("a file that asks for more memory than the budget is refused, and the clip left empty") {
  const auto blob = random_blob(3, {.frames = 200, .tracks = 50});
  const auto bytes = write_spline_blob(blob);
  const auto view = view_of(blob, *bytes);
  ClipCompiler compiler;
  CompiledClip clip;
  REQUIRE(compiler.compile(view, 1.0, clip));
  const std::size_t needed = clip.bytes();
  CHECK(compiler.compile(view, 1.0, clip, {.max_bytes = needed}));
  const auto refused = compiler.compile(view, 1.0, clip, {.max_bytes = needed - 1});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
  CHECK(clip.frame_count() == 0);
  CHECK(clip.pose_floats() == 0);
}

TEST_CASE("a clip without tracks, and one that was never compiled, give an empty pose") {
  const auto blob = random_blob(1, {.frames = 9, .tracks = 0, .floats = 0});
  const auto bytes = write_spline_blob(blob);
  const auto clip = compile_clip(view_of(blob, *bytes), 1.0);
  REQUIRE(clip);
  SampleContext context;
  sample_frame(*clip, 3.0, {});
  sample_frame(*clip, 3.0, {}, context);
  sample(CompiledClip{}, 1.0, {});
  decode_frames(*clip, 0, {});
  sample_floats(*clip, 1.0, {});
  CHECK(clip->pose_floats() == 0);
}

TEST_CASE("every prefix of the data is refused") {
  const auto blob = random_blob(4, {.frames = 20, .tracks = 4, .floats = 1});
  auto bytes = write_spline_blob(blob);
  SplineBlobView view = view_of(blob, *bytes);
  while (bytes->data.size() > 16 && bytes->data.back() == std::byte{0}) bytes->data.pop_back();
  for (std::size_t size = 0; size < bytes->data.size(); ++size) {
    const std::vector<std::byte> cut(bytes->data.begin(), bytes->data.begin() + static_cast<std::ptrdiff_t>(size));
    view.data = cut;
    CHECK_FALSE(compile_clip(view, 1.0));
  }
}
