// SPDX-License-Identifier: MIT
#include "motion/edit/seam.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "motion/edit/splice_clip.h"
#include "motion/edit/turns.h"

namespace marrow::motion {
namespace {

double acceleration(const Clip& clip, std::int32_t frame, std::size_t track) {
  const Quat &before = clip.frame(frame - 1)[track].rotation, &now = clip.frame(frame)[track].rotation,
             &after = clip.frame(frame + 1)[track].rotation;
  const double rate = 1.0 / (30.0 * frame_seconds_of(clip));
  return glm::length(turn_between(now, after) - turn_between(before, now)) * kDegrees * rate * rate;
}

// Between the two nearest values: in a short clip the lower one leaves out a jerk that is the clip's own.
double percentile_99(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const double at = 0.99 * static_cast<double>(values.size() - 1), whole = std::floor(at);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(values.begin(), place, values.end());
  const auto next = std::min_element(place + 1, values.end());
  return next == values.end() ? *place : *place + (at - whole) * (*next - *place);
}

}  // namespace

Seam judge_seam(const Clip& clip, std::int32_t first, std::int32_t last, std::span<const Clip* const> sources) {
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  std::vector<double> inside(tracks, 0.0), worst_of_frames;
  for (const Clip* source : sources) {
    std::vector<double> worst(static_cast<std::size_t>(std::max(source->frame_count, 2)), 0.0);
    for (std::size_t t = 0; t < tracks; ++t) {
      std::vector<double> values;
      for (std::int32_t f = 1; f + 1 < source->frame_count; ++f) {
        values.push_back(acceleration(*source, f, t));
        worst[static_cast<std::size_t>(f)] = std::max(worst[static_cast<std::size_t>(f)], values.back());
      }
      inside[t] = std::max(inside[t], percentile_99(std::move(values)));
    }
    worst_of_frames.insert(worst_of_frames.end(), worst.begin() + 1, worst.end() - 1);
  }
  const double floor = std::max(0.2 * percentile_99(std::move(worst_of_frames)), 0.1);
  Seam seam{.frame = first};
  for (std::int32_t f = std::max(first, 1); f <= last && f + 1 < clip.frame_count; ++f)
    for (std::size_t t = 0; t < tracks; ++t) {
      const double here = acceleration(clip, f, t), least = std::max(inside[t], floor);
      if (here / least > seam.factor) seam = {f, t, here, least, here / least};
    }
  return seam;
}

double peak_acceleration(const Clip& clip, std::span<const std::int32_t> bones) {
  double peak = 0.0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip.track_count); ++t) {
    if (std::ranges::find(bones, bone_of_track(clip, t)) == bones.end()) continue;
    for (std::int32_t f = 1; f + 1 < clip.frame_count; ++f) peak = std::max(peak, acceleration(clip, f, t));
  }
  return peak;
}

}  // namespace marrow::motion
