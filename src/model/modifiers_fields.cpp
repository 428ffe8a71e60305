// SPDX-License-Identifier: MIT
#include "marrow/model/modifiers_fields.h"

#include <array>

namespace marrow {
namespace {

constexpr std::string_view kGravityModeWords[] = {"GlobalGravity", "LocalGravity"};
constexpr std::string_view kModifierAxisWords[] = {"AxisX", "AxisY", "AxisZ"};
constexpr std::string_view kLookAtAxisWords[] = {"AXIS_X",       "AXIS_Y",       "AXIS_Z",
                                                 "AXIS_MINUS_X", "AXIS_MINUS_Y", "AXIS_MINUS_Z"};
constexpr std::string_view kUpNodeControlWords[] = {"WORLD_ALIGNMENT", "AXIS_ALIGNMENT", "LOOK_AT_ALIGNMENT"};
constexpr EnumWords kGravityMode{"GravityMode", kGravityModeWords};
constexpr EnumWords kModifierAxis{"BoneModifier::ModifierAxis", kModifierAxisWords};
constexpr EnumWords kLookAtAxis{"MaxLookAtBoneAxis", kLookAtAxisWords};
constexpr EnumWords kUpNodeControl{"MaxLookAtUpNodeControl", kUpNodeControlWords};

constexpr Field words(Field field, const EnumWords& words) {
  field.words = &words;
  return field;
}
constexpr Field optional(Field field) {
  field.optional = true;
  return field;
}
constexpr Field mandatory(Field field) {
  field.role = LinkRole::Mandatory;
  return field;
}

using Base = FieldsOf<Modifier>;
constexpr Field kBase[] = {
    Base::field<&Modifier::owner>("Owner"),
    Base::field<&Modifier::blend_weight>("BlendWeight"),
    Base::field<&Modifier::use_modified_bone_matrix>("UseModifiedBoneMatrix"),
    optional(Base::field<&Modifier::limit_lod_level>("LimitLodLevel")),
};
static_assert(std::size(kBase) == kModifierBaseFieldCount);

using H = FieldsOf<Hinge>;
constexpr Field kHingeLimits[] = {
    H::field<&Hinge::constraint_associated_bone>("ConstraintAssociatedBone"),
    H::field<&Hinge::min_angle>("MinAngle"),
    H::field<&Hinge::max_angle>("MaxAngle"),
    H::field<&Hinge::delta_min_damping>("DeltaMinDamping"),
    H::field<&Hinge::delta_max_damping>("DeltaMaxDamping"),
    H::field<&Hinge::initial_global_position>("InitialGlobalPosition"),
    H::field<&Hinge::initial_global_rotation>("InitialGlobalRotation"),
};

using Term = FieldsOf<RotationExpression>;
constexpr Field kTerm[] = {
    Term::field<&RotationExpression::gain>("Gain"),
    Term::field<&RotationExpression::bias>("Bias"),
    Term::field<&RotationExpression::min>("Min"),
    Term::field<&RotationExpression::max>("Max"),
};

using Ball = FieldsOf<BallJointModifier>;
constexpr Field kBallJoint[] = {
    Ball::field<&BallJointModifier::mass>("Mass"),
    Ball::field<&BallJointModifier::collision_radius>("CollisionRadius"),
    Ball::field<&BallJointModifier::constraint_angle>("ConstraintAngle"),
    Ball::field<&BallJointModifier::constraint_scale_y>("ConstraintScaleY"),
    Ball::field<&BallJointModifier::constraint_scale_z>("ConstraintScaleZ"),
    Ball::field<&BallJointModifier::mechanical_friction>("MechanicalFriction"),
    Ball::field<&BallJointModifier::air_friction>("AirFriction"),
    Ball::field<&BallJointModifier::wind_scale>("WindScale"),
    Ball::field<&BallJointModifier::wind_random_factor>("WindRandomFactor"),
    words(Ball::field<&BallJointModifier::gravity_mode>("GravityMode"), kGravityMode),
    Ball::field<&BallJointModifier::own_gravity>("OwnGravity"),
    Ball::field<&BallJointModifier::local_yaw_offset>("LocalYawOft"),
    Ball::field<&BallJointModifier::local_pitch_offset>("LocalPitchOft"),
    Ball::field<&BallJointModifier::local_roll_offset>("LocalRollOft"),
    Ball::field<&BallJointModifier::common_data>("CommonData"),
};

using HingeM = FieldsOf<HingeModifier>;
constexpr Field kHinge[] = {
    HingeM::field<&HingeModifier::lag_factor>("LagFactor"),
    HingeM::field<&HingeModifier::weight_factor>("WeightFactor"),
    HingeM::field<&HingeModifier::gravity>("Gravity"),
    HingeM::field<&HingeModifier::gravity_associated_bone>("GravityAssociatedBone"),
    HingeM::field<&HingeModifier::wind_scale>("WindScale"),
    words(HingeM::field<&HingeModifier::axis_constraint_type>("AxisConstraintType"), kModifierAxis),
    words(HingeM::field<&HingeModifier::axis_look_at_type>("AxisLookAtType"), kModifierAxis),
    HingeM::field<&HingeModifier::constraints>("Constraints"),
    HingeM::field<&HingeModifier::local_axis_constraint>("LocalAxisConstraint"),
};

using HingeV = FieldsOf<HingeVectorModifier>;
constexpr Field kHingeVector[] = {
    HingeV::field<&HingeVectorModifier::hinge_local_offset_position>("HingeLocalOffsetPosition"),
    HingeV::field<&HingeVectorModifier::hinge_local_offset_rotation>("HingeLocalOffsetRotation"),
    HingeV::field<&HingeVectorModifier::effect_ramp_down_min_angle>("EffectRampDownMinAngle"),
    HingeV::field<&HingeVectorModifier::effect_ramp_down_max_angle>("EffectRampDownMaxAngle"),
    HingeV::field<&HingeVectorModifier::effect_ramp_down_min_distance>("EffectRampDownMinDistance"),
    HingeV::field<&HingeVectorModifier::effect_ramp_down_max_distance>("EffectRampDownMaxDistance"),
    mandatory(HingeV::field<&HingeVectorModifier::hinge_targets>("HingeTargets")),
    optional(HingeV::field<&HingeVectorModifier::hinge_target_weights>("HingeTargetWeights")),
};

using Pendulum = FieldsOf<PendulumModifier>;
constexpr Field kPendulum[] = {
    words(Pendulum::field<&PendulumModifier::gravity_axis>("GravityAxis"), kGravityMode),
    Pendulum::field<&PendulumModifier::gravity_scale>("GravityScale"),
    Pendulum::field<&PendulumModifier::mass>("Mass"),
    Pendulum::field<&PendulumModifier::friction>("Friction"),
    Pendulum::field<&PendulumModifier::air_friction>("AirFriction"),
    Pendulum::field<&PendulumModifier::length>("Length"),
    Pendulum::field<&PendulumModifier::fake_centrifugal_force>("FakeCentrifugalForce"),
};

using SpringBox = FieldsOf<SpringBoxModifier>;
constexpr Field kSpringBox[] = {
    SpringBox::field<&SpringBoxModifier::stiffness>("Stiffness"),
    SpringBox::field<&SpringBoxModifier::damping>("Damping"),
    SpringBox::field<&SpringBoxModifier::wind_share>("WindShare"),
    SpringBox::field<&SpringBoxModifier::force>("Force"),
    SpringBox::field<&SpringBoxModifier::box_min>("BoxMin"),
    SpringBox::field<&SpringBoxModifier::box_max>("BoxMax"),
};

using Position = FieldsOf<PositionConstraintModifier>;
constexpr Field kPositionConstraint[] = {
    mandatory(Position::field<&ConstraintTargets::targets>("Targets")),
    Position::field<&ConstraintTargets::keep_initial_offset>("KeepInitialOffset"),
    optional(Position::field<&ConstraintTargets::weights>("Weights")),
    optional(Position::field<&PositionConstraintModifier::offset>("Offset")),
};

using Orientation = FieldsOf<OrientationConstraintModifier>;
constexpr Field kOrientationConstraint[] = {
    mandatory(Orientation::field<&ConstraintTargets::targets>("Targets")),
    Orientation::field<&ConstraintTargets::keep_initial_offset>("KeepInitialOffset"),
    optional(Orientation::field<&ConstraintTargets::weights>("Weights")),
    Orientation::field<&OrientationConstraintModifier::offset>("Offset"),
};

using Rotation = FieldsOf<RotationConstraintModifier>;
constexpr Field kRotationConstraint[] = {
    Rotation::field<&RotationConstraintModifier::inertia>("Inertia"),
    Rotation::field<&RotationConstraintModifier::damping>("Damping"),
    Rotation::field<&RotationConstraintModifier::gravity>("Gravity"),
    Rotation::field<&RotationConstraintModifier::constraint_associated_bone>("ConstraintAssociatedBone"),
    Rotation::field<&RotationConstraintModifier::constraints>("Constraints"),
};

using Spline = FieldsOf<SplineConstraintModifier>;
constexpr Field kSplineConstraint[] = {
    mandatory(Spline::field<&SplineConstraintModifier::targets>("Targets")),
    Spline::field<&SplineConstraintModifier::percent>("Percent"),
};

using MaxLook = FieldsOf<MaxLookAtModifier>;
constexpr Field kMaxLookAt[] = {
    MaxLook::field<&MaxLookAtModifier::up_node>("UpNode"),
    mandatory(MaxLook::field<&MaxLookAtModifier::look_at_bone>("LookAtBone")),
    MaxLook::field<&MaxLookAtModifier::look_at_pos_offset>("LookAtPosOffset"),
    words(MaxLook::field<&MaxLookAtModifier::look_at_used_axis>("LookAtUsedAxis"), kLookAtAxis),
    words(MaxLook::field<&MaxLookAtModifier::up_used_axis>("UpUsedAxis"), kLookAtAxis),
    words(MaxLook::field<&MaxLookAtModifier::up_node_control>("UpNodeControl"), kUpNodeControl),
    words(MaxLook::field<&MaxLookAtModifier::source_axis>("SourceAxis"), kLookAtAxis),
};

// LookAt is AnvilLookAt under its old name; the object pointer differs in type, so each has its accessors.
template <class Object>
constexpr std::array<Field, 8> look_at_fields() {
  using Look = FieldsOf<Object>;
  using Member = AnvilLookAtModifier;
  return {
      mandatory(Look::template field<&Member::look_at_bone>("LookAtBone")),
      Look::template field<&Member::look_at_pos_offset>("LookAtPosOffset"),
      Look::template field<&Member::min_angle>("MinAngle"),
      Look::template field<&Member::max_angle>("MaxAngle"),
      words(Look::template field<&Member::look_at_used_axis>("LookAtUsedAxis"), kLookAtAxis),
      words(Look::template field<&Member::parent_up_axis>("ParentUpAxis"), kLookAtAxis),
      words(Look::template field<&Member::clamped_rotation_axis>("ClampedRotationAxis"), kLookAtAxis),
      Look::template field<&Member::clamped_rotation_reference_vector>("ClampedRotationReferenceVector"),
  };
}
constexpr auto kAnvilLookAt = look_at_fields<AnvilLookAtModifier>();
constexpr auto kLookAt = look_at_fields<LookAtModifier>();

using Follow = FieldsOf<FollowModifier>;
constexpr Field kFollow[] = {
    mandatory(Follow::field<&FollowModifier::associated_bone>("AssociatedBone")),
};

using Roll = FieldsOf<RollModifier>;
constexpr Field kRoll[] = {
    Roll::field<&RollModifier::roll_bone_type>("RollBoneType"),
    Roll::field<&RollModifier::roll_factor>("RollFactor"),
    mandatory(Roll::field<&RollModifier::source_bone>("SourceBone")),
};

using Compress = FieldsOf<CompressModifier>;
constexpr Field kCompress[] = {
    Compress::field<&CompressModifier::position_influence1>("PositionInfluence1"),
    Compress::field<&CompressModifier::rotation_influence1>("RotationInfluence1"),
    mandatory(Compress::field<&CompressModifier::offset_bone1>("OffsetBone1")),
    mandatory(Compress::field<&CompressModifier::offset_bone2>("OffsetBone2")),
    Compress::field<&CompressModifier::rot_offset1>("RotOffset1"),
    Compress::field<&CompressModifier::rot_offset2>("RotOffset2"),
    optional(Compress::field<&CompressModifier::pos_offset1>("PosOffset1")),
    optional(Compress::field<&CompressModifier::pos_offset2>("PosOffset2")),
    optional(Compress::field<&CompressModifier::use_rotation>("UseRotation")),
    optional(Compress::field<&CompressModifier::use_position>("UsePosition")),
};

using Stretch = FieldsOf<StretchModifier>;
constexpr Field kStretch[] = {
    mandatory(Stretch::field<&StretchModifier::target_bone>("TargetBone")),
    optional(Stretch::field<&StretchModifier::min_scale>("MinScale")),
    optional(Stretch::field<&StretchModifier::max_scale>("MaxScale")),
};

using Expression = FieldsOf<RotationExpressionModifier>;
constexpr Field kRotationExpression[] = {
    Expression::field<&RotationExpressionModifier::bone_modifier_update_mode>("BoneModifierUpdateMode"),
    mandatory(Expression::field<&RotationExpressionModifier::linked_bone>("LinkedBone")),
    Expression::field<&RotationExpressionModifier::initial_offset>("InitialOffset"),
    Expression::field<&RotationExpressionModifier::axis_constraint>("AxisConstraint"),
    Expression::field<&RotationExpressionModifier::gravity_bone>("GravityBone"),
    Expression::field<&RotationExpressionModifier::expressions>("Expressions"),
};

using Paste = FieldsOf<RotationPasteModifier>;
constexpr Field kRotationPaste[] = {
    mandatory(Paste::field<&RotationPasteModifier::linked_bone>("LinkedBone")),
    optional(Paste::field<&RotationPasteModifier::use_parent_rotation>("UseParentRotation")),
};

// By index of ModifierData.
constexpr std::array<std::span<const Field>, kModifierTypeCount> kTables = {
    kBallJoint,
    kHinge,
    kHingeVector,
    kPendulum,
    kSpringBox,
    kPositionConstraint,
    kOrientationConstraint,
    kRotationConstraint,
    kSplineConstraint,
    kMaxLookAt,
    kAnvilLookAt,
    kLookAt,
    kFollow,
    kRoll,
    kCompress,
    kStretch,
    kRotationExpression,
    kRotationPaste,
    std::span<const Field>(),
    std::span<const Field>(),
};

template <class ModifierT, class Visit>
void walk_links_of(ModifierT& modifier, const Visit& visit) {
  walk_fields(modifier, [&](const Field& field, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, BoneLink>) {
      visit(field, value);
    } else if constexpr (std::is_same_v<T, std::vector<BoneLink>>) {
      for (auto& link : value) visit(field, link);
    } else if constexpr (std::is_same_v<T, std::vector<Hinge>>) {
      for (auto& hinge : value) visit(hinge_fields().front(), hinge.constraint_associated_bone);
    }
  });
}

}  // namespace

