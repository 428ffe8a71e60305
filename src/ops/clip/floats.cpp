// SPDX-License-Identifier: MIT
#include "ops/clip/floats.h"

#include <algorithm>
#include <map>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/core/text.h"
#include "ops/clip/tracks.h"
#include "ops/table/csv.h"

namespace marrow {
namespace {

// Numbers, or names of the skeleton's slots.
Result<std::int16_t> slot_named(const Document& document, const std::string& text, const Skeleton* given,
                                Context& context) {
  if (const auto number = parse_int(text)) {
    if (*number < 0 || *number > INT16_MAX)
      return fail(ErrorCode::BadOption, "takes a number from 0 to 32767, or a name", kNoOffset, "slot");
    return static_cast<std::int16_t>(*number);
  }
  MARROW_TRY(const Skeleton* skeleton, skeleton_for_clips(document, given, context));
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < skeleton->float_slots.size(); ++i) {
    if (skeleton->float_slots[i].name == text) return static_cast<std::int16_t>(i);
    known.push_back(skeleton->float_slots[i].name);
  }
  return fail(ErrorCode::NotFound, "the skeleton has no float slot \"" + text + "\"" + did_you_mean(text, known));
}

std::optional<std::size_t> track_of_slot(const Clip& clip, std::int16_t slot) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.float_track_count); ++i)
    if (slot_of_track(clip, i) == slot) return i;
  return std::nullopt;
}

// Adds or removes a float track; the codes of all other tracks stay.
template <class Change>
void change_codes(DocumentClip& clip, const Limits& limits, const Change& change) {
  if (!clip.spline) return;
  auto blob = codec::read_spline_blob(clip.spline->view(), limits);
  clip.spline.reset();
  if (!blob) return;
  for (codec::SplineBlock& block : blob->blocks) change(block.floats);
  if (auto stored = codec::stored(*blob)) clip.spline = std::move(*stored);
}

void name_slots(Clip& clip) {
  std::vector<std::int16_t> slots;
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.float_track_count); ++i)
    slots.push_back(slot_of_track(clip, i));
  clip.float_to_slot = std::move(slots);
}

std::size_t add_float_track(DocumentClip& clip, std::int16_t slot, float value, const Limits& limits) {
  Clip& own = clip.clip;
  name_slots(own);
  const auto width = static_cast<std::size_t>(own.float_track_count);
  std::vector<float> floats;
  for (std::size_t f = 0; f < static_cast<std::size_t>(own.frame_count); ++f) {
    for (std::size_t i = 0; i < width; ++i) floats.push_back(own.floats[f * width + i]);
    floats.push_back(value);
  }
  own.floats = std::move(floats);
  own.float_to_slot.push_back(slot);
  ++own.float_track_count;
  change_codes(clip, limits, [](std::vector<codec::FloatTrack>& tracks) { tracks.emplace_back(); });
  return width;
}

void remove_float_track(DocumentClip& clip, std::size_t track, const Limits& limits) {
  Clip& own = clip.clip;
  name_slots(own);
  const auto width = static_cast<std::size_t>(own.float_track_count);
  std::vector<float> floats;
  for (std::size_t i = 0; i < own.floats.size(); ++i)
    if (i % width != track) floats.push_back(own.floats[i]);
  own.floats = std::move(floats);
  own.float_to_slot.erase(own.float_to_slot.begin() + static_cast<std::ptrdiff_t>(track));
  --own.float_track_count;
  change_codes(clip, limits, [track](std::vector<codec::FloatTrack>& tracks) {
    tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(track));
  });
}

Result<void> open_floats(Document& document, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  for (DocumentClip& clip : document.clips) {
    MARROW_CHECK(decode_frames(clip, context.limits));
    MARROW_CHECK(validate(clip.clip));
  }
  return {};
}

// Keys of one slot by frame.
using Keys = std::map<double, float>;

float value_at(const Keys& keys, double frame) {
  const auto next = keys.lower_bound(frame);
  if (next == keys.end()) return keys.rbegin()->second;
  if (next == keys.begin() || next->first == frame) return next->second;
  const auto before = std::prev(next);
  const auto share = static_cast<float>((frame - before->first) / (next->first - before->first));
  return before->second + share * (next->second - before->second);
}

}  // namespace

void describe(FieldList& fields, FloatSetOptions& options) {
  fields("slot", options.slot,
         {.help = "the float slot, by number, or by name if the skeleton is known",
          .placeholder = "SLOT",
          .required = true});
  fields("value", options.value, {.help = "its value", .placeholder = "V", .required = true});
  fields("first", options.first,
         {.help = "the frame from which the value holds", .placeholder = "N", .min = 0, .otherwise = "the first"});
  fields("last", options.last,
         {.help = "the frame to which the value holds", .placeholder = "N", .min = 0, .otherwise = "the last"});
  fields.input(
      "skeleton", options.skeleton,
      {.help = "the skeleton, for names of slots", .placeholder = "FILE", .otherwise = "the one near the clip"});
}

