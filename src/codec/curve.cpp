// SPDX-License-Identifier: MIT
#include "codec/curve.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <span>

namespace marrow::codec::edit {
namespace {

using Index = std::ptrdiff_t;

// The index of the first knot at `frame` or after, and the number of knots at `frame`.
struct KnotPlace {
  Index first = 0, count = 0;
};

KnotPlace place_of(const Curve& curve, std::int32_t frame) {
  const auto [low, high] = std::ranges::equal_range(curve.knots, frame);
  return {low - curve.knots.begin(), high - low};
}

double knot(const Curve& curve, Index index) { return curve.knots[static_cast<std::size_t>(index)]; }

ControlPoint mixed(const ControlPoint& a, const ControlPoint& b, double share) {
  // A weight of 0 or 1 is one of the two, with its code.
  if (share <= 0.0) return a;
  if (share >= 1.0) return b;
  return {.value = (1.0 - share) * a.value + share * b.value};
}

// The Bezier points of one span, which has full knots at both ends, in one degree more.
std::vector<ControlPoint> raised_span(std::span<const ControlPoint> points) {
  const std::size_t degree = points.size() - 1;
  std::vector<ControlPoint> out{points.front()};
  for (std::size_t i = 1; i <= degree; ++i)
    out.push_back(mixed(points[i], points[i - 1], static_cast<double>(i) / static_cast<double>(degree + 1)));
  out.push_back(points.back());
  return out;
}

Curve steps_between(const Curve& curve, std::int32_t first, std::int32_t last) {
  Curve out{.degree = 0, .knots = {first}};
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const std::int32_t end = std::min(last, curve.knots[i + 1]);
    if (end <= out.knots.back()) continue;
    out.points.push_back(curve.points[i]);
    out.knots.push_back(end);
  }
  // A curve whose knots end early holds its last value.
  if (out.points.empty()) return constant_curve(first, last, curve.points.back());
  out.knots.back() = last;
  return out;
}

Curve raised_constant(std::int32_t first, std::int32_t last, const ControlPoint& point, int degree) {
  const auto count = static_cast<std::size_t>(degree) + 1;
  Curve out{.degree = degree,
            .knots = std::vector<std::int32_t>(count, first),
            .points = std::vector<ControlPoint>(count, point)};
  out.knots.insert(out.knots.end(), count, last);
  return out;
}

Curve raised_once(Curve curve) {
  std::vector<std::int32_t> borders;
  std::ranges::unique_copy(curve.knots, std::back_inserter(borders));
  for (const std::int32_t frame : borders) insert_full_knot(curve, frame);
  const int degree = curve.degree;
  Curve out{.degree = degree + 1, .knots = {borders.front()}, .points = {curve.points.front()}};
  for (std::size_t span = 0; span + 1 < borders.size(); ++span) {
    const auto points =
        std::span(curve.points).subspan(span * static_cast<std::size_t>(degree), static_cast<std::size_t>(degree) + 1);
    const std::vector<ControlPoint> higher = raised_span(points);
    out.points.insert(out.points.end(), higher.begin() + 1, higher.end());
    out.knots.insert(out.knots.end(), static_cast<std::size_t>(degree) + 1, borders[span]);
  }
  out.knots.insert(out.knots.end(), static_cast<std::size_t>(degree) + 2, borders.back());
  return out;
}

}  // namespace

Curve constant_curve(std::int32_t first, std::int32_t last, const ControlPoint& point) {
  return {.degree = 0, .knots = {first, last}, .points = {point}};
}

Point evaluate(const Curve& curve, double frame) {
  const Index degree = curve.degree, count = static_cast<Index>(curve.points.size());
  frame = std::clamp(frame, knot(curve, degree), knot(curve, count));
  const auto past = std::upper_bound(curve.knots.begin() + degree, curve.knots.begin() + count, frame,
                                     [](double at, std::int32_t each) { return at < each; });
  Index span = past - curve.knots.begin() - 1;
  while (span > degree &&
         curve.knots[static_cast<std::size_t>(span)] == curve.knots[static_cast<std::size_t>(span) + 1])
    --span;
  std::array<Point, 4> work;  // de Boor
  for (Index i = 0; i <= degree; ++i)
    work[static_cast<std::size_t>(i)] = curve.points[static_cast<std::size_t>(span - degree + i)].value;
  for (Index level = 1; level <= degree; ++level)
    for (Index i = degree; i >= level; --i) {
      const double low = knot(curve, span - degree + i), high = knot(curve, span + 1 + i - level);
      const double share = (frame - low) / (high - low);
      work[static_cast<std::size_t>(i)] =
          (1.0 - share) * work[static_cast<std::size_t>(i) - 1] + share * work[static_cast<std::size_t>(i)];
    }
  return work[static_cast<std::size_t>(degree)];
}

Point first_slope(const Curve& curve) {
  if (curve.degree == 0) return {};
  const double width = knot(curve, curve.degree + 1) - knot(curve, 1);
  return width > 0 ? (curve.degree / width) * (curve.points[1].value - curve.points[0].value) : Point();
}

