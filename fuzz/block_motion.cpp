// SPDX-License-Identifier: MIT
// Delta and wavelet motion from hostile numbers: what is valid decodes, all of it, to finite numbers or to an error.
// Input: a byte (wavelet or not), fourteen 32-bit numbers of the view, then the data.
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "codec/block_motion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  std::array<std::uint32_t, 14> n{};
  if (size < 1 + sizeof n) return 0;
  std::memcpy(n.data(), data + 1, sizeof n);
  const codec::BlockMotionView view{
      .kind = data[0] & 1 ? codec::BlockMotionView::Kind::Wavelet : codec::BlockMotionView::Kind::Delta,
      .frame_count = static_cast<std::int32_t>(n[0]),
      .block_size = static_cast<std::int32_t>(n[1]),
      .transform_track_count = static_cast<std::int32_t>(n[2]),
      .float_track_count = static_cast<std::int32_t>(n[3]),
      .preserved = n[4],
      .component_count = n[5],
      .masks_at = n[6],
      .constants_at = n[7],
      .offsets_at = n[8],
      .scales_at = n[9],
      .widths_at = n[10],
      .values_at = n[11],
      .block_index_at = n[12],
      .block_count = n[13],
      .data = std::as_bytes(std::span(data + 1 + sizeof n, size - 1 - sizeof n))};
  if (!codec::validate_block_motion(view)) return 0;
  // Frames of which nothing varies need no data: their number is bounded by the caller's limits.
  const auto floats = static_cast<std::uint64_t>(view.frame_count) *
                      static_cast<std::uint64_t>(view.transform_track_count) * codec::kTransformFloats;
  if (floats > (1u << 20)) return 0;
  std::vector<float> transforms(floats);
  if (!codec::decode_block_motion(view, transforms)) return 0;
  for (const float each : transforms)
    if (!std::isfinite(each)) std::abort();
  return 0;
}
