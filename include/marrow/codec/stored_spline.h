// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/error.h"

namespace marrow::codec {

/// Owned spline data as stored in a file. `view` returns a borrowed view for readers.
struct StoredSpline {
  std::int64_t frame_count = 0;
  std::int64_t max_frames_per_block = 0;
  std::int64_t transform_track_count = 0;
  std::int64_t float_track_count = 0;
  std::int64_t mask_bytes = 0;
  std::vector<std::uint32_t> block_offsets = {};
  std::vector<std::uint32_t> float_block_offsets = {};
  std::vector<std::byte> data = {};

  bool operator==(const StoredSpline&) const = default;

  SplineBlobView view() const;
};

/// Copies borrowed spline data.
StoredSpline stored(const SplineBlobView& view);
/// Packs a blob. Fails as `write_spline_blob` does.
Result<StoredSpline> stored(const SplineBlob& blob);

}  // namespace marrow::codec
