// SPDX-License-Identifier: MIT
// Edits of events: import, add, remove, replace, shift, scale, sort, copy.
#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/clip/event_selection.h"

namespace marrow {
namespace {

// Returns the events of the track that an event belongs to. The track is added if the clip may have it.
Result<std::vector<Annotation>*> events_of(const Event& event, Clip& clip) {
  std::vector<AnnotationTrack>& tracks = clip.annotation_tracks;
  const auto most = std::max(static_cast<std::int64_t>(tracks.size()), std::int64_t{clip.track_count});
  if (event.track < 0 || event.track >= std::max<std::int64_t>(most, 1))
    return fail(ErrorCode::NotFound, "there is no track " + std::to_string(event.track) + "; the clip has " +
                                         std::to_string(most) + ", counted from 0");
  const auto track = static_cast<std::size_t>(event.track);
  if (track >= tracks.size()) tracks.resize(track + 1);
  return &tracks[track].annotations;
}

void note_time(const Annotation& event, const Clip& clip, Context& context) {
  if (event.time_seconds > clip.duration_seconds || event.time_seconds < 0.0f)
    context.note("\"" + event.text + "\" at " + float_text(event.time_seconds) + " s is outside the clip, 0 to " +
                 float_text(clip.duration_seconds) + " s, and is never played");
}

// Adds an event after those of its time, or at the end of its track.
Result<void> put(Document& document, const Event& event, bool by_time, Context& context) {
  Clip& clip = document.clips[event.clip].clip;
  MARROW_TRY(std::vector<Annotation> * events, events_of(event, clip));
  const Annotation added{event.time_seconds, event.text};
  note_time(added, clip, context);
  const auto place =
      by_time ? std::ranges::upper_bound(*events, event.time_seconds, {}, &Annotation::time_seconds) : events->end();
  events->insert(place, added);
  return {};
}

void clear_events(Document& document) {
  for (DocumentClip& clip : document.clips)
    for (AnnotationTrack& track : clip.clip.annotation_tracks) track.annotations.clear();
}

void note_none(const EditEventsReport& report, std::string_view what, Context& context) {
  if (report.events == 0) context.note("no event " + std::string(what));
}

// Calls `action` with each selected event and its clip.
template <class Action>
void for_selected(Document& document, const EventSelection& selection, const Action& action) {
  for (DocumentClip& clip : document.clips)
    for (std::size_t t = 0; t < clip.clip.annotation_tracks.size(); ++t)
      for (Annotation& event : clip.clip.annotation_tracks[t].annotations)
        if (selection.selects(static_cast<std::int64_t>(t), event)) action(event, clip.clip);
}

bool is_sorted(const std::vector<Annotation>& events) {
  return std::ranges::is_sorted(events, {}, &Annotation::time_seconds);
}

// Moves the times of the selected events. Tracks that were sorted stay so.
template <class Move>
EditEventsReport move_times(Document& document, const EventSelection& selection, const Move& move, Context& context) {
  std::vector<std::vector<Annotation>*> sorted;
  for (DocumentClip& clip : document.clips)
    for (AnnotationTrack& track : clip.clip.annotation_tracks)
      if (is_sorted(track.annotations)) sorted.push_back(&track.annotations);
  EditEventsReport report;
  for_selected(document, selection, [&](Annotation& event, const Clip& clip) {
    const auto moved = static_cast<float>(move(static_cast<double>(event.time_seconds)));
    if (moved == event.time_seconds) return;
    event.time_seconds = moved;
    ++report.events;
    note_time(event, clip, context);
  });
  for (std::vector<Annotation>* events : sorted)
    if (!is_sorted(*events)) std::ranges::stable_sort(*events, {}, &Annotation::time_seconds);
  note_none(report, "moved", context);
  return report;
}

Result<void> need_selection(const EventSelection& selection) {
  if (!selection.selects_all()) return {};
  return fail(ErrorCode::BadOption, "is missing: give a pattern, a time or a track; * matches every event", kNoOffset,
              "match");
}

/// Longer texts are not events; every run of such a one is not compared with a pattern that has wildcards.
constexpr std::size_t kLongestEvent = 1024;

// Returns the end of the longest run from `at` that a pattern matches; nothing if it matches none, or only nothing.
std::optional<std::size_t> match_end(std::string_view pattern, std::string_view text, std::size_t at) {
  const bool has_wildcards = pattern.find_first_of("*?") != std::string_view::npos;
  if (!has_wildcards)
    return equal_ignoring_case(text.substr(at, pattern.size()), pattern) ? std::optional(at + pattern.size())
                                                                         : std::nullopt;
  for (std::size_t end = text.size() <= kLongestEvent ? text.size() : at; end > at; --end)
    if (matches(pattern, text.substr(at, end - at))) return end;
  return std::nullopt;
}

std::string with_part_replaced(std::string_view text, std::string_view part, std::string_view by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto end = match_end(part, text, at)) {
      out += by;
      at = *end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace

Result<void> need_events(const Document& document) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no animation");
  return {};
}

bool EventSelection::selects(std::int64_t track, const Annotation& event) const {
  const auto time = static_cast<double>(event.time_seconds);
  // A time as printed is a float, and means the event that has it.
  const auto limit = [](double seconds) { return static_cast<double>(static_cast<float>(seconds)); };
  return (match.empty() || matches(match, event.text)) && (!since || time >= limit(*since)) &&
         (!until || time <= limit(*until)) && (tracks.empty() || std::ranges::find(tracks, track) != tracks.end());
}

void describe_selection(FieldList& fields, EventSelection& selection) {
  fields("match", selection.match, {.help = "only events whose text matches", .placeholder = "PATTERN"});
  fields("since", selection.since,
         {.help = "only events from this time on", .unit = "seconds", .placeholder = "SECONDS"});
  fields("until", selection.until,
         {.help = "only events up to this time", .unit = "seconds", .placeholder = "SECONDS"});
  fields("track", selection.tracks, {.help = "only events on these tracks", .placeholder = "N", .min = 0});
}

void describe(FieldList& fields, ListEventsOptions& options) { describe_selection(fields, options.selection); }

void describe(FieldList& fields, ImportEventsOptions& options) {
  fields.input("text", options.text,
               {.help = "the text, the folder that export wrote, or a preset",
                .placeholder = "TEXT",
                .required = true,
                .positional = true,
                .builtin = &event_preset});
  fields("merge", options.merge, {.help = "add them to the existing events"});
}

void describe(FieldList& fields, AddEventOptions& options) {
  fields("time", options.time,
         {.help = "when it happens", .unit = "seconds", .placeholder = "SECONDS", .min = 0, .required = true});
  fields("text", options.text,
         {.help = "its text, e.g. SoundPlay.FSTSprintLeft", .placeholder = "TEXT", .required = true});
  fields("track", options.track, {.help = "the track of the event; the games use 0", .placeholder = "N"});
}

void describe(FieldList& fields, RemoveEventsOptions& options) { describe_selection(fields, options.selection); }

void describe(FieldList& fields, ReplaceEventsOptions& options) {
  describe_selection(fields, options.selection);
  fields("text", options.text, {.help = "the new text", .placeholder = "TEXT", .required = true});
  fields(
      "part", options.part,
      {.help = "replace only what this pattern matches inside a text, everywhere it occurs", .placeholder = "PATTERN"});
}

void describe(FieldList& fields, ShiftEventsOptions& options) {
  fields("by", options.by,
         {.help = "added to each time; negative is earlier",
          .unit = "seconds",
          .placeholder = "SECONDS",
          .required = true});
  describe_selection(fields, options.selection);
}

void describe(FieldList& fields, ScaleEventsOptions& options) {
  fields("by", options.by,
         {.help = "factor for each time, e.g. 0.5 for a clip of double speed",
          .placeholder = "FACTOR",
          .min = 0,
          .above_min = true,
          .required = true});
  describe_selection(fields, options.selection);
}

void describe(FieldList&, SortEventsOptions&) {}

void describe(FieldList& fields, CopyEventsOptions& options) {
  fields.input("from", options.from,
               {.help = "the clip with the events", .placeholder = "CLIP", .required = true, .parts = Parts::Clips});
  describe_selection(fields, options.selection);
  fields("merge", options.merge, {.help = "add them to the existing events"});
  fields("fit", options.fit, {.help = "scale times if the clips have different lengths"});
}

void describe(FieldList& fields, EditEventsReport& report) {
  fields("events", report.events, {.help = "events added, removed, replaced or moved"});
}

Result<EditEventsReport> import_events(Document& document, const ImportEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  std::vector<float> durations;
  for (const DocumentClip& clip : document.clips) durations.push_back(clip.clip.duration_seconds);
  auto events = parse_events(options.text, durations);
  if (!events) {
    events.error().file = "text";  // the runner gives it the name of that input
    return std::unexpected(std::move(events.error()));
  }
  EditEventsReport report;
  if (!options.merge) clear_events(document);
  for (const Event& event : *events) {
    if (event.clip >= document.clips.size())
      return fail(ErrorCode::NotFound, "there is no clip " + std::to_string(event.clip) + " for \"" + event.text +
                                           "\"; clips are counted from 0, and the file has " +
                                           std::to_string(document.clips.size()));
    ++report.events;
    MARROW_CHECK(put(document, event, options.merge, context));
  }
  return report;
}

Result<EditEventsReport> add_event(Document& document, const AddEventOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  EditEventsReport report;
  for (std::size_t clip = 0; clip < document.clips.size(); ++clip) {
    MARROW_CHECK(put(document, {clip, options.track, static_cast<float>(options.time), options.text}, true, context));
    ++report.events;
  }
  return report;
}

Result<EditEventsReport> remove_events(Document& document, const RemoveEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  MARROW_CHECK(need_selection(options.selection));
  EditEventsReport report;
  for (DocumentClip& clip : document.clips)
    for (std::size_t t = 0; t < clip.clip.annotation_tracks.size(); ++t)
      report.events += std::erase_if(clip.clip.annotation_tracks[t].annotations, [&](const Annotation& event) {
        return options.selection.selects(static_cast<std::int64_t>(t), event);
      });
  note_none(report, "removed", context);
  return report;
}

Result<EditEventsReport> replace_events(Document& document, const ReplaceEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  if (options.part.empty()) MARROW_CHECK(need_selection(options.selection));
  EditEventsReport report;
  for_selected(document, options.selection, [&](Annotation& event, const Clip&) {
    std::string text = options.part.empty() ? options.text : with_part_replaced(event.text, options.part, options.text);
    if (text == event.text) return;
    event.text = std::move(text);
    ++report.events;
  });
  note_none(report, "replaced", context);
  return report;
}

Result<EditEventsReport> shift_events(Document& document, const ShiftEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  return move_times(document, options.selection, [&](double time) { return time + options.by; }, context);
}

Result<EditEventsReport> scale_events(Document& document, const ScaleEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  return move_times(document, options.selection, [&](double time) { return time * options.by; }, context);
}

Result<EditEventsReport> sort_events(Document& document, const SortEventsOptions&, Context& context) {
  MARROW_CHECK(need_events(document));
  EditEventsReport report;
  for (DocumentClip& clip : document.clips)
    for (AnnotationTrack& track : clip.clip.annotation_tracks) {
      const std::vector<Annotation> before = track.annotations;
      std::ranges::stable_sort(track.annotations, {}, &Annotation::time_seconds);
      for (std::size_t i = 0; i < before.size(); ++i) report.events += !(before[i] == track.annotations[i]);
    }
  note_none(report, "moved: all are in order", context);
  return report;
}

Result<EditEventsReport> copy_events(Document& document, const CopyEventsOptions& options, Context& context) {
  MARROW_CHECK(need_events(document));
  if (options.from->clips.empty())
    return in_file({ErrorCode::NoClip, "the file contains no animation"}, options.from->name);
  const std::vector<DocumentClip>& sources = options.from->clips;
  const bool is_one_to_one = sources.size() == document.clips.size();
  if (!is_one_to_one && sources.size() > 1)
    context.note("the events are those of the first of " + std::to_string(sources.size()) + " clips", {},
                 options.from->name);
  EditEventsReport report;
  if (!options.merge) clear_events(document);
  for (std::size_t c = 0; c < document.clips.size(); ++c) {
    const Clip& source = sources[is_one_to_one ? c : 0].clip;
    const float from = source.duration_seconds, to = document.clips[c].clip.duration_seconds;
    const float factor = options.fit && from > 0.0f ? to / from : 1.0f;
    for (std::size_t t = 0; t < source.annotation_tracks.size(); ++t)
      for (const Annotation& event : source.annotation_tracks[t].annotations) {
        const auto track = static_cast<std::int64_t>(t);
        if (!options.selection.selects(track, event)) continue;
        ++report.events;
        MARROW_CHECK(put(document, {c, track, event.time_seconds * factor, event.text}, options.merge, context));
      }
  }
  note_none(report, "copied", context);
  return report;
}

}  // namespace marrow
