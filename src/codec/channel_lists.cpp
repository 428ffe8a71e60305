// SPDX-License-Identifier: MIT
#include "codec/channel_lists.h"

namespace marrow::codec::edit {
namespace {

// Calls `read` with every block and the frames that it covers.
template <class Read>
auto for_blocks(const SplineBlob& blob, Read read) {
  std::vector<decltype(read(blob.blocks.front(), 0, 0))> pieces;
  for (std::size_t b = 0; b < blob.blocks.size(); ++b) {
    const auto block = static_cast<std::uint32_t>(b);
    const auto first = static_cast<std::int32_t>(block * blob.stride());
    const auto frames = static_cast<std::int32_t>(frames_in_block(blob.frame_count, blob.max_frames_per_block, block));
    if (frames > 1 || blob.blocks.size() == 1) pieces.push_back(read(blob.blocks[b], first, first + frames - 1));
  }
  return pieces;
}

}  // namespace

std::vector<RotationPiece> read_rotations(const SplineBlob& blob, std::size_t track) {
  return for_blocks(blob, [&](const SplineBlock& block, std::int32_t first, std::int32_t last) {
    return read_piece(block.transforms[track].rotation, first, last);
  });
}

std::vector<VectorPiece> read_pieces(const SplineBlob& blob, std::size_t track, const VectorMember& member) {
  return for_blocks(blob, [&](const SplineBlock& block, std::int32_t first, std::int32_t last) {
    return read_piece(block.transforms[track].*member.channel, first, last, member.identity);
  });
}

std::vector<VectorPiece> read_floats(const SplineBlob& blob, std::size_t track, FloatStore& store) {
  return for_blocks(blob, [&](const SplineBlock& block, std::int32_t first, std::int32_t last) {
    return read_piece(store.emplace_back(as_vector(block.floats[track])), first, last, 0.0);
  });
}

BlobAssembler::BlobAssembler(std::uint32_t frames, std::size_t tracks, std::size_t floats, const SpliceOptions& options,
                             SpliceReport& report)
    : options_(options), context_{options_, scratch_, report} {
  blob_.frame_count = frames;
  blob_.blocks.assign(block_count_for(frames, blob_.max_frames_per_block),
                      {std::vector<TransformTrack>(tracks), std::vector<FloatTrack>(floats)});
}

std::pair<std::int32_t, std::int32_t> BlobAssembler::frames_of(std::size_t block) const {
  const auto index = static_cast<std::uint32_t>(block);
  const std::uint32_t first = index * blob_.stride();
  const std::uint32_t count = frames_in_block(blob_.frame_count, blob_.max_frames_per_block, index);
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(first + count - 1)};
}

void BlobAssembler::put(std::size_t track, const std::vector<RotationPiece>& pieces) {
  for (std::size_t b = 0; b < blob_.blocks.size(); ++b) {
    const auto [first, last] = frames_of(b);
    blob_.blocks[b].transforms[track].rotation = assemble(pieces_between(pieces, first, last), context_);
  }
}

void BlobAssembler::put(std::size_t track, const VectorMember& member, const std::vector<VectorPiece>& pieces) {
  for (std::size_t b = 0; b < blob_.blocks.size(); ++b) {
    const auto [first, last] = frames_of(b);
    blob_.blocks[b].transforms[track].*member.channel =
        assemble(pieces_between(pieces, first, last), member.same, context_);
  }
}

void BlobAssembler::put_float(std::size_t track, const std::vector<VectorPiece>& pieces) {
  for (std::size_t b = 0; b < blob_.blocks.size(); ++b) {
    const auto [first, last] = frames_of(b);
    blob_.blocks[b].floats[track] = as_float_track(assemble(pieces_between(pieces, first, last), kSameFloat, context_));
  }
}

}  // namespace marrow::codec::edit
