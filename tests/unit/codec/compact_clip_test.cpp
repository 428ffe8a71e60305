// SPDX-License-Identifier: MIT
// What is particular to the compact form: what it packs and what it leaves hot, its size, lists, its memory.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "bench/real_clips.h"
#include "bench/reference_decoder.h"
#include "codec/compiled_layout.h"
#include "codec/sample_kernel.h"
#include "marrow/codec/compiled_clip.h"
#include "support/corpus.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::codec;
using marrow::test::random_blob;
using marrow::test::view_of;

namespace {

constexpr test::RandomBlobOptions kLikeTheGames{.frames = 100, .tracks = 40, .every_encoding = false, .jumps = false};

struct Differences {
  double degrees = 0, units = 0;
};

/// The largest differences from the plain decoder at and between all frames.
Differences differences(const SplineBlobView& view, const CompiledClip& clip) {
  const bench::ReferenceDecoder reference(view);
  std::vector<float> pose(clip.pose_floats()), right(clip.pose_floats());
  Differences worst;
  for (std::uint32_t f = 0; f < clip.frame_count(); ++f)
    for (const double part : {0.0, 1e-6, 0.37, 1 - 1e-6}) {
      const double frame = std::min<double>(f + part, clip.frame_count() - 1);
      sample_frame(clip, frame, pose);
      reference.sample(frame, right.data());
      for (std::size_t at = 0; at < pose.size(); at += kFloatsPerTrack) {
        double chord = 0;
        for (std::size_t i = 0; i < kFloatsPerTrack; ++i) {
          const double difference = static_cast<double>(pose[at + i]) - right[at + i];
          REQUIRE(std::isfinite(difference));
          if (i >= 3 && i < 7)
            chord += difference * difference;
          else
            worst.units = std::max(worst.units, std::abs(difference));
        }
        worst.degrees = std::max(worst.degrees, 4 * std::asin(std::min(1.0, std::sqrt(chord) / 2)) * 57.29577951308232);
      }
    }
  return worst;
}

CompiledClip compact(const SplineBlobView& view, CompileOptions options = {}) {
  options.form = CompiledForm::Compact;
  auto clip = compile_clip(view, 1.0, options);
  REQUIRE(clip);
  return std::move(*clip);
}

bool is_packed(const CompiledClip& clip) {
  return std::ranges::all_of(clip.blocks(), [](const CompiledClip::Block& block) { return block.compact; });
}

struct BestKernelAfterwards {
  ~BestKernelAfterwards() { set_sample_kernel(best_sample_kernel()); }
};

}  // namespace

TEST_CASE(
    "rotations of 40 and 48 bits and float tracks are packed, and every kernel gives what the plain decoder gives") {
  BestKernelAfterwards guard;
  for (const auto encoding : {QuaternionEncoding::ThreeComp40, QuaternionEncoding::ThreeComp48})
    for (const std::uint32_t frames : {2u, 16u, 17u, 18u, 33u, 100u, 256u, 300u}) {
      auto options = kLikeTheGames;
      options.frames = frames;
      options.rotations = encoding;
      options.moving_floats = true;
      const SplineBlob blob = random_blob(frames, options);
      const auto bytes = write_spline_blob(blob);
      const CompiledClip clip = compact(view_of(blob, *bytes));
      CHECK(is_packed(clip));
      for (const SampleKernel kernel : {sample_moving_portable, narrow_sample_kernel(), best_sample_kernel()}) {
        set_sample_kernel(kernel);
        const Differences worst = differences(view_of(blob, *bytes), clip);
        CAPTURE(frames);
        CHECK(worst.degrees < 1e-4);
        CHECK(worst.units < 1e-4);
      }
      std::vector<float> floats(clip.float_track_count());
      for (double frame = 0; frame <= frames - 1; frame += 0.25) {
        sample_floats(clip, frame, floats);
        const auto block = std::min<std::size_t>(static_cast<std::size_t>(frame) / 255, blob.blocks.size() - 1);
        for (std::size_t i = 0; i < floats.size(); ++i)
          CHECK(floats[i] ==
                doctest::Approx(evaluate(blob.blocks[block].floats[i], frame - 255.0 * double(block))).epsilon(1e-5));
      }
    }
}

