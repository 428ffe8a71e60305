// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "marrow/model/modifier_list.h"
#include "marrow/model/transform.h"

namespace marrow {

/// Bone modifiers: small programs that are attached to a bone and move it after the animation. They are plain values
/// that any skeleton can hold; `modifiers_fields.h` walks their fields by table, `motion/` runs them.
///
/// Types and fields have the engine's names in Marrow's spelling. Lengths are metres, gravity is metres per second
/// squared; the unit of an angle is stated at each field.

/// A reference to a bone. The holder of the modifier decides what the number means: an object id in a file of the
/// games, an index into `Skeleton::bones` in a `Rig`. `remap_links` converts between them.
struct BoneLink {
  static constexpr std::uint64_t kNull = ~std::uint64_t{0};
  std::uint64_t target = kNull;

  bool is_null() const { return target == kNull; }
  bool operator==(const BoneLink&) const = default;
};

/// A reference to another file of the game. Id 0 means none; the path is informative and may be anything.
struct FileReference {
  std::uint64_t id = 0;
  std::string path = "0";
  bool is_global = false;

  bool operator==(const FileReference&) const = default;
};

/// Limits on one angle of a hinge.
struct Hinge {
  std::uint64_t id = 0;
  BoneLink constraint_associated_bone;  ///< the limits follow this bone; null: they do not move
  float min_angle = 0.0f;               ///< radians
  float max_angle = 0.0f;               ///< radians
  float delta_min_damping = 0.0f;       ///< width of the soft zone above the lower limit, radians
  float delta_max_damping = 0.0f;       ///< width of the soft zone below the upper limit, radians
  Vec4 initial_global_position{0.0f};   ///< a cache of the game; the rest pose is authoritative
  Quat initial_global_rotation = make_quat(0, 0, 0, 1);

  bool operator==(const Hinge&) const = default;
};

/// One term of a rotation expression: clamp(gain * x + bias, min, max).
struct RotationExpression {
  std::uint64_t id = 0;
  float gain = 1.0f;
  float bias = 0.0f;
  float min = 0.0f;  ///< radians
  float max = 0.0f;  ///< radians

  bool operator==(const RotationExpression&) const = default;
};

/// Swings freely inside a cone: hair, pouches, flaps of cloth.
struct BallJointModifier {
  float mass = 1.0f;
  float collision_radius = 0.0f;
  float constraint_angle = 0.0f;    ///< half the opening of the cone, degrees
  float constraint_scale_y = 1.0f;  ///< makes the cone an ellipse; 0 locks the axis
  float constraint_scale_z = 1.0f;
  float mechanical_friction = 0.0f;
  float air_friction = 0.0f;
  float wind_scale = 0.0f;
  float wind_random_factor = 0.0f;
  std::int32_t gravity_mode = 0;  ///< 0 world gravity, 1 `own_gravity`
  Vec4 own_gravity{0.0f, 0.0f, -9.81f, 0.0f};
  float local_yaw_offset = 0.0f;    ///< degrees
  float local_pitch_offset = 0.0f;  ///< degrees
  float local_roll_offset = 0.0f;   ///< degrees
  FileReference common_data;

  bool operator==(const BallJointModifier&) const = default;
};

/// Swings about one axis between limits: a sword at the hip.
struct HingeModifier {
  float lag_factor = 0.0f;     ///< drag of the anchor's velocity
  float weight_factor = 0.0f;  ///< fraction of the speed lost per 1/60 s while rising
  Vec4 gravity{0.0f, 0.0f, -9.81f, 0.0f};
  BoneLink gravity_associated_bone;
  float wind_scale = 0.0f;
  std::int32_t axis_constraint_type = 0;  ///< axis of rotation: 0 X, 1 Y, 2 Z
  std::int32_t axis_look_at_type = 2;     ///< axis along the bone
  std::vector<Hinge> constraints;
  Vec4 local_axis_constraint{1.0f, 0.0f, 0.0f, 0.0f};

