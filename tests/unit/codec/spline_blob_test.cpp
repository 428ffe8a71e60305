// SPDX-License-Identifier: MIT
#include "marrow/codec/spline_blob.h"

#include <doctest/doctest.h>

#include <cmath>

#include "codec/bspline.h"
#include "codec/spline_encoder.h"
#include "core/byte_writer.h"
#include "marrow/codec/compiled_clip.h"
#include "support/random_blob.h"

using namespace marrow;
using namespace marrow::codec;

namespace {

/// Two tracks and a float over 5 frames, one of every kind of channel.
SplineBlob sample_blob() {
  TransformTrack moving;
  moving.translation = {0x52, ScalarEncoding::Bits16, {1, {0, 0, 2, 4, 4}}, {{{-1, 1}, {7, 7}, {0, 8}}}, {}};
  moving.translation.codes = {0, 65535, 100, 200, 65535, 0};
  moving.rotation = {0xF0, QuaternionEncoding::ThreeComp40, {3, {0, 0, 0, 0, 4, 4, 4, 4}}, {}};
  for (const float angle : {0.0f, 0.1f, 0.2f, 0.4f}) {
    std::array<std::byte, 5> packed;
    encode_quaternion(QuaternionEncoding::ThreeComp40, {std::sin(angle), 0, 0, std::cos(angle)}, packed);
    moving.rotation.codes.insert(moving.rotation.codes.end(), packed.begin(), packed.end());
  }
  TransformTrack still;
  still.rotation = {0x0F, QuaternionEncoding::ThreeComp48, {}, std::vector<std::byte>(6, std::byte{0x3F})};
  still.scale = {0x17, ScalarEncoding::Bits8, {2, {0, 0, 0, 4, 4, 4}}, {{{2, 2}, {1, 1}, {1, 1}}}, {}};
  SplineBlob blob{5, 256, {{{moving, still}, {FloatTrack{0x03, {}, {1, 1}, {}}}}}};
  return blob;
}

}  // namespace

TEST_CASE("blocks overlap by one frame") {
  CHECK(block_count_for(1) == 1);
  CHECK(block_count_for(256) == 1);
  CHECK(block_count_for(257) == 2);
  CHECK(block_count_for(511) == 2);
  CHECK(block_count_for(512) == 3);
  CHECK(frames_in_block(511, 256, 0) == 256);
  CHECK(frames_in_block(511, 256, 1) == 256);
  CHECK(frames_in_block(257, 256, 1) == 2);
  CHECK(mask_bytes_for(2, 1) == 12);
}

TEST_CASE("a blob is written in the layout of the format") {
  const auto bytes = write_spline_blob(sample_blob());
  REQUIRE(bytes);
  ByteReader reader(bytes->data);
  CHECK(reader.u32() == 0x00F05245u);  // 16-bit, 40-bit, 16-bit; x and z spline, y static; spline rotation; no scale
  CHECK(reader.u32() == 0x170F0009u);  // 16-bit translation, 48-bit, 8-bit scale
  CHECK(reader.u32() == 0x00000003u);
  CHECK(reader.u16() == 2);  // three control points
  CHECK(reader.u8() == 1);
  reader.skip(5);
  CHECK(reader.position() == 20);
  CHECK(reader.f32() == -1.0f);
  CHECK(reader.f32() == 1.0f);
  CHECK(reader.f32() == 7.0f);
  CHECK(bytes->data.size() % 16 == 0);
  CHECK(bytes->float_block_offsets[0] % 4 == 0);
}

TEST_CASE("what is written reads back as the same value and the same bytes") {
  const SplineBlob blob = sample_blob();
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const auto back = read_spline_blob(test::view_of(blob, *bytes));
  REQUIRE(back);
  CHECK(*back == blob);
  CHECK(write_spline_blob(*back) == *bytes);
}

TEST_CASE("a summary counts the bytes that were written, and names what occurs") {
  const SplineBlob blob = sample_blob();
  const SplineBlobBytes bytes = write_spline_blob(blob).value();
  SplineBlobView view = test::view_of(blob, bytes);
  const SplineSummary summary = summarize(view).value();
  CHECK(summary.channels == bytes.channels);
  CHECK(summary.degrees == (1u << 1 | 1u << 2 | 1u << 3));
  CHECK(summary.translation_encodings == 1u << static_cast<unsigned>(ScalarEncoding::Bits16));
  CHECK(summary.scale_encodings == 0);  // its curve is stored, and all its axes are static
  CHECK(summary.rotation_encodings == (1u << static_cast<unsigned>(QuaternionEncoding::ThreeComp40) |
                                       1u << static_cast<unsigned>(QuaternionEncoding::ThreeComp48)));
  view.data = view.data.first(20);
  CHECK_FALSE(summarize(view));
}

