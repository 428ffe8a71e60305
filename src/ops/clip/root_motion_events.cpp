// SPDX-License-Identifier: MIT
// Root motion as events of a clip: `animmotion X Y Z` and `animrotation DEGREES`, even between events and from 0 at the
// start, as the plugins of Skyrim read them.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/clip/motion_events.h"
#include "ops/clip/root_motion.h"

namespace marrow {
namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
/// The most samples between two events; bounds the time that thinning takes.
constexpr std::size_t kLongestSpan = 256;
/// How late the last event may come, in seconds.
constexpr float kEndTolerance = 1e-3f;

std::array<double, 3> between(const MotionKey& a, const MotionKey& b, double time) {
  const double share = b.time > a.time ? std::clamp((time - a.time) / (b.time - a.time), 0.0, 1.0) : 1.0;
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = a.value[i] + share * (b.value[i] - a.value[i]);
  return out;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

std::vector<MotionKey> thinned(const std::vector<MotionKey>& keys, double bound) {
  std::vector<MotionKey> out = {keys.front()};
  for (std::size_t from = 0; from + 1 < keys.size();) {
    std::size_t to = from + 1;
    while (to + 1 < keys.size() && to - from < kLongestSpan) {
      bool holds = true;
      for (std::size_t i = from + 1; i <= to && holds; ++i)
        holds = distance(between(keys[from], keys[to + 1], keys[i].time), keys[i].value) <= bound;
      if (!holds) break;
      ++to;
    }
    out.push_back(keys[to]);
    from = to;
  }
  return out;
}

namespace {

std::vector<std::string_view> event_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trim(text)).empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

}  // namespace

bool is_motion_event(std::string_view text) {
  const auto words = event_words(text);
  return !words.empty() && (equal_ignoring_case(words[0], kMoves) || equal_ignoring_case(words[0], kTurns));
}

namespace {

void erase_motion(Clip& clip) {
  for (AnnotationTrack& track : clip.annotation_tracks)
    std::erase_if(track.annotations, [](const Annotation& event) { return is_motion_event(event.text); });
}

void add_events(Clip& clip, std::vector<MotionKey> keys, std::string_view word, std::size_t numbers, double bound) {
  keys = thinned(keys, bound);
  auto& events = clip.annotation_tracks.front().annotations;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    std::string text(word);
    for (std::size_t n = 0; n < numbers; ++n) text += " " + float_text(static_cast<float>(keys[i].value[n]));
    events.push_back({static_cast<float>(keys[i].time), std::move(text)});
  }
}

std::optional<MotionKey> read_key(const Annotation& event, std::string_view word, std::size_t numbers) {
  const auto words = event_words(event.text);
  if (words.size() != numbers + 1 || !equal_ignoring_case(words[0], word)) return std::nullopt;
  MotionKey key{.time = static_cast<double>(event.time_seconds)};
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto number = parse_float(words[i + 1]);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    key.value[i] = static_cast<double>(*number);
  }
  return key;
}

// What a plugin takes literally.
std::string as_written(const Annotation& event, std::string_view word) {
  std::string text(word);
  const auto words = event_words(event.text);
  for (std::size_t i = 1; i < words.size(); ++i) text += " " + std::string(words[i]);
  return text;
}

}  // namespace

std::vector<MotionKey> motion_keys(const Clip& clip, std::string_view word, std::size_t numbers, Context& context) {
  std::vector<MotionKey> keys;
  for (const AnnotationTrack& track : clip.annotation_tracks)
    for (const Annotation& event : track.annotations) {
      const auto words = event_words(event.text);
      if (words.empty() || !equal_ignoring_case(words[0], word)) continue;
      const auto key = read_key(event, word, numbers);
      if (!key) {
        context.note("\"" + event.text + "\" is not " + std::string(word) + " and " + std::to_string(numbers) +
                     (numbers == 1 ? " number" : " numbers") + "; it is skipped");
        continue;
      }
      if (event.text != as_written(event, word))
        context.note("the game's plugin does not understand \"" + event.text +
                     "\": it wants lower case and single blanks");
      keys.push_back(*key);
    }
  if (keys.empty()) return keys;
  std::ranges::stable_sort(keys, {}, &MotionKey::time);
  if (keys.back().time < static_cast<double>(clip.duration_seconds - kEndTolerance))
    context.note("the last " + std::string(word) + " is at " + float_text(static_cast<float>(keys.back().time)) +
                 " s, before the end of the clip at " + float_text(clip.duration_seconds) + " s");
  if (keys.front().time > 0.0) keys.insert(keys.begin(), MotionKey{});
  return keys;
}

