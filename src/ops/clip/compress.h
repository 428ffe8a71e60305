// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/spline_encoder.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

template <>
struct ChoiceWords<codec::Effort> {
  static constexpr std::array<std::string_view, 3> words = {"fast", "normal", "best"};
};
template <>
struct ChoiceWords<codec::EncodingSet> {
  static constexpr std::array<std::string_view, 2> words = {"seen", "all"};
};

struct CompressOptions {
  /// Bounds on each bone by itself. With a bound in model space only those that are given hold as well.
  std::optional<double> max_rotation_error = {};  ///< degrees
  std::optional<double> max_position_error = {};  ///< units
  std::optional<double> max_scale_error = {};
  std::optional<double> max_float_error = {};
  /// The skeleton of the clips, for the next; by default the document's own or the one near it.
  const Skeleton* skeleton = nullptr;
  const Skeleton* second_skeleton = nullptr;  ///< of the second actor of paired clips; by default the first's
  /// How far any point of the shell around any bone may be from where it was, in model space, in units.
  std::optional<double> max_model_error = {};
  double shell = 3.0;  ///< distance from a bone at which an error of its rotation is felt: about the skin over a finger
  codec::Effort effort = codec::Effort::Normal;
  codec::EncodingSet encodings = codec::EncodingSet::Seen;
  bool uncompressed = false;  ///< store every frame as it is
};

/// What became of one clip.
struct CompressedClip {
  std::uint32_t frames = 0;
  std::size_t tracks = 0;
  std::size_t motion_bytes_before = 0, motion_bytes_after = 0;
  bool is_kept = false;             ///< its motion stays as it was, since encoding it again would not make it smaller
  codec::EncodeErrors errors = {};  ///< bone by bone
  std::optional<double> model_error = {};  ///< if a bound in model space was asked for
};

struct CompressReport {
  std::size_t bytes_before = 0, bytes_after = 0;  ///< of the whole file
  bool uncompressed = false;
  bool is_kept = false;  ///< the file stays as it was, since it would become larger
  std::vector<CompressedClip> clips = {};

  void saved(const Document& document, const std::vector<SavedFile>& files);
  /// Decides if the input is to be kept instead of these files, with a note.
  bool keeps_input(const Document& document, const std::vector<SavedFile>& files, Context& context);
};

void describe(FieldList& fields, CompressOptions& options);
void describe(FieldList& fields, CompressedClip& clip);
void describe(FieldList& fields, CompressReport& report);

/// Encodes the motion of every clip of a document again and leaves everything else: root motion, events, bindings,
/// other objects. Motion that would not become smaller is kept as it is. The error is that of what the game will
/// decode, at every quarter of a frame. Needs `Parts::Clips`. Fails with `NoClip`, with `NeedsSkeleton` if a bound in
/// model space is asked for, and on motion that cannot be decoded.
Result<CompressReport> compress(Document& document, const CompressOptions& options, Context& context);

}  // namespace marrow