TEST_CASE("points take the bytes that their parts need, and every kernel reads them") {
  BestKernelAfterwards guard;
  constexpr std::int32_t kWidths[] = {0, 1, 3, 5, 8, 10, 11};
  constexpr std::uint32_t kPoints = 9, kFrames = 16;  // one segment
  // A track per three widths: the parts of its points are apart by as many bits at the most.
  const auto blob_of = [&](QuaternionEncoding encoding, std::uint8_t degree, std::int32_t most_bits) {
    SplineBlob blob{kFrames, 256, {SplineBlock{}}};
    for (const std::int32_t a : kWidths)
      for (const std::int32_t b : kWidths)
        for (const std::int32_t c : kWidths) {
          if (a + b + c > most_bits) continue;
          const auto number = static_cast<std::int32_t>(blob.blocks[0].transforms.size());
          TransformTrack& track = blob.blocks[0].transforms.emplace_back();
          track.rotation.flags = kSplineRotation;
          track.rotation.encoding = encoding;
          track.rotation.shape.degree = degree;
          auto& knots = track.rotation.shape.knots;
          knots.assign(degree + 1u, 0);
          for (std::uint32_t i = 1; i + degree < kPoints; ++i) knots.push_back(static_cast<std::uint8_t>(i * 2));
          knots.insert(knots.end(), degree + 1u, kFrames - 1);
          const std::size_t size = packed_bytes(encoding);
          track.rotation.codes.resize(kPoints * size);
          for (std::int32_t i = 0; i < static_cast<std::int32_t>(kPoints); ++i) {
            const auto part = [&](std::int32_t bits, std::int32_t turn) {
              const std::int32_t most = (1 << bits) - 1;
              return (i % 3 == turn ? most : i % 3 == (turn + 1) % 3 ? 0 : most * i / 10) - 1000 + number;
            };
            pack_code(encoding,
                      {.parts = {part(a, 0), part(b, 1), part(c, 2)},
                       .omitted = static_cast<std::uint8_t>(number % 4),
                       .negative = number % 3 == 0},
                      std::span(track.rotation.codes).subspan(static_cast<std::size_t>(i) * size, size));
          }
        }
    return blob;
  };
  for (const auto encoding : {QuaternionEncoding::ThreeComp40, QuaternionEncoding::ThreeComp48})
    for (const std::uint8_t degree : {std::uint8_t{1}, std::uint8_t{3}}) {
      std::size_t before = 0, tracks_before = 0;
      // Up to 8, 16, 24 and 30 bits a point has as many bytes; then six.
      for (const std::int32_t most_bits : {8, 16, 24, 30, 33}) {
        const SplineBlob blob = blob_of(encoding, degree, most_bits);
        const auto bytes = write_spline_blob(blob);
        REQUIRE(bytes);
        const CompiledClip clip = compact(view_of(blob, *bytes));
        CHECK(is_packed(clip));
        for (const SampleKernel kernel : {sample_moving_portable, narrow_sample_kernel(), best_sample_kernel()}) {
          set_sample_kernel(kernel);
          CHECK(differences(view_of(blob, *bytes), clip).degrees < 1e-4);
        }
        // What more bits add: the points of the new tracks, and what every track has (pose, header, destination).
        const std::size_t tracks = blob.blocks[0].transforms.size(), added = tracks - tracks_before;
        const std::size_t points =
            added * kPoints * static_cast<std::size_t>(most_bits > 30 ? 6 : most_bits / 8 + (most_bits % 8 != 0));
        const std::size_t knots = degree == 3 ? kPoints + 3u : 1u, each = kFloatsPerTrack * sizeof(float) + 18 + knots;
        CAPTURE(most_bits);
        CHECK(clip.bytes() - before <= points + added * each + 256);
        before = clip.bytes();
        tracks_before = tracks;
      }
    }
}

