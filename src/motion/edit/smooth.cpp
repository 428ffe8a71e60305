// SPDX-License-Identifier: MIT
// A convex problem: the path of rotation vectors Z that is straightest within a distance of the path X that was given.
// Solved by projected gradients with Nesterov's acceleration; 1/16 is the inverse of the largest curvature.
#include "motion/edit/smooth.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "motion/edit/turns.h"

namespace marrow::motion {
namespace {

constexpr int kRounds = 400;
constexpr double kStep = 1.0 / 16.0;

}  // namespace

void smooth_rotations(std::span<Quat> rotations, double degrees) {
  const std::size_t count = rotations.size();
  if (count < 4 || !(degrees > 0.0)) return;
  const double bound = degrees / kDegrees;
  std::vector<Vec3d> source = {Vec3d(0.0)};
  for (std::size_t i = 1; i < count; ++i)
    source.push_back(source.back() + turn_between(rotations[i - 1], rotations[i]));
  std::vector<Vec3d> now = source, ahead = source, bends(count, Vec3d(0.0));
  double momentum = 1.0;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 1; i + 1 < count; ++i) bends[i] = ahead[i + 1] - 2.0 * ahead[i] + ahead[i - 1];
    const double next = (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0;
    const double push = (momentum - 1.0) / next;
    momentum = next;
    std::vector<Vec3d> moved = now;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const Vec3d gradient = bends[i - 1] - 2.0 * bends[i] + bends[i + 1];
      const Vec3d off = ahead[i] - kStep * gradient - source[i];
      const double length = glm::length(off);
      moved[i] = source[i] + (length > bound ? off * (bound / length) : off);
    }
    for (std::size_t i = 1; i + 1 < count; ++i) ahead[i] = moved[i] + push * (moved[i] - now[i]);
    now = std::move(moved);
  }
  for (std::size_t i = 1; i + 1 < count; ++i)
    rotations[i] = narrow(rotation_of(now[i] - source[i]) * wide(rotations[i]));
}

}  // namespace marrow::motion