std::span<const Field> modifier_base_fields() { return kBase; }
std::span<const Field> modifier_fields(ModifierType type) { return kTables[static_cast<std::size_t>(type)]; }
std::span<const Field> hinge_fields() { return kHingeLimits; }
std::span<const Field> rotation_expression_fields() { return kTerm; }

void* modifier_object(ModifierData& data) {
  return std::visit([](auto& object) { return static_cast<void*>(&object); }, data);
}
const void* modifier_object(const ModifierData& data) {
  return std::visit([](const auto& object) { return static_cast<const void*>(&object); }, data);
}

const ModifierData& default_modifier_data(ModifierType type) {
  static const std::vector<ModifierData> defaults = [] {
    std::vector<ModifierData> all;
    for (std::size_t i = 0; i < kModifierTypeCount; ++i)
      all.push_back(make_modifier(static_cast<ModifierType>(i)).data);
    return all;
  }();
  return defaults[static_cast<std::size_t>(type)];
}

void walk_links(Modifier& modifier, const std::function<void(const Field&, BoneLink&)>& visit) {
  walk_links_of(modifier, visit);
}
void walk_links(const Modifier& modifier, const std::function<void(const Field&, const BoneLink&)>& visit) {
  walk_links_of(modifier, visit);
}

void remap_links(Modifier& modifier, const std::function<BoneLink(BoneLink)>& map) {
  walk_links(modifier, [&](const Field&, BoneLink& link) {
    if (!link.is_null()) link = map(link);
  });
}

bool same_effect(const Modifier& a, const Modifier& b) {
  // Object ids mean nothing to the run time: they are levelled before the values are compared.
  const auto levelled = [](Modifier modifier) {
    modifier.id = 0;
    walk_fields(modifier, [](const Field&, auto& value) {
      if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
        for (auto& item : value) item.id = 0;
    });
    return modifier;
  };
  if (a.data.index() != b.data.index()) return false;
  return levelled(a) == levelled(b);
}

}  // namespace marrow
