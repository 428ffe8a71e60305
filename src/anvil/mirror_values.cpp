// SPDX-License-Identifier: MIT
#include "anvil/mirror_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "anvil/joint_offsets.h"
#include "model/modifier_faults.h"

namespace marrow::anvil {
namespace {

constexpr double kAligned = 1e-3;  // how far rest poses of the games' own files are from exact

glm::dquat to_double(const Quat& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }
glm::dquat reflected(const glm::dquat& q) { return {q.w, q.x, -q.y, -q.z}; }
glm::dvec3 reflected(const glm::dvec3& v) { return {-v.x, v.y, v.z}; }

float plain(double value) { return std::abs(value) < 1e-7 ? 0.0f : static_cast<float>(value); }

Quat to_float(const glm::dquat& q) { return make_quat(plain(q.x), plain(q.y), plain(q.z), plain(q.w)); }

void flip(float& low, float& high) {
  std::swap(low, high);
  low = low == 0.0f ? 0.0f : -low;
  high = high == 0.0f ? 0.0f : -high;
}

void flip(Hinge& hinge) {
  flip(hinge.min_angle, hinge.max_angle);
  std::swap(hinge.delta_min_damping, hinge.delta_max_damping);
}

/// Mirrors one type; one overload per type that has values to mirror.
class Mirrored {
 public:
  explicit Mirrored(const Crossings& crossings) : cross_(crossings) {}
  std::string why;

  void operator()(BallJointModifier& m) {
    m.own_gravity = Crossing().vector(m.own_gravity);
    const int y = turn_axis(1).first, z = turn_axis(2).first;
    if (y == 2 && z == 1) std::swap(m.constraint_scale_y, m.constraint_scale_z);
    if (cross_.owner.axis(0) != 0) why = "the X axes of the two bones are not mirror images";
    if (m.local_yaw_offset == 0.0f && m.local_pitch_offset == 0.0f && m.local_roll_offset == 0.0f) return;
    set_offsets(m, to_double(cross_.owner.rotation(to_float(from_offsets(m)))));
  }
  void operator()(HingeModifier& m) {
    m.gravity = cross_.of(m.gravity_associated_bone).vector(m.gravity);
    const auto [axis, flips] = turn_axis(m.axis_constraint_type);
    const auto look = cross_.owner.axis(m.axis_look_at_type);
    if (axis < 0 || !look || *look > 2) {
      why = "the axes of the two bones are not mirror images";
      return;
    }
    m.axis_constraint_type = axis;
    m.axis_look_at_type = *look;
    const float w = m.local_axis_constraint.w;
    m.local_axis_constraint = axis_vector(axis);
    m.local_axis_constraint.w = w;
    for (Hinge& hinge : m.constraints) mirror(hinge, flips);
  }
  void operator()(HingeVectorModifier& m) {
    m.hinge_local_offset_position = cross_.owner.vector(m.hinge_local_offset_position);
    // A half turn about Z keeps both axes of the hinge on their own side.
    const glm::dquat half(0, 0, 0, 1);
    const Quat& q = m.hinge_local_offset_rotation;
    m.hinge_local_offset_rotation = to_float(glm::conjugate(cross_.owner.turn()) * reflected(to_double(q)) * half);
  }
  void operator()(SpringBoxModifier& m) {
    m.force = Crossing().vector(m.force);
    const Vec4 one = cross_.parent.vector(m.box_min), two = cross_.parent.vector(m.box_max);
    for (int i = 0; i < 3; ++i) {
      m.box_min[i] = std::min(one[i], two[i]);
      m.box_max[i] = std::max(one[i], two[i]);
    }
    if (!cross_.parent.is_aligned()) why = "the axes of the two parents are not mirror images";
  }
  void operator()(PositionConstraintModifier& m) { m.offset = cross_.parent.vector(m.offset); }
  void operator()(OrientationConstraintModifier& m) {
    const bool keeps = std::ranges::find(m.keep_initial_offset, true) != m.keep_initial_offset.end();
    const Crossing from = keeps || m.targets.empty() ? cross_.owner : cross_.of(m.targets.front());
    if (!keeps || m.offset != make_quat(0, 0, 0, 1)) m.offset = from.rotation(m.offset, cross_.owner);
  }
  void operator()(RotationConstraintModifier& m) {
    m.gravity = Crossing().vector(m.gravity);
    // Limits are of the components X, Y and Z, in this order.
    std::vector<Hinge> limits = m.constraints;
    for (std::size_t i = 0; i < std::min<std::size_t>(m.constraints.size(), 3); ++i) {
      const auto [axis, flips] = turn_axis(static_cast<int>(i));
      if (axis < 0 || static_cast<std::size_t>(axis) >= limits.size()) {
        why = "the axes of the two bones are not mirror images";
        return;
      }
      limits[static_cast<std::size_t>(axis)] = m.constraints[i];
      mirror(limits[static_cast<std::size_t>(axis)], flips);
    }
    m.constraints = std::move(limits);
  }
  void operator()(MaxLookAtModifier& m) {
    m.look_at_pos_offset = cross_.of(m.look_at_bone).vector(m.look_at_pos_offset);
    take(m.look_at_used_axis, cross_.owner);
    take(m.up_used_axis, cross_.owner);
    constexpr std::int32_t kTowardNode = 2;
    if (m.up_node_control == kTowardNode) return;  // the axis stands for its sign only
    take(m.source_axis, m.up_node_control == 0 ? Crossing() : cross_.of(m.up_node));
  }
  void operator()(AnvilLookAtModifier& m) {
    m.look_at_pos_offset = cross_.of(m.look_at_bone).vector(m.look_at_pos_offset);
    take(m.look_at_used_axis, cross_.owner);
    take(m.parent_up_axis, cross_.parent);
    m.clamped_rotation_reference_vector = cross_.owner.vector(m.clamped_rotation_reference_vector);
    take(m.clamped_rotation_axis, cross_.owner);
    flip(m.min_angle, m.max_angle);  // about the reflected axis every angle changes its sign
  }
  void operator()(LookAtModifier& m) { (*this)(static_cast<AnvilLookAtModifier&>(m)); }
  void operator()(RollModifier& m) {
    if (m.roll_bone_type >= 0 && m.roll_bone_type <= 3) m.roll_bone_type ^= 2;  // 0 and 2, 1 and 3 are sides
  }
  void operator()(CompressModifier& m) {
    const Crossing one = cross_.of(m.offset_bone1), two = cross_.of(m.offset_bone2);
    m.rot_offset1 = one.rotation(m.rot_offset1, cross_.owner);
    m.rot_offset2 = two.rotation(m.rot_offset2, cross_.owner);
    m.pos_offset1 = one.vector(m.pos_offset1);
    m.pos_offset2 = two.vector(m.pos_offset2);
  }
  void operator()(RotationExpressionModifier& m) {
    const auto [axis, flips] = turn_axis(m.axis_constraint);
    const Crossing read = cross_.of(m.gravity_bone.is_null() ? m.linked_bone : m.gravity_bone);
    const auto [read_axis, read_flips] = turn_axis(m.axis_constraint, read);
    if (axis < 0 || axis != read_axis) {
      why = "the axes of the two bones are not mirror images";
      return;
    }
    m.axis_constraint = axis;
    if (read_flips) m.initial_offset = -m.initial_offset;
    if (m.expressions.empty() && flips != read_flips) m.expressions.emplace_back();  // the angle itself
    for (RotationExpression& term : m.expressions) {
      if (flips != read_flips) term.gain = -term.gain;
      if (!flips) continue;
      term.bias = -term.bias;
      flip(term.min, term.max);
    }
  }
  template <class Other>
  void operator()(Other&) {}