TEST_CASE("channels are evaluated from their codes") {
  const SplineBlob blob = sample_blob();
  const TransformTrack& moving = blob.blocks[0].transforms[0];
  const auto position = evaluate(moving.translation, 0, 0.0f);
  CHECK(position[0] == -1.0f);
  CHECK(position[1] == 7.0f);
  CHECK(position[2] == 8.0f);
  const Quaternion rotation = evaluate(moving.rotation, 4);
  CHECK(rotation[0] == doctest::Approx(std::sin(0.4)).epsilon(1e-3));
  const auto scale = evaluate(moving.scale, 2, 1.0f);
  CHECK(scale[1] == 1.0f);
  CHECK(evaluate(blob.blocks[0].floats[0], 0) == 1.0f);
}

TEST_CASE("every prefix of the data is refused with an offset inside it") {
  const SplineBlob blob = sample_blob();
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  // The float track is the last thing; what follows it is padding.
  const std::size_t needed = bytes->float_block_offsets[0] + 4;
  for (std::size_t size = 0; size < needed; ++size) {
    const std::vector<std::byte> cut(bytes->data.begin(), bytes->data.begin() + static_cast<std::ptrdiff_t>(size));
    SplineBlobView view = test::view_of(blob, *bytes);
    view.data = cut;
    const auto result = read_spline_blob(view);
    REQUIRE_FALSE(result);
    CHECK(result.error().offset >= 1000);
    CHECK(result.error().offset <= 1000 + size);
  }
}

TEST_CASE("contradicting counts are refused before anything is allocated") {
  const SplineBlob blob = sample_blob();
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const auto refuses = [&](auto change) {
    SplineBlobView view = test::view_of(blob, *bytes);
    change(view);
    return !read_spline_blob(view);
  };
  CHECK(refuses([](SplineBlobView& v) { v.frame_count = 0; }));
  CHECK(refuses([](SplineBlobView& v) { v.frame_count = -5; }));
  CHECK(refuses([](SplineBlobView& v) { v.frame_count = 257; }));
  CHECK(refuses([](SplineBlobView& v) { v.frame_count = 1ll << 40; }));
  // The knots end at frame 4.
  CHECK(refuses([](SplineBlobView& v) { v.frame_count = 4 + kMostFramesShort + 2; }));
  CHECK(refuses([](SplineBlobView& v) { v.max_frames_per_block = 1; }));
  CHECK(refuses([](SplineBlobView& v) { v.max_frames_per_block = 1000; }));
  CHECK(refuses([](SplineBlobView& v) { v.transform_track_count = 1 << 30; }));
  CHECK(refuses([](SplineBlobView& v) { v.transform_track_count = -1; }));
  CHECK(refuses([](SplineBlobView& v) { v.mask_bytes = 8; }));
  CHECK(refuses([](SplineBlobView& v) { v.block_offsets = {}; }));
  const std::uint32_t far = 1u << 30;
  CHECK(refuses([&](SplineBlobView& v) { v.block_offsets = {&far, 1}; }));
  CHECK(refuses([&](SplineBlobView& v) { v.float_block_offsets = {&far, 1}; }));
}

TEST_CASE("curves that end a little before their block are read, counted and come back") {
  SplineBlob blob = sample_blob();
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  for (const std::uint32_t missing : {0u, 1u, kMostFramesShort}) {
    SplineBlobView view = test::view_of(blob, *bytes);
    view.frame_count = 5 + missing;
    const auto read = read_spline_blob(view);
    REQUIRE(read);
    CHECK(read->blocks == blob.blocks);
    CHECK(write_spline_blob(*read) == *bytes);
    CHECK(summarize(view).value().frames_short == missing);
  }
}

