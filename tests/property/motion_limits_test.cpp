// SPDX-License-Identifier: MIT
// Limits over random poses, values and steps of time: none is passed by more than 1e-6.
#include "property/motion.h"

#include <array>

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

glm::dvec3 rotation_vector(glm::dquat q) {
  if (q.w < 0) q = -q;
  const glm::dvec3 v(q.x, q.y, q.z);
  const double s = glm::length(v);
  return s < 1e-12 ? v * 2.0 : v * (2 * std::atan2(s, q.w) / s);
}
glm::dquat about(const glm::dvec3& axis, double degrees) { return glm::angleAxis(degrees * kPi / 180, axis); }
double signed_angle(const glm::dvec3& from, const glm::dvec3& to, const glm::dvec3& axis) {
  const glm::dvec3 a = from - axis * glm::dot(from, axis), b = to - axis * glm::dot(to, axis);
  return std::atan2(glm::dot(glm::cross(a, b), axis), glm::dot(a, b));
}
// How far an angle is outside a range, give or take whole turns; of an empty range only the lower end is left.
double outside(double angle, double low, double high) {
  const double past_low = std::remainder(angle - low, 2 * kPi), past_high = std::remainder(angle - high, 2 * kPi);
  const double nearest = std::min(std::abs(past_low), std::abs(past_high));
  if (high <= low) return std::abs(past_low);
  const double turns = std::floor((high - angle) / (2 * kPi));
  return angle + turns * 2 * kPi >= low ? 0.0 : nearest;
}

constexpr double kLimit = 1e-6;

}  // namespace

TEST_CASE("a ball joint stays in its ellipse, whatever its offsets and the direction of its bone") {
  holds("ellipse", [] {
    Alone alone(ModifierType::BallJoint);
    const auto& joint = alone.data<BallJointModifier>();
    const double cone = static_cast<double>(joint.constraint_angle) * kPi / 180;
    const double y = cone * static_cast<double>(joint.constraint_scale_y),
                 z = cone * static_cast<double>(joint.constraint_scale_z);
    const glm::dquat offset = about({0, 0, 1}, joint.local_yaw_offset) * about({0, 1, 0}, joint.local_pitch_offset) *
                              about({1, 0, 0}, joint.local_roll_offset);
    const glm::dquat along =
        alone.rig.along_bone.empty() ? glm::dquat(1, 0, 0, 0) : wide(alone.rig.along_bone[alone.owner]);
    alone.run([&](const AnyRun&, const glm::dquat& turn, const Transform&, const Vec3&) {
      const glm::dvec3 r = rotation_vector(glm::conjugate(offset * along) * turn * along);
      RC_ASSERT(std::abs(r.x) < kLimit);
      if (y < 1e-9 || z < 1e-9) {
        RC_ASSERT(std::abs(r.y) < y + kLimit);
        RC_ASSERT(std::abs(r.z) < z + kLimit);
        return;
      }
      // To first order the distance from the ellipse, which for the smallest of axes is not that along r.
      const double e2 = std::pow(r.y / y, 2) + std::pow(r.z / z, 2);
      const double slope = 2 * std::hypot(r.y / (y * y), r.z / (z * z));
      RC_ASSERT(e2 <= 1 || (e2 - 1) / slope < kLimit);
    });
  });
}

TEST_CASE("a hinge turns about its axis alone, within all ranges that follow their bones") {
  holds("hinge ranges", [] {
    Alone alone(ModifierType::Hinge);
    const auto& hinge = alone.data<HingeModifier>();
    const Skeleton& skeleton = alone.rig.skeleton;
    std::vector<Place> rest;
    for (const Bone& bone : skeleton.bones) rest.push_back(Place(bone.rest));
    const auto owner = static_cast<std::int32_t>(alone.owner);
    const glm::dvec3 turned = axis(hinge.axis_constraint_type), look = axis(hinge.axis_look_at_type);
    const Place origin{glm::dvec3(0.0), glm::dquat(1, 0, 0, 0)};
    alone.run([&](const AnyRun& run, const glm::dquat& turn, const Transform&, const Vec3&) {
      const glm::dvec3 v(turn.x, turn.y, turn.z);
      RC_ASSERT(glm::length(v - turned * glm::dot(v, turned)) < kLimit);
      const std::vector<Place> locals(run.pose.begin(), run.pose.end());
      const Place entity(run.environment.entity), base = global(skeleton, locals, entity, owner);
      double low = -1e9, high = 1e9;
      for (const Hinge& range : hinge.constraints) {
        double shift = 0.0;
        if (!range.constraint_associated_bone.is_null()) {
          const auto bone = static_cast<std::int32_t>(range.constraint_associated_bone.target);
          const glm::dvec3 at_rest = glm::conjugate(global(skeleton, rest, origin, bone).rotation) *
                                     (global(skeleton, rest, origin, owner).rotation * look);
          const glm::dvec3 now =
              glm::conjugate(base.rotation) * (global(skeleton, locals, entity, bone).rotation * at_rest);
          // Next to the axis there is no angle, and near it none that floats could tell.
          if (glm::length(now - turned * glm::dot(now, turned)) < 0.2) return;
          shift = signed_angle(look, now, turned);
        }
        low = std::max(low, range.min_angle + shift);
        high = std::min(high, range.max_angle + shift);
      }
      if (!hinge.constraints.empty())
        RC_ASSERT(outside(2 * std::atan2(glm::dot(v, turned), turn.w), low, high) < kLimit);
    });
  });
}

