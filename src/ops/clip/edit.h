// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/splice.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// Options that every edit of motion has.
struct ClipEditOptions {
  std::string clip = {};  ///< the one to edit: its name, else its number from 0; empty: all
  /// Bounds for motion that has to be encoded anew.
  std::optional<double> max_rotation_error = {};  ///< degrees; by default 0.05
  std::optional<double> max_position_error = {};  ///< units; by default 0.01
  std::optional<double> max_scale_error = {};
  std::optional<double> max_float_error = {};
  codec::EncodingSet encodings = codec::EncodingSet::Seen;

  codec::Tolerance tolerance() const;
  codec::SpliceOptions splice() const { return {.encodings = encodings, .tolerance = tolerance()}; }
};
void describe_edit(FieldList& fields, ClipEditOptions& options);

/// A range of a clip. Each end is given as a time, a frame or an event; by default it is the clip's.
struct ClipRange {
  std::optional<double> from = {}, to = {};  ///< seconds
  std::optional<std::int32_t> from_frame = {}, to_frame = {};
  std::string from_event = {},
              to_event = {};  ///< the first event of this text, in any case; `*` and `?` as in patterns

  bool is_whole() const { return !from && !to && !from_frame && !to_frame && from_event.empty() && to_event.empty(); }
};
void describe_range(FieldList& fields, ClipRange& range);

/// How smooth a clip is where something was joined or changed, against the clips it was made of
/// (`motion/edit/seam.h`).
struct SeamReport {
  std::int32_t frame = 0;
  double factor = 0;  ///< acceleration there over that inside the sources: up to 1.5 nobody sees, over 2.5 is a pop
  std::string track = {};
  double acceleration = 0, inside = 0;  ///< degrees per frame and frame, at 30 frames per second
};
void describe(FieldList& fields, SeamReport& seam);

/// What became of one clip.
struct EditedClip {
  std::string name = {};
  std::int32_t frames_before = 0, frames = 0;
  std::optional<std::int32_t> from_frame = {}, to_frame = {};  ///< of a range
  double duration_seconds = 0;
  std::size_t tracks = 0;  ///< whose motion was changed; 0 if all are treated alike
  double rotation_error_degrees = 0, position_error = 0;
  std::size_t new_points = 0, encoded_channels = 0, past_bound = 0;
  double gap_degrees = 0, gap_units = 0;
  std::optional<SeamReport> seam = {};

  void take(const codec::SpliceReport& report);
  void take(const codec::EncodeErrors& errors, std::size_t channels);
};
void describe(FieldList& fields, EditedClip& clip);

struct ClipEditReport {
  std::vector<EditedClip> clips = {};
};
void describe(FieldList& fields, ClipEditReport& report);

}  // namespace marrow