Point last_slope(const Curve& curve) {
  if (curve.degree == 0) return {};
  const auto count = static_cast<Index>(curve.points.size());
  const double width = knot(curve, count + curve.degree - 1) - knot(curve, count - 1);
  const std::size_t end = curve.points.size() - 1;
  return width > 0 ? (curve.degree / width) * (curve.points[end].value - curve.points[end - 1].value) : Point();
}

void insert_knot(Curve& curve, std::int32_t frame) {
  const KnotPlace place = place_of(curve, frame);
  const Index degree = curve.degree, last = place.first + place.count - 1;
  if (place.count >= degree) return;
  std::vector<ControlPoint> points;
  points.reserve(curve.points.size() + 1);
  for (Index i = 0; i <= static_cast<Index>(curve.points.size()); ++i) {
    if (i <= last - degree) {
      points.push_back(curve.points[static_cast<std::size_t>(i)]);
    } else if (i > last - place.count) {
      points.push_back(curve.points[static_cast<std::size_t>(i) - 1]);
    } else {
      const double low = knot(curve, i), high = knot(curve, i + degree);
      points.push_back(mixed(curve.points[static_cast<std::size_t>(i) - 1], curve.points[static_cast<std::size_t>(i)],
                             (frame - low) / (high - low)));
    }
  }
  curve.points = std::move(points);
  curve.knots.insert(curve.knots.begin() + last + 1, frame);
}

void insert_full_knot(Curve& curve, std::int32_t frame) {
  for (Index count = place_of(curve, frame).count; count < curve.degree; ++count) insert_knot(curve, frame);
}

Curve window(Curve curve, std::int32_t first, std::int32_t last) {
  assert(first < last);
  if (curve.degree == 0) return steps_between(curve, first, last);
  insert_full_knot(curve, first);
  insert_full_knot(curve, last);
  const auto degree = static_cast<Index>(curve.degree);
  const KnotPlace begin = place_of(curve, first), end = place_of(curve, last);
  // Where a knot occurs more often than the degree the curve jumps; the window begins after the jump and ends before.
  const Index from = begin.first + begin.count - 1 - degree, to = end.first - 1;
  Curve out{.degree = curve.degree,
            .knots = std::vector<std::int32_t>(static_cast<std::size_t>(degree) + 1, first),
            .points = {curve.points.begin() + from, curve.points.begin() + to + 1}};
  out.knots.insert(out.knots.end(), curve.knots.begin() + begin.first + begin.count, curve.knots.begin() + end.first);
  out.knots.insert(out.knots.end(), static_cast<std::size_t>(degree) + 1, last);
  return out;
}

Curve reversed(Curve curve, std::int32_t sum) {
  std::ranges::reverse(curve.knots);
  std::ranges::reverse(curve.points);
  for (std::int32_t& frame : curve.knots) frame = sum - frame;
  return curve;
}

Curve moved(Curve curve, std::int32_t shift, std::int32_t stretch) {
  for (std::int32_t& frame : curve.knots) frame = frame * stretch + shift;
  return curve;
}

Curve raised(Curve curve, int degree) {
  if (curve.degree == 0 && degree > 0) {
    Curve out;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      if (curve.knots[i] == curve.knots[i + 1]) continue;
      const Curve step = raised_constant(curve.knots[i], curve.knots[i + 1], curve.points[i], degree);
      if (out.points.empty()) {
        out = step;
        continue;
      }
      straighten_end(out, step.points.front().value);
      append(out, step);
    }
    return out;
  }
  while (curve.degree < degree) curve = raised_once(std::move(curve));
  return curve;
}

void append(Curve& left, const Curve& right) {
  assert(left.degree == right.degree && left.last() == right.first());
  // The border keeps `degree` of its knots.
  left.knots.pop_back();
  left.knots.insert(left.knots.end(), right.knots.begin() + right.degree + 1, right.knots.end());
  if (!left.points.back().is_stored) left.points.back() = right.points.front();
  left.points.insert(left.points.end(), right.points.begin() + 1, right.points.end());
}

void straighten_end(Curve& curve, const Point& end) {
  if (curve.degree == 0) curve = raised(std::move(curve), 1);
  const std::int32_t last = curve.last();
  if (last - curve.first() > 1) insert_full_knot(curve, last - 1);
  // The points of the last interval are the last degree + 1.
  const std::size_t degree = static_cast<std::size_t>(curve.degree), base = curve.points.size() - 1 - degree;
  const Point start = curve.points[base].value;
  for (std::size_t j = 1; j <= degree; ++j) {
    const double share = static_cast<double>(j) / static_cast<double>(degree);
    curve.points[base + j] = {.value = (1.0 - share) * start + share * end};
  }
  // Knots between the last but one frame and the end cannot be: they are whole frames.
}

void bend_end(Curve& curve, const Point& end) {
  if (curve.degree == 0) curve = raised(std::move(curve), 1);
  if (const std::int32_t last = curve.last(); last - curve.first() > 1) insert_full_knot(curve, last - 1);
  curve.points.back() = {.value = end};
}

bool is_on_curve(const Curve& curve, std::size_t index) {
  if (curve.degree == 0 || index == 0 || index + 1 == curve.points.size()) return true;
  const std::size_t degree = static_cast<std::size_t>(curve.degree);
  return curve.knots[index + 1] == curve.knots[index + degree];
}

}  // namespace marrow::codec::edit
