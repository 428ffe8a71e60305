// SPDX-License-Identifier: MIT
#include "marrow/codec/stored_spline.h"

#include "core/try.h"

namespace marrow::codec {

SplineBlobView StoredSpline::view() const {
  return {.frame_count = frame_count,
          .max_frames_per_block = max_frames_per_block,
          .transform_track_count = transform_track_count,
          .float_track_count = float_track_count,
          .mask_bytes = mask_bytes,
          .block_offsets = block_offsets,
          .float_block_offsets = float_block_offsets,
          .data = data};
}

StoredSpline stored(const SplineBlobView& view) {
  return {.frame_count = view.frame_count,
          .max_frames_per_block = view.max_frames_per_block,
          .transform_track_count = view.transform_track_count,
          .float_track_count = view.float_track_count,
          .mask_bytes = view.mask_bytes,
          .block_offsets = {view.block_offsets.begin(), view.block_offsets.end()},
          .float_block_offsets = {view.float_block_offsets.begin(), view.float_block_offsets.end()},
          .data = {view.data.begin(), view.data.end()}};
}

Result<StoredSpline> stored(const SplineBlob& blob) {
  MARROW_TRY(SplineBlobBytes bytes, write_spline_blob(blob));
  return StoredSpline{.frame_count = blob.frame_count,
                      .max_frames_per_block = blob.max_frames_per_block,
                      .transform_track_count = static_cast<std::int64_t>(blob.blocks.front().transforms.size()),
                      .float_track_count = static_cast<std::int64_t>(blob.blocks.front().floats.size()),
                      .mask_bytes = bytes.mask_bytes,
                      .block_offsets = std::move(bytes.block_offsets),
                      .float_block_offsets = std::move(bytes.float_block_offsets),
                      .data = std::move(bytes.data)};
}

}  // namespace marrow::codec
