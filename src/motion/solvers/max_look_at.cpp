// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless.h"

namespace marrow::motion {

Compiled<MaxLookAtSolver> MaxLookAtSolver::compile(const MaxLookAtModifier& m, const CompileContext&,
                                                   std::string& why) {
  const auto is_axis = [](std::int32_t axis) { return axis >= 0 && axis <= 5; };
  if (m.look_at_bone.is_null()) {
    why = "no LookAtBone";
    return std::nullopt;
  }
  if (!is_axis(m.look_at_used_axis) || !is_axis(m.up_used_axis) || !is_axis(m.source_axis) ||
      m.look_at_used_axis % 3 == m.up_used_axis % 3) {
    why = "LookAtUsedAxis and UpUsedAxis have to be two different axes (0 X, 1 Y, 2 Z, 3 -X, 4 -Y, 5 -Z)";
    return std::nullopt;
  }
  MaxLookAtSolver s;
  s.target = bone_index(m.look_at_bone);
  s.up_node = bone_index(m.up_node);
  s.target_offset = DVec(m.look_at_pos_offset);
  s.aim = Aim(axis_of(m.look_at_used_axis), axis_of(m.up_used_axis));
  s.source = axis_of(m.source_axis);
  s.source_sign = m.source_axis >= 3 ? -1.0 : 1.0;
  s.control = s.up_node == kNoBone ? 0 : m.up_node_control;
  return s;
}

void MaxLookAtSolver::solve(Solve& io) const {
  const Placement& seen = io.bone(target);
  DVec up_direction = source;
  if (control == 1)
    up_direction = io.bone(up_node).rot * source;
  else if (control == 2)
    up_direction = unit(io.bone(up_node).pos - io.input.pos, source * source_sign) * source_sign;
  io.target.rot = aim.rotation(io.input, seen.pos + seen.rot * target_offset, up_direction);
}

}  // namespace marrow::motion
