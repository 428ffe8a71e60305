// SPDX-License-Identifier: MIT
// What stateless solvers do in a frame, for one character or several.
#pragma once

#include "motion/solvers/stateless.h"

namespace marrow::motion {

// 1 up to `low`, 0 from `high` on; both 0: always 1.
template <class T>
T ramp_down(const T& x, double low, double high) {
  if (low == 0.0 && high == 0.0) return T(1.0);
  return select(x <= low, T(1.0), select(x >= high, T(0.0), (high - x) / (high - low)));
}

template <class T>
void HingeVectorSolver::solve(SolveOf<T>& io) const {
  const VecOf<T> hinge_position = io.input.pos + io.input.rot * VecOf<T>(offset.pos);
  const QuatOf<T> hinge_rotation = io.input.rot * QuatOf<T>(offset.rot);
  VecOf<T> center(T(0.0));
  for (const WeightedBone& target : targets) center += io.bone(target.bone).pos * target.weight;
  const VecOf<T> q = glm::conjugate(hinge_rotation) * (center - hinge_position);
  const MaskOf<T> turns = !(q.y * q.y + q.z * q.z < 1e-18);
  // About X, from Z: a turn by +phi takes Z toward -Y.
  const T phi = arc_tangent<T>(-q.y, q.z);
  const T effect =
      ramp_down(magnitude(phi), min_angle, max_angle) * ramp_down(root(glm::dot(q, q)), min_distance, max_distance);
  io.target.rot = select<T>(turns, io.input.rot * rotation_about<T>(axis, effect * phi), io.target.rot);
}

template <class T>
void PositionConstraintSolver::solve(SolveOf<T>& io) const {
  VecOf<T> position(T(0.0)), kept(offset);
  for (const Target& target : targets) {
    position += io.bone(target.bone).pos * target.weight;
    kept += VecOf<T>(target.offset) * target.weight;
  }
  io.target.pos = position + io.parent.rot * kept;
}

template <class T>
void OrientationConstraintSolver::solve(SolveOf<T>& io) const {
  const auto rotation = [&](const Target& target) { return io.bone(target.bone).rot * QuatOf<T>(target.offset); };
  QuatOf<T> mean;
  if (targets.size() == 1) {
    mean = rotation(targets[0]);
  } else if (targets.size() == 2) {
    mean = short_arc(rotation(targets[0]), rotation(targets[1]), T(targets[1].weight));
  } else {
    // q and -q are one rotation: all are brought to the side of the heaviest before they are added.
    const QuatOf<T> reference = rotation(targets[heaviest]);
    mean = QuatOf<T>(T(0.0), T(0.0), T(0.0), T(0.0));
    for (const Target& target : targets) {
      const QuatOf<T> q = rotation(target);
      mean += q * select(glm::dot(q, reference) < 0.0, T(-target.weight), T(target.weight));
    }
    mean = unit(select<T>(glm::dot(mean, mean) < 1e-18, reference, mean));
  }
  io.target.rot = mean * QuatOf<T>(offset);
}

template <class T>
QuatOf<T> Aim::rotation(const PlacementOf<T>& input, const VecOf<T>& target, const VecOf<T>& up_direction) const {
  const VecOf<T> toward = target - input.pos;
  const T distance = root(glm::dot(toward, toward));
  const MaskOf<T> here = !(distance > 1e-6);
  const VecOf<T> forward = toward * (1.0 / distance);
  const VecOf<T> level = up_direction - forward * glm::dot(forward, up_direction);
  const T length = root(glm::dot(level, level));
  const MaskOf<T> straight_up = !(length > 1e-5);
  const VecOf<T> upward = level * (1.0 / length);
  QuatOf<T> aimed = rotation_to(forward, upward, glm::cross(forward, upward)) * QuatOf<T>(from_basis);
  if (any(straight_up))
    aimed = select<T>(straight_up, least_rotation(input.rot * VecOf<T>(axis), forward) * input.rot, aimed);
  return select<T>(here, input.rot, aimed);
}

template <class T>
VecOf<T> MaxLookAtSolver::seen(const PlacementOf<T>* globals) const {
  const PlacementOf<T>& bone = globals[target];
  return bone.pos + bone.rot * VecOf<T>(target_offset);
}

template <class T>
VecOf<T> MaxLookAtSolver::up(const PlacementOf<T>* globals, const PlacementOf<T>& input) const {
  const VecOf<T> axis(source);
  if (control == 1) return globals[up_node].rot * axis;
  if (control == 2) return unit(globals[up_node].pos - input.pos, axis * source_sign) * source_sign;
  return axis;
}

template <class T>
void MaxLookAtSolver::solve(SolveOf<T>& io) const {
  io.target.rot = aim.rotation(io.input, seen(io.globals), up(io.globals, io.input));
}

template <class T>
void LookAtSolver::solve(SolveOf<T>& io) const {
  const PlacementOf<T>& seen = io.bone(target);
  QuatOf<T> rotation =
      aim.rotation<T>(io.input, seen.pos + seen.rot * VecOf<T>(target_offset), io.parent.rot * VecOf<T>(parent_up));
  if (limited) {
    const QuatOf<T> change = glm::conjugate(io.input.rot) * rotation;
    const Twist<T> twist = twist_about(change, limit_axis);
    const T angle = wrap_angle<T>(twist.angle + zero);
    const MaskOf<T> is_below = angle < low, is_outside = is_below | (angle > high);
    if (any(is_outside)) {
      const VecOf<T> axis(limit_axis);
      const VecOf<T> about = axis * glm::dot(VecOf<T>(change.x, change.y, change.z), axis);
      const QuatOf<T> untwist = unit(QuatOf<T>(change.w, -about.x, -about.y, -about.z));
      const QuatOf<T> end = select<T>(is_below, QuatOf<T>(at_low), QuatOf<T>(at_high));
      rotation = select<T>(is_outside, io.input.rot * (change * untwist * end), rotation);
      io.limit = LimitHit::Angle;
    }
  }
  io.target.rot = rotation;
}

template <class T>
void FollowSolver::solve(SolveOf<T>& io) const {
  io.target.pos = io.bone(bone).pos;
  io.target.rot = io.bone(bone).rot;
}

template <class T>
void CompressSolver::solve(SolveOf<T>& io) const {
  const PlacementOf<T>&one = io.bone(bone1), &two = io.bone(bone2);
  if (effect.position) {
    const VecOf<T> p1 = one.pos + one.rot * VecOf<T>(position1), p2 = two.pos + two.rot * VecOf<T>(position2);
    io.target.pos = p2 + (p1 - p2) * position_share;
  }
  if (effect.rotation)
    io.target.rot = short_arc(two.rot * QuatOf<T>(rotation2), one.rot * QuatOf<T>(rotation1), T(rotation_share));
}

template <class T>
void StretchSolver::solve(SolveOf<T>& io) const {
  const VecOf<T> toward = io.bone(target).pos - io.input.pos;
  const T ratio = root(glm::dot(toward, toward)) / rest_length;
  const T along = held<T>(ratio, min_scale, max_scale);
  if (any(along != ratio)) io.limit = LimitHit::Scale;
  io.stretch = VecOf<T>(1.0 / root(along));  // across, so that the volume stays
  io.stretch[axis] = along;
}

template <class T>
void RotationExpressionSolver::solve(SolveOf<T>& io) const {
  T x = T(initial_offset);
  if (gravity_bone != kNoBone) {
    const VecOf<T> down = unit(io.clock.gravity, VecOf<T>(DVec(0, 0, -1)));
    x +=
        signed_angle<T>(QuatOf<T>(gravity_rest_inverse) * down, glm::conjugate(io.bone(gravity_bone).rot) * down, axis);
  } else {
    x += twist_about<T>(QuatOf<T>(rest_inverse) * io.local(linked).rot, axis).angle;
  }
  T y = terms.empty() ? x : T(0.0);
  for (const RotationExpression& term : terms) {
    const T value = static_cast<double>(term.gain) * x + static_cast<double>(term.bias);
    // Both ends 0 is a term without limits.
    const bool limited = term.min != 0.0f || term.max != 0.0f;
    const double low = std::min(term.min, term.max), high = std::max(term.min, term.max);
    const T kept = limited ? held<T>(value, low, high) : value;
    if (any(kept != value)) io.limit = LimitHit::Angle;
    y += kept;
  }
  io.target.rot = io.input.rot * rotation_about(axis, y);
}

template <class T>
void RotationPasteSolver::solve(SolveOf<T>& io) const {
  io.target.rot = local ? io.parent.rot * io.local(linked).rot : io.bone(linked).rot;
}

// The engine's angle: the first of three Euler angles, folded back past a quarter turn.
template <class T>
T native_roll(const QuatOf<T>& q) {
  const T sine = 2.0 * (q.w * q.x + q.y * q.z), cosine = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
  const T angle = arc_tangent(sine, cosine);
  return select(angle > kPi / 2, kPi - angle, select(angle < -kPi / 2, -kPi - angle, angle));
}

template <class T>
void RollSolver::solve(SolveOf<T>& io) const {
  const QuatOf<T> turned = QuatOf<T>(rest_inverse) * io.local(source).rot;
  const DVec x(1, 0, 0);
  if (io.clock.settings->native_law) {
    io.target.rot = io.input.rot * rotation_about<T>(x, gain * native_roll(turned) + native_shift);
    return;
  }
  const Twist<T> twist = twist_about(turned, x);
  // At a half turn of swing no twist can be told: the last one holds.
  const T angle = select(twist.defined, twist.angle, load_state<T>(io.state));
  if (io.clock.dt > 0.0) store_state(io.state, angle, io.lanes);
  io.target.rot = io.input.rot * rotation_about<T>(x, gain * angle);
}

}  // namespace marrow::motion
