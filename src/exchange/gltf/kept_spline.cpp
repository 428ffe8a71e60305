// SPDX-License-Identifier: MIT
#include "exchange/gltf/kept_spline.h"

#include <algorithm>

#include "core/base64.h"
#include "marrow/core/text.h"

namespace marrow::gltf {
namespace {

std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

std::string keep_bytes(std::span<const std::byte> bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

std::optional<std::vector<std::byte>> kept_bytes(std::string_view text) { return read_base64(text); }

std::string keep_spline(const codec::StoredSpline& spline) {
  std::string out;
  const auto add = [&](std::int64_t value) {
    append_int(out, value);
    out += ' ';
  };
  for (const std::int64_t value : {spline.frame_count, spline.max_frames_per_block, spline.transform_track_count,
                                   spline.float_track_count, spline.mask_bytes})
    add(value);
  for (const auto* offsets : {&spline.block_offsets, &spline.float_block_offsets}) {
    add(static_cast<std::int64_t>(offsets->size()));
    for (const std::uint32_t offset : *offsets) add(offset);
  }
  append_base64(out, spline.data);
  return out;
}

std::optional<codec::StoredSpline> kept_spline(std::string_view text) {
  bool good = true;
  const auto number = [&]() -> std::int64_t {
    const auto value = parse_int(next_word(text));
    good = good && value && *value >= 0 && *value <= 0x7FFFFFFF;
    return good ? *value : 0;
  };
  codec::StoredSpline spline;
  spline.frame_count = number();
  spline.max_frames_per_block = number();
  spline.transform_track_count = number();
  spline.float_track_count = number();
  spline.mask_bytes = number();
  for (auto* table : {&spline.block_offsets, &spline.float_block_offsets}) {
    const std::int64_t count = number();
    for (std::int64_t i = 0; i < count && good && !text.empty(); ++i)
      table->push_back(static_cast<std::uint32_t>(number()));
  }
  auto data = good ? read_base64(text) : std::nullopt;
  if (!data) return std::nullopt;
  spline.data = std::move(*data);
  return spline;
}

}  // namespace marrow::gltf
