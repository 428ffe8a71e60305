// SPDX-License-Identifier: MIT
#include "motion/edit/blend.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "motion/edit/root_path.h"
#include "motion/edit/splice_clip.h"
#include "motion/edit/turns.h"

namespace marrow::motion {
namespace {

Quat slerp_as_is(const Quat& a, const Quat& b, double weight) {
  const Quatd from = wide(a), to = wide(b);
  const double cosine = std::clamp(glm::dot(from, to), -1.0, 1.0), angle = std::acos(cosine);
  if (angle < 1e-6) return narrow(from * (1.0 - weight) + to * weight);
  if (angle > std::numbers::pi - 1e-6) return weight < 0.5 ? a : b;
  return narrow((from * std::sin((1.0 - weight) * angle) + to * std::sin(weight * angle)) / std::sin(angle));
}

// The header of a clip of some frames, with the events of a window of each of two clips.
Clip fade_header(const Clip& a, const Clip& b, std::int32_t frames, std::int32_t a_start) {
  const double step = frame_seconds_of(a);
  const std::int32_t middle = frames / 2;
  std::vector<ClipPart> parts;
  if (middle > 0) parts.push_back({&a, a_start, a_start + middle});
  parts.push_back({&b, middle, frames});
  Clip events_a = a, events_b = b;
  for (Clip* each : {&events_a, &events_b}) {
    each->transforms.clear();
    each->floats.clear();
    each->root_motion.reset();
  }
  parts.front().clip = middle > 0 ? &events_a : &events_b;
  parts.back().clip = &events_b;
  return splice_clips(parts, step);
}

}  // namespace

double ease(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

Transform mix(const Transform& a, const Transform& b, double weight) {
  const auto share = static_cast<float>(weight);
  return {glm::mix(a.translation, b.translation, share), slerp_as_is(a.rotation, b.rotation, weight),
          glm::mix(a.scale, b.scale, share)};
}

Transform PoseMixer::mix(std::size_t track, const Transform& a, const Transform& b, double weight) {
  if (weight <= 0.0) return a;
  if (weight >= 1.0) return b;
  const float cosine = glm::dot(a.rotation, b.rotation);
  float& sign = signs_[track];
  if (sign == 0.0f)
    sign = cosine < 0.0f ? -1.0f : 1.0f;
  else if (sign * cosine < -0.5f)
    sign = -sign;
  Transform near = b;
  near.rotation = b.rotation * sign;
  return motion::mix(a, near, weight);
}

std::optional<RootMotion> mixed_path(const Clip& a, const Clip& b, std::int32_t frame_count,
                                     const std::function<double(double)>& frame_a,
                                     const std::function<double(double)>& frame_b,
                                     const std::function<double(double)>& weight) {
  if (!a.root_motion && !b.root_motion) return std::nullopt;
  RootMotion path = a.root_motion ? *a.root_motion : *b.root_motion;
  path.samples = {Vec4(0.0f)};
  const auto at = [](const Clip& clip, double frame) {
    const double last = std::max(1, clip.frame_count - 1);
    RootMotion two = clip.root_motion ? *clip.root_motion : RootMotion{.samples = {}};
    if (two.samples.empty()) return Vec4(0.0f);
    const double place = std::clamp(frame / last, 0.0, 1.0) * static_cast<double>(two.samples.size() - 1);
    const auto index = static_cast<std::size_t>(place);
    return glm::mix(two.samples[index], two.samples[std::min(index + 1, two.samples.size() - 1)],
                    static_cast<float>(place - static_cast<double>(index)));
  };
  for (std::int32_t i = 0; i + 1 < frame_count; ++i) {
    RootMotion step_a = path, step_b = path;
    step_a.samples = {at(a, frame_a(i)), at(a, frame_a(i + 1))};
    step_b.samples = {at(b, frame_b(i)), at(b, frame_b(i + 1))};
    const auto share = static_cast<float>(weight(i + 0.5));
    const Vec4 step = glm::mix(step_between(step_a, 0), step_between(step_b, 0), share);
    path.samples.push_back(step_on(path.samples.back(), step, path.up));
  }
  return path;
}

Clip crossfade(const Clip& a, const Clip& b, std::int32_t frames) {
  const std::int32_t start = a.frame_count - 1 - frames;
  Clip out = fade_header(a, b, frames, start);
  const auto tracks = static_cast<std::size_t>(a.track_count), floats = static_cast<std::size_t>(a.float_track_count);
  PoseMixer mixer(tracks);
  for (std::int32_t i = 0; i <= frames; ++i) {
    const double weight = ease(static_cast<double>(i) / frames);
    for (std::size_t t = 0; t < tracks; ++t)
      out.transforms.push_back(mixer.mix(t, a.frame(start + i)[t], b.frame(i)[t], weight));
    for (std::size_t t = 0; t < floats; ++t)
      out.floats.push_back(glm::mix(a.floats[static_cast<std::size_t>(start + i) * floats + t],
                                    b.floats[static_cast<std::size_t>(i) * floats + t], static_cast<float>(weight)));
  }
  out.root_motion = mixed_path(
      a, b, frames + 1, [&](double i) { return start + i; }, [](double i) { return i; },
      [&](double i) { return ease(i / frames); });
  if (out.root_motion) out.root_motion->duration_seconds = out.duration_seconds;
  return out;
}

Clip inertial_start(const Clip& a, const Clip& b, std::int32_t frames) {
  const std::vector<ClipPart> part = {{&b, 0, frames}};
  Clip out = splice_clips(part, frame_seconds_of(b));
  const auto tracks = static_cast<std::size_t>(b.track_count);
  const std::int32_t end = a.frame_count - 1;
  for (std::size_t t = 0; t < tracks; ++t) {
    const Transform &last = a.frame(end)[t], &before = a.frame(std::max(end - 1, 0))[t];
    const Transform &first = b.frame(0)[t], &next = b.frame(std::min(1, b.frame_count - 1))[t];
    const Vec3d turn = turn_between(first.rotation, last.rotation);
    const Vec3d spin = turn_between(before.rotation, last.rotation) - turn_between(first.rotation, next.rotation);
    const Vec3d way = Vec3d(last.translation) - Vec3d(first.translation);
    const Vec3d speed = Vec3d(last.translation - before.translation) - Vec3d(next.translation - first.translation);
    for (std::int32_t i = 0; i <= frames; ++i) {
      const double x = static_cast<double>(i) / frames, x3 = x * x * x;
      // Quintic Hermite polynomials that end with value, speed and acceleration 0.
      const double value = 1.0 - 10.0 * x3 + 15.0 * x3 * x - 6.0 * x3 * x * x;
      const double slope = frames * (x - 6.0 * x3 + 8.0 * x3 * x - 3.0 * x3 * x * x);
      Transform& pose = out.transforms[static_cast<std::size_t>(i) * tracks + t];
      pose.rotation = narrow(rotation_of(turn * value + spin * slope) * wide(pose.rotation));
      pose.translation += Vec3(way * value + speed * slope);
      pose.scale += (last.scale - first.scale) * static_cast<float>(value);
    }
  }
  return out;
}

}  // namespace marrow::motion