 private:
  // Returns the axis (0 to 2) that rotations about an axis are about on the other side, and whether their sign changes.
  static std::pair<int, bool> turn_axis(int index, const Crossing& crossing) {
    const auto axis = index < 0 || index > 2 ? std::nullopt : crossing.axis(index);
    if (!axis) return {-1, false};
    return {*axis % 3, *axis < 3};  // a rotation vector becomes minus its mirror image
  }
  std::pair<int, bool> turn_axis(int index) const { return turn_axis(index, cross_.owner); }

  void take(std::int32_t& axis, const Crossing& crossing) {
    const auto other = axis >= 0 && axis < 6 ? crossing.axis(axis) : std::nullopt;
    if (other)
      axis = *other;
    else
      why = "the axes of the two bones are not mirror images";
  }

  static void mirror(Hinge& hinge, bool flips) {
    if (flips) flip(hinge);
    hinge.initial_global_position = Vec4(0.0f);  // caches of the game, which it recomputes
    hinge.initial_global_rotation = make_quat(0, 0, 0, 1);
  }

  const Crossings& cross_;
};

}  // namespace

Crossing::Crossing(const Quat& rest, const Quat& other_rest) {
  const glm::dquat own = to_double(rest), other = to_double(other_rest);
  turn_ = glm::conjugate(reflected(own)) * other;
  const glm::dmat3 forth = glm::mat3_cast(glm::conjugate(other)), back = glm::mat3_cast(own);
  for (int i = 0; i < 3; ++i) map_[i] = forth * reflected(back[i]);
  glm::dmat3 snapped(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      snapped[i][j] = std::round(map_[i][j]);
      aligned_ = aligned_ && std::abs(map_[i][j] - snapped[i][j]) < kAligned;
    }
  if (!aligned_) return;
  // Rest poses in files are rounded; axes that become axes do so exactly.
  map_ = snapped;
  glm::dmat3 turn = snapped;
  turn[0] = -turn[0];  // R'^-1 S R S is the inverse of K
  turn_ = glm::conjugate(glm::normalize(glm::quat_cast(turn)));
}

Vec4 Crossing::vector(const Vec4& v) const {
  const glm::dvec3 out = map_ * glm::dvec3(v.x, v.y, v.z);
  return {plain(out.x), plain(out.y), plain(out.z), v.w};
}

Quat Crossing::rotation(const Quat& q, const Crossing& after) const {
  return to_float(glm::conjugate(turn_) * reflected(to_double(q)) * after.turn_);
}

std::optional<int> Crossing::axis(int index) const {
  const glm::dvec3 out = map_[index % 3] * (index < 3 ? 1.0 : -1.0);
  for (int i = 0; i < 3; ++i)
    if (std::abs(out[i]) > 1.0 - 1e-6) return out[i] > 0.0 ? i : i + 3;
  return std::nullopt;
}

std::string mirror_values(marrow::Modifier& modifier, const Crossings& crossings) {
  Mirrored mirrored(crossings);
  std::visit(mirrored, modifier.data);
  return mirrored.why;
}

}  // namespace marrow::anvil
