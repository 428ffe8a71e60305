// SPDX-License-Identifier: MIT
#include "marrow/ops/annotations.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

/// Line breaks would end an event's line.
bool needs_escape(std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

void append_header(std::string& out, const Clip& clip) {
  std::size_t events = 0;
  for (const AnnotationTrack& track : clip.annotation_tracks) events += track.annotations.size();
  out += "# numOriginalFrames: " + std::to_string(clip.frame_count) + "\n# duration: ";
  append_float(out, clip.duration_seconds);
  out += "\n# numAnnotationTracks: " + std::to_string(clip.annotation_tracks.size()) +
         "\n# numAnnotations: " + std::to_string(events) + "\n";
}

void append_event(std::string& out, std::size_t track, const Annotation& event) {
  if (track > 0) out += "# track: " + std::to_string(track) + "\n";
  const bool escape = needs_escape(event.text);
  if (escape) out += "# escaped\n";
  append_float(out, event.time_seconds);
  out += " " + (escape ? escaped(event.text) : event.text) + "\n";
}

/// Returns the number after `# name:`, or nothing.
std::optional<std::int64_t> directive(std::string_view line, std::string_view name) {
  if (!line.starts_with('#')) return std::nullopt;
  const std::string_view rest = trim(line.substr(1));
  if (!rest.starts_with(name) || !trim(rest.substr(name.size())).starts_with(':')) return std::nullopt;
  return parse_int(trim(rest.substr(name.size())).substr(1));
}


Result<void> need_clips(const Document& document) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no animation");
  return {};
}

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

void note_time(const Event& event, const Clip& clip, Context& context) {
  if (event.time_seconds > clip.duration_seconds || event.time_seconds < 0.0f)
    context.note("\"" + event.text + "\" at " + float_text(event.time_seconds) + " s is outside the clip, 0 to " +
                 float_text(clip.duration_seconds) + " s, and is never played");
}

Result<void> add_to(Document& document, const Event& event, Context& context) {
  Clip& clip = document.clips[event.clip].clip;
  MARROW_TRY(std::vector<Annotation>* events, events_of(event, clip));
  note_time(event, clip, context);
  const auto place = std::ranges::upper_bound(*events, event.time_seconds, {}, &Annotation::time_seconds);
  events->insert(place, {event.time_seconds, event.text});
  return {};
}

void note_none(const EditEventsReport& report, std::string_view what, Context& context) {
  if (report.events == 0) context.note("no event " + std::string(what));
}

}  // namespace

SavedFile ExportEventsReport::text() const {
  const auto bytes = as_bytes(annotations);
  return {{}, ".txt", {bytes.begin(), bytes.end()}};
}

void describe(FieldList& fields, Event& event) {
  fields("clip", event.clip);
  fields("track", event.track);
  fields("time", event.time_seconds, {.unit = "seconds"});
  fields("text", event.text);
}

void describe(FieldList&, ListEventsOptions&) {}
void describe(FieldList& fields, ListEventsReport& report) { fields("annotations", report.annotations); }
void describe(FieldList& fields, ExportEventsReport& report) { fields("text", report.annotations); }

void describe(FieldList& fields, ImportEventsOptions& options) {
  fields.input("text", options.text,
               {.help = "the text, or the folder that export wrote", .placeholder = "TEXT", .required = true,
                .positional = true});
  fields("merge", options.merge, {.help = "add them to the existing events"});
}

void describe(FieldList& fields, AddEventOptions& options) {
  fields("time", options.time,
         {.help = "when it happens", .unit = "seconds", .placeholder = "SECONDS", .min = 0, .required = true});
  fields("text", options.text,
         {.help = "its text, e.g. SoundPlay.FSTSprintLeft", .placeholder = "TEXT", .required = true});
  fields("track", options.track, {.help = "the track of the event; the games use 0", .placeholder = "N"});
}

void describe(FieldList& fields, RemoveEventsOptions& options) {
  fields("match", options.match, {.help = "which events, by their text", .placeholder = "PATTERN", .required = true});
}

void describe(FieldList& fields, ReplaceEventsOptions& options) {
  fields("match", options.match, {.help = "which events, by their text", .placeholder = "PATTERN", .required = true});
  fields("text", options.text, {.help = "the new text", .placeholder = "TEXT", .required = true});
}

void describe(FieldList& fields, EditEventsReport& report) {
  fields("events", report.events, {.help = "events added, removed or replaced"});
}

