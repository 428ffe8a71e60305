// SPDX-License-Identifier: MIT
#include "ops/kept_spline.h"

#include <algorithm>
#include <array>
#include <vector>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/codec/spline_encoder.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A track is untouched where every frame is this near to what its codes decode to: more than a trip through another
// program's floats leaves, less than anybody means.
constexpr float kUntouchedDegrees = 0.005f;
constexpr float kUntouchedUnits = 0.002f;
constexpr float kUntouchedScale = 1e-4f;
// Half of what the eye or a test could find, so that what else is lost on the way has room.
constexpr codec::Tolerance kTolerance{.rotation_degrees = 0.02, .translation = 0.004};

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
}

std::optional<std::vector<std::byte>> read_base64(std::string_view text) {
  std::array<std::int8_t, 256> value;
  value.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    value[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::byte> out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::int8_t digit = value[static_cast<unsigned char>(c)];
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<std::byte>(bits >> held & 0xFF));
  }
  return out;
}

std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// Whether track `t` of the blob decodes to the clip's frames.
bool is_untouched(const Clip& clip, const codec::SplineBlob& blob, std::size_t t) {
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  for (std::uint32_t frame = 0; frame < blob.frame_count; ++frame) {
    const std::uint32_t block = std::min(frame / blob.stride(), static_cast<std::uint32_t>(blob.blocks.size()) - 1);
    const codec::TransformTrack& track = blob.blocks[block].transforms[t];
    const double at = frame - block * blob.stride();
    const Transform& value = clip.transforms[frame * tracks + t];
    const auto place = codec::evaluate(track.translation, at, 0.0f), size = codec::evaluate(track.scale, at, 1.0f);
    const auto turn = codec::evaluate(track.rotation, at);
    if (glm::length(value.translation - Vec3(place[0], place[1], place[2])) > kUntouchedUnits ||
        glm::length(value.scale - Vec3(size[0], size[1], size[2])) > kUntouchedScale ||
        angle_degrees(value.rotation, make_quat(turn[0], turn[1], turn[2], turn[3])) > kUntouchedDegrees)
      return false;
  }
  return true;
}

bool is_untouched_float(const Clip& clip, const codec::SplineBlob& blob, std::size_t t) {
  const auto tracks = static_cast<std::size_t>(clip.float_track_count);
  for (std::uint32_t frame = 0; frame < blob.frame_count; ++frame) {
    const std::uint32_t block = std::min(frame / blob.stride(), static_cast<std::uint32_t>(blob.blocks.size()) - 1);
    if (std::abs(clip.floats[frame * tracks + t] -
                 codec::evaluate(blob.blocks[block].floats[t], frame - block * blob.stride())) > 1e-5f)
      return false;
  }
  return true;
}

bool fits(const Clip& clip, const codec::SplineBlob& blob) {
  return blob.frame_count == static_cast<std::uint32_t>(clip.frame_count) && blob.max_frames_per_block == 256 &&
         !blob.blocks.empty() && blob.blocks.front().transforms.size() == static_cast<std::size_t>(clip.track_count) &&
         blob.blocks.front().floats.size() == static_cast<std::size_t>(clip.float_track_count);
}

}  // namespace

std::string keep_spline(const codec::SplineBlobView& spline) {
  std::string out;
  const auto add = [&](std::int64_t value) {
    append_int(out, value);
    out += ' ';
  };
  for (const std::int64_t value : {spline.frame_count, spline.max_frames_per_block, spline.transform_track_count,
                                   spline.float_track_count, spline.mask_bytes})
    add(value);
  for (const auto offsets : {spline.block_offsets, spline.float_block_offsets}) {
    add(static_cast<std::int64_t>(offsets.size()));
    for (const std::uint32_t offset : offsets) add(offset);
  }
  append_base64(out, spline.data);
  return out;
}

std::optional<codec::SplineBlob> kept_spline(std::string_view text, const Limits& limits) {
  bool good = true;
  const auto number = [&]() -> std::int64_t {
    const auto value = parse_int(next_word(text));
    good = good && value && *value >= 0 && *value <= 0x7FFFFFFF;
    return good ? *value : 0;
  };
  codec::SplineBlobView view;
  view.frame_count = number();
  view.max_frames_per_block = number();
  view.transform_track_count = number();
  view.float_track_count = number();
  view.mask_bytes = number();
  std::array<std::vector<std::uint32_t>, 2> offsets;
  for (auto& table : offsets) {
    const std::int64_t count = number();
    for (std::int64_t i = 0; i < count && good && !text.empty(); ++i)
      table.push_back(static_cast<std::uint32_t>(number()));
  }
  const auto data = good ? read_base64(text) : std::nullopt;
  if (!data) return std::nullopt;
  view.block_offsets = offsets[0];
  view.float_block_offsets = offsets[1];
  view.data = *data;
  auto blob = codec::read_spline_blob(view, limits);
  if (!blob) return std::nullopt;
  return std::move(*blob);
}

Result<codec::SplineBlob> spline_of(const Clip& clip, const std::optional<codec::SplineBlob>& kept) {
  const bool usable = kept && fits(clip, *kept);
  std::vector<std::size_t> tracks, floats;
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip.track_count); ++t)
    if (!usable || !is_untouched(clip, *kept, t)) tracks.push_back(t);
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip.float_track_count); ++t)
    if (!usable || !is_untouched_float(clip, *kept, t)) floats.push_back(t);
  if (usable && tracks.empty() && floats.empty()) return *kept;

  std::vector<float> values;
  values.reserve(clip.transforms.size() * 10);
  for (const Transform& t : clip.transforms)
    values.insert(values.end(), {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                 t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z});
  const codec::MotionFrames frames{static_cast<std::uint32_t>(clip.frame_count),
                                   static_cast<std::size_t>(clip.track_count),
                                   static_cast<std::size_t>(clip.float_track_count), values, clip.floats};
  MARROW_TRY(codec::SplineEncoder encoder, codec::SplineEncoder::from_frames(frames));
  for (const std::size_t t : tracks) encoder.encode_track(t, kTolerance);
  for (const std::size_t t : floats) encoder.encode_float(t, kTolerance);
  codec::SplineBlob blob = encoder.blob();
  if (!usable) return blob;
  for (std::size_t b = 0; b < blob.blocks.size(); ++b) {
    codec::SplineBlock merged = kept->blocks[b];
    for (const std::size_t t : tracks) merged.transforms[t] = blob.blocks[b].transforms[t];
    for (const std::size_t t : floats) merged.floats[t] = blob.blocks[b].floats[t];
    blob.blocks[b] = std::move(merged);
  }
  return blob;
}

}  // namespace marrow
