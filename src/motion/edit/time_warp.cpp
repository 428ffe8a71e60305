// SPDX-License-Identifier: MIT
#include "motion/edit/time_warp.h"

#include <algorithm>
#include <map>
#include <string>

#include "marrow/core/text.h"

namespace marrow::motion {

MonotoneCurve::MonotoneCurve(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {
  std::vector<double> secants;
  for (std::size_t i = 0; i + 1 < points_.size(); ++i)
    secants.push_back((points_[i + 1].second - points_[i].second) / (points_[i + 1].first - points_[i].first));
  slopes_.push_back(secants.front());
  for (std::size_t i = 0; i + 1 < secants.size(); ++i) {
    const double sum = secants[i] + secants[i + 1];
    slopes_.push_back(sum > 0.0 ? 2.0 * secants[i] * secants[i + 1] / sum : 0.0);
  }
  slopes_.push_back(secants.back());
}

double MonotoneCurve::operator()(double x) const {
  x = std::clamp(x, points_.front().first, points_.back().first);
  std::size_t i = 0;
  while (i + 2 < points_.size() && x > points_[i + 1].first) ++i;
  const auto& [x0, y0] = points_[i];
  const auto& [x1, y1] = points_[i + 1];
  const double width = x1 - x0, t = (x - x0) / width, t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * y0 + (t3 - 2 * t2 + t) * width * slopes_[i] + (3 * t2 - 2 * t3) * y1 +
         (t3 - t2) * width * slopes_[i + 1];
}

std::vector<std::pair<double, double>> matching_times(const Clip& a, const Clip& b) {
  const auto times_of = [](const Clip& clip) {
    std::map<std::string, std::vector<double>> times;
    for (const AnnotationTrack& track : clip.annotation_tracks)
      for (const Annotation& event : track.annotations)
        times[to_lower(event.text)].push_back(static_cast<double>(event.time_seconds) /
                                              std::max(1e-9, static_cast<double>(clip.duration_seconds)));
    for (auto& [text, all] : times) std::ranges::sort(all);
    return times;
  };
  const auto in_a = times_of(a), in_b = times_of(b);
  std::vector<std::pair<double, double>> pairs;
  for (const auto& [text, times] : in_a) {
    const auto found = in_b.find(text);
    if (found == in_b.end() || found->second.size() != times.size()) continue;
    for (std::size_t i = 0; i < times.size(); ++i) pairs.emplace_back(times[i], found->second[i]);
  }
  std::ranges::sort(pairs);
  const double least_a = 2.0 / std::max(2, a.frame_count - 1), least_b = 2.0 / std::max(2, b.frame_count - 1);
  std::vector<std::pair<double, double>> kept = {{0.0, 0.0}};
  for (const auto& [x, y] : pairs)
    if (x >= kept.back().first + least_a && y >= kept.back().second + least_b && x <= 1.0 - least_a &&
        y <= 1.0 - least_b)
      kept.emplace_back(x, y);
  kept.emplace_back(1.0, 1.0);
  return kept;
}

}  // namespace marrow::motion
