// SPDX-License-Identifier: MIT
#include "havok/physics/ragdoll.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "geometry/hull/hull.h"
#include "havok/physics/measure.h"
#include "marrow/model/pose.h"
#include "model/named_bone.h"

namespace marrow::havok {
namespace {

// What the bodies of the game's ragdolls have.
constexpr float kFriction = 0.6015625f;
constexpr float kRestitution = 0.2001953125f;
constexpr float kLinearDamping = 0.400390625f;
constexpr float kAngularDamping = 0.6015625f;
constexpr std::uint8_t kFirstLeftPart = 5, kFirstRightPart = 11, kLastRightPart = 16;
constexpr std::uint8_t kPartsOfASide = kFirstRightPart - kFirstLeftPart;

Vec3 reflect(const Vec3& v) { return {-v.x, v.y, v.z}; }

std::uint8_t part_on_other_side(std::uint8_t part) {
  if (part < kFirstLeftPart || part > kLastRightPart) return part;
  return static_cast<std::uint8_t>(part < kFirstRightPart ? part + kPartsOfASide : part - kPartsOfASide);
}

// Three axes at right angles: x as given, y as near to `other` as can be.
glm::mat3 frame_along(const Vec3& axis, const Vec3& other) {
  const Vec3 x = glm::normalize(axis);
  Vec3 y = other - x * glm::dot(x, other);
  if (!(glm::length(y) > 1e-4f)) {
    const Vec3 any = std::abs(x.z) < 0.9f ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
    y = glm::cross(any, x);
  }
  y = glm::normalize(y);
  return glm::mat3(x, y, glm::cross(x, y));
}

bool is_axis(const Vec3& v) { return std::isfinite(glm::length(v)) && glm::length(v) > 1e-6f; }

bool has_usable_limits(const RagdollBody& row) {
  return std::visit(
      [](const auto& limits) {
        if constexpr (requires { limits.axis; })
          if (!is_axis(limits.axis)) return false;
        if constexpr (requires { limits.plane_normal; })
          return is_axis(limits.plane_normal) &&
                 std::isfinite(limits.twist_min + limits.twist_max + limits.cone + limits.plane_min + limits.plane_max);
        else if constexpr (requires { limits.min; })
          return std::isfinite(limits.min) && std::isfinite(limits.max);
        else
          return true;
      },
      row.limits);
}

/// Builds one ragdoll.
class RagdollBuilder {
 public:
  RagdollBuilder(const Skeleton& skeleton, const RagdollOptions& options) : skeleton_(skeleton), options_(options) {}

  Result<CollisionSystem> build(std::span<const RagdollBody> rows) {
    if (rows.empty()) return fail(ErrorCode::InvalidArgument, "a ragdoll needs at least one body");
    MARROW_CHECK(validate(skeleton_));
    model_.resize(skeleton_.bones.size());
    for (std::size_t i = 0; i < model_.size(); ++i) model_[i] = skeleton_.bones[i].rest;
    local_to_model(skeleton_, model_, model_);
    row_of_.resize(skeleton_.bones.size());
    for (const RagdollBody& row : rows) MARROW_CHECK(add_row(row));
    if (options_.mirrored) add_mirrored(rows);
    MARROW_CHECK(order_bones());
    system_.game_units = options_.game_units;
    motor_ = system_.add_motor({});
    system_.ragdoll.emplace();
    for (std::size_t i = 0; i < order_.size(); ++i) MARROW_CHECK(add_body(i));
    drop_unused_motor();
    return std::move(system_);
  }

 private:
  using BoneIndex = std::size_t;
  static constexpr std::size_t kNone = SIZE_MAX;

  static std::unexpected<Error> refuse(const RagdollBody& row, std::string message) {
    return fail(ErrorCode::InvalidArgument, std::move(message), kNoOffset, "body '" + row.bone + "'");
  }

  Result<void> add_row(const RagdollBody& row) {
    MARROW_TRY(const std::int32_t bone, named_bone(skeleton_, row.bone));
    const auto is_positive = [](float value) { return std::isfinite(value) && value > 0.0f; };
    const Vec3& half = row.half_extents;
    if (!is_positive(row.radius) || !is_positive(row.length) || !is_positive(row.mass_kg) || !is_positive(half.x) ||
        !is_positive(half.y) || !is_positive(half.z))
      return refuse(row, "radius, length, half extents and mass are numbers above 0");
    if (!has_usable_limits(row)) return refuse(row, "limits are finite numbers and axes have a length");
    auto& own = row_of_[static_cast<BoneIndex>(bone)];
    if (own) return refuse(row, "the bone has two bodies");
    own = row;
    return {};
  }

