// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "marrow/core/error.h"

namespace marrow::codec {

/// Motion in blocks of quantised components, as files before 2011 have it: of each frame its difference from the one
/// before (delta), or the coefficients of a wavelet. `docs/formats/block-animation.md` describes both. Borrows the
/// data.
struct BlockMotionView {
  enum class Kind : std::uint8_t { Delta, Wavelet };

  Kind kind = Kind::Delta;
  std::int64_t frame_count = 0;
  std::int64_t block_size = 0;  ///< frames per block; a power of two for wavelets
  std::int64_t transform_track_count = 0;
  std::int64_t float_track_count = 0;
  std::uint32_t preserved = 0;        ///< values at the start of a block that are stored as they are
  std::uint32_t component_count = 0;  ///< that vary
  // Offsets in `data`.
  std::uint32_t masks_at = 0;
  std::uint32_t constants_at = 0;
  std::uint32_t offsets_at = 0, scales_at = 0, widths_at = 0;
  std::uint32_t values_at = 0;
  std::uint32_t block_index_at = 0, block_count = 0;  ///< of wavelets: where each block begins
  std::span<const std::byte> data;
};

/// The floats of a transform: translation, rotation (x, y, z, w) and scale.
inline constexpr std::size_t kTransformFloats = 10;

/// Checks that all data is there for every frame. Safe on untrusted input; allocates memory for the components only.
Result<void> validate_block_motion(const BlockMotionView& view);

/// Decodes every frame: `transforms` has `kTransformFloats` per track and frame, the tracks of a frame together. What
/// float tracks hold is not known; they are skipped.
Result<void> decode_block_motion(const BlockMotionView& view, std::span<float> transforms);

}  // namespace marrow::codec