  bool operator==(const HingeModifier&) const = default;
};

/// A hinge that turns toward the weighted mean of target bones.
struct HingeVectorModifier {
  Vec4 hinge_local_offset_position{0.0f};
  Quat hinge_local_offset_rotation = make_quat(0, 0, 0, 1);
  float effect_ramp_down_min_angle = 0.0f;
  float effect_ramp_down_max_angle = 0.0f;
  float effect_ramp_down_min_distance = 0.0f;
  float effect_ramp_down_max_distance = 0.0f;
  std::vector<BoneLink> hinge_targets;
  std::vector<float> hinge_target_weights;  ///< empty: 1 each

  bool operator==(const HingeVectorModifier&) const = default;
};

/// A weight on a string.
struct PendulumModifier {
  std::int32_t gravity_axis = 0;  ///< 0 the world's gravity, 1 the parent's
  float gravity_scale = 1.0f;
  float mass = 1.0f;
  float friction = 0.0f;
  float air_friction = 0.0f;
  float length = 1.0f;
  float fake_centrifugal_force = 0.0f;

  bool operator==(const PendulumModifier&) const = default;
};

/// A spring on the position, kept inside a box in the parent's space.
struct SpringBoxModifier {
  float stiffness = 0.0f;
  float damping = 0.0f;
  float wind_share = 0.0f;
  Vec4 force{0.0f};
  Vec4 box_min{0.0f};
  Vec4 box_max{0.0f};

  bool operator==(const SpringBoxModifier&) const = default;
};

/// The bones that a constraint blends between.
struct ConstraintTargets {
  std::vector<BoneLink> targets;
  std::vector<bool> keep_initial_offset;  ///< one per target, or one for all
  std::vector<float> weights;             ///< any positive scale; empty: 1 each

  bool operator==(const ConstraintTargets&) const = default;
};

struct PositionConstraintModifier : ConstraintTargets {
  Vec4 offset{0.0f};

  bool operator==(const PositionConstraintModifier&) const = default;
};

struct OrientationConstraintModifier : ConstraintTargets {
  Quat offset = make_quat(0, 0, 0, 1);  ///< applied after the blend

  bool operator==(const OrientationConstraintModifier&) const = default;
};

/// Follows the rotation of a bone like a damped spring.
struct RotationConstraintModifier {
  float inertia = 0.0f;
  float damping = 0.0f;
  Vec4 gravity{0.0f};
  BoneLink constraint_associated_bone;
  std::vector<Hinge> constraints;

  bool operator==(const RotationConstraintModifier&) const = default;
};

/// Lies on a curve through target bones.
struct SplineConstraintModifier {
  std::vector<BoneLink> targets;
  float percent = -1.0f;  ///< position on the curve from 0 to 1; -1: the nearest one at rest

  bool operator==(const SplineConstraintModifier&) const = default;
};

/// Aims an axis at a bone, with full control of the up direction. Axes: 0 X, 1 Y, 2 Z, 3 -X, 4 -Y, 5 -Z.
struct MaxLookAtModifier {
  BoneLink up_node;
  BoneLink look_at_bone;
  Vec4 look_at_pos_offset{0.0f};
  std::int32_t look_at_used_axis = 0;
  std::int32_t up_used_axis = 2;
  std::int32_t up_node_control = 0;  ///< 0 world, 1 an axis of `up_node`, 2 toward `up_node`
  std::int32_t source_axis = 2;

  bool operator==(const MaxLookAtModifier&) const = default;
};

/// Aims an axis at a bone, between limits. Axes as in `MaxLookAtModifier`.
struct AnvilLookAtModifier {
  BoneLink look_at_bone;
  Vec4 look_at_pos_offset{0.0f};
  float min_angle = 0.0f;  ///< radians; both 0: no limit
  float max_angle = 0.0f;  ///< radians
  std::int32_t look_at_used_axis = 0;
  std::int32_t parent_up_axis = 2;
  std::int32_t clamped_rotation_axis = 0;
  Vec4 clamped_rotation_reference_vector{0.0f};

  bool operator==(const AnvilLookAtModifier&) const = default;
};

/// The name that `AnvilLookAtModifier` had before Assassin's Creed III.
struct LookAtModifier : AnvilLookAtModifier {
  bool operator==(const LookAtModifier&) const = default;
};

/// Copies the whole transform of a bone.
struct FollowModifier {
  BoneLink associated_bone;

