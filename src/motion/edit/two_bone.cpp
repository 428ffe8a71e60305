// SPDX-License-Identifier: MIT
#include "motion/edit/two_bone.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace marrow::motion {
namespace {

using Vec3d = glm::dvec3;
using Quatd = glm::dquat;

// The angle at the lower joint if the ends are so far apart.
double inner_angle(double upper, double lower, double distance) {
  return std::acos(
      std::clamp((upper * upper + lower * lower - distance * distance) / (2.0 * upper * lower), -1.0, 1.0));
}

}  // namespace

Quatd shortest_turn(const Vec3d& from, const Vec3d& to) {
  const double lengths = glm::length(from) * glm::length(to);
  if (!(lengths > 0.0)) return Quatd(1, 0, 0, 0);
  const Vec3d axis = glm::cross(from, to) / lengths;
  const double cosine = glm::dot(from, to) / lengths;
  if (cosine < -1.0 + 1e-12) {
    const Vec3d side = std::abs(from.x) < std::abs(from.z) ? Vec3d(1, 0, 0) : Vec3d(0, 0, 1);
    return glm::angleAxis(3.14159265358979323846, glm::normalize(glm::cross(from, side)));
  }
  return glm::normalize(Quatd(1.0 + cosine, axis.x, axis.y, axis.z));
}

LimbTurns solve_two_bones(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& target, const Vec3d& axis) {
  const double upper = glm::length(b - a), lower = glm::length(c - b), length = glm::length(axis);
  if (!(upper > 0.0) || !(lower > 0.0) || !(length > 0.0)) return {};
  const double distance =
      std::clamp(glm::length(target - a), std::abs(upper - lower) * (1.0 + 1e-5), (upper + lower) * (1.0 - 1e-5));
  const double bend = inner_angle(upper, lower, distance) - inner_angle(upper, lower, glm::length(c - a));
  LimbTurns turns;
  turns.lower = glm::angleAxis(-bend, axis / length);
  const Vec3d bent = b + turns.lower * (c - b);
  turns.upper = shortest_turn(bent - a, target - a);
  return turns;
}

double soft_reach(double distance, double reach) {
  const double soft = 0.97 * reach, rest = reach - soft;
  return distance <= soft ? distance : soft + rest * (1.0 - std::exp(-(distance - soft) / rest));
}

}  // namespace marrow::motion
