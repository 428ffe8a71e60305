// SPDX-License-Identifier: MIT
#include "marrow/ops/annotations.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/xml.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using namespace havok;

struct ClipFile {
  Packfile file;
  std::vector<ObjectId> animations;
  bool is_xml = false;
};

Result<ClipFile> open(std::span<const std::byte> bytes, const Limits& limits) {
  const Format format = detect(bytes);
  if (format != Format::HavokPackfile && format != Format::HavokXml) return refuse_format(bytes, "annotations");
  MARROW_TRY(Packfile file, read_havok(bytes, {.limits = limits}));
  ClipFile result{std::move(file), {}, format == Format::HavokXml};
  result.animations = find_animations(result.file);
  if (result.animations.empty()) return fail(ErrorCode::NotFound, "the file holds no animation");
  return result;
}

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

/// The number after `# name:`, or nothing.
std::optional<std::int64_t> directive(std::string_view line, std::string_view name) {
  if (!line.starts_with('#')) return std::nullopt;
  const std::string_view rest = trim(line.substr(1));
  if (!rest.starts_with(name) || !trim(rest.substr(name.size())).starts_with(':')) return std::nullopt;
  return parse_int(trim(rest.substr(name.size())).substr(1));
}

/// Writes the file again with the events of each clip changed by `change`, which returns how many it touched.
/// A clip whose events stay is not written to: absent names and texts in it stay absent.
using Change = std::function<Result<std::size_t>(std::size_t clip, const Clip& header,
                                                 std::vector<AnnotationTrack>& tracks, Notes& notes)>;
Result<EventEdit> edit(std::span<const std::byte> bytes, const Limits& limits, const Change& change) {
  MARROW_TRY(ClipFile source, open(bytes, limits));
  EventEdit result;
  for (std::size_t i = 0; i < source.animations.size(); ++i) {
    MARROW_TRY(const Clip header, read_clip_header(source.file, source.animations[i]));
    std::vector<AnnotationTrack> tracks = header.annotation_tracks;
    MARROW_TRY(const std::size_t changed, change(i, header, tracks, result.notes));
    result.changed += changed;
    if (tracks != header.annotation_tracks) set_annotations(source.file, source.animations[i], tracks);
  }
  MARROW_TRY(result.bytes, source.is_xml ? write_xml(source.file) : write_packfile(source.file));
  return result;
}

/// Makes sure that a clip has the track that an event is for.
Result<void> ensure_track(const Event& event, const Clip& header, std::vector<AnnotationTrack>& tracks) {
  const auto most = std::max(static_cast<std::int64_t>(tracks.size()), std::int64_t{header.track_count});
  if (event.track < 0 || event.track >= std::max<std::int64_t>(most, 1))
    return fail(ErrorCode::NotFound, "there is no track " + std::to_string(event.track) + ": the clip has " +
                                         std::to_string(most) + ", counted from 0");
  if (static_cast<std::size_t>(event.track) >= tracks.size()) tracks.resize(static_cast<std::size_t>(event.track) + 1);
  return {};
}

void note_time(const Event& event, const Clip& header, Notes& notes) {
  if (event.time_seconds > header.duration_seconds || event.time_seconds < 0.0f)
    notes.push_back({"\"" + event.text + "\" at " + float_text(event.time_seconds) + " s lies outside the clip, 0 to " +
                         float_text(header.duration_seconds) + " s, and is never played",
                     kNoOffset,
                     {}});
}

}  // namespace

bool holds_clip(std::span<const std::byte> bytes, const Limits& limits) {
  const Format format = detect(bytes);
  if (format != Format::HavokPackfile && format != Format::HavokXml) return bytes.empty();
  const auto source = open(bytes, limits);
  return source || source.error().code != ErrorCode::NotFound;
}

