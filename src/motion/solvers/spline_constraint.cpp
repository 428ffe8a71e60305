// SPDX-License-Identifier: MIT
// Centripetal Catmull-Rom curves (cf. Yuksel et al., "On the parameterization of
// Catmull-Rom curves") with rotation-minimising frames by double reflection (Wang et al.).
#include <algorithm>
#include <array>
#include <limits>

#include "motion/solvers/stateless.h"

namespace marrow::motion {
namespace {

constexpr int kPanels = 2;          // of a segment, for its length
constexpr int kFramesASegment = 3;  // steps that roll is carried over
constexpr int kNearSamples = 32;    // of a segment, to look for the nearest point

// One stretch of the curve between two of its points, as a cubic in u from 0 to 1.
class Segment {
 public:
  Segment() = default;
  // Between p1 and p2, by the knots from each of the points to the next.
  Segment(const DVec& p0, const DVec& p1, const DVec& p2, const DVec& p3, double t01, double t12, double t23) : a(p1) {
    const auto tangent = [t12](const DVec& before, const DVec& at, const DVec& after, double t_before, double t_after) {
      if (t_before < kCoincident || t_after < kCoincident) return (after - before) * 0.5;
      return (at - before) * (t12 / t_before) - (after - before) * (t12 / (t_before + t_after)) +
             (after - at) * (t12 / t_after);
    };
    const DVec m2 = tangent(p1, p2, p3, t12, t23);
    b = tangent(p0, p1, p2, t01, t12);
    c = (p2 - p1) * 3.0 - b * 2.0 - m2;
    d = (p1 - p2) * 2.0 + b + m2;
    square_[0] = glm::dot(b, b);
    square_[1] = 4.0 * glm::dot(b, c);
    square_[2] = 4.0 * glm::dot(c, c) + 6.0 * glm::dot(b, d);
    square_[3] = 12.0 * glm::dot(c, d);
    square_[4] = 9.0 * glm::dot(d, d);
    for (int i = 0; i < kPanels; ++i)
      panel_[i] = length_between(static_cast<double>(i) / kPanels, static_cast<double>(i + 1) / kPanels);
  }

  DVec point(double u) const { return a + (b + (c + d * u) * u) * u; }
  DVec slope(double u) const { return b + (c * 2.0 + d * (3.0 * u)) * u; }
  double length() const {
    double sum = 0.0;
    for (const double panel : panel_) sum += panel;
    return sum;
  }
  double length_to(double u) const {
    const int panel = std::min(static_cast<int>(u * kPanels), kPanels - 1);
    double sum = 0.0;
    for (int i = 0; i < panel; ++i) sum += panel_[i];
    return sum + length_between(static_cast<double>(panel) / kPanels, u);
  }
  // Where on the segment a length has been walked: by Newton's steps, kept between the ends of the panel.
  double parameter_at(double wanted) const {
    int panel = 0;
    for (; panel + 1 < kPanels && wanted > panel_[panel]; ++panel) wanted -= panel_[panel];
    const double start = static_cast<double>(panel) / kPanels, all = panel_[panel];
    if (!(all > 1e-15) || wanted <= 0.0) return start;
    if (wanted >= all) return start + 1.0 / kPanels;
    double low = start, high = start + 1.0 / kPanels, u = start + wanted / all / kPanels;
    for (int i = 0; i < 16; ++i) {
      const double over = length_between(start, u) - wanted, now = speed(u);
      (over > 0.0 ? high : low) = u;
      const double next = u - over / std::max(now, 1e-15);
      u = next >= low && next <= high ? next : 0.5 * (low + high);
      // Each step squares the error: from here the last one is below what numbers can tell.
      if (std::abs(over) <= 1e-7 * std::min(all, now)) break;
    }
    return u;
  }

  DVec a, b, c, d;  // a + b u + c u^2 + d u^3

 private:
  static constexpr double kCoincident = 1e-6;

  double speed(double u) const {
    const double square = square_[0] + u * (square_[1] + u * (square_[2] + u * (square_[3] + u * square_[4])));
    return std::sqrt(std::max(square, 0.0));
  }
  // Five points of Gauss.
  double length_between(double from, double to) const {
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    const double inner = half * 0.5384693101056831, outer = half * 0.9061798459386640;
    return half *
           (0.5688888888888889 * speed(middle) + 0.4786286704993665 * (speed(middle - inner) + speed(middle + inner)) +
            0.2369268850561891 * (speed(middle - outer) + speed(middle + outer)));
  }

  double square_[5];       // of the speed, by powers of u
  double panel_[kPanels];  // lengths
};

// A curve through the positions that `at(i)` gives, i from 0 to count - 1. Beyond the ends the neighbour is reflected.
template <class At>
class Curve {
 public:
  Curve(int count, At at) : count_(count), at_(at) {
    double before = knot(0), here = before;
    for (int i = 0; i < segments(); ++i) {
      const double after = i + 1 < segments() ? knot(i + 1) : here;
      Segment& segment = i < kKept ? kept_[static_cast<std::size_t>(i)] : further_;
      segment = make_segment(i, before, here, after);
      length_ += segment.length();
      before = here;
      here = after;
    }
  }

  int segments() const { return count_ - 1; }
  double length() const { return length_; }
  // The first ones are kept, which are all of most curves.
  const Segment& segment(int index) const {
    if (index < kKept) return kept_[static_cast<std::size_t>(index)];
    return further_ = make_segment(index, knot(index - 1), knot(index), knot(std::min(index + 1, segments() - 1)));
  }

 private:
  static constexpr int kKept = 8;

  double knot(int index) const { return std::sqrt(glm::length(at_(index + 1) - at_(index))); }  // alpha = 1/2