  bool operator==(const FollowModifier&) const = default;
};

/// Copies a fraction of the twist of a bone.
struct RollModifier {
  std::int32_t roll_bone_type = 0;  ///< 0 and 2 counter-roll, 1 and 3 follow
  float roll_factor = 0.0f;
  BoneLink source_bone;

  bool operator==(const RollModifier&) const = default;
};

/// Lies between two bones.
struct CompressModifier {
  float position_influence1 = 0.0f;  ///< 1: only bone 1, 0: only bone 2
  float rotation_influence1 = 0.0f;
  BoneLink offset_bone1;
  BoneLink offset_bone2;
  Quat rot_offset1 = make_quat(0, 0, 0, 1);
  Quat rot_offset2 = make_quat(0, 0, 0, 1);
  Vec4 pos_offset1{0.0f};
  Vec4 pos_offset2{0.0f};
  bool use_rotation = true;
  bool use_position = true;

  bool operator==(const CompressModifier&) const = default;
};

/// Scales along the direction to a bone.
struct StretchModifier {
  BoneLink target_bone;
  float min_scale = 0.1f;
  float max_scale = 10.0f;

  bool operator==(const StretchModifier&) const = default;
};

/// Turns about an axis by a function of another bone's rotation.
struct RotationExpressionModifier {
  std::int32_t bone_modifier_update_mode = 0;  ///< meaning unknown: kept as a number
  BoneLink linked_bone;
  float initial_offset = 0.0f;       ///< radians
  std::int32_t axis_constraint = 0;  ///< 0 X, 1 Y, 2 Z
  BoneLink gravity_bone;
  std::vector<RotationExpression> expressions;  ///< summed; none: the angle itself

  bool operator==(const RotationExpressionModifier&) const = default;
};

/// Copies the rotation of a bone.
struct RotationPasteModifier {
  BoneLink linked_bone;
  bool use_parent_rotation = false;

  bool operator==(const RotationPasteModifier&) const = default;
};

/// Marks a bone that drives effects; does nothing itself.
struct FxModifier {
  bool operator==(const FxModifier&) const = default;
};

/// An unknown class; does nothing at run time.
struct UnknownModifier {
  std::string class_name;

  bool operator==(const UnknownModifier&) const = default;
};

/// The alternatives of `ModifierData`, by index: the rows of the list, then `Unknown`.
enum class ModifierType : std::uint8_t {
#define MARROW_ROW(name, ...) name,
  MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW
      Unknown,
};

using ModifierData = std::variant<
#define MARROW_ROW(name, ...) name##Modifier,
    MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW
        UnknownModifier>;
inline constexpr std::size_t kModifierTypeCount = std::variant_size_v<ModifierData>;

/// A row of `model/modifier_list.h` as data.
struct ModifierRow {
  ModifierType type = ModifierType::Unknown;
  std::string_view name;        ///< `BallJoint`
  std::string_view class_name;  ///< the engine's, `BallJointBoneModifier`
  std::string_view summary;     ///< what it does, as a fragment without a full stop
};

/// Returns the rows of all types except `Unknown`, in the order of `ModifierType`.
std::span<const ModifierRow> known_modifiers();

/// The fields that all modifiers share, and the data of one type.
struct Modifier {
  std::uint64_t id = 0;
  BoneLink owner;                         ///< the bone it is attached to
  float blend_weight = 1.0f;              ///< 0 no effect, 1 full effect
  bool use_modified_bone_matrix = false;  ///< starts from the result of earlier modifiers, not from the animation
  std::int32_t limit_lod_level = -1;      ///< off past this level of detail; -1: never
  ModifierData data;

  ModifierType type() const { return static_cast<ModifierType>(data.index()); }
  bool operator==(const Modifier&) const = default;
};

/// Returns the engine's name of the class, `BallJointBoneModifier`. For an unknown class returns the name in the file,
/// or an empty text.
std::string_view class_name(const Modifier& modifier);
std::string_view class_name(ModifierType type);
/// Returns the type with that name: the engine's name (`BallJointBoneModifier`, in any case) or a short form
/// (`BallJoint`, `ball-joint`).
std::optional<ModifierType> find_modifier_type(std::string_view name);
/// Returns a modifier of that type with default values.
Modifier make_modifier(ModifierType type);

}  // namespace marrow