  // The row for the bone on the other side: its vectors are reflected in model space.
  RagdollBody mirrored(const RagdollBody& row, BoneIndex from, BoneIndex to) const {
    const auto point = [&](const Vec3& p) {
      const Vec3 in_model = model_[from].rotation * p + model_[from].translation;
      return glm::conjugate(model_[to].rotation) * (reflect(in_model) - model_[to].translation);
    };
    const auto direction = [&](const Vec3& d) {
      return glm::conjugate(model_[to].rotation) * reflect(model_[from].rotation * d);
    };
    RagdollBody other = row;
    other.bone = skeleton_.bones[to].name;
    other.part = part_on_other_side(row.part);
    if (row.from) other.from = point(*row.from);
    if (row.to) other.to = point(*row.to);
    if (auto* swing = std::get_if<SwingLimits>(&other.limits)) {
      // In a mirror a turn about the bone goes the other way.
      swing->plane_normal = direction(swing->plane_normal);
      std::swap(swing->twist_min, swing->twist_max);
      swing->twist_min = -swing->twist_min;
      swing->twist_max = -swing->twist_max;
    }
    // A turn goes the other way about the reflected axis, a slide does not.
    if (auto* turn = std::get_if<TurnLimits>(&other.limits)) turn->axis = -direction(turn->axis);
    if (auto* turn = std::get_if<FreeTurn>(&other.limits)) turn->axis = -direction(turn->axis);
    if (auto* slide = std::get_if<SlideLimits>(&other.limits)) slide->axis = direction(slide->axis);
    return other;
  }

  void add_mirrored(std::span<const RagdollBody> rows) {
    for (const RagdollBody& row : rows) {
      const auto own = find_bone(skeleton_, row.bone), other = find_bone(skeleton_, other_side(row.bone));
      if (!own || !other) continue;
      const auto from = static_cast<BoneIndex>(*own), to = static_cast<BoneIndex>(*other);
      if (!row_of_[to]) row_of_[to] = mirrored(row, from, to);
    }
  }

  // The nearest bone above that has a body.
  BoneIndex body_above(BoneIndex bone) const {
    for (std::int32_t at = skeleton_.bones[bone].parent; at != kNoBone;
         at = skeleton_.bones[static_cast<BoneIndex>(at)].parent)
      if (row_of_[static_cast<BoneIndex>(at)]) return static_cast<BoneIndex>(at);
    return kNone;
  }

  // Breadth first, as the game's ragdolls are.
  Result<void> order_bones() {
    below_.resize(skeleton_.bones.size());
    BoneIndex root = kNone;
    for (BoneIndex bone = 0; bone < row_of_.size(); ++bone) {
      if (!row_of_[bone]) continue;
      if (const BoneIndex above = body_above(bone); above != kNone) {
        below_[above].push_back(bone);
      } else if (root == kNone) {
        root = bone;
      } else {
        return refuse(*row_of_[bone], "neither this bone nor '" + skeleton_.bones[root].name +
                                          "' has a body above it; give their common parent one");
      }
    }
    body_of_.assign(skeleton_.bones.size(), 0);
    std::deque<BoneIndex> open = {root};
    while (!open.empty()) {
      const BoneIndex bone = open.front();
      open.pop_front();
      body_of_[bone] = order_.size();
      order_.push_back(bone);
      open.insert(open.end(), below_[bone].begin(), below_[bone].end());
    }
    return {};
  }

  Vec3 in_bone(BoneIndex bone, const Vec3& in_model) const {
    return glm::conjugate(model_[bone].rotation) * (in_model - model_[bone].translation);
  }

  struct Ends {
    Vec3 from{0.0f}, to{0.0f};
  };
  Ends ends_of(BoneIndex bone) const {
    const RagdollBody& row = *row_of_[bone];
    Ends ends;
    ends.from = row.from.value_or(Vec3(0.0f));
    if (row.to) {
      ends.to = *row.to;
    } else if (!below_[bone].empty()) {
      Vec3 sum(0.0f);
      for (const BoneIndex child : below_[bone]) sum += in_bone(bone, model_[child].translation);
      ends.to = sum / static_cast<float>(below_[bone].size());
    }
    if (!(glm::distance(ends.from, ends.to) > 1e-3f)) ends.to = ends.from + Vec3(row.length, 0, 0);
    return ends;
  }