Result<ListEventsReport> list_events(const Document& document, const ListEventsOptions&, Context&) {
  MARROW_CHECK(need_clips(document));
  ListEventsReport report;
  for (std::size_t c = 0; c < document.clips.size(); ++c) {
    const auto& tracks = document.clips[c].clip.annotation_tracks;
    for (std::size_t t = 0; t < tracks.size(); ++t)
      for (const Annotation& event : tracks[t].annotations)
        report.annotations.push_back({c, static_cast<std::int64_t>(t), event.time_seconds, event.text});
  }
  return report;
}

Result<ExportEventsReport> export_events(const Document& document, const ListEventsOptions&, Context&) {
  MARROW_CHECK(need_clips(document));
  ExportEventsReport report;
  for (std::size_t c = 0; c < document.clips.size(); ++c) {
    const Clip& clip = document.clips[c].clip;
    if (c > 0) report.annotations += "# clip: " + std::to_string(c) + "\n";
    append_header(report.annotations, clip);
    for (std::size_t t = 0; t < clip.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip.annotation_tracks[t].annotations)
        append_event(report.annotations, t, event);
  }
  return report;
}

Result<std::vector<Event>> parse_events(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Event> events;
  Event next;
  bool is_escaped = false;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trim(line).empty()) continue;
    if (line.starts_with('#')) {
      if (const auto track = directive(line, "track")) next.track = *track;
      if (const auto clip = directive(line, "clip")) next = {.clip = static_cast<std::size_t>(*clip), .text = {}};
      is_escaped |= trim(line.substr(1)) == "escaped";
      continue;
    }
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    const auto time = parse_float(line.substr(0, blank));
    if (!time)
      return fail(ErrorCode::Malformed,
                  "a line must be `TIME TEXT` or start with #, but this is \"" + std::string(line) + "\"", number);
    const std::string_view rest = blank < line.size() ? line.substr(blank + 1) : std::string_view{};
    next.time_seconds = *time;
    next.text = is_escaped ? unescaped(rest) : std::string(rest);
    is_escaped = false;
    events.push_back(next);
  }
  return events;
}

Result<EditEventsReport> import_events(Document& document, const ImportEventsOptions& options, Context& context) {
  MARROW_CHECK(need_clips(document));
  auto events = parse_events(options.text);
  if (!events) {
    events.error().file = "text";  // the runner gives it the name of that input
    return std::unexpected(std::move(events.error()));
  }
  EditEventsReport report;
  if (!options.merge)
    for (DocumentClip& clip : document.clips)
      for (AnnotationTrack& track : clip.clip.annotation_tracks) track.annotations.clear();
  for (const Event& event : *events) {
    if (event.clip >= document.clips.size()) continue;
    ++report.events;
    if (options.merge) {
      MARROW_CHECK(add_to(document, event, context));
      continue;
    }
    Clip& clip = document.clips[event.clip].clip;
    MARROW_TRY(std::vector<Annotation>* list, events_of(event, clip));
    note_time(event, clip, context);
    list->push_back({event.time_seconds, event.text});
  }
  return report;
}

Result<EditEventsReport> add_event(Document& document, const AddEventOptions& options, Context& context) {
  MARROW_CHECK(need_clips(document));
  EditEventsReport report;
  for (std::size_t clip = 0; clip < document.clips.size(); ++clip) {
    MARROW_CHECK(add_to(document, {clip, options.track, static_cast<float>(options.time), options.text}, context));
    ++report.events;
  }
  return report;
}

Result<EditEventsReport> remove_events(Document& document, const RemoveEventsOptions& options, Context& context) {
  MARROW_CHECK(need_clips(document));
  EditEventsReport report;
  for (DocumentClip& clip : document.clips)
    for (AnnotationTrack& track : clip.clip.annotation_tracks)
      report.events += std::erase_if(
          track.annotations, [&](const Annotation& event) { return matches(options.match, event.text); });
  note_none(report, "removed", context);
  return report;
}

Result<EditEventsReport> replace_events(Document& document, const ReplaceEventsOptions& options, Context& context) {
  MARROW_CHECK(need_clips(document));
  EditEventsReport report;
  for (DocumentClip& clip : document.clips)
    for (AnnotationTrack& track : clip.clip.annotation_tracks)
      for (Annotation& event : track.annotations)
        if (matches(options.match, event.text) && event.text != options.text) {
          event.text = options.text;
          ++report.events;
        }
  note_none(report, "replaced", context);
  return report;
}

}  // namespace marrow