void describe(FieldList& fields, FloatImportOptions& options) {
  fields.input("table", options.table,
               {.help = "CSV frame,slot,value with slots by number",
                .placeholder = "CSV",
                .required = true,
                .positional = true});
}

void describe(FieldList& fields, FloatRemoveOptions& options) {
  fields("slot", options.slot, {.help = "the float slot, by number or name", .placeholder = "SLOT", .required = true});
  fields.input(
      "skeleton", options.skeleton,
      {.help = "the skeleton, for names of slots", .placeholder = "FILE", .otherwise = "the one near the clip"});
}

void describe(FieldList& fields, FloatReport& report) {
  fields("tracks", report.tracks, {.help = "float tracks that the clip has now"});
  fields("changed", report.changed, {.help = "float tracks that were set, added or removed"});
}

Result<FloatReport> set_floats(Document& document, const FloatSetOptions& options, Context& context) {
  MARROW_CHECK(open_floats(document, context));
  MARROW_TRY(const std::int16_t slot, slot_named(document, options.slot, options.skeleton, context));
  FloatReport report;
  for (DocumentClip& each : document.clips) {
    const std::int32_t end = each.clip.frame_count - 1;
    const std::int32_t first = options.first.value_or(0), last = options.last.value_or(end);
    if (first > last || last > end)
      return fail(ErrorCode::BadOption,
                  "frames " + std::to_string(first) + " to " + std::to_string(last) + " are not in the clip, 0 to " +
                      std::to_string(end),
                  kNoOffset, options.last ? "last" : "first");
    const auto found = track_of_slot(each.clip, slot);
    const std::size_t track = found ? *found : add_float_track(each, slot, 0.0f, context.limits);
    const auto width = static_cast<std::size_t>(each.clip.float_track_count);
    for (std::int32_t f = first; f <= last; ++f)
      each.clip.floats[static_cast<std::size_t>(f) * width + track] = static_cast<float>(options.value);
    report.tracks = each.clip.float_track_count;
    ++report.changed;
  }
  return report;
}

Result<FloatReport> import_floats(Document& document, const FloatImportOptions& options, Context& context) {
  MARROW_CHECK(open_floats(document, context));
  std::map<std::int16_t, Keys> slots;
  const auto read =
      for_each_row(options.table, 3, [&](std::span<const double> row, std::uint64_t offset) -> Result<void> {
        if (!is_frame(row[0]))
          return fail(ErrorCode::Malformed, "a frame must be a number from 0 to 2147483647", offset);
        if (row[1] < 0 || row[1] > INT16_MAX || row[1] != static_cast<double>(static_cast<std::int64_t>(row[1])))
          return fail(ErrorCode::Malformed, "a slot must be a number from 0 to 32767", offset);
        slots[static_cast<std::int16_t>(row[1])][row[0]] = static_cast<float>(row[2]);
        return {};
      });
  if (!read || slots.empty()) {
    Error error = read ? Error{ErrorCode::Malformed, "the table has no rows of frame,slot,value"} : read.error();
    error.file = "table";
    return std::unexpected(std::move(error));
  }
  FloatReport report;
  for (DocumentClip& each : document.clips) {
    for (const auto& [slot, keys] : slots) {
      const auto found = track_of_slot(each.clip, slot);
      const std::size_t track = found ? *found : add_float_track(each, slot, 0.0f, context.limits);
      const auto width = static_cast<std::size_t>(each.clip.float_track_count);
      for (std::int32_t f = 0; f < each.clip.frame_count; ++f)
        each.clip.floats[static_cast<std::size_t>(f) * width + track] = value_at(keys, f);
      ++report.changed;
    }
    report.tracks = each.clip.float_track_count;
  }
  return report;
}

Result<FloatReport> remove_floats(Document& document, const FloatRemoveOptions& options, Context& context) {
  MARROW_CHECK(open_floats(document, context));
  MARROW_TRY(const std::int16_t slot, slot_named(document, options.slot, options.skeleton, context));
  FloatReport report;
  for (DocumentClip& each : document.clips) {
    const auto track = track_of_slot(each.clip, slot);
    if (!track) return fail(ErrorCode::NotFound, "the clip has no float track of slot " + std::to_string(slot));
    remove_float_track(each, *track, context.limits);
    report.tracks = each.clip.float_track_count;
    ++report.changed;
  }
  return report;
}

}  // namespace marrow
