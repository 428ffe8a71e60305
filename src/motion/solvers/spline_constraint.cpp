// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "motion/solvers/spline_solve.h"

namespace marrow::motion {
namespace {

constexpr int kNearSamples = 32;  // of a segment, to look for the nearest point

// Share of the length at which the curve is nearest to a point.
template <class At>
double nearest_fraction(const Curve<double, At>& curve, const DVec& point) {
  if (curve.length() < 1e-12) return 0.0;
  double walked = 0.0, best = 0.0, best_square = std::numeric_limits<double>::infinity();
  for (int i = 0; i < curve.segments(); ++i) {
    const Segment<double>& segment = curve.segment(i);
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
  const auto rest_of = [&](int i) {
    return rest[static_cast<std::size_t>(s.targets[static_cast<std::size_t>(i)])].pos;
  };
  const Curve<double, decltype(rest_of)> curve(static_cast<int>(s.targets.size()), rest_of);
  const Placement& owner = rest[static_cast<std::size_t>(context.owner)];
  s.fraction = m.percent >= 0.0f ? std::min(1.0, static_cast<double>(m.percent)) : nearest_fraction(curve, owner.pos);
  const CurveFrame<double> frame = frame_at(curve, s.fraction, rest[static_cast<std::size_t>(s.targets[0])].rot);
  s.rest_offset = glm::conjugate(frame.rotation()) * owner.rot;
  return s;
}

}  // namespace marrow::motion