TEST_CASE("a spring box stays in its box") {
  holds("box", [] {
    Alone alone(ModifierType::SpringBox);
    const auto& box = alone.data<SpringBoxModifier>();
    alone.run([&](const AnyRun&, const glm::dquat&, const Transform& out, const Vec3&) {
      const Vec3 low = glm::min(Vec3(box.box_min), Vec3(box.box_max)),
                 high = glm::max(Vec3(box.box_min), Vec3(box.box_max));
      for (int i = 0; i < 3; ++i) {
        RC_ASSERT(out.translation[i] >= low[i] - static_cast<float>(kLimit));
        RC_ASSERT(out.translation[i] <= high[i] + static_cast<float>(kLimit));
      }
    });
  });
}

TEST_CASE("a rotation constraint keeps each angle from its goal in range") {
  holds("rotation ranges", [] {
    Alone alone(ModifierType::RotationConstraint);
    auto& constraint = alone.data<RotationConstraintModifier>();
    constraint.constraint_associated_bone = {};
    constraint.constraints.resize(3);
    alone.run([&](const AnyRun&, const glm::dquat& turn, const Transform&, const Vec3&) {
      const glm::dvec3 r = rotation_vector(turn);
      for (int i = 0; i < 3; ++i) {
        const Hinge& range = constraint.constraints[static_cast<std::size_t>(i)];
        RC_ASSERT(r[i] > range.min_angle - kLimit);
        RC_ASSERT(r[i] < std::max(range.min_angle, range.max_angle) + kLimit);
      }
    });
  });
}

TEST_CASE("a clamped look-at keeps its turn about the axis between the limits, from the reference vector on") {
  holds("look-at clamp", [] {
    Alone alone(ModifierType::AnvilLookAt);
    const auto& look = alone.data<AnvilLookAtModifier>();
    RC_PRE(look.min_angle != 0.0f || look.max_angle != 0.0f);
    const glm::dvec3 about_axis = axis(look.clamped_rotation_axis), aim = axis(look.look_at_used_axis);
    // Where the reference, or the aim itself, lies along the axis there is no angle: the input is 0.
    const bool counted = look.clamped_rotation_axis % 3 != look.look_at_used_axis % 3;
    const double zero =
        counted ? signed_angle(glm::dvec3(look.clamped_rotation_reference_vector), aim, about_axis) : 0.0;
    alone.run([&](const AnyRun&, const glm::dquat& turn, const Transform&, const Vec3&) {
      const double sine = glm::dot(glm::dvec3(turn.x, turn.y, turn.z), about_axis);
      // The further the rest of the turn is from none, the less of the angle is left to be told.
      const double told = std::hypot(sine, turn.w);
      const double angle = 2 * std::atan2(sine, turn.w) + zero;
      RC_ASSERT(outside(angle, std::min(look.min_angle, look.max_angle), std::max(look.min_angle, look.max_angle)) *
                    told <
                kLimit);
    });
  });
}

TEST_CASE("a stretch keeps between its limits, and the volume") {
  holds("stretch", [] {
    Alone alone(ModifierType::Stretch);
    const auto& stretch = alone.data<StretchModifier>();
    alone.run([&](const AnyRun&, const glm::dquat&, const Transform&, const Vec3& scale) {
      RC_ASSERT(std::abs(scale.x * scale.y * scale.z - 1.0f) < 1e-5f);
      std::array<float, 3> sorted = {scale.x, scale.y, scale.z};
      std::ranges::sort(sorted);
      const float along =
          sorted[1] - sorted[0] < sorted[2] - sorted[1] ? sorted[2] : sorted[0];  // across are two alike
      RC_ASSERT(along < stretch.max_scale + 1e-5f);
      RC_ASSERT(along > stretch.min_scale - 1e-5f);
    });
  });
}