TEST_CASE("every clip of the games is packed, within 5.2 % of its frames, and is what the plain decoder gives") {
  if (test::corpus().empty()) return;
  double bytes = 0, hot_bytes = 0, raw = 0;
  std::size_t clips = 0;
  bench::for_each_animation(test::corpus(), [&](const havok::Packfile& file, havok::ObjectId id) {
    const auto view = havok::spline_data(file, id);
    if (!view) return;
    const CompiledClip clip = compact(*view);
    CHECK(is_packed(clip));
    const Differences worst = differences(*view, clip);
    CHECK(worst.degrees < 1e-4);
    CHECK(worst.units < 2e-4);
    const auto hot = compile_clip(*view, 1.0);
    REQUIRE(hot);
    hot_bytes += static_cast<double>(hot->bytes());
    CHECK(clip.moving_channel_count() == hot->moving_channel_count());
    bytes += static_cast<double>(clip.bytes());
    raw += static_cast<double>(clip.pose_floats() * sizeof(float)) * clip.frame_count();
    ++clips;
  });
  CHECK(clips >= 9);
  CHECK(bytes / raw < 0.052);
  CHECK(bytes * 5.5 < hot_bytes);
}

TEST_CASE("channels that share a segment with hundreds of others are found") {
  auto options = kLikeTheGames;
  options.tracks = 450;  // more lines of vectors than the kernel takes at once
  options.frames = 3;
  const SplineBlob blob = random_blob(3, options);
  const auto bytes = write_spline_blob(blob);
  const CompiledClip clip = compact(view_of(blob, *bytes));
  CHECK(is_packed(clip));
  CHECK(differences(view_of(blob, *bytes), clip).degrees < 1e-4);
}

TEST_CASE("what the form cannot hold stays hot, and is right") {
  auto torn = kLikeTheGames;
  torn.jumps = true;
  torn.tracks = 300;
  auto too_large = kLikeTheGames;
  too_large.tracks = 5000;  // segments of more than 128 KB
  too_large.frames = 20;
  auto too_many = kLikeTheGames;
  too_many.tracks = 6600;  // destinations of more than 16 bits
  too_many.frames = 3;
  auto polar = kLikeTheGames;
  polar.rotations = QuaternionEncoding::Polar32;
  for (const auto& options : {torn, too_large, too_many, polar}) {
    const SplineBlob blob = random_blob(8, options);
    const auto bytes = write_spline_blob(blob);
    const CompiledClip clip = compact(view_of(blob, *bytes));
    CHECK_FALSE(is_packed(clip));
    CHECK(differences(view_of(blob, *bytes), clip).degrees < 0.001);
  }
}

TEST_CASE("blocks of a clip may be of different forms") {
  auto options = kLikeTheGames;
  options.frames = 46;
  options.max_frames_per_block = 16;
  SplineBlob blob = random_blob(5, options);
  // One line of the second block gets two keys at one frame.
  for (TransformTrack& track : blob.blocks[1].transforms)
    if (SplineShape& shape = track.rotation.shape; shape.degree == 1 && shape.knots.size() > 5) {
      shape.knots[3] = shape.knots[2];
      break;
    }
  const auto bytes = write_spline_blob(blob);
  const CompiledClip clip = compact(view_of(blob, *bytes));
  CHECK(clip.blocks()[0].compact);
  CHECK_FALSE(clip.blocks()[1].compact);
  CHECK(clip.blocks()[2].compact);
  CHECK(differences(view_of(blob, *bytes), clip).degrees < 1e-3);
}

TEST_CASE("the last piece of a curve that ends before its block goes on") {
  auto options = kLikeTheGames;
  options.frames = 40;
  SplineBlob blob = random_blob(6, options);
  for (TransformTrack& track : blob.blocks[0].transforms)
    for (SplineShape* shape : {&track.rotation.shape, &track.translation.shape})
      for (std::uint8_t& knot : shape->knots) knot = std::min<std::uint8_t>(knot, 37);
  // Knots that now lie together at the end are a jump there.
  for (TransformTrack& track : blob.blocks[0].transforms)
    for (SplineShape* shape : {&track.rotation.shape, &track.translation.shape})
      if (shape->knots.size() > 2u * shape->degree + 2 && shape->knots[shape->control_count() - 1] == 37)
        for (std::size_t i = shape->degree + 1u; i < shape->control_count(); ++i)
          shape->knots[i] = static_cast<std::uint8_t>(1 + i);
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const CompiledClip clip = compact(view_of(blob, *bytes));
  CHECK(is_packed(clip));
  const Differences worst = differences(view_of(blob, *bytes), clip);
  CHECK(worst.degrees < 1e-3);
  CHECK(worst.units < 1e-3);
}