  Result<Shape> shape_for(BoneIndex bone) const {
    const RagdollBody& row = *row_of_[bone];
    const auto [from, to] = ends_of(bone);
    const float unit = 1.0f / options_.game_units;
    const Vec3 middle = (from + to) * 0.5f;
    Shape shape;
    switch (row.shape) {
      case RagdollShape::Box: {
        MARROW_TRY(const geometry::Hull hull,
                   geometry::box_hull({.center = middle * unit, .half_extents = row.half_extents * unit}));
        shape = shape_of(hull);
        break;
      }
      case RagdollShape::Ball:
        shape.convex_radius = row.radius * unit;
        shape.geometry = BallShape{middle * unit};
        break;
      case RagdollShape::Capsule: {
        const float length = glm::distance(from, to);
        const Vec3 inset = (to - from) * (std::min(0.5f * row.radius, 0.4f * length) / length);
        shape.convex_radius = kCapsuleRadiusPart * row.radius * unit;
        // The game's capsules start at the far end.
        shape.geometry = CapsuleShape{(to - inset) * unit, (from + inset) * unit};
        break;
      }
    }
    shape.material = options_.material;
    return shape;
  }

  Result<void> add_body(std::size_t index) {
    const BoneIndex bone = order_[index];
    const RagdollBody& row = *row_of_[bone];
    MARROW_TRY(Shape shape, shape_for(bone));
    Body body;
    body.shape = system_.add_shape(std::move(shape));
    body.surface = static_cast<std::uint16_t>(system_.surfaces.size());
    body.motion = static_cast<std::uint32_t>(system_.motions.size());
    body.filter = (row.layer & 0x7Fu) | static_cast<std::uint32_t>(row.part) << 8;
    body.flags = body_flag::kContactImpulseEvents | body_flag::kEnterKeyframed;
    body.position = Vec4(model_[bone].translation / options_.game_units, 0.0f);
    body.orientation = model_[bone].rotation;
    SurfaceProperties surface;
    surface.dynamic_friction = surface.static_friction = kFriction;
    surface.restitution = kRestitution;
    system_.surfaces.push_back(surface);
    add_motion(body, row.mass_kg);
    system_.bodies.push_back(body);
    add_bone(bone);
    const BoneIndex above = body_above(bone);
    if (above != kNone)
      system_.constraints.push_back({.body_a = static_cast<std::uint32_t>(index),
                                     .body_b = static_cast<std::uint32_t>(body_of_[above]),
                                     .joint = joint_for(bone, above)});
    return {};
  }

  void add_motion(const Body& body, float mass_kg) {
    const auto mass = mass_properties(system_, *system_.find_shape(body.shape));
    const geometry::BodyInertia inertia = geometry::body_inertia(*mass, double{mass_kg});
    Motion motion;
    motion.properties = static_cast<std::uint16_t>(system_.motion_properties.size());
    motion.inverse_mass = inertia.inverse_mass;
    motion.mass_factor = inertia.mass_factor;
    motion.inverse_inertia = Vec4(inertia.inverse_inertia, 1.0f);
    motion.center_of_mass = Vec4(Vec3(body.position) + body.orientation * inertia.center_of_mass, 0.0f);
    motion.orientation = body.orientation * inertia.rotation;
    system_.motions.push_back(motion);
    MotionProperties properties;
    properties.linear_damping = kLinearDamping;
    properties.angular_damping = kAngularDamping;
    system_.motion_properties.push_back(properties);
  }

  // The place of a bone in the space of the one whose body is above.
  Frame relative(BoneIndex bone, BoneIndex above) const {
    const Quat turn = glm::conjugate(model_[above].rotation) * model_[bone].rotation;
    return {glm::mat3_cast(turn), in_bone(above, model_[bone].translation) / options_.game_units};
  }

