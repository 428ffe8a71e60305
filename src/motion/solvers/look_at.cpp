// SPDX-License-Identifier: MIT
// AnvilLookAt, and LookAt as it was called before.
#include <algorithm>

#include "motion/solvers/stateless.h"

namespace marrow::motion {
namespace {

// Some files give degrees where others give radians: past a full turn it can only be the former.
double radians_of(float angle) { return std::abs(angle) > 2.0 * kPi ? angle * kRadians : static_cast<double>(angle); }

}  // namespace

Compiled<LookAtSolver> LookAtSolver::compile(const AnvilLookAtModifier& m, const CompileContext&, std::string& why) {
  const auto is_axis = [](std::int32_t axis) { return axis >= 0 && axis <= 5; };
  if (m.look_at_bone.is_null()) {
    why = "no LookAtBone";
    return std::nullopt;
  }
  if (!is_axis(m.look_at_used_axis) || !is_axis(m.parent_up_axis) || !is_axis(m.clamped_rotation_axis)) {
    why = "an axis is not one of 0 X, 1 Y, 2 Z, 3 -X, 4 -Y, 5 -Z";
    return std::nullopt;
  }
  LookAtSolver s;
  s.target = bone_index(m.look_at_bone);
  s.target_offset = DVec(m.look_at_pos_offset);
  s.parent_up = axis_of(m.parent_up_axis);
  // The bone's axis of the same name points up, or the next one where that is the aim itself.
  const bool same = m.look_at_used_axis % 3 == m.parent_up_axis % 3;
  s.aim = Aim(axis_of(m.look_at_used_axis), same ? axis_of((m.parent_up_axis + 1) % 3) : s.parent_up);
  s.limited = m.min_angle != 0.0f || m.max_angle != 0.0f;
  s.limit_axis = axis_of(m.clamped_rotation_axis);
  const double a = radians_of(m.min_angle), b = radians_of(m.max_angle);
  s.low = std::min(a, b);
  s.high = std::max(a, b);
  const DVec reference(m.clamped_rotation_reference_vector);
  s.zero = signed_angle(reference, s.aim.axis, s.limit_axis);
  s.at_low = rotation_about(s.limit_axis, s.low - s.zero);
  s.at_high = rotation_about(s.limit_axis, s.high - s.zero);
  return s;
}

}  // namespace marrow::motion
