// SPDX-License-Identifier: MIT
#include "behavior/pack_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow::behavior {
namespace {

constexpr double kScreenShape = 1.6;                     // width by height
constexpr std::size_t kMostTried = 400;                  // more boxes are packed once, in one width
constexpr double kWidths[] = {1.0, 1.2, 1.4, 1.7, 2.0};  // of the square that all fill without waste

/// A piece of the lower edge of what is placed.
struct Edge {
  double x, width, y;
};

// The lower edge, from left to right. A box goes where it ends highest.
class Skyline {
 public:
  explicit Skyline(double width) : edges_{{0.0, width, 0.0}} {}

  PackedPlace put(const PackedSize& size) {
    std::size_t best = 0;
    double best_y = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < edges_.size(); ++i)
      if (const double y = level(i, size.width); y < best_y) {
        best = i;
        best_y = y;
      }
    const PackedPlace place{edges_[best].x, best_y};
    cover(best, {place.x, size.width, place.y + size.height});
    return place;
  }

 private:
  // How high a box can stand that begins at an edge; infinite if it does not fit.
  double level(std::size_t i, double width) const {
    double y = 0.0;
    for (double left = width; left > 1e-6; left -= edges_[i++].width) {
      if (i == edges_.size()) return std::numeric_limits<double>::infinity();
      y = std::max(y, edges_[i].y);
    }
    return y;
  }

  void cover(std::size_t i, const Edge& box) {
    const double end = box.x + box.width;
    std::size_t last = i;
    while (last < edges_.size() && edges_[last].x + edges_[last].width <= end + 1e-6) ++last;
    if (last < edges_.size() && edges_[last].x < end) {
      edges_[last].width -= end - edges_[last].x;
      edges_[last].x = end;
    }
    const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(i);
    edges_.insert(edges_.erase(first, edges_.begin() + static_cast<std::ptrdiff_t>(last)), box);
  }

  std::vector<Edge> edges_;
};

PackedSize pack_into(std::span<const PackedSize> sizes, double gap, double width, std::vector<PackedPlace>& places) {
  Skyline skyline(width);
  PackedSize whole;
  places.clear();
  for (const PackedSize& size : sizes) {
    const PackedPlace& place = places.emplace_back(skyline.put({size.width + gap, size.height + gap}));
    whole.width = std::max(whole.width, place.x + size.width);
    whole.height = std::max(whole.height, place.y + size.height);
  }
  return whole;
}

}  // namespace

PackedSize pack_boxes(std::span<const PackedSize> sizes, double gap, std::vector<PackedPlace>& places) {
  places.clear();
  if (sizes.empty()) return {};
  double area = 0.0, widest = 0.0;
  for (const PackedSize& size : sizes) {
    area += (size.width + gap) * (size.height + gap);
    widest = std::max(widest, size.width + gap);
  }
  PackedSize best;
  double best_cost = std::numeric_limits<double>::infinity();
  std::vector<PackedPlace> tried;
  for (const double factor : kWidths) {
    const double width = std::max(widest, std::sqrt(area * kScreenShape) * factor);
    const PackedSize whole = pack_into(sizes, gap, width, tried);
    const double cost = std::max(whole.width, whole.height * kScreenShape);
    if (cost < best_cost) {
      best_cost = cost;
      best = whole;
      places.swap(tried);
    }
    if (sizes.size() > kMostTried) break;
  }
  return best;
}

}  // namespace marrow::behavior
