// SPDX-License-Identifier: MIT
// Exact distances between cell centres, axis by axis (P. Felzenszwalb, D. Huttenlocher, "Distance Transforms of Sampled
// Functions", 2012).
#include "geometry/distance_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow::geometry {

namespace {

constexpr int kPadding = 2;
constexpr float kFar = 1e18f;

/// Squared distances along one line: the lower envelope of parabolas that stand on `heights`.
class LineTransform {
 public:
  explicit LineTransform(int longest)
      : heights(static_cast<std::size_t>(longest)),
        apex_(static_cast<std::size_t>(longest)),
        start_(static_cast<std::size_t>(longest) + 1) {}

  void run(int count) {
    int last = 0;
    apex_[0] = 0;
    start_[0] = -std::numeric_limits<double>::infinity();
    start_[1] = std::numeric_limits<double>::infinity();
    const auto height = [&](int i) { return static_cast<double>(heights[static_cast<std::size_t>(i)]); };
    const auto meet = [&](int q, int p) {
      return ((height(q) + static_cast<double>(q) * q) - (height(p) + static_cast<double>(p) * p)) / (2.0 * (q - p));
    };
    for (int q = 1; q < count; ++q) {
      double at = meet(q, apex_[static_cast<std::size_t>(last)]);
      while (at <= start_[static_cast<std::size_t>(last)]) at = meet(q, apex_[static_cast<std::size_t>(--last)]);
      ++last;
      apex_[static_cast<std::size_t>(last)] = q;
      start_[static_cast<std::size_t>(last)] = at;
      start_[static_cast<std::size_t>(last) + 1] = std::numeric_limits<double>::infinity();
    }
    result.resize(static_cast<std::size_t>(count));
    for (int i = 0, at = 0; i < count; ++i) {
      while (start_[static_cast<std::size_t>(at) + 1] < i) ++at;
      const int apex = apex_[static_cast<std::size_t>(at)];
      const double value = static_cast<double>(i - apex) * (i - apex) + height(apex);
      result[static_cast<std::size_t>(i)] = static_cast<float>(std::min(value, static_cast<double>(kFar)));
    }
  }

  std::vector<float> heights;
  std::vector<float> result;

 private:
  std::vector<int> apex_;
  std::vector<double> start_;
};

}  // namespace

DistanceGrid::DistanceGrid(std::span<const DVec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles,
                           int resolution) {
  DVec3 low(std::numeric_limits<double>::max());
  DVec3 high(std::numeric_limits<double>::lowest());
  for (const auto& triangle : triangles)
    for (std::uint32_t corner : triangle) {
      low = glm::min(low, vertices[corner]);
      high = glm::max(high, vertices[corner]);
    }
  const DVec3 extent = high - low;
  cell_ = std::max({extent.x, extent.y, extent.z}) / resolution;
  low_ = low - DVec3(kPadding * cell_);
  for (int axis = 0; axis < 3; ++axis)
    size_[static_cast<std::size_t>(axis)] = static_cast<int>(extent[axis] / cell_) + 1 + 2 * kPadding;
  places_.assign(index(size_[0] - 1, size_[1] - 1, size_[2] - 1) + 1, Place::Inside);
  mark_surface(vertices, triangles);
  mark_outside();
  measure_distances();
}

void DistanceGrid::mark_surface(std::span<const DVec3> vertices,
                                std::span<const std::array<std::uint32_t, 3>> triangles) {
  for (const auto& [a, b, c] : triangles) {
    const DVec3 u = (vertices[b] - vertices[a]) / cell_;
    const DVec3 v = (vertices[c] - vertices[a]) / cell_;
    const DVec3 from = (vertices[a] - low_) / cell_;
    // Points no farther apart than half a cell.
    const int steps = 1 + static_cast<int>(2.0 * std::max({glm::length(u), glm::length(v), glm::distance(u, v)}));
    for (int i = 0; i <= steps; ++i)
      for (int j = 0; i + j <= steps; ++j) {
        const DVec3 at = from + (u * static_cast<double>(i) + v * static_cast<double>(j)) / static_cast<double>(steps);
        places_[index(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z))] = Place::Surface;
      }
  }
}

void DistanceGrid::mark_outside() {
  std::vector<std::array<int, 3>> open = {{0, 0, 0}};  // a corner of the padding
  places_[0] = Place::Outside;
  while (!open.empty()) {
    const std::array<int, 3> at = open.back();
    open.pop_back();
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int step : {-1, 1}) {
        std::array<int, 3> next = at;
        next[axis] += step;
        if (next[axis] < 0 || next[axis] >= size_[axis]) continue;
        Place& place = places_[index(next[0], next[1], next[2])];
        if (place != Place::Inside) continue;
        place = Place::Outside;
        open.push_back(next);
      }
  }
}

void DistanceGrid::measure_distances() {
  distances_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) distances_[i] = places_[i] == Place::Outside ? kFar : 0.0f;
  LineTransform line(*std::max_element(size_.begin(), size_.end()));
  const std::size_t strides[3] = {1, index(0, 1, 0), index(0, 0, 1)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t other = axis == 0 ? 1 : 0;
    const std::size_t third = axis == 2 ? 1 : 2;
    for (int i = 0; i < size_[other]; ++i)
      for (int j = 0; j < size_[third]; ++j) {
        float* first = distances_.data() + static_cast<std::size_t>(i) * strides[other] +
                       static_cast<std::size_t>(j) * strides[third];
        for (int k = 0; k < size_[axis]; ++k)
          line.heights[static_cast<std::size_t>(k)] = first[static_cast<std::size_t>(k) * strides[axis]];
        line.run(size_[axis]);
        for (int k = 0; k < size_[axis]; ++k)
          first[static_cast<std::size_t>(k) * strides[axis]] = line.result[static_cast<std::size_t>(k)];
      }
  }
  for (float& distance : distances_) distance = static_cast<float>(std::sqrt(static_cast<double>(distance)) * cell_);
}

double DistanceGrid::farthest_inside(std::span<const HalfSpace> half_spaces) const {
  double farthest = 0.0;
  for (int z = 0; z < size_[2]; ++z)
    for (int y = 0; y < size_[1]; ++y) {
      // Along a row of cells the half-spaces leave one interval.
      const DVec3 start = low_ + DVec3(0.5, y + 0.5, z + 0.5) * cell_;
      double from = 0.0;
      double to = size_[0] - 1;
      for (const HalfSpace& half_space : half_spaces) {
        const double at_start = half_space.distance(start);
        const double slope = half_space.normal.x * cell_;
        if (slope > 0.0)
          to = std::min(to, -at_start / slope);
        else if (slope < 0.0)
          from = std::max(from, -at_start / slope);
        else if (at_start > 0.0)
          to = -1.0;
        if (from > to) break;
      }
      if (!(from <= to)) continue;  // also keeps `from` in the range of an int
      for (int x = static_cast<int>(std::ceil(from)); x <= to; ++x)
        farthest = std::max(farthest, static_cast<double>(distances_[index(x, y, z)]));
    }
  return farthest;
}

}  // namespace marrow::geometry
