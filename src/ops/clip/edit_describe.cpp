// SPDX-License-Identifier: MIT
// The options and reports that all edits of motion share.
#include "ops/clip/compress.h"
#include "ops/clip/edit.h"

namespace marrow {

void describe_edit(FieldList& fields, ClipEditOptions& options) {
  fields("clip", options.clip,
         {.help = "the clip to edit, in a file of several: its name, else its number, counted from 0",
          .placeholder = "NAME",
          .otherwise = "all of them"});
  fields("max_rotation_error", options.max_rotation_error,
         {.help = "largest rotation error of what has to be encoded anew",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = 0,
          .otherwise = "0.05"});
  fields("max_position_error", options.max_position_error,
         {.help = "largest translation error of what has to be encoded anew",
          .unit = "units",
          .placeholder = "UNITS",
          .min = 0,
          .otherwise = "0.01"});
  fields("max_scale_error", options.max_scale_error,
         {.help = "largest scale error of what has to be encoded anew",
          .placeholder = "FACTOR",
          .min = 0,
          .otherwise = "0.0005"});
  fields("max_float_error", options.max_float_error,
         {.help = "largest error of float tracks that have to be encoded anew",
          .placeholder = "VALUE",
          .min = 0,
          .otherwise = "0.0005"});
  fields("encodings", options.encodings,
         {.help = "seen: those of the games' own files; all: 48-bit rotations too, eight times as exact",
          .placeholder = "WHICH"});
}

void describe_range(FieldList& fields, ClipRange& range) {
  fields("from", range.from,
         {.help = "start of the range; the nearest whole frame is taken",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .otherwise = "the start of the clip"});
  fields("to", range.to,
         {.help = "end of the range",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .otherwise = "the end of the clip"});
  fields("from_frame", range.from_frame, {.help = "start of the range as a frame", .placeholder = "N", .min = 0});
  fields("to_frame", range.to_frame, {.help = "end of the range as a frame, included", .placeholder = "N", .min = 0});
  fields("from_event", range.from_event,
         {.help = "start of the range at the first event of this text", .placeholder = "TEXT"});
  fields("to_event", range.to_event,
         {.help = "end of the range at the first event of this text", .placeholder = "TEXT"});
}

void describe(FieldList& fields, SeamReport& seam) {
  fields("frame", seam.frame);
  fields("factor", seam.factor, {.help = "acceleration at the seam over that inside the sources; over 2.5 is a pop"});
  fields("track", seam.track, {.help = "the track of it"});
  fields("acceleration", seam.acceleration, {.help = "at the seam, per frame and frame", .unit = "degrees"});
  fields("inside", seam.inside, {.help = "inside the sources", .unit = "degrees"});
}

void describe(FieldList& fields, EditedClip& clip) {
  fields("name", clip.name);
  fields("frames_before", clip.frames_before);
  fields("frames", clip.frames);
  fields("from_frame", clip.from_frame, {.help = "first frame of the range", .sparse = true});
  fields("to_frame", clip.to_frame, {.help = "last frame of the range", .sparse = true});
  fields("duration_seconds", clip.duration_seconds, {.unit = "seconds"});
  fields("tracks", clip.tracks, {.help = "tracks whose motion was changed one by one"});
  fields("rotation_error_degrees", clip.rotation_error_degrees, {.help = "largest", .unit = "degrees"});
  fields("position_error", clip.position_error, {.help = "largest", .unit = "units"});
  fields("new_points", clip.new_points, {.help = "control points that were computed and rounded"});
  fields("encoded_channels", clip.encoded_channels, {.help = "channels that were encoded anew"});
  fields("channels_past_bound", clip.past_bound, {.help = "channels beyond the bound, between frames only"});
  fields("gap_degrees", clip.gap_degrees, {.help = "largest jump that was bridged", .unit = "degrees"});
  fields("gap_units", clip.gap_units, {.help = "largest jump that was bridged", .unit = "units"});
  fields("seam", clip.seam, {.help = "how smooth the seam is", .sparse = true});
}

void describe(FieldList& fields, ClipEditReport& report) { fields("clips", report.clips); }

}  // namespace marrow
