// SPDX-License-Identifier: MIT
// Centripetal Catmull-Rom curves (cf. Yuksel et al., "On the parameterization of Catmull-Rom curves") with
// rotation-minimising frames by double reflection (Wang et al.), for one character or several.
#pragma once

#include <array>

#include "motion/solvers/stateless.h"

namespace marrow::motion {

inline constexpr int kPanels = 2;          // of a segment, for its length
inline constexpr int kFramesASegment = 3;  // steps that roll is carried over

// One stretch of the curve between two of its points, as a cubic in u from 0 to 1.
template <class T>
class Segment {
 public:
  Segment() = default;
  // Between p1 and p2, by the knots from each of the points to the next.
  Segment(const VecOf<T>& p0, const VecOf<T>& p1, const VecOf<T>& p2, const VecOf<T>& p3, const T& t01, const T& t12,
          const T& t23)
      : a(p1) {
    const VecOf<T> m2 = tangent(p1, p2, p3, t12, t23, t12);
    b = tangent(p0, p1, p2, t01, t12, t12);
    c = (p2 - p1) * 3.0 - b * 2.0 - m2;
    d = (p1 - p2) * 2.0 + b + m2;
    square_[0] = glm::dot(b, b);
    square_[1] = 4.0 * glm::dot(b, c);
    square_[2] = 4.0 * glm::dot(c, c) + 6.0 * glm::dot(b, d);
    square_[3] = 12.0 * glm::dot(c, d);
    square_[4] = 9.0 * glm::dot(d, d);
    for (int i = 0; i < kPanels; ++i)
      panel_[i] = length_between(T(static_cast<double>(i) / kPanels), T(static_cast<double>(i + 1) / kPanels));
  }

  VecOf<T> point(const T& u) const { return a + (b + (c + d * u) * u) * u; }
  VecOf<T> slope(const T& u) const { return b + (c * 2.0 + d * (3.0 * u)) * u; }
  T length() const {
    T sum = T(0.0);
    for (const T& panel : panel_) sum += panel;
    return sum;
  }
  double length_to(double u) const
    requires(kLaneCount<T> == 1)
  {
    const int panel = std::min(static_cast<int>(u * kPanels), kPanels - 1);
    double sum = 0.0;
    for (int i = 0; i < panel; ++i) sum += panel_[i];
    return sum + length_between(static_cast<double>(panel) / kPanels, u);
  }
  // Where on the segment a length has been walked: by Newton's steps, kept between the ends of the panel.
  T parameter_at(T wanted) const {
    T start = T(0.0), length = panel_[0];
    MaskOf<T> beyond = every_lane<T>();
    for (int i = 0; i + 1 < kPanels; ++i) {
      beyond = beyond & (wanted > panel_[i]);
      wanted = select(beyond, wanted - panel_[i], wanted);
      start = select(beyond, T(static_cast<double>(i + 1) / kPanels), start);
      length = select(beyond, panel_[i + 1], length);
    }
    const MaskOf<T> at_start = (!(length > 1e-15)) | (wanted <= 0.0), at_end = wanted >= length;
    T low = start, high = start + 1.0 / kPanels, u = start + wanted / length / kPanels;
    MaskOf<T> goes_on = !(at_start | at_end);
    for (int i = 0; i < 16 && any(goes_on); ++i) {
      const T over = length_between(start, u) - wanted, now = speed(u);
      high = select(goes_on & (over > 0.0), u, high);
      low = select(goes_on & !(over > 0.0), u, low);
      const T next = u - over / most(now, T(1e-15));
      u = select(goes_on, select((next >= low) & (next <= high), next, 0.5 * (low + high)), u);
      // Each step squares the error: from here the last one is below what numbers can tell.
      goes_on = goes_on & !(magnitude(over) <= 1e-7 * least(length, now));
    }
    return select(at_start, start, select(at_end, start + 1.0 / kPanels, u));
  }

  VecOf<T> a, b, c, d;  // a + b u + c u^2 + d u^3

 private:
  static constexpr double kCoincident = 1e-6;

  static VecOf<T> tangent(const VecOf<T>& before, const VecOf<T>& at, const VecOf<T>& after, const T& t_before,
                          const T& t_after, const T& t12) {
    const MaskOf<T> coincident = (t_before < kCoincident) | (t_after < kCoincident);
    return select<T>(coincident, (after - before) * 0.5,
                     (at - before) * (t12 / t_before) - (after - before) * (t12 / (t_before + t_after)) +
                         (after - at) * (t12 / t_after));
  }
  T speed(const T& u) const {
    const T square = square_[0] + u * (square_[1] + u * (square_[2] + u * (square_[3] + u * square_[4])));
    return root(most(square, T(0.0)));
  }
  // Five points of Gauss.
  T length_between(const T& from, const T& to) const {
    const T middle = 0.5 * (from + to), half = 0.5 * (to - from);
    const T inner = half * 0.5384693101056831, outer = half * 0.9061798459386640;
    return half *
           (0.5688888888888889 * speed(middle) + 0.4786286704993665 * (speed(middle - inner) + speed(middle + inner)) +
            0.2369268850561891 * (speed(middle - outer) + speed(middle + outer)));
  }

  T square_[5];       // of the speed, by powers of u
  T panel_[kPanels];  // lengths
};

// A curve through the positions that `at(i)` gives, i from 0 to count - 1. Beyond the ends the neighbour is reflected.
template <class T, class At>
class Curve {
 public:
  Curve(int count, At at) : count_(count), at_(at) {
    T before = knot(0), here = before;
    for (int i = 0; i < segments(); ++i) {
      const T after = i + 1 < segments() ? knot(i + 1) : here;
      Segment<T>& segment = i < kKept ? kept_[static_cast<std::size_t>(i)] : further_;
      segment = make_segment(i, before, here, after);
      length_ += segment.length();
      before = here;
      here = after;
    }
  }

