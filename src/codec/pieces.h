// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/curve.h"
#include "codec/fit_points.h"
#include "codec/splice.h"
#include "marrow/codec/spline_blob.h"

// A channel of a clip as a list of curves, one after another, over frames of the whole clip. Edits make another list;
// `assemble` makes the channel of one block out of it.

namespace marrow::codec::edit {

/// A rotation over some frames.
struct RotationPiece {
  Curve curve{};
  QuaternionEncoding encoding = QuaternionEncoding::ThreeComp40;
  std::uint8_t flags = 0;
  const RotationChannel* whole = nullptr;  ///< the channel that it is all of, unchanged
};

/// A component of a vector.
struct AxisPiece {
  enum class Kind : std::uint8_t { Identity, Static, Spline } kind = Kind::Identity;
  ScalarRange range{};

  bool operator==(const AxisPiece&) const = default;
};

/// A translation, a scale or a float track over some frames. Axes that do not move are constant in `curve`.
struct VectorPiece {
  Curve curve{};
  std::array<AxisPiece, 3> axes{};
  ScalarEncoding encoding = ScalarEncoding::Bits16;
  const VectorChannel* whole = nullptr;
};

/// Reads the channel of a block that covers frames `first` to `last` of the clip.
RotationPiece read_piece(const RotationChannel& channel, std::int32_t first, std::int32_t last);
/// `identity` is the value of an axis that is not stored.
VectorPiece read_piece(const VectorChannel& channel, std::int32_t first, std::int32_t last, double identity);

/// Makes each piece end where the next begins, within a frame before the border. Frames keep the value of the later
/// piece. Rotations also get consistent signs.
void heal(std::vector<RotationPiece>& pieces, SpliceReport& report);
void heal(std::vector<VectorPiece>& pieces, double same, SpliceReport& report);

/// What `assemble` needs beside the pieces.
struct AssembleContext {
  const SpliceOptions& options;
  fit::Scratch& scratch;
  SpliceReport& report;
};

/// Returns the channel of a block from the pieces that lie in it, cut at its borders.
RotationChannel assemble(std::vector<RotationPiece> pieces, AssembleContext& context);
/// `same` is the distance below which two constants are one. `tolerance` is for channels that are encoded anew.
VectorChannel assemble(std::vector<VectorPiece> pieces, double same, AssembleContext& context);

/// Returns a float track as a vector channel of one axis, and back.
VectorChannel as_vector(const FloatTrack& track);
FloatTrack as_float_track(const VectorChannel& channel);

/// Returns the pieces between two frames. Pieces that are cut are no longer whole.
template <class Piece>
std::vector<Piece> pieces_between(const std::vector<Piece>& pieces, std::int32_t first, std::int32_t last) {
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    const std::int32_t from = std::max(first, piece.curve.first()), to = std::min(last, piece.curve.last());
    if (from >= to && !(first == last && from == to)) continue;
    Piece cut = piece;
    if (from != piece.curve.first() || to != piece.curve.last()) {
      cut.curve = window(piece.curve, from, to);
      cut.whole = nullptr;
    }
    out.push_back(std::move(cut));
  }
  return out;
}

}  // namespace marrow::codec::edit
