// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "marrow/codec/spline_encoder.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// Distance from a bone at which an error of its rotation is felt, in game units: about the skin over a finger.
inline constexpr double kDefaultShellDistance = 3.0;

struct CompressOptions {
  /// Bounds on each bone by itself. With a bound in model space only those that are given here hold as well.
  std::optional<double> max_rotation_degrees, max_translation, max_scale, max_value;
  codec::EncodeOptions encode = {};
  /// Bytes of the file of the skeleton that the clips are for; needed for the next.
  std::span<const std::byte> skeleton = {};
  /// How far any point of the shell around any bone may be from where it was, in model space.
  std::optional<double> max_model_error = {};
  double shell_distance = kDefaultShellDistance;
  bool uncompressed = false;  ///< store every frame as it is
  Limits limits = {};
};

/// What became of one animation.
struct CompressedClip {
  std::uint32_t frames = 0;
  std::size_t tracks = 0;
  std::size_t motion_bytes_before = 0, motion_bytes_after = 0;
  codec::EncodeErrors errors;         ///< bone by bone
  std::optional<double> model_error;  ///< where a bound in model space was asked for
};

struct Compressed {
  std::vector<std::byte> bytes;
  std::vector<CompressedClip> clips;
  Notes notes;  ///< what could not be kept to
};

/// Encodes the motion of every animation of a Havok file again and leaves everything else: root motion, events,
/// bindings, other objects. A file stays in its form, binary or XML. Fails where there is no animation in it
/// (`ErrorCode::NotFound`) or one of a kind that cannot be decoded.
Result<Compressed> compress(std::span<const std::byte> bytes, const CompressOptions& options = {});

}  // namespace marrow