Result<std::vector<Event>> list_events(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const ClipFile source, open(bytes, limits));
  std::vector<Event> events;
  for (std::size_t c = 0; c < source.animations.size(); ++c) {
    MARROW_TRY(const Clip clip, read_clip_header(source.file, source.animations[c]));
    for (std::size_t t = 0; t < clip.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip.annotation_tracks[t].annotations)
        events.push_back({c, static_cast<std::int64_t>(t), event.time_seconds, event.text});
  }
  return events;
}

Result<std::string> export_events(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const ClipFile source, open(bytes, limits));
  std::string out;
  for (std::size_t c = 0; c < source.animations.size(); ++c) {
    MARROW_TRY(const Clip clip, read_clip_header(source.file, source.animations[c]));
    if (c > 0) out += "# clip: " + std::to_string(c) + "\n";
    append_header(out, clip);
    for (std::size_t t = 0; t < clip.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip.annotation_tracks[t].annotations) append_event(out, t, event);
  }
  return out;
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
      return fail(ErrorCode::Malformed, "a line is `TIME TEXT` or starts with #, not \"" + std::string(line) + "\"",
                  number);
    const std::string_view rest = blank < line.size() ? line.substr(blank + 1) : std::string_view{};
    next.time_seconds = *time;
    next.text = is_escaped ? unescaped(rest) : std::string(rest);
    is_escaped = false;
    events.push_back(next);
  }
  return events;
}

Result<EventEdit> import_events(std::span<const std::byte> bytes, std::string_view text, bool merge,
                                const Limits& limits) {
  MARROW_TRY(const std::vector<Event> events, parse_events(text));
  if (merge) return add_events(bytes, events, limits);
  return edit(bytes, limits,
              [&](std::size_t clip, const Clip& header, auto& tracks, Notes& notes) -> Result<std::size_t> {
                for (AnnotationTrack& track : tracks) track.annotations.clear();
                std::size_t count = 0;
                for (const Event& event : events) {
                  if (event.clip != clip) continue;
                  MARROW_CHECK(ensure_track(event, header, tracks));
                  note_time(event, header, notes);
                  tracks[static_cast<std::size_t>(event.track)].annotations.push_back({event.time_seconds, event.text});
                  ++count;
                }
                return count;
              });
}

Result<EventEdit> add_events(std::span<const std::byte> bytes, std::span<const Event> events, const Limits& limits) {
  return edit(bytes, limits,
              [&](std::size_t clip, const Clip& header, auto& tracks, Notes& notes) -> Result<std::size_t> {
                std::size_t count = 0;
                for (const Event& event : events) {
                  if (event.clip != clip) continue;
                  MARROW_CHECK(ensure_track(event, header, tracks));
                  note_time(event, header, notes);
                  auto& list = tracks[static_cast<std::size_t>(event.track)].annotations;
                  const auto place = std::ranges::upper_bound(list, event.time_seconds, {}, &Annotation::time_seconds);
                  list.insert(place, {event.time_seconds, event.text});
                  ++count;
                }
                return count;
              });
}

Result<EventEdit> remove_events(std::span<const std::byte> bytes, std::string_view pattern, const Limits& limits) {
  return edit(bytes, limits, [&](std::size_t, const Clip&, auto& tracks, Notes&) -> Result<std::size_t> {
    std::size_t count = 0;
    for (AnnotationTrack& track : tracks)
      count += std::erase_if(track.annotations, [&](const Annotation& event) { return matches(pattern, event.text); });
    return count;
  });
}

Result<EventEdit> replace_events(std::span<const std::byte> bytes, std::string_view pattern, std::string_view text,
                                 const Limits& limits) {
  return edit(bytes, limits, [&](std::size_t, const Clip&, auto& tracks, Notes&) -> Result<std::size_t> {
    std::size_t count = 0;
    for (AnnotationTrack& track : tracks)
      for (Annotation& event : track.annotations)
        if (matches(pattern, event.text) && event.text != text) {
          event.text = text;
          ++count;
        }
    return count;
  });
}

}  // namespace marrow
