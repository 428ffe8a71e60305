// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "codec/pieces.h"

// Channels of whole clips as lists of pieces, one per block, and back.

namespace marrow::codec::edit {

/// Which vector of a track.
struct VectorMember {
  VectorChannel TransformTrack::* channel;
  double identity;  ///< value of an axis that is not stored
  double same;      ///< two constants that differ by less are one
};
inline constexpr VectorMember kTranslation{&TransformTrack::translation, 0.0, 0.01};
inline constexpr VectorMember kScale{&TransformTrack::scale, 1.0, 1e-5};
inline constexpr double kSameFloat = 1e-5;

/// Keeps float tracks as vectors while pieces refer to them.
using FloatStore = std::deque<VectorChannel>;

/// Returns the pieces of a channel, one per block. `blob` must outlive them.
std::vector<RotationPiece> read_rotations(const SplineBlob& blob, std::size_t track);
std::vector<VectorPiece> read_pieces(const SplineBlob& blob, std::size_t track, const VectorMember& member);
std::vector<VectorPiece> read_floats(const SplineBlob& blob, std::size_t track, FloatStore& store);

/// Makes the blocks of a clip out of lists of pieces.
class BlobAssembler {
 public:
  BlobAssembler(std::uint32_t frames, std::size_t tracks, std::size_t floats, const SpliceOptions& options,
                SpliceReport& report);

  void put(std::size_t track, const std::vector<RotationPiece>& pieces);
  void put(std::size_t track, const VectorMember& member, const std::vector<VectorPiece>& pieces);
  void put_float(std::size_t track, const std::vector<VectorPiece>& pieces);

  SplineBlob result() && { return std::move(blob_); }

 private:
  std::pair<std::int32_t, std::int32_t> frames_of(std::size_t block) const;

  SplineBlob blob_;
  fit::Scratch scratch_;
  const SpliceOptions& options_;
  AssembleContext context_;
};

}  // namespace marrow::codec::edit