  Segment make_segment(int index, double t01, double t12, double t23) const {
    const DVec p1 = at_(index), p2 = at_(index + 1);
    const DVec p0 = index > 0 ? at_(index - 1) : p1 * 2.0 - p2;
    const DVec p3 = index + 2 < count_ ? at_(index + 2) : p2 * 2.0 - p1;
    return {p0, p1, p2, p3, t01, t12, t23};
  }

  int count_;
  At at_;
  double length_ = 0.0;
  std::array<Segment, kKept> kept_;
  mutable Segment further_;
};

// X along the tangent, Y and Z without turning about it.
struct CurveFrame {
  DVec position, tangent, normal;

  void advance(const DVec& next_position, const DVec& next_tangent) {
    const DVec step = next_position - position;
    const double square = glm::dot(step, step);
    if (square > 1e-24) {
      const DVec n = normal - step * (2.0 * glm::dot(step, normal) / square);
      const DVec t = tangent - step * (2.0 * glm::dot(step, tangent) / square);
      const DVec v = next_tangent - t;
      const double vv = glm::dot(v, v);
      normal = vv > 1e-24 ? n - v * (2.0 * glm::dot(v, n) / vv) : n;
    }
    position = next_position;
    tangent = next_tangent;
  }
  // Reflections keep the normal at right angles to the tangent but for rounding.
  DQuat rotation() const {
    const DVec across = unit(normal - tangent * glm::dot(normal, tangent), normal);
    return unit(glm::quat_cast(glm::dmat3(tangent, across, glm::cross(tangent, across))));
  }
};

// The frame at the start of the curve, with the roll that `start` has.
CurveFrame first_frame(const Segment& first, const DQuat& start) {
  CurveFrame frame;
  frame.position = first.a;
  frame.tangent = unit(first.b, start * DVec(1, 0, 0));
  frame.normal = start * DVec(0, 1, 0);
  frame.normal -= frame.tangent * glm::dot(frame.normal, frame.tangent);
  if (glm::dot(frame.normal, frame.normal) < 1e-12) frame.normal = glm::cross(start * DVec(0, 0, 1), frame.tangent);
  frame.normal = unit(frame.normal, DVec(0, 0, 1));
  return frame;
}

// The frame at a share of the curve's length. It starts with the roll that `start` has.
template <class At>
CurveFrame frame_at(const Curve<At>& curve, double fraction, const DQuat& start) {
  double left = std::clamp(fraction, 0.0, 1.0) * curve.length();
  CurveFrame frame = first_frame(curve.segment(0), start);
  for (int i = 0; i < curve.segments(); ++i) {
    const Segment& segment = curve.segment(i);
    const double length = segment.length();
    const bool here = length >= left || i + 1 == curve.segments();
    const double end = here ? segment.parameter_at(left) : 1.0;
    for (int k = 1; k < kFramesASegment; ++k) {
      const double u = static_cast<double>(k) / kFramesASegment;
      if (u >= end) break;
      frame.advance(segment.point(u), unit(segment.slope(u), frame.tangent));
    }
    frame.advance(segment.point(end), unit(segment.slope(end), frame.tangent));
    if (here) break;
    left -= length;
  }
  return frame;
}

// Share of the length at which the curve is nearest to a point.
template <class At>
double nearest_fraction(const Curve<At>& curve, const DVec& point) {
  if (curve.length() < 1e-12) return 0.0;
  double walked = 0.0, best = 0.0, best_square = std::numeric_limits<double>::infinity();
  for (int i = 0; i < curve.segments(); ++i) {
    const Segment& segment = curve.segment(i);
    DVec previous = segment.a;
    for (int k = 1; k <= kNearSamples; ++k) {
      const DVec next = segment.point(static_cast<double>(k) / kNearSamples), step = next - previous;
      const double square = glm::dot(step, step);
      const double t = square > 0.0 ? std::clamp(glm::dot(point - previous, step) / square, 0.0, 1.0) : 0.0;
      const DVec apart = point - (previous + step * t);
      if (glm::dot(apart, apart) < best_square) {
        best_square = glm::dot(apart, apart);
        best = walked + segment.length_to((k - 1 + t) / kNearSamples);
      }
      previous = next;
    }
    walked += segment.length();
  }
  return best / curve.length();
}

}  // namespace

Compiled<SplineConstraintSolver> SplineConstraintSolver::compile(const SplineConstraintModifier& m,
                                                                 const CompileContext& context, std::string& why) {
  SplineConstraintSolver s;
  for (const BoneLink& link : m.targets)
    if (!link.is_null()) s.targets.push_back(bone_index(link));
  if (s.targets.size() < 2) {
    why = "a curve needs two targets";
    return std::nullopt;
  }
  const auto& rest = context.rest.global;
  const Curve curve(static_cast<int>(s.targets.size()),
                    [&](int i) { return rest[static_cast<std::size_t>(s.targets[static_cast<std::size_t>(i)])].pos; });
  const Placement& owner = rest[static_cast<std::size_t>(context.owner)];
  s.fraction = m.percent >= 0.0f ? std::min(1.0, static_cast<double>(m.percent)) : nearest_fraction(curve, owner.pos);
  const CurveFrame frame = frame_at(curve, s.fraction, rest[static_cast<std::size_t>(s.targets[0])].rot);
  s.rest_offset = glm::conjugate(frame.rotation()) * owner.rot;
  return s;
}

void SplineConstraintSolver::solve(Solve& io) const {
  const Curve curve(static_cast<int>(targets.size()),
                    [&](int i) { return io.bone(targets[static_cast<std::size_t>(i)]).pos; });
  const CurveFrame frame = frame_at(curve, fraction, io.bone(targets[0]).rot);
  io.target.pos = frame.position;
  io.target.rot = frame.rotation() * rest_offset;
}

}  // namespace marrow::motion