TEST_CASE("a list gives what single calls give, to the bit, whatever the forms") {
  std::vector<SplineBlob> blobs;
  std::vector<SplineBlobBytes> bytes;
  std::vector<CompiledClip> clips;
  for (std::uint32_t i = 0; i < 12; ++i) {
    auto options = kLikeTheGames;
    options.frames = 1 + 23 * i;
    options.tracks = i == 4 ? 0 : 5 + 10 * i;
    options.every_encoding = i % 5 == 3;
    blobs.push_back(random_blob(i, options));
    bytes.push_back(*write_spline_blob(blobs.back()));
    auto clip = compile_clip(view_of(blobs[i], bytes[i]), 1.0,
                             {.form = i % 3 == 0 ? CompiledForm::Hot : CompiledForm::Compact});
    REQUIRE(clip);
    clips.push_back(std::move(*clip));
  }
  std::vector<std::vector<float>> poses;
  std::vector<SampleRequest> requests;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const CompiledClip& clip = clips[i * 7 % clips.size()];
    poses.emplace_back(clip.pose_floats());
    requests.push_back({&clip, i % 9 == 8 ? std::numeric_limits<double>::quiet_NaN() : i * 1.37 - 2, poses.back()});
  }
  sample_many(requests);
  for (const SampleRequest& request : requests) {
    std::vector<float> alone(request.pose.size());
    sample_frame(*request.clip, request.frame, alone);
    CHECK(std::ranges::equal(alone, request.pose));
  }
  sample_many({});
}

TEST_CASE("the memory of a clip is where its owner wants it, and does not depend on the place") {
  struct Places : ClipAllocator {
    alignas(64) std::byte memory[2][1 << 18];
    int given = 0, released = 0;
    std::byte* allocate(std::size_t bytes) override {
      return given < 2 && bytes <= sizeof memory[0] ? memory[given++] : nullptr;
    }
    void release(std::byte*, std::size_t) override { ++released; }
  };
  const auto places = std::make_unique<Places>();
  std::memset(places->memory, 0x55, sizeof places->memory);
  const SplineBlob blob = random_blob(2, kLikeTheGames);
  const auto bytes = write_spline_blob(blob);
  const auto view = view_of(blob, *bytes);
  {
    const CompiledClip first = compact(view, {.allocator = places.get()}),
                       second = compact(view, {.allocator = places.get()});
    CHECK(first.memory().data() == places->memory[0]);
    CHECK(std::ranges::equal(first.memory(), second.memory()));
    const auto none = compile_clip(view, 1.0, {.allocator = places.get()});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::LimitExceeded);
  }
  CHECK(places->released == 2);
}

TEST_CASE("the compact form keeps to its budget, and every prefix of the data is refused") {
  const SplineBlob blob = random_blob(4, kLikeTheGames);
  auto bytes = write_spline_blob(blob);
  SplineBlobView view = view_of(blob, *bytes);
  const std::size_t needed = compact(view).bytes();
  CHECK(compile_clip(view, 1.0, {.max_bytes = needed, .form = CompiledForm::Compact}));
  const auto refused = compile_clip(view, 1.0, {.max_bytes = needed - 1, .form = CompiledForm::Compact});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
  while (bytes->data.size() > 16 && bytes->data.back() == std::byte{0}) bytes->data.pop_back();
  for (std::size_t size = 0; size < bytes->data.size(); size += size < 500 ? 1 : 17) {
    // An allocation of its own, so that a sanitizer sees every over-read.
    const std::vector<std::byte> cut(bytes->data.begin(), bytes->data.begin() + static_cast<std::ptrdiff_t>(size));
    view.data = cut;
    CHECK_FALSE(compile_clip(view, 1.0, {.form = CompiledForm::Compact}));
  }
}
