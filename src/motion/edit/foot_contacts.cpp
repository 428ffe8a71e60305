// SPDX-License-Identifier: MIT
#include "motion/edit/foot_contacts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "motion/edit/posed_body.h"

namespace marrow::motion {
namespace {

// A contact begins below the first and ends above the second.
constexpr double kLowBegin = 0.02, kLowEnd = 0.04;                // of the leg's length
constexpr double kSpeedShare = 0.15, kSlow = 0.10, kFast = 0.35;  // leg lengths per second
constexpr double kLeastSeconds = 0.1, kGapSeconds = 0.067;

// Runs of true shorter than `least` frames become false; gaps up to `gap` frames are closed first.
void clean_runs(std::vector<std::uint8_t>& stands, std::size_t least, std::size_t gap) {
  const auto each_run = [&](std::uint8_t value, const auto& act) {
    for (std::size_t i = 0; i < stands.size();) {
      std::size_t end = i;
      while (end < stands.size() && stands[end] == stands[i]) ++end;
      if (stands[i] == value) act(i, end);
      i = end;
    }
  };
  each_run(0, [&](std::size_t from, std::size_t to) {
    if (from > 0 && to < stands.size() && to - from <= gap)
      std::fill(stands.begin() + static_cast<std::ptrdiff_t>(from), stands.begin() + static_cast<std::ptrdiff_t>(to),
                std::uint8_t{1});
  });
  each_run(1, [&](std::size_t from, std::size_t to) {
    if (to - from < least)
      std::fill(stands.begin() + static_cast<std::ptrdiff_t>(from), stands.begin() + static_cast<std::ptrdiff_t>(to),
                std::uint8_t{0});
  });
}

std::vector<std::uint8_t> standing(std::span<const Vec3d> points, double leg_length, double frame_seconds) {
  const std::vector<double> speeds = speeds_of(points, frame_seconds);
  std::vector<double> heights;
  for (const Vec3d& point : points) heights.push_back(point.z);
  const double ground = quantile(heights, 0.05);
  const double slow = std::clamp(kSpeedShare * quantile(speeds, 0.9), kSlow * leg_length, kFast * leg_length);
  std::vector<std::uint8_t> stands(points.size(), 0);
  const auto holds = [&](std::size_t i, double low, double speed) {
    return heights[i] - ground < low * leg_length && speeds[i] < speed;
  };
  bool is_down = false;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    is_down = is_down ? holds(i, kLowEnd, 2.0 * slow) : holds(i, kLowBegin, slow);
    stands[i] = is_down;
  }
  const auto frames = [&](double seconds) {
    return static_cast<std::size_t>(std::clamp(std::round(seconds / frame_seconds), 1.0, 1e6));
  };
  clean_runs(stands, frames(kLeastSeconds), frames(kGapSeconds));
  return stands;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<double> speeds_of(std::span<const Vec3d> points, double frame_seconds) {
  std::vector<double> speeds(points.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double sum = 0.0, count = 0.0;
    if (i > 0) sum += glm::length(points[i] - points[i - 1]), ++count;
    if (i + 1 < points.size()) sum += glm::length(points[i + 1] - points[i]), ++count;
    if (count > 0.0) speeds[i] = sum / (count * frame_seconds);
  }
  return speeds;
}

LegPaths leg_paths(const Skeleton& skeleton, const Limb& leg, const Clip& clip) {
  std::vector<Transform> rest;
  for (const Bone& bone : skeleton.bones) rest.push_back(bone.rest);
  local_to_model(skeleton, rest, rest);
  const auto rest_place = [&](std::int32_t bone) { return Vec3d(rest[at(bone)].translation); };
  LegPaths paths{.length = glm::length(rest_place(leg.lower) - rest_place(leg.upper)) +
                           glm::length(rest_place(leg.end) - rest_place(leg.lower))};
  PosedBody body(skeleton, clip);
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    paths.ankle.push_back(body.place(leg.end));
    paths.toe.push_back(body.place(leg.toe == kNoBone ? leg.end : leg.toe));
  }
  return paths;
}

std::vector<Stance> find_stances(std::span<const Vec3d> toe, std::span<const Vec3d> heel, double leg_length,
                                 double frame_seconds) {
  const auto on_toe = standing(toe, leg_length, frame_seconds), on_heel = standing(heel, leg_length, frame_seconds);
  std::vector<Stance> stances(toe.size(), Stance::None);
  for (std::size_t i = 0; i < stances.size(); ++i)
    stances[i] = on_toe[i] ? Stance::Toe : on_heel[i] ? Stance::Heel : Stance::None;
  return stances;
}

Vec3d find_treadmill(std::span<const LegPaths> legs, double frame_seconds) {
  if (legs.empty() || legs.front().ankle.size() < 4) return Vec3d(0.0);
  std::vector<double> x, y;
  for (std::size_t f = 0; f + 1 < legs.front().ankle.size(); ++f) {
    const std::vector<Vec3d>* lowest = nullptr;
    for (const LegPaths& leg : legs)
      for (const std::vector<Vec3d>* point : {&leg.ankle, &leg.toe})
        if (!lowest || (*point)[f].z < (*lowest)[f].z) lowest = point;
    x.push_back((*lowest)[f + 1].x - (*lowest)[f].x);
    y.push_back((*lowest)[f + 1].y - (*lowest)[f].y);
  }
  const Vec3d median(quantile(x, 0.5), quantile(y, 0.5), 0.0);
  std::vector<double> away;
  for (std::size_t i = 0; i < x.size(); ++i) away.push_back(std::hypot(x[i] - median.x, y[i] - median.y));
  const double speed = glm::length(median);
  if (speed <= 0.01 * legs.front().length * 30.0 * frame_seconds || quantile(away, 0.5) >= 0.5 * speed)
    return Vec3d(0.0);
  return median;
}

}  // namespace marrow::motion
