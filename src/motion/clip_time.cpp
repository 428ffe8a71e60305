// SPDX-License-Identifier: MIT
#include "motion/clip_time.h"

#include <cstdint>

namespace marrow::motion {
namespace {

Travel sample_at(const RootMotion& motion, double duration, double seconds) {
  const ClipPlace place = place_of(motion.samples.size(), duration, seconds);
  const Vec4 &a = motion.samples[place.frame0], &b = motion.samples[place.frame1];
  const glm::dvec4 sample = glm::dvec4(a) + (glm::dvec4(b) - glm::dvec4(a)) * place.share;
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
