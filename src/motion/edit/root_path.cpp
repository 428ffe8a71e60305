// SPDX-License-Identifier: MIT
#include "motion/edit/root_path.h"

#include <algorithm>
#include <cmath>
#include <glm/ext/quaternion_double.hpp>
#include <glm/gtc/quaternion.hpp>

namespace marrow::motion {
namespace {

using Vec3d = glm::dvec3;
using Vec4d = glm::dvec4;

Vec3d unit_up(const Vec4& up) {
  const Vec3d axis(up);
  const double length = glm::length(axis);
  return length > 0.0 ? axis / length : Vec3d(0, 0, 1);
}

Vec3d turned(const Vec3d& way, double angle, const Vec4& up) { return glm::angleAxis(angle, unit_up(up)) * way; }

/// Returns `sample` as seen from `base`.
Vec4d seen_from(const Vec4& base, const Vec4& sample, const Vec4& up) {
  const Vec4d way = Vec4d(sample) - Vec4d(base);
  return {turned(Vec3d(way), -static_cast<double>(base.w), up), way.w};
}

Vec4d laid_on(const Vec4& base, const Vec4d& way, const Vec4& up) {
  return Vec4d(base) + Vec4d(turned(Vec3d(way), static_cast<double>(base.w), up), way.w);
}

}  // namespace

RootMotion path_at_frames(const RootMotion& motion, std::int32_t frame_count) {
  RootMotion path = motion;
  if (path.samples.size() == static_cast<std::size_t>(frame_count)) return path;
  path.samples.clear();
  for (std::int32_t frame = 0; frame < frame_count; ++frame) {
    if (motion.samples.empty()) {
      path.samples.emplace_back(0.0f);
      continue;
    }
    const double at = frame_count > 1 ? static_cast<double>(frame) / (frame_count - 1) *
                                            static_cast<double>(motion.samples.size() - 1)
                                      : 0.0;
    const auto index = std::min(static_cast<std::size_t>(at), motion.samples.size() - 1);
    const Vec4 &from = motion.samples[index], &to = motion.samples[std::min(index + 1, motion.samples.size() - 1)];
    path.samples.push_back(glm::mix(from, to, static_cast<float>(at - static_cast<double>(index))));
  }
  return path;
}

RootMotion path_part(const RootMotion& path, std::int32_t first, std::int32_t last) {
  RootMotion part = path;
  part.samples.clear();
  const Vec4 base = path.samples[static_cast<std::size_t>(first)];
  for (std::int32_t frame = first;; frame += first <= last ? 1 : -1) {
    part.samples.emplace_back(seen_from(base, path.samples[static_cast<std::size_t>(frame)], path.up));
    if (frame == last) return part;
  }
}

void append_path(RootMotion& path, const RootMotion& next) {
  const Vec4 base = path.samples.back();
  for (std::size_t i = 1; i < next.samples.size(); ++i)
    path.samples.emplace_back(laid_on(base, seen_from(next.samples.front(), next.samples[i], next.up), path.up));
}

Vec4 step_between(const RootMotion& path, std::int32_t frame) {
  const auto i = static_cast<std::size_t>(frame);
  return Vec4(seen_from(path.samples[i], path.samples[i + 1], path.up));
}

Vec4 step_on(const Vec4& from, const Vec4& step, const Vec4& up) { return Vec4(laid_on(from, Vec4d(step), up)); }

}  // namespace marrow::motion
