// SPDX-License-Identifier: MIT
#include "motion/contacts.h"

#include <algorithm>
#include <limits>

namespace marrow::motion {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The share of the segment at which it is nearest to a point.
double nearest_share(const DVec& a, const DVec& b, const DVec& point) {
  const DVec along = b - a;
  const double square = glm::dot(along, along);
  return square > 1e-18 ? std::clamp(glm::dot(point - a, along) / square, 0.0, 1.0) : 0.0;
}

double nearest_square(const DVec& a, const DVec& b, const DVec& point) {
  const DVec apart = a + (b - a) * nearest_share(a, b, point) - point;
  return glm::dot(apart, apart);
}

// Any direction at right angles to another, always the same one.
DVec across(const DVec& direction) {
  return unit(glm::cross(direction, std::abs(direction.x) < 0.8 ? DVec(1, 0, 0) : DVec(0, 1, 0)), DVec(0, 0, 1));
}

}  // namespace

Touch Surroundings::deepest(const DVec& point, double radius, double share) const {
  Touch most;
  if (ground && *ground + radius - point.z > 0.0)
    most = {.depth = *ground + radius - point.z,
            .out = DVec(0, 0, 1),
            .centre = DVec(point.x, point.y, *ground),
            .distance = radius,
            .is_ground = true};
  for (const std::uint32_t index : near) {
    const Solid& solid = solids[index];
    const DVec a = solid.a0 + (solid.a1 - solid.a0) * share, b = solid.b0 + (solid.b1 - solid.b0) * share;
    const double along = nearest_share(a, b, point);
    const DVec centre = a + (b - a) * along, apart = point - centre;
    const double away = std::sqrt(glm::dot(apart, apart)), distance = solid.radius + radius;
    if (!(distance - away > most.depth)) continue;
    most = {.depth = distance - away,
            .out = away > 1e-9 ? apart * (1.0 / away) : across(unit(b - a, DVec(0, 0, 1))),
            .centre = centre,
            .distance = distance};
    if (seconds > 0.0) {
      const DVec moved_a = solid.a1 - solid.a0, moved_b = solid.b1 - solid.b0;
      most.velocity = (moved_a + (moved_b - moved_a) * along) * (1.0 / seconds);
    }
  }
  return most;
}

void Solids::resize(std::size_t count) {
  solids_.resize(count);
  order_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) order_[i] = {-kInfinity, kInfinity, kInfinity, i};
  found_.resize(count);
}

void Solids::place(std::size_t index, const Solid& solid) { solids_[index] = solid; }

// By insertion: from frame to frame the order hardly changes.
void Solids::sort() {
  for (Extent& each : order_) {
    const Solid& s = solids_[each.index];
    each.low = std::min({s.a0.x, s.b0.x, s.a1.x, s.b1.x}) - s.radius;
    each.high = std::max({s.a0.x, s.b0.x, s.a1.x, s.b1.x}) + s.radius;
  }
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const Extent moved = order_[i];
    std::size_t to = i;
    for (; to > 0 && order_[to - 1].low > moved.low; --to) order_[to] = order_[to - 1];
    order_[to] = moved;
  }
  double highest = -kInfinity;
  for (Extent& each : order_) each.highest_so_far = highest = std::max(highest, each.high);
}

std::span<const std::uint32_t> Solids::within(const DVec& point, double reach, std::span<const std::uint8_t> skipped) {
  std::size_t count = 0;
  auto at = std::ranges::upper_bound(order_, point.x + reach, {}, &Extent::low);
  // All that start before the point's far side; back until none of those before reaches its near side.
  while (at != order_.begin()) {
    --at;
    if (at->highest_so_far < point.x - reach) break;
    if (at->high < point.x - reach || skipped[at->index] != 0) continue;
    const Solid& s = solids_[at->index];
    const double moved = std::sqrt(std::max(glm::dot(s.a1 - s.a0, s.a1 - s.a0), glm::dot(s.b1 - s.b0, s.b1 - s.b0)));
    const double far = reach + s.radius + moved;
    if (nearest_square(s.a1, s.b1, point) <= far * far) found_[count++] = at->index;
  }
  // The order in which solids push must not depend on where they are.
  const std::span<std::uint32_t> found(found_.data(), count);
  std::ranges::sort(found);
  return found;
}

DVec turned_out(const DVec& direction, double length, const DVec& anchor, const Touch& touch) {
  if (touch.is_ground) {
    const double height = touch.centre.z + touch.distance - anchor.z;
    const double up = std::clamp(height / length, -1.0, 1.0);
    const DVec level = unit(DVec(direction.x, direction.y, 0.0), DVec(1, 0, 0));
    return level * std::sqrt(std::max(0.0, 1.0 - up * up)) + DVec(0, 0, up);
  }
  const DVec toward = touch.centre - anchor;
  const double distance = std::sqrt(glm::dot(toward, toward));
  if (distance < 1e-9) return direction;
  // On the sphere that the tip moves on, the solid covers a cap about this axis: the tip is turned to its rim.
  const DVec axis = toward * (1.0 / distance);
  const double rim =
      (length * length + distance * distance - touch.distance * touch.distance) / (2.0 * length * distance);
  if (rim <= -1.0) return -axis;  // the cap is all of the sphere: as far out as it goes
  const double cosine = std::min(rim, 1.0);
  const DVec away = unit(direction - axis * glm::dot(direction, axis), across(axis));
  return unit(axis * cosine + away * std::sqrt(std::max(0.0, 1.0 - cosine * cosine)), direction);
}

}  // namespace marrow::motion
