// SPDX-License-Identifier: MIT
#include "ops/document/spline_motion.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "codec/short_curve.h"
#include "codec/spline_encoder.h"
#include "core/try.h"
#include "model/clip_values.h"

namespace marrow {
namespace {

// A channel is unchanged if every frame is this close to what its codes decode to. This is more than the rounding
// errors of another program, and less than any intended edit.
constexpr float kUntouchedDegrees = 0.005f;
constexpr float kUntouchedUnits = 0.002f;
constexpr float kUntouchedScale = 1e-4f;
// Half of what an eye or a test could notice, to leave room for other losses.
constexpr codec::Tolerance kTolerance{.rotation_degrees = 0.02, .translation = 0.004};

// Which channels of a track differ from what the stored codes decode to.
struct Touched {
  bool translation = false;
  bool rotation = false;
  bool scale = false;

  bool any() const { return translation || rotation || scale; }
};

constexpr Touched kAllTouched{true, true, true};

// Codes that are as close to the frames as their own rounding are as good as new ones: those of a mirrored curve, say.
float untouched_degrees(const codec::RotationChannel& channel) {
  if (!codec::is_supported(channel.encoding)) return kUntouchedDegrees;
  return std::max(kUntouchedDegrees, static_cast<float>(codec::max_rotation_error_degrees(channel.encoding)));
}

Touched touched(const Clip& clip, const codec::SplineBlob& blob, std::size_t t) {
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  Touched out;
  // Curves that end before their block are encoded again: tools that do not continue them would cut the motion off.
  for (std::uint32_t b = 0; b < blob.blocks.size(); ++b) {
    const codec::TransformTrack& track = blob.blocks[b].transforms[t];
    const std::uint32_t last = codec::frames_in_block(blob.frame_count, blob.max_frames_per_block, b) - 1;
    out.translation |= codec::is_short(track.translation.shape, last);
    out.rotation |= codec::is_short(track.rotation.shape, last);
    out.scale |= codec::is_short(track.scale.shape, last);
  }
  for (std::uint32_t frame = 0; frame < blob.frame_count; ++frame) {
    const std::uint32_t block = std::min(frame / blob.stride(), static_cast<std::uint32_t>(blob.blocks.size()) - 1);
    const codec::TransformTrack& track = blob.blocks[block].transforms[t];
    const double at = frame - block * blob.stride();
    const Transform& value = clip.transforms[frame * tracks + t];
    const auto place = codec::evaluate(track.translation, at, 0.0f), size = codec::evaluate(track.scale, at, 1.0f);
    const auto turn = codec::evaluate(track.rotation, at);
    out.translation |= glm::length(value.translation - Vec3(place[0], place[1], place[2])) > kUntouchedUnits;
    out.scale |= glm::length(value.scale - Vec3(size[0], size[1], size[2])) > kUntouchedScale;
    out.rotation |= angle_degrees(value.rotation, make_quat(turn[0], turn[1], turn[2], turn[3])) >
                    untouched_degrees(track.rotation);
  }
  return out;
}

// Takes the channels that differ from a new track; the others keep their codes.
void take(codec::TransformTrack& into, const codec::TransformTrack& from, const Touched& channels) {
  if (channels.translation) into.translation = from.translation;
  if (channels.rotation) into.rotation = from.rotation;
  if (channels.scale) into.scale = from.scale;
}

bool is_untouched_float(const Clip& clip, const codec::SplineBlob& blob, std::size_t t) {
  const auto tracks = static_cast<std::size_t>(clip.float_track_count);
  for (std::uint32_t b = 0; b < blob.blocks.size(); ++b)
    if (codec::is_short(blob.blocks[b].floats[t].shape,
                        codec::frames_in_block(blob.frame_count, blob.max_frames_per_block, b) - 1))
      return false;
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

std::unexpected<Error> no_motion(const DocumentClip& clip) {
  if (clip.undecoded) return std::unexpected(*clip.undecoded);
  return fail(ErrorCode::Unsupported, "the clip has neither frames nor curves");
}

bool is_spline_current(const DocumentClip& clip, const Limits& limits) {
  if (!clip.spline || clip.clip.transforms.empty()) return clip.spline.has_value();
  DocumentClip decoded = clip;
  decoded.clip.transforms.clear();
  decoded.clip.floats.clear();
  return decode_frames(decoded, limits) && decoded.clip.transforms == clip.clip.transforms &&
         decoded.clip.floats == clip.clip.floats;
}

Result<codec::SplineBlob> spline_of(const DocumentClip& source, const Limits& limits, const EncodingBound& bound) {
  const codec::Tolerance tolerance{.rotation_degrees = bound.max_rotation_error.value_or(kTolerance.rotation_degrees),
                                   .translation = bound.max_position_error.value_or(kTolerance.translation)};
  const Clip& clip = source.clip;
  std::optional<codec::SplineBlob> kept;
  if (source.spline) {
    auto read = codec::read_spline_blob(source.spline->view(), limits);
    // If there are good frames, damaged codes are just dropped; without frames they are an error.
    if (!read && !source.has_frames()) return std::unexpected(std::move(read.error()));
    if (read) kept = std::move(*read);
    if (kept && is_spline_current(source, limits)) return std::move(*kept);
  } else if (!source.has_frames()) {
    return no_motion(source);
  }
  MARROW_CHECK(check_values(clip));
  const bool usable = kept && fits(clip, *kept);
  std::vector<std::pair<std::size_t, Touched>> tracks;
  std::vector<std::size_t> floats;
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip.track_count); ++t)
    if (const Touched channels = usable ? touched(clip, *kept, t) : kAllTouched; channels.any())
      tracks.emplace_back(t, channels);
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
  for (const auto& [t, channels] : tracks) encoder.encode_track(t, tolerance);
  for (const std::size_t t : floats) encoder.encode_float(t, tolerance);
  codec::SplineBlob blob = encoder.blob();
  if (!usable) return blob;
  for (std::size_t b = 0; b < blob.blocks.size(); ++b) {
    codec::SplineBlock merged = kept->blocks[b];
    for (const auto& [t, channels] : tracks) take(merged.transforms[t], blob.blocks[b].transforms[t], channels);
    for (const std::size_t t : floats) merged.floats[t] = blob.blocks[b].floats[t];
    blob.blocks[b] = std::move(merged);
  }
  return blob;
}

Result<void> take_saved_motion(const Document& document, DocumentClip& clip, const Limits& limits) {
  const bool is_stored_as_frames = clip.as_frames || (!clip.spline && clip.source.is_set());
  if (!is_havok(document.format) || is_stored_as_frames || !clip.has_frames() || is_spline_current(clip, limits))
    return {};
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, limits));
  MARROW_TRY(clip.spline, codec::stored(motion));
  clip.clip.transforms.clear();
  clip.clip.floats.clear();
  return decode_frames(clip, limits);
}

}  // namespace marrow
