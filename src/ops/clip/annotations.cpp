// SPDX-License-Identifier: MIT
#include "ops/clip/annotations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lines.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/clip/event_selection.h"

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

void append_header(std::string& out, const Clip& clip, const EventSelection& selection) {
  std::size_t events = 0;
  for (std::size_t t = 0; t < clip.annotation_tracks.size(); ++t)
    for (const Annotation& event : clip.annotation_tracks[t].annotations)
      events += selection.selects(static_cast<std::int64_t>(t), event);
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
Result<std::optional<std::int64_t>> directive(std::string_view line, std::string_view name, std::size_t number) {
  const std::string_view rest = trim(line.substr(1));
  if (!rest.starts_with(name) || !trim(rest.substr(name.size())).starts_with(':')) return std::nullopt;
  const auto value = parse_int(trim(rest.substr(name.size())).substr(1));
  if (!value || *value < 0 || *value > std::numeric_limits<std::int32_t>::max())
    return fail(ErrorCode::Malformed, "a " + std::string(name) + " is a number from 0 on", number);
  return value;
}

/// Returns a time in seconds, or as a share of a clip.
std::optional<float> time_of(std::string_view word, std::size_t clip, std::span<const float> durations) {
  const bool is_share = word.ends_with('%');
  const auto number = parse_float(is_share ? word.substr(0, word.size() - 1) : word);
  if (!number || (is_share && clip >= durations.size())) return std::nullopt;
  const float seconds = is_share ? durations[clip] * (*number / 100.0f) : *number;
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
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

void describe(FieldList& fields, ListEventsReport& report) { fields("annotations", report.annotations); }
void describe(FieldList& fields, ExportEventsReport& report) { fields("text", report.annotations); }

Result<ListEventsReport> list_events(const Document& document, const ListEventsOptions& options, Context&) {
  MARROW_CHECK(need_events(document));
  ListEventsReport report;
  for (std::size_t c = 0; c < document.clips.size(); ++c) {
    const auto& tracks = document.clips[c].clip.annotation_tracks;
    for (std::size_t t = 0; t < tracks.size(); ++t)
      for (const Annotation& event : tracks[t].annotations)
        if (const auto track = static_cast<std::int64_t>(t); options.selection.selects(track, event))
          report.annotations.push_back({c, track, event.time_seconds, event.text});
  }
  return report;
}

Result<ExportEventsReport> export_events(const Document& document, const ListEventsOptions& options, Context&) {
  MARROW_CHECK(need_events(document));
  ExportEventsReport report;
  for (std::size_t c = 0; c < document.clips.size(); ++c) {
    const Clip& clip = document.clips[c].clip;
    if (c > 0) report.annotations += "# clip: " + std::to_string(c) + "\n";
    append_header(report.annotations, clip, options.selection);
    for (std::size_t t = 0; t < clip.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip.annotation_tracks[t].annotations)
        if (options.selection.selects(static_cast<std::int64_t>(t), event)) append_event(report.annotations, t, event);
  }
  return report;
}

Result<std::vector<Event>> parse_events(std::string_view text, std::span<const float> durations) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Event> events;
  Event next;
  bool is_escaped = false;
  for (const auto& [line, offset, number] : Lines(text)) {
    if (trim(line).empty()) continue;
    if (line.starts_with('#')) {
      MARROW_TRY(const auto track, directive(line, "track", number));
      MARROW_TRY(const auto clip, directive(line, "clip", number));
      if (track) next.track = *track;
      if (clip) next = {.clip = static_cast<std::size_t>(*clip), .text = {}};
      is_escaped |= trim(line.substr(1)) == "escaped";
      continue;
    }
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    const auto time = time_of(line.substr(0, blank), next.clip, durations);
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

}  // namespace marrow
