// SPDX-License-Identifier: MIT
#include "codec/splice.h"

#include <algorithm>
#include <string>

#include "codec/channel_lists.h"

namespace marrow::codec {
namespace {

using namespace edit;

constexpr std::uint64_t kMostFrames = std::uint64_t{1} << 24;

Result<std::uint32_t> frame_count_of(std::span<const SplinePart> parts) {
  if (parts.empty()) return fail(ErrorCode::InvalidArgument, "a clip needs at least one part");
  std::uint64_t frames = 1;
  const auto tracks_of = [](const SplinePart& part) {
    const SplineBlock& block = part.source->blocks.front();
    return std::pair(block.transforms.size(), block.floats.size());
  };
  for (const SplinePart& part : parts) {
    if (!part.source || part.source->blocks.empty() || part.first >= part.last ||
        part.last >= part.source->frame_count || part.stretch == 0)
      return fail(ErrorCode::InvalidArgument, "a part of a clip must have at least two frames and lie in its source");
    if (tracks_of(part) != tracks_of(parts.front()))
      return fail(ErrorCode::InvalidArgument, "clips with different numbers of tracks cannot be joined");
    frames += std::uint64_t{part.last - part.first} * part.stretch;
    if (frames > kMostFrames)
      return fail(ErrorCode::LimitExceeded, "the clip would have more than " + std::to_string(kMostFrames) + " frames");
  }
  return static_cast<std::uint32_t>(frames);
}

// The pieces of a part, moved to where they are in the result.
template <class Piece, class Heal>
std::vector<Piece> placed(const std::vector<Piece>& source, const SplinePart& part, std::int32_t start,
                          Heal heal_list) {
  const auto first = static_cast<std::int32_t>(part.first), last = static_cast<std::int32_t>(part.last);
  std::vector<Piece> pieces = pieces_between(source, first, last);
  if (part.is_reversed) {
    // The value at a border is that of the later piece; once the order is turned around it would be the other's.
    heal_list(pieces);
    std::ranges::reverse(pieces);
  }
  const auto stretch = static_cast<std::int32_t>(part.stretch);
  for (Piece& piece : pieces) {
    if (part.is_reversed) piece.curve = reversed(std::move(piece.curve), first + last);
    if (part.is_reversed || stretch > 1) piece.whole = nullptr;
    piece.curve = moved(std::move(piece.curve), start - first * stretch, stretch);
  }
  return pieces;
}

}  // namespace

void SpliceReport::include(const SpliceReport& other) {
  rotation_degrees = std::max(rotation_degrees, other.rotation_degrees);
  distance = std::max(distance, other.distance);
  new_points += other.new_points;
  encoded_channels += other.encoded_channels;
  past_bound += other.past_bound;
  gap_degrees = std::max(gap_degrees, other.gap_degrees);
  gap_distance = std::max(gap_distance, other.gap_distance);
}

Result<Spliced> splice(std::span<const SplinePart> parts, const SpliceOptions& options) {
  const auto frames = frame_count_of(parts);
  if (!frames) return std::unexpected(frames.error());
  Spliced out;
  const SplineBlock& shape = parts.front().source->blocks.front();
  BlobAssembler assembler(*frames, shape.transforms.size(), shape.floats.size(), options, out.report);
  const auto for_parts = [&](auto read, auto heal_list) {
    decltype(read(*parts.front().source)) all;
    std::int32_t start = 0;
    for (const SplinePart& part : parts) {
      auto pieces = placed(read(*part.source), part, start, heal_list);
      start += static_cast<std::int32_t>((part.last - part.first) * part.stretch);
      std::ranges::move(pieces, std::back_inserter(all));
    }
    return all;
  };
  const auto heal_rotations = [&](std::vector<RotationPiece>& pieces) { heal(pieces, out.report); };
  for (std::size_t t = 0; t < shape.transforms.size(); ++t) {
    for (const VectorMember& member : {kTranslation, kScale})
      assembler.put(t, member,
                    for_parts([&](const SplineBlob& blob) { return read_pieces(blob, t, member); },
                              [&](std::vector<VectorPiece>& pieces) { heal(pieces, member.same, out.report); }));
    assembler.put(t, for_parts([&](const SplineBlob& blob) { return read_rotations(blob, t); }, heal_rotations));
  }
  for (std::size_t t = 0; t < shape.floats.size(); ++t) {
    FloatStore store;
    assembler.put_float(t, for_parts([&](const SplineBlob& blob) { return read_floats(blob, t, store); },
                                     [&](std::vector<VectorPiece>& pieces) { heal(pieces, kSameFloat, out.report); }));
  }
  out.blob = std::move(assembler).result();
  return out;
}

}  // namespace marrow::codec
