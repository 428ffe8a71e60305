// SPDX-License-Identifier: MIT
#include "codec/whole_curves.h"

#include "codec/short_curve.h"

namespace marrow::codec {

bool has_short_curves(const SplineBlob& blob) {
  for (std::uint32_t b = 0; b < blob.blocks.size(); ++b) {
    const std::uint32_t last = frames_in_block(blob.frame_count, blob.max_frames_per_block, b) - 1;
    for (const TransformTrack& track : blob.blocks[b].transforms)
      if (is_short(track.translation.shape, last) || is_short(track.rotation.shape, last) ||
          is_short(track.scale.shape, last))
        return true;
    for (const FloatTrack& track : blob.blocks[b].floats)
      if (is_short(track.shape, last)) return true;
  }
  return false;
}

SplineBlob with_whole_curves(const SplineBlob& blob, const Tolerance& tolerance) {
  SplineBlob out = blob;
  SplineEncoder encoder = SplineEncoder::from_blob(blob);
  for (std::uint32_t b = 0; b < out.blocks.size(); ++b) {
    const std::uint32_t last = frames_in_block(blob.frame_count, blob.max_frames_per_block, b) - 1;
    const auto take = [&](auto& channel, const auto& encoded) {
      if (is_short(channel.shape, last)) channel = encoded;
    };
    for (std::size_t t = 0; t < out.blocks[b].transforms.size(); ++t) {
      TransformTrack& track = out.blocks[b].transforms[t];
      if (!is_short(track.translation.shape, last) && !is_short(track.rotation.shape, last) &&
          !is_short(track.scale.shape, last))
        continue;
      encoder.encode_track(t, tolerance);
      const TransformTrack& encoded = encoder.blob().blocks[b].transforms[t];
      take(track.translation, encoded.translation);
      take(track.rotation, encoded.rotation);
      take(track.scale, encoded.scale);
    }
    for (std::size_t t = 0; t < out.blocks[b].floats.size(); ++t) {
      if (!is_short(out.blocks[b].floats[t].shape, last)) continue;
      encoder.encode_float(t, tolerance);
      take(out.blocks[b].floats[t], encoder.blob().blocks[b].floats[t]);
    }
  }
  return out;
}

}  // namespace marrow::codec
