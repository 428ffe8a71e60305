// SPDX-License-Identifier: MIT
// Centripetal Catmull-Rom curves (cf. Yuksel et al., "On the parameterization of
// Catmull-Rom curves") with rotation-minimising frames by double reflection (Wang et al.).
#include <algorithm>
#include <array>

#include "motion/solvers/stateless.h"

namespace marrow::motion {
namespace {

constexpr int kSamples = 32;     // a segment
constexpr int kFrameStride = 8;  // samples between two frames that roll is carried over

// One stretch of the curve between two of its points, as a cubic in u from 0 to 1.
struct Segment {
  DVec a, b, c, d;  // a + b u + c u^2 + d u^3

  DVec point(double u) const { return a + (b + (c + d * u) * u) * u; }
  DVec slope(double u) const { return b + (c * 2.0 + d * (3.0 * u)) * u; }

  // Lengths of the chords between samples. By component and without a sum, so that samples are computed side by side.
  using Chords = std::array<double, kSamples>;
  Chords chords() const {
    Chords square{};
    for (int axis = 0; axis < 3; ++axis) {
      // The difference of two samples of a cubic is a square in the middle between them.
      const double c1 = b[axis] / kSamples, c2 = c[axis] / kSamples, c3 = d[axis] / kSamples;
      constexpr double kStep = 1.0 / kSamples;
      for (int k = 0; k < kSamples; ++k) {
        const double u = k * kStep;
        const double change = c1 + c2 * (2.0 * u + kStep) + c3 * (3.0 * u * (u + kStep) + kStep * kStep);
        square[static_cast<std::size_t>(k)] += change * change;
      }
    }
    for (double& chord : square) chord = std::sqrt(chord);
    return square;
  }
  static double length(const Chords& all) {
    double sums[4] = {};
    for (std::size_t k = 0; k < kSamples; ++k) sums[k % 4] += all[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
};

// A curve through the positions that `at(i)` gives, i from 0 to count - 1. Beyond the ends the neighbour is reflected.
template <class At>
class Curve {
 public:
  Curve(int count, At at) : count_(count), at_(at) {
    for (int i = 0; i < std::min(segments(), kKept); ++i) kept_[static_cast<std::size_t>(i)] = make_piece(i);
  }

  int segments() const { return count_ - 1; }

  // A segment with its lengths. The first ones are kept, which are all of most curves.
  struct Piece {
    Segment segment;
    Segment::Chords chords;
    double length;
  };
  Piece piece(int index) const { return index < kKept ? kept_[static_cast<std::size_t>(index)] : make_piece(index); }

  double length() const {
    double sum = 0.0;
    for (int i = 0; i < segments(); ++i) sum += i < kKept ? kept_[static_cast<std::size_t>(i)].length : piece(i).length;
    return sum;
  }

 private:
  static constexpr int kKept = 8;
  static constexpr double kCoincident = 1e-6;
  static double knot(const DVec& a, const DVec& b) { return std::sqrt(glm::length(b - a)); }  // alpha = 1/2

  Piece make_piece(int index) const {
    const Segment segment = make_segment(index);
    const Segment::Chords chords = segment.chords();
    return {segment, chords, Segment::length(chords)};
  }
  Segment make_segment(int index) const {
    const DVec p1 = at_(index), p2 = at_(index + 1);
    const DVec p0 = index > 0 ? at_(index - 1) : p1 * 2.0 - p2;
    const DVec p3 = index + 2 < count_ ? at_(index + 2) : p2 * 2.0 - p1;
    const double t01 = knot(p0, p1), t12 = knot(p1, p2), t23 = knot(p2, p3);
    const auto tangent = [t12](const DVec& before, const DVec& at, const DVec& after, double t_before, double t_after) {
      if (t_before < kCoincident || t_after < kCoincident) return (after - before) * 0.5;
      return ((at - before) / t_before - (after - before) / (t_before + t_after) + (after - at) / t_after) * t12;
    };
    const DVec m1 = tangent(p0, p1, p2, t01, t12), m2 = tangent(p1, p2, p3, t12, t23);
    return {p1, m1, (p2 - p1) * 3.0 - m1 * 2.0 - m2, (p1 - p2) * 2.0 + m1 + m2};
  }

  int count_;
  At at_;
  std::array<Piece, kKept> kept_;
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
    normal = unit(normal - tangent * glm::dot(normal, tangent), normal);
  }
  DQuat rotation() const {
    const DVec binormal = glm::cross(tangent, normal);
    return unit(glm::quat_cast(glm::dmat3(tangent, normal, binormal)));
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

// Where on a segment a length has been walked.
double parameter_at(const Segment::Chords& chords, double wanted) {
  double walked = 0.0;
  for (int k = 0; k < kSamples; ++k) {
    const double chord = chords[static_cast<std::size_t>(k)];
    if (walked + chord >= wanted) return (k + (chord > 1e-15 ? (wanted - walked) / chord : 0.0)) / kSamples;
    walked += chord;
  }
  return 1.0;
}

// The frame at a share of the curve's length. It starts with the roll that `start` has.
template <class At>
CurveFrame frame_at(const Curve<At>& curve, double fraction, const DQuat& start) {
  double left = std::clamp(fraction, 0.0, 1.0) * curve.length();
  CurveFrame frame = first_frame(curve.piece(0).segment, start);
  for (int i = 0; i < curve.segments(); ++i) {
    const auto [segment, chords, length] = curve.piece(i);
    const bool here = length >= left || i + 1 == curve.segments();
    const double end = here ? parameter_at(chords, left) : 1.0;
    // Double reflection is exact to the fourth order: it needs fewer steps than the length does.
    for (int k = kFrameStride; k <= kSamples; k += kFrameStride) {
      const double u = static_cast<double>(k) / kSamples;
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
  const double length = curve.length();
  if (length < 1e-12) return 0.0;
  double walked = 0.0, best = 0.0, best_square = std::numeric_limits<double>::infinity();
  DVec previous = curve.piece(0).segment.a;
  for (int i = 0; i < curve.segments(); ++i) {
    const Segment segment = curve.piece(i).segment;
    for (int k = 1; k <= kSamples; ++k) {
      const DVec next = segment.point(static_cast<double>(k) / kSamples);
      const DVec step = next - previous;
      const double square = glm::dot(step, step);
      const double t = square > 0.0 ? std::clamp(glm::dot(point - previous, step) / square, 0.0, 1.0) : 0.0;
      const DVec apart = point - (previous + step * t);
      if (glm::dot(apart, apart) < best_square) {
        best_square = glm::dot(apart, apart);
        best = walked + t * std::sqrt(square);
      }
      walked += std::sqrt(square);
      previous = next;
    }
  }
  return best / length;
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
