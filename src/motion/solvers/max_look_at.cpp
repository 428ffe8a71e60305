// SPDX-License-Identifier: MIT
#include "motion/solvers/stateless_solve.h"

namespace marrow::motion {
namespace {

// Cosine of the angle between the up axis at rest and up, beyond which the axis points the other way.
constexpr double kOpposite = -0.5;

}  // namespace

Compiled<MaxLookAtSolver> MaxLookAtSolver::compile(const MaxLookAtModifier& m, const CompileContext& context,
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
  // A bone that rests with its up axis down would make half a turn as soon as it is solved: it holds that axis down.
  const Placement* rest = context.rest.global.data();
  const Placement owner = rest[context.owner];
  const DVec forward = unit(s.seen(rest) - owner.pos, DVec(0.0));
  const DVec up = s.up(rest, owner), level = unit(up - forward * glm::dot(forward, up), DVec(0.0));
  const DQuat aimed = forward == DVec(0.0) ? owner.rot : least_rotation(owner.rot * s.aim.axis, forward) * owner.rot;
  if (glm::dot(aimed * axis_of(m.up_used_axis), level) < kOpposite) {
    s.aim = Aim(axis_of(m.look_at_used_axis), -axis_of(m.up_used_axis));
    why =
        "at rest its UpUsedAxis points down, so that axis is held down and not up (our definition); the game may turn "
        "the bone over";
  }
  return s;
}

}  // namespace marrow::motion