  void add_bone(BoneIndex bone) {
    const BoneIndex above = body_above(bone);
    Bone own;
    if (options_.has_bone_names) own.name = skeleton_.bones[bone].name;
    own.lock_translation = above != kNone;
    own.rest = {model_[bone].translation / options_.game_units, model_[bone].rotation, Vec3(1.0f)};
    if (above != kNone) {
      own.parent = static_cast<std::int32_t>(body_of_[above]);
      own.rest.translation = relative(bone, above).translation;
      own.rest.rotation = glm::conjugate(model_[above].rotation) * model_[bone].rotation;
    }
    system_.ragdoll->skeleton.bones.push_back(std::move(own));
    system_.ragdoll->bone_to_body.push_back(static_cast<std::int32_t>(body_of_[bone]));
  }

  Joint joint_for(BoneIndex bone, BoneIndex above) const {
    const RagdollBody& row = *row_of_[bone];
    const auto [from, to] = ends_of(bone);
    const Vec3 along = to - from;
    return std::visit([&](const auto& limits) { return make_joint(limits, row, along, relative(bone, above)); },
                      row.limits);
  }

  // Axes of the bone, and the same ones in the space of the body above.
  template <class J>
  static J framed(J joint, const glm::mat3& axes, const Frame& placed) {
    joint.frame_a.rotation = axes;
    joint.frame_b = {placed.rotation * axes, placed.translation};
    return joint;
  }

  Joint make_joint(const SwingLimits& swing, const RagdollBody& row, const Vec3& along, const Frame& placed) const {
    RagdollJoint joint = framed(RagdollJoint{}, frame_along(along, swing.plane_normal), placed);
    joint.max_friction_torque = row.friction_torque;
    joint.twist_min = swing.twist_min;
    joint.twist_max = swing.twist_max;
    joint.cone_max = swing.cone;
    joint.plane_min = swing.plane_min;
    joint.plane_max = swing.plane_max;
    joint.motors = {motor_, motor_, motor_};
    return joint;
  }

  Joint make_joint(const TurnLimits& turn, const RagdollBody& row, const Vec3& along, const Frame& placed) const {
    LimitedHingeJoint joint = framed(LimitedHingeJoint{}, frame_along(turn.axis, along), placed);
    joint.max_friction_torque = row.friction_torque;
    joint.min_angle = turn.min;
    joint.max_angle = turn.max;
    joint.motor = motor_;
    return joint;
  }

  Joint make_joint(const FreeTurn& turn, const RagdollBody&, const Vec3& along, const Frame& placed) const {
    return framed(HingeJoint{}, frame_along(turn.axis, along), placed);
  }

  Joint make_joint(const FreeSwing&, const RagdollBody&, const Vec3&, const Frame& placed) const {
    return BallJoint{.pivot_b = placed.translation};
  }

  Joint make_joint(const SlideLimits& slide, const RagdollBody& row, const Vec3& along, const Frame& placed) const {
    PrismaticJoint joint = framed(PrismaticJoint{}, frame_along(slide.axis, along), placed);
    joint.max_friction_force = row.friction_torque;
    joint.min_distance = slide.min / options_.game_units;
    joint.max_distance = slide.max / options_.game_units;
    joint.motor = motor_;
    return joint;
  }

  Joint make_joint(const NoMotion&, const RagdollBody&, const Vec3& along, const Frame& placed) const {
    return framed(FixedJoint{}, frame_along(along, Vec3(0, 1, 0)), placed);
  }

  void drop_unused_motor() {
    bool is_used = false;
    for (const Constraint& each : system_.constraints) for_each_motor(each.joint, [&](MotorId) { is_used = true; });
    if (!is_used) system_.motors.clear();
  }

  const Skeleton& skeleton_;
  const RagdollOptions& options_;
  std::vector<Transform> model_;                    ///< the rest pose
  std::vector<std::optional<RagdollBody>> row_of_;  ///< per bone
  std::vector<std::vector<BoneIndex>> below_;       ///< per bone with a body: the next bones below that have one
  std::vector<std::size_t> body_of_;                ///< per bone
  std::vector<BoneIndex> order_;                    ///< the bone of each body
  MotorId motor_ = MotorId::None;
  CollisionSystem system_;
};

}  // namespace

Result<CollisionSystem> make_ragdoll(const Skeleton& skeleton, std::span<const RagdollBody> bodies,
                                     const RagdollOptions& options) {
  if (!(std::isfinite(options.game_units) && options.game_units > 0.0f))
    return fail(ErrorCode::InvalidArgument, "the unit of a system is a length above 0");
  return RagdollBuilder(skeleton, options).build(bodies);
}

}  // namespace marrow::havok