TEST_CASE("encodings that cannot be decoded are refused by name, with track and channel") {
  const SplineBlob blob = sample_blob();
  auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  bytes->data[0] = std::byte{0x4D};  // THREECOMP24
  const auto result = read_spline_blob(test::view_of(blob, *bytes));
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::Unsupported);
  CHECK(result.error().message.find("THREECOMP24") != std::string::npos);
  CHECK(result.error().path == "blocks[0].tracks[0].rotation");
}

TEST_CASE("without float tracks nothing reads where their data would begin, so that it may be wrong or missing") {
  SplineBlob blob = sample_blob();
  blob.blocks[0].floats.clear();
  const auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const std::uint32_t zero = 0;
  for (const std::span<const std::uint32_t> offsets :
       {std::span<const std::uint32_t>(&zero, 1), std::span<const std::uint32_t>{}}) {
    SplineBlobView view = test::view_of(blob, *bytes);
    view.float_block_offsets = offsets;
    CHECK(read_spline_blob(view).value() == blob);
    CHECK(compile_clip(view, 1.0));
    CHECK(float_block_offsets_of(view).value() == bytes->float_block_offsets);
  }
  const auto with_floats = write_spline_blob(sample_blob());
  SplineBlobView view = test::view_of(sample_blob(), *with_floats);
  view.float_block_offsets = {&zero, 1};
  CHECK_FALSE(read_spline_blob(view));
  CHECK_FALSE(compile_clip(view, 1.0));
  view.float_block_offsets = {};
  CHECK_FALSE(read_spline_blob(view));
}

TEST_CASE("an identity rotation of unknown encoding is refused with its offset, by every reader and by the writer") {
  SplineBlob blob = sample_blob();
  blob.blocks[0].transforms.resize(3);  // the third track is identity
  blob.blocks[0].floats.clear();
  auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  for (unsigned mask = 0; mask < 256; ++mask) {
    CAPTURE(mask);
    bytes->data[8] = static_cast<std::byte>(mask);
    const auto encoding = static_cast<QuaternionEncoding>((mask >> 2) & 15);
    const auto read = read_spline_blob(test::view_of(blob, *bytes));
    const auto compiled = compile_clip(test::view_of(blob, *bytes), 1.0);
    REQUIRE(read.has_value() == (encoding <= QuaternionEncoding::Uncompressed));
    REQUIRE(compiled.has_value() == read.has_value());
    if (read) {
      const SplineBlob again = reencode_spline(*read, {}, {.effort = Effort::Fast}).blob;
      CHECK(evaluate(again.blocks[0].transforms[2].rotation, 0) == Quaternion{0, 0, 0, 1});
    } else {
      for (const Error& error : {read.error(), compiled.error()}) {
        CHECK(error.code == ErrorCode::Unsupported);
        CHECK(error.offset > 1000);
        CHECK(error.offset < 1000 + bytes->data.size());
        CHECK(error.path == "blocks[0].tracks[2].rotation");
      }
    }
  }
  blob.blocks[0].transforms[2].rotation.encoding = static_cast<QuaternionEncoding>(15);
  CHECK_FALSE(write_spline_blob(blob));
  CHECK(evaluate(reencode_spline(blob).blob.blocks[0].transforms[2].rotation, 0) == Quaternion{0, 0, 0, 1});
}

TEST_CASE("a number that is not finite is refused where it stands") {
  const SplineBlob blob = sample_blob();
  auto bytes = write_spline_blob(blob);
  REQUIRE(bytes);
  const float nan = NAN;
  std::memcpy(bytes->data.data() + 28, &nan, 4);  // the static y of the first translation
  const auto result = read_spline_blob(test::view_of(blob, *bytes));
  REQUIRE_FALSE(result);
  CHECK(result.error().path == "blocks[0].tracks[0].translation");
}

TEST_CASE("a blob that contradicts itself is not written") {
  SplineBlob blob = sample_blob();
  blob.blocks[0].transforms[0].rotation.codes.pop_back();
  const auto result = write_spline_blob(blob);
  REQUIRE_FALSE(result);
  CHECK(result.error().path == "blocks[0].tracks[0]");
  blob = sample_blob();
  blob.blocks[0].transforms[0].translation.shape.knots.back() = 3;
  CHECK_FALSE(write_spline_blob(blob));
  blob = sample_blob();
  blob.frame_count = 300;
  CHECK_FALSE(write_spline_blob(blob));
}