  int segments() const { return count_ - 1; }
  T length() const { return length_; }
  // The first ones are kept, which are all of most curves.
  const Segment<T>& segment(int index) const {
    if (index < kKept) return kept_[static_cast<std::size_t>(index)];
    return further_ = make_segment(index, knot(index - 1), knot(index), knot(std::min(index + 1, segments() - 1)));
  }

 private:
  static constexpr int kKept = 8;

  T knot(int index) const {  // alpha = 1/2
    const VecOf<T> apart = at_(index + 1) - at_(index);
    return root(root(glm::dot(apart, apart)));
  }

  Segment<T> make_segment(int index, const T& t01, const T& t12, const T& t23) const {
    const VecOf<T> p1 = at_(index), p2 = at_(index + 1);
    const VecOf<T> p0 = index > 0 ? at_(index - 1) : p1 * 2.0 - p2;
    const VecOf<T> p3 = index + 2 < count_ ? at_(index + 2) : p2 * 2.0 - p1;
    return {p0, p1, p2, p3, t01, t12, t23};
  }

  int count_;
  At at_;
  T length_ = T(0.0);
  std::array<Segment<T>, kKept> kept_;
  mutable Segment<T> further_;
};

// X along the tangent, Y and Z without turning about it.
template <class T>
struct CurveFrame {
  VecOf<T> position, tangent, normal;

  // Moves the lanes of `where` on.
  void advance(const VecOf<T>& next_position, const VecOf<T>& next_tangent, const MaskOf<T>& where) {
    const VecOf<T> step = next_position - position;
    const T square = glm::dot(step, step);
    const VecOf<T> n = normal - step * (2.0 * glm::dot(step, normal) / square);
    const VecOf<T> t = tangent - step * (2.0 * glm::dot(step, tangent) / square);
    const VecOf<T> v = next_tangent - t;
    const T vv = glm::dot(v, v);
    const VecOf<T> reflected = select<T>(vv > 1e-24, n - v * (2.0 * glm::dot(v, n) / vv), n);
    normal = select<T>(where & (square > 1e-24), reflected, normal);
    position = select<T>(where, next_position, position);
    tangent = select<T>(where, next_tangent, tangent);
  }
  // Reflections keep the normal at right angles to the tangent but for rounding.
  QuatOf<T> rotation() const {
    const VecOf<T> across = unit(normal - tangent * glm::dot(normal, tangent), normal);
    return unit(rotation_to(tangent, across, glm::cross(tangent, across)));
  }
};

// The frame at the start of the curve, with the roll that `start` has.
template <class T>
CurveFrame<T> first_frame(const Segment<T>& first, const QuatOf<T>& start) {
  CurveFrame<T> frame;
  frame.position = first.a;
  frame.tangent = unit(first.b, start * VecOf<T>(DVec(1, 0, 0)));
  frame.normal = start * VecOf<T>(DVec(0, 1, 0));
  frame.normal -= frame.tangent * glm::dot(frame.normal, frame.tangent);
  const MaskOf<T> along = glm::dot(frame.normal, frame.normal) < 1e-12;
  if (any(along))
    frame.normal = select<T>(along, glm::cross(start * VecOf<T>(DVec(0, 0, 1)), frame.tangent), frame.normal);
  frame.normal = unit(frame.normal, VecOf<T>(DVec(0, 0, 1)));
  return frame;
}

// The frame at a share of the curve's length. It starts with the roll that `start` has.
template <class T, class At>
CurveFrame<T> frame_at(const Curve<T, At>& curve, double fraction, const QuatOf<T>& start) {
  T left = std::clamp(fraction, 0.0, 1.0) * curve.length();
  CurveFrame<T> frame = first_frame(curve.segment(0), start);
  MaskOf<T> underway = every_lane<T>();
  for (int i = 0; i < curve.segments(); ++i) {
    const Segment<T>& segment = curve.segment(i);
    const T length = segment.length();
    MaskOf<T> here = length >= left;
    if (i + 1 == curve.segments()) here = every_lane<T>();
    const T end = any(underway & here) ? select(here, segment.parameter_at(left), T(1.0)) : T(1.0);
    for (int k = 1; k < kFramesASegment; ++k) {
      const T u = T(static_cast<double>(k) / kFramesASegment);
      const MaskOf<T> goes_on = underway & !(u >= end);
      if (!any(goes_on)) break;
      frame.advance(segment.point(u), unit(segment.slope(u), frame.tangent), goes_on);
    }
    frame.advance(segment.point(end), unit(segment.slope(end), frame.tangent), underway);
    underway = underway & !here;
    if (!any(underway)) break;
    left -= length;
  }
  return frame;
}

template <class T>
void SplineConstraintSolver::solve(SolveOf<T>& io) const {
  const auto target = [&](int i) -> VecOf<T> { return io.bone(targets[static_cast<std::size_t>(i)]).pos; };
  const Curve<T, decltype(target)> curve(static_cast<int>(targets.size()), target);
  const CurveFrame<T> frame = frame_at(curve, fraction, io.bone(targets[0]).rot);
  io.target.pos = frame.position;
  io.target.rot = frame.rotation() * QuatOf<T>(rest_offset);
}

}  // namespace marrow::motion