namespace {

std::array<double, 3> motion_value_at(const std::vector<MotionKey>& keys, double time) {
  if (keys.empty()) return {};
  const auto next = std::ranges::lower_bound(keys, time, {}, &MotionKey::time);
  if (next == keys.end()) return keys.back().value;
  return next == keys.begin() ? next->value : between(*(next - 1), *next, time);
}

const FieldText kKept = {.help = "leave what it is made of in the clip as well"};

}  // namespace

void describe(FieldList& fields, RootMotionToEventsOptions& options) {
  fields("max_error", options.max_error,
         {.help = "how far the motion between events may be from the samples, in units and in degrees",
          .placeholder = "N",
          .min = 0});
  fields("keep", options.keep, kKept);
}

void describe(FieldList& fields, RootMotionFromEventsOptions& options) { fields("keep", options.keep, kKept); }

Result<RootMotionReport> root_motion_to_events(Document& document, const RootMotionToEventsOptions& options,
                                               Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    Clip& clip = each.clip;
    const bool had = clip.root_motion && !clip.root_motion->samples.empty();
    report = root_motion_report(clip, had);
    if (!had) {
      context.note("the clip has no root motion; nothing changes");
      continue;
    }
    const std::vector<Vec4>& samples = clip.root_motion->samples;
    std::vector<MotionKey> moves, turns;
    const double last = static_cast<double>(std::max<std::size_t>(samples.size(), 2) - 1);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double time = static_cast<double>(clip.duration_seconds) * static_cast<double>(i) / last;
      const Vec4 since = samples[i] - samples.front();
      moves.push_back({time, {since.x, since.y, since.z}});
      turns.push_back({time, {static_cast<double>(since.w) * kDegreesPerRadian, 0.0, 0.0}});
    }
    const bool is_turning =
        std::ranges::any_of(turns, [&](const MotionKey& key) { return std::abs(key.value[0]) > options.max_error; });
    if (clip.annotation_tracks.empty()) clip.annotation_tracks.resize(static_cast<std::size_t>(clip.track_count));
    if (clip.annotation_tracks.empty()) clip.annotation_tracks.resize(1);
    erase_motion(clip);
    add_events(clip, std::move(moves), kMoves, 3, options.max_error);
    if (is_turning) add_events(clip, std::move(turns), kTurns, 1, options.max_error);
    std::ranges::stable_sort(clip.annotation_tracks.front().annotations, {}, &Annotation::time_seconds);
    if (!options.keep) clip.root_motion.reset();
    report.has_motion = clip.root_motion.has_value();
  }
  return report;
}

Result<RootMotionReport> root_motion_from_events(Document& document, const RootMotionFromEventsOptions& options,
                                                 Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  RootMotionReport report;
  bool found = false;
  for (DocumentClip& each : document.clips) {
    Clip& clip = each.clip;
    const bool had = clip.root_motion.has_value();
    const std::vector<MotionKey> moves = motion_keys(clip, kMoves, 3, context),
                                 turns = motion_keys(clip, kTurns, 1, context);
    report = root_motion_report(clip, had);
    if (moves.empty() && turns.empty()) continue;
    found = true;
    RootMotion motion = had ? *clip.root_motion : RootMotion{.samples = {}};
    motion.duration_seconds = clip.duration_seconds;
    motion.samples.clear();
    const double step =
        clip.frame_count > 1 ? static_cast<double>(clip.duration_seconds) / (clip.frame_count - 1) : 0.0;
    for (std::int32_t f = 0; f < clip.frame_count; ++f) {
      const auto place = motion_value_at(moves, f * step);
      motion.samples.emplace_back(place[0], place[1], place[2],
                                  motion_value_at(turns, f * step)[0] / kDegreesPerRadian);
    }
    clip.root_motion = std::move(motion);
    if (!options.keep) erase_motion(clip);
    report = root_motion_report(clip, had);
  }
  if (!found) return fail(ErrorCode::NotFound, "no clip has events animmotion X Y Z or animrotation DEGREES");
  return report;
}

}  // namespace marrow
