// SPDX-License-Identifier: MIT
#include "motion/clip_time.h"

#include <cstdint>

#include "model/cubic_path.h"

namespace marrow::motion {
namespace {

struct Samples {
  const RootMotion& motion;
  double span;

  std::size_t count() const { return motion.samples.size(); }
  double seconds(std::size_t i) const { return static_cast<double>(i) * span; }
  glm::dvec4 value(std::size_t i) const { return glm::dvec4(motion.samples[i]); }
  bool joined(std::size_t) const { return true; }
};

Travel sample_at(const RootMotion& motion, double duration, double seconds) {
  const ClipPlace place = place_of(motion.samples.size(), duration, seconds);
  glm::dvec4 sample(motion.samples[place.share < 1.0 ? place.frame0 : place.frame1]);
  if (place.share > 0.0 && place.share < 1.0) {
    const Samples samples{motion, duration / static_cast<double>(motion.samples.size() - 1)};
    sample = on_cubic(sample, samples.value(place.frame1), key_speed(samples, place.frame0),
                      key_speed(samples, place.frame1), samples.span, place.share);
  }
  const DVec up = unit(DVec(motion.up), DVec(0, 0, 1));
  return {{DVec(sample), rotation_about(up, sample.w), DVec(1.0)}, sample.w};
}

// Applies `round` that many times, by doubling: a clip may be arbitrarily short.
Placement repeated(Placement round, std::int64_t times) {
  Placement all;
  for (; times > 0; times /= 2) {
    if (times % 2 != 0) all = all * round;
    round = round * round;
    round.rot = unit(round.rot);
  }
  return all;
}

}  // namespace

Travel travelled(const Clip& clip, double seconds) {
  if (!clip.root_motion || clip.root_motion->samples.empty()) return {};
  const RootMotion& motion = *clip.root_motion;
  const double duration = motion.duration_seconds > 0.0f ? motion.duration_seconds : clip.duration_seconds;
  if (!(duration > 0.0) || motion.samples.size() < 2) return sample_at(motion, 0.0, 0.0);
  if (seconds < 0.0) {
    Travel before = sample_at(motion, duration, 0.0);
    const double steps = seconds / duration * static_cast<double>(motion.samples.size() - 1);
    before.placed.pos += DVec(motion.samples[1] - motion.samples[0]) * steps;
    return before;
  }
  const double rounds = std::min(std::floor(seconds / duration + 1e-9), 1e15);
  const Travel round = sample_at(motion, duration, duration);
  const Travel travel{repeated(round.placed, static_cast<std::int64_t>(rounds)), round.turn * rounds};
  const Travel last = sample_at(motion, duration, std::max(0.0, seconds - rounds * duration));
  return {travel.placed * last.placed, travel.turn + last.turn};
}

}  // namespace marrow::motion
