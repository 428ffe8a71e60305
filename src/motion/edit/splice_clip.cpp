// SPDX-License-Identifier: MIT
#include "motion/edit/splice_clip.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "marrow/core/text.h"
#include "motion/edit/root_path.h"

namespace marrow::motion {
namespace {

/// Where a part lies in the result.
struct PlacedPart {
  const ClipPart& part;
  std::int32_t start = 0;  ///< frame of the result
  double source_step = 0;  ///< seconds per frame of the source
  double step = 0;         ///< of the result

  std::int32_t length() const { return (part.last - part.first) * part.stretch; }

  /// Returns the time of an event in the result; negative if it is outside the part.
  double time_of(double seconds) const {
    constexpr double kSlack = 0.01;  // files store times a hair behind their frame
    const double frame = seconds / source_step;
    if (frame < part.first - kSlack || frame > part.last + kSlack) return -1.0;
    const double inside = part.is_reversed ? part.last - frame : frame - part.first;
    const double placed = std::clamp(inside * part.stretch, 0.0, static_cast<double>(length()));
    return (start + placed) * step;
  }
};

void add_events(Clip& out, const PlacedPart& placed) {
  const double slack = 0.01 * placed.step, seam = placed.start * placed.step;
  const auto& tracks = placed.part.clip->annotation_tracks;
  if (out.annotation_tracks.size() < tracks.size()) out.annotation_tracks.resize(tracks.size());
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    AnnotationTrack& into = out.annotation_tracks[t];
    if (into.name.empty()) into.name = tracks[t].name;
    const std::size_t before = into.annotations.size();
    const auto add = [&](const Annotation& event) {
      const double time = placed.time_of(static_cast<double>(event.time_seconds));
      if (time < 0.0) return;
      const auto is_same = [&](const Annotation& other) {
        return other.text == event.text && std::abs(static_cast<double>(other.time_seconds) - seam) <= slack;
      };
      const auto earlier = std::span(into.annotations).first(before);
      if (time <= seam + slack && std::ranges::any_of(earlier, is_same)) return;
      into.annotations.push_back({static_cast<float>(time), event.text});
    };
    const auto& events = tracks[t].annotations;
    if (placed.part.is_reversed)
      std::for_each(events.rbegin(), events.rend(), add);
    else
      std::ranges::for_each(events, add);
  }
}

RootMotion path_of(const PlacedPart& placed) {
  const ClipPart& part = placed.part;
  const RootMotion still{.samples = {}};
  const RootMotion path =
      path_at_frames(part.clip->root_motion ? *part.clip->root_motion : still, part.clip->frame_count);
  RootMotion own = part.is_reversed ? path_part(path, part.last, part.first) : path_part(path, part.first, part.last);
  return part.stretch == 1 ? own : path_at_frames(own, placed.length() + 1);
}

void add_path(Clip& out, const PlacedPart& placed) {
  if (!out.root_motion) return;
  RootMotion path = path_of(placed);
  if (out.root_motion->samples.empty())
    out.root_motion->samples = std::move(path.samples);
  else
    append_path(*out.root_motion, path);
}

void add_frames(Clip& out, const PlacedPart& placed) {
  const ClipPart& part = placed.part;
  const auto tracks = static_cast<std::size_t>(out.track_count),
             floats = static_cast<std::size_t>(out.float_track_count);
  // The later part is right at the frame that it shares.
  out.transforms.resize(static_cast<std::size_t>(placed.start) * tracks);
  out.floats.resize(static_cast<std::size_t>(placed.start) * floats);
  std::vector<Transform> pose(tracks);
  std::vector<float> values(floats);
  for (std::int32_t i = 0; i <= placed.length(); ++i) {
    const double inside = static_cast<double>(i) / part.stretch;
    const double frame = part.is_reversed ? part.last - inside : part.first + inside;
    sample_frame(*part.clip, frame, pose);
    sample_floats(*part.clip, frame, values);
    out.transforms.insert(out.transforms.end(), pose.begin(), pose.end());
    out.floats.insert(out.floats.end(), values.begin(), values.end());
  }
}

}  // namespace

double frame_seconds_of(const Clip& clip) {
  return clip.frame_count > 1 && clip.duration_seconds > 0.0f
             ? static_cast<double>(clip.duration_seconds) / (clip.frame_count - 1)
             : 1.0 / 30.0;
}

Clip splice_clips(std::span<const ClipPart> parts, double frame_seconds) {
  Clip out = *parts.front().clip;
  out.transforms.clear();
  out.floats.clear();
  out.frame_count = 1;
  for (AnnotationTrack& track : out.annotation_tracks) track.annotations.clear();
  const bool has_frames =
      std::ranges::all_of(parts, [](const ClipPart& part) { return !part.clip->transforms.empty(); });
  for (const ClipPart& part : parts)
    if (!out.root_motion && part.clip->root_motion) out.root_motion = part.clip->root_motion;
  if (out.root_motion) out.root_motion->samples.clear();
  for (const ClipPart& part : parts) {
    const PlacedPart placed{part, out.frame_count - 1, frame_seconds_of(*part.clip), frame_seconds};
    add_events(out, placed);
    add_path(out, placed);
    if (has_frames) add_frames(out, placed);
    out.frame_count += placed.length();
  }
  // Files keep the duration of a frame too: it is rounded first, so that both agree.
  out.duration_seconds =
      static_cast<float>((out.frame_count - 1) * static_cast<double>(static_cast<float>(frame_seconds)));
  for (AnnotationTrack& track : out.annotation_tracks)
    for (Annotation& event : track.annotations) event.time_seconds = std::min(event.time_seconds, out.duration_seconds);
  if (out.root_motion) out.root_motion->duration_seconds = out.duration_seconds;
  return out;
}

std::vector<std::string> broken_sounds(const Clip& before, const Clip& after) {
  const auto sounds = [](const Clip& clip, std::string_view prefix) {
    std::multiset<std::string> names;
    for (const AnnotationTrack& track : clip.annotation_tracks)
      for (const Annotation& event : track.annotations)
        if (event.text.starts_with(prefix)) names.insert(event.text.substr(prefix.size()));
    return names;
  };
  std::vector<std::string> broken;
  const auto plays = sounds(before, "SoundPlay."), stops = sounds(before, "SoundStop.");
  const auto left_plays = sounds(after, "SoundPlay."), left_stops = sounds(after, "SoundStop.");
  std::set<std::string> names(plays.begin(), plays.end());
  for (const std::string& name : names)
    if (stops.contains(name) && left_plays.contains(name) != left_stops.contains(name)) broken.push_back(name);
  return broken;
}

}  // namespace marrow::motion
