// SPDX-License-Identifier: MIT
#include "codec/block_motion.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "core/byte_writer.h"

using namespace marrow;
using namespace marrow::codec;

namespace {

/// One track: translation X varies, Y and Z are 2 and 3; the rotation is a constant whose W follows; scale is identity.
constexpr std::uint16_t kMask = 1u << 8 | 1u << 2 | 2u << 4;

struct Made {
  std::vector<std::byte> data;
  BlockMotionView view;
};

// `turned`: the numbers are big-endian, as a console would have them.
Made head(BlockMotionView::Kind kind, std::uint8_t width, float offset, float scale, bool turned) {
  Made made;
  ByteWriter out;
  const auto word = [&](auto value) { out.write(turned ? std::byteswap(value) : value); };
  const auto real = [&](float value) { word(std::bit_cast<std::uint32_t>(value)); };
  word(kMask);
  out.pad_to(4);
  made.view.constants_at = static_cast<std::uint32_t>(out.size());
  for (const float value : {2.0f, 3.0f, 0.6f, 0.0f, 0.0f, -2.0f}) real(value);
  made.view.offsets_at = static_cast<std::uint32_t>(out.size());
  real(offset);
  made.view.scales_at = static_cast<std::uint32_t>(out.size());
  real(scale);
  made.view.widths_at = static_cast<std::uint32_t>(out.size());
  out.u8(width);
  out.pad_to(4);
  made.view.values_at = static_cast<std::uint32_t>(out.size());
  made.view.kind = kind;
  made.view.transform_track_count = 1;
  made.view.component_count = 1;
  made.data = out.take();
  return made;
}

// Frames 0 to 4 in blocks of 3: each block has its first value and differences of -1 + n / 255 * 255.
Made delta(bool turned = false) {
  Made made = head(BlockMotionView::Kind::Delta, 8, -1.0f, 255.0f, turned);
  ByteWriter out;
  const auto real = [&](float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    out.u32(turned ? std::byteswap(bits) : bits);
  };
  real(10.0f);
  out.u8(2);
  out.u8(4);
  real(7.0f);
  out.u8(1);
  made.data.insert(made.data.end(), out.view().begin(), out.view().end());
  made.view.preserved = 1;
  made.view.block_size = 3;
  made.view.frame_count = 5;
  made.view.data = made.data;
  return made;
}

// One block of 4: smooth 1, detail 0 (not stored), fine details 2 and 0.
Made wavelet() {
  Made made = head(BlockMotionView::Kind::Wavelet, 8, 0.0f, 255.0f, false);
  ByteWriter out;
  out.u8(0b1010);  // a 1 is a coefficient of 0
  out.u8(1);
  out.u8(2);
  out.u8(0);
  made.data.insert(made.data.end(), out.view().begin(), out.view().end());
  made.view.block_index_at = static_cast<std::uint32_t>(made.data.size());
  made.data.insert(made.data.end(), 4, std::byte{0});
  made.view.block_count = 1;
  made.view.block_size = 4;
  made.view.frame_count = 4;
  made.view.data = made.data;
  return made;
}

std::vector<float> decoded(const BlockMotionView& view) {
  std::vector<float> out(static_cast<std::size_t>(view.frame_count) * kTransformFloats);
  const auto done = decode_block_motion(view, out);
  REQUIRE_MESSAGE(done, done.error().message);
  return out;
}

std::vector<float> places(const std::vector<float>& frames) {
  std::vector<float> out;
  for (std::size_t at = 0; at < frames.size(); at += kTransformFloats) out.push_back(frames[at]);
  return out;
}

}  // namespace

TEST_CASE("a delta clip adds differences within a block, in either byte order") {
  for (const bool turned : {false, true}) {
    const std::vector<float> frames = decoded(delta(turned).view);
    CHECK(places(frames) == std::vector<float>{10, 11, 14, 7, 7});
    CHECK(frames[1] == 2.0f);
    CHECK(frames[2] == 3.0f);
    CHECK(frames[3] == doctest::Approx(0.6));
    CHECK(frames[6] == doctest::Approx(-0.8));  // from a W of -2
    CHECK(frames[9] == 1.0f);
  }
}

TEST_CASE("a wavelet clip is lifted from coarse to fine") {
  // x = [1], detail 0: even 1, odd 0 + 1 = [1, 1]; details 2 and 0: even 1 - 1, 1 - 0.5; odd 2 + 0.25, 0 + 0.5.
  CHECK(places(decoded(wavelet().view)) == std::vector<float>{0.0f, 2.25f, 0.5f, 0.5f});
}

TEST_CASE("block motion that its data cannot hold is refused before a frame is made") {
  for (const Made& made : {delta(), wavelet()}) {
    BlockMotionView view = made.view;
    REQUIRE(validate_block_motion(view));
    for (std::size_t length = 0; length < made.data.size(); ++length) {
      const std::vector<std::byte> cut(made.data.begin(), made.data.begin() + static_cast<std::ptrdiff_t>(length));
      view.data = cut;
      CHECK_FALSE(validate_block_motion(view));
    }
    const auto refuses = [&](auto change) {
      BlockMotionView wrong = made.view;
      change(wrong);
      CHECK_FALSE(validate_block_motion(wrong));
    };
    refuses([](BlockMotionView& v) { v.frame_count = INT64_MAX; });
    refuses([](BlockMotionView& v) { v.frame_count = 1 << 28; });
    refuses([](BlockMotionView& v) { v.frame_count = -1; });
    refuses([](BlockMotionView& v) { v.block_size = 0; });
    refuses([](BlockMotionView& v) { v.component_count = 0xFFFFFFFF; });
    refuses([](BlockMotionView& v) { v.component_count = 0; });
    refuses([](BlockMotionView& v) { v.transform_track_count = INT64_MAX; });
    refuses([](BlockMotionView& v) { v.preserved = 1000000; });
    refuses([](BlockMotionView& v) { v.values_at = 0xFFFFFFFF; });
    refuses([](BlockMotionView& v) { v.constants_at = 0xFFFFFFF0; });
  }
}
