// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/clip_time.h"
#include "motion/compiled_rig_data.h"
#include "motion/simulate.h"

namespace marrow::motion {
namespace {

constexpr double kSameTime = 1e-4;  // seconds; lengths that differ by less are the same

bool moves(const Clip& result, std::size_t bone, const Transform& rest) {
  for (std::int32_t frame = 0; frame < result.frame_count; ++frame)
    if (result.frame(frame)[bone] != rest) return true;
  return false;
}

// Returns the bones of the original's tracks, then the moved bones without a track, in order.
std::vector<std::int16_t> bones_of_tracks(const Clip& original, const Clip& result, const Rig& rig,
                                          const CompiledRig& compiled) {
  const auto& bones = rig.skeleton.bones;
  std::vector<std::int16_t> tracks;
  std::vector<bool> has_track(bones.size(), false), owns(bones.size(), false);
  for (std::size_t t = 0; t < static_cast<std::size_t>(original.track_count); ++t) {
    const auto bone = static_cast<std::int16_t>(bone_of_track(original, t));
    tracks.push_back(bone);
    if (bone >= 0 && static_cast<std::size_t>(bone) < bones.size()) has_track[static_cast<std::size_t>(bone)] = true;
  }
  for (const Step& step : compiled.data().steps) owns[static_cast<std::size_t>(step.owner)] = true;
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (!has_track[i] && (owns[i] || moves(result, i, bones[i].rest))) tracks.push_back(static_cast<std::int16_t>(i));
  return tracks;
}

// Repeats the events in every round of the clip, up to the end of the result. A clip that is shorter than a frame of
// the result is played only once.
void repeat_events(const Clip& original, Clip& out) {
  const double round = original.duration_seconds, end = out.duration_seconds + kSameTime;
  const bool goes_round = round * std::max(out.frame_count - 1, 1) > 0.999 * out.duration_seconds;
  for (AnnotationTrack& track : out.annotation_tracks) {
    const std::vector<Annotation> once = std::exchange(track.annotations, {});
    for (double start = 0.0; start < end && !once.empty(); start += round) {
      for (const Annotation& event : once)
        if (const double time = start + static_cast<double>(event.time_seconds); time <= end)
          track.annotations.push_back({std::min(static_cast<float>(time), out.duration_seconds), event.text});
      if (!goes_round) break;
    }
    std::ranges::stable_sort(track.annotations, {}, &Annotation::time_seconds);
  }
}

void repeat_root_motion(const Clip& original, Clip& out) {
  if (!out.root_motion || out.root_motion->samples.empty()) return;
  out.root_motion->duration_seconds = out.duration_seconds;
  out.root_motion->samples.clear();
  for (std::int32_t frame = 0; frame < out.frame_count; ++frame) {
    const double share = out.frame_count > 1 ? static_cast<double>(frame) / (out.frame_count - 1) : 0.0;
    const Travel travel = travelled(original, out.duration_seconds * share);
    out.root_motion->samples.emplace_back(Vec3(travel.placed.pos), static_cast<float>(travel.turn));
  }
}

void resample_floats(const Clip& original, Clip& out) {
  const auto floats = static_cast<std::size_t>(original.float_track_count);
  out.floats.clear();
  for (std::int32_t frame = 0; floats > 0 && frame < out.frame_count; ++frame) {
    const double share = out.frame_count > 1 ? static_cast<double>(frame) / (out.frame_count - 1) : 0.0;
    const ClipPlace place = place_of(static_cast<std::size_t>(original.frame_count), original.duration_seconds,
                                     time_in_round(original, out.duration_seconds * share));
    for (std::size_t i = 0; i < floats; ++i) {
      const float a = original.floats[place.frame0 * floats + i], b = original.floats[place.frame1 * floats + i];
      out.floats.push_back(a + (b - a) * static_cast<float>(place.share));
    }
  }
}

}  // namespace

Clip bake(const Clip& original, const Clip& result, const Rig& rig, const CompiledRig& compiled) {
  const std::size_t bones = rig.skeleton.bones.size();
  const std::vector<std::int16_t> tracks = bones_of_tracks(original, result, rig, compiled);
  Clip out = original;
  out.frame_count = result.frame_count;
  out.duration_seconds = result.duration_seconds;
  out.track_count = static_cast<std::int32_t>(tracks.size());
  bool identity = true;
  for (std::size_t t = 0; t < tracks.size(); ++t) identity &= tracks[t] == static_cast<std::int16_t>(t);
  out.track_to_bone = identity && original.track_to_bone.empty() ? std::vector<std::int16_t>{} : tracks;
  if (!out.annotation_tracks.empty()) out.annotation_tracks.resize(tracks.size());
  out.transforms.clear();
  for (std::int32_t frame = 0; frame < result.frame_count; ++frame) {
    const auto pose = result.frame(frame);
    for (const std::int16_t bone : tracks)
      out.transforms.push_back(
          bone >= 0 && static_cast<std::size_t>(bone) < bones ? pose[static_cast<std::size_t>(bone)] : Transform{});
  }
  resample_floats(original, out);
  if (std::abs(static_cast<double>(out.duration_seconds) - original.duration_seconds) > kSameTime) {
    repeat_events(original, out);
    repeat_root_motion(original, out);
  }
  return out;
}

}  // namespace marrow::motion
