// SPDX-License-Identifier: MIT
// The fields of modifiers that swing, in the order of files. Meanings and units: docs/modifiers.
#pragma once

#include "model/field_rows.h"

namespace marrow {

using HingeRow = FieldsOf<Hinge>;
inline constexpr Field kHingeLimitFields[] = {
    HingeRow::field<&Hinge::constraint_associated_bone>(
        "ConstraintAssociatedBone", {.help = "bone that the range follows; none: the bone's own input"}),
    HingeRow::field<&Hinge::min_angle>(
        "MinAngle", {.unit = "radians", .help = "lower end of the range", .min = -kHalfTurn, .max = kHalfTurn}),
    HingeRow::field<&Hinge::max_angle>(
        "MaxAngle", {.unit = "radians", .help = "upper end of the range", .min = -kHalfTurn, .max = kHalfTurn}),
    HingeRow::field<&Hinge::delta_min_damping>(
        "DeltaMinDamping",
        {.unit = "radians", .help = "width of the soft zone above the lower end", .min = 0, .max = kHalfTurn}),
    HingeRow::field<&Hinge::delta_max_damping>(
        "DeltaMaxDamping",
        {.unit = "radians", .help = "width of the soft zone below the upper end", .min = 0, .max = kHalfTurn}),
    HingeRow::field<&Hinge::initial_global_position>(
        "InitialGlobalPosition", {.unit = "m", .help = "cache of the game; the rest pose is used instead"}),
    HingeRow::field<&Hinge::initial_global_rotation>("InitialGlobalRotation",
                                                     {.help = "cache of the game; the rest pose is used instead"}),
};

using BallJointRow = FieldsOf<BallJointModifier>;
inline constexpr Field kBallJointFields[] = {
    BallJointRow::field<&BallJointModifier::mass>(
        "Mass",
        {.unit = "kg", .help = "heavier swings slower and is moved less by wind", .min = 0, .max = 10, .least = 0}),
    BallJointRow::field<&BallJointModifier::collision_radius>(
        "CollisionRadius", {.unit = "m",
                            .help = "of the ball at the end of the bone, for self-collision",
                            .min = 0,
                            .max = 0.5f,
                            .least = 0}),
    BallJointRow::field<&BallJointModifier::constraint_angle>("ConstraintAngle",
                                                              {.unit = "degrees",
                                                               .help = "half the opening of the cone; 0 locks the bone",
                                                               .min = 0,
                                                               .max = 180,
                                                               .least = 0,
                                                               .start = 30}),
    BallJointRow::field<&BallJointModifier::constraint_scale_y>(
        "ConstraintScaleY", {.help = "share of the cone about Y; 0 locks that axis", .min = 0, .max = 1, .least = 0}),
    BallJointRow::field<&BallJointModifier::constraint_scale_z>(
        "ConstraintScaleZ", {.help = "share of the cone about Z; 0 locks that axis", .min = 0, .max = 1, .least = 0}),
    BallJointRow::field<&BallJointModifier::mechanical_friction>("MechanicalFriction",
                                                                 {.unit = "1/s",
                                                                  .help = "decay of the swing relative to the socket",
                                                                  .min = 0,
                                                                  .max = 50,
                                                                  .least = 0,
                                                                  .start = 2}),
    BallJointRow::field<&BallJointModifier::air_friction>("AirFriction",
                                                          {.unit = "1/s",
                                                           .help = "decay of the swing relative to still air",
                                                           .min = 0,
                                                           .max = 10,
                                                           .least = 0,
                                                           .start = 0.5f}),
    BallJointRow::field<&BallJointModifier::wind_scale>("WindScale",
                                                        {.help = "share of the wind that acts", .min = 0, .max = 2}),
    BallJointRow::field<&BallJointModifier::wind_random_factor>(
        "WindRandomFactor", {.help = "random part of the wind, as a share of it", .min = 0, .max = 2}),
    BallJointRow::field<&BallJointModifier::gravity_mode>(
        "GravityMode",
        {.help = "the world's gravity, or OwnGravity, which turns with the parent", .words = &kGravityMode}),
    BallJointRow::field<&BallJointModifier::own_gravity>(
        "OwnGravity", {.unit = "m/s^2", .help = "in model space at rest", .min = -100, .max = 100}),
    BallJointRow::field<&BallJointModifier::local_yaw_offset>(
        "LocalYawOft", {.unit = "degrees", .help = "turns the rest direction about Z", .min = -180, .max = 180}),
    BallJointRow::field<&BallJointModifier::local_pitch_offset>(
        "LocalPitchOft", {.unit = "degrees", .help = "then turns the rest direction about Y", .min = -180, .max = 180}),
    BallJointRow::field<&BallJointModifier::local_roll_offset>(
        "LocalRollOft", {.unit = "degrees", .help = "then turns the rest direction about X", .min = -180, .max = 180}),
    BallJointRow::field<&BallJointModifier::common_data>(
        "CommonData", {.help = "id of the file with shared values, which fill fields that are 0"}),
};

using HingeModifierRow = FieldsOf<HingeModifier>;
inline constexpr Field kHingeFields[] = {
    HingeModifierRow::field<&HingeModifier::lag_factor>(
        "LagFactor",
        {.help = "drag of the anchor's velocity: how far the bone trails behind", .min = 0, .max = 1, .start = 0.4f}),
    HingeModifierRow::field<&HingeModifier::weight_factor>(
        "WeightFactor", {.help = "share of the speed lost in 1/60 s while the bone rises against gravity",
                         .min = 0,
                         .max = 1,
                         .least = 0,
                         .start = 0.4f}),
    HingeModifierRow::field<&HingeModifier::gravity>(
        "Gravity", {.unit = "m/s^2", .help = "often far stronger than the world's", .min = -100, .max = 100}),
    HingeModifierRow::field<&HingeModifier::gravity_associated_bone>(
        "GravityAssociatedBone", {.help = "bone that gravity turns with; none: it stands in the world"}),
    HingeModifierRow::field<&HingeModifier::wind_scale>("WindScale",
                                                        {.help = "share of the wind that acts", .min = 0, .max = 2}),
    HingeModifierRow::field<&HingeModifier::axis_constraint_type>(
        "AxisConstraintType", {.help = "axis of rotation", .words = &kModifierAxis}),
    HingeModifierRow::field<&HingeModifier::axis_look_at_type>(
        "AxisLookAtType", {.help = "axis along the bone; another than the axis of rotation", .words = &kModifierAxis}),
    HingeModifierRow::field<&HingeModifier::constraints>("Constraints",
                                                         {.help = "ranges of the angle; all of them hold"}),
    HingeModifierRow::field<&HingeModifier::local_axis_constraint>(
        "LocalAxisConstraint", {.help = "copy of the axis of rotation; not used", .min = -1, .max = 1}),
};

using HingeVectorRow = FieldsOf<HingeVectorModifier>;
inline constexpr Field kHingeVectorFields[] = {
    HingeVectorRow::field<&HingeVectorModifier::hinge_local_offset_position>(
        "HingeLocalOffsetPosition",
        {.unit = "m", .help = "place of the hinge in the space of the bone", .min = -2, .max = 2}),
    HingeVectorRow::field<&HingeVectorModifier::hinge_local_offset_rotation>(
        "HingeLocalOffsetRotation", {.help = "rotation of the hinge in the space of the bone"}),
    HingeVectorRow::field<&HingeVectorModifier::effect_ramp_down_min_angle>(
        "EffectRampDownMinAngle",
        {.unit = "radians", .help = "full effect up to here; both angles 0: always", .min = 0, .max = kHalfTurn}),
    HingeVectorRow::field<&HingeVectorModifier::effect_ramp_down_max_angle>(
        "EffectRampDownMaxAngle",
        {.unit = "radians", .help = "no effect from here on; both angles 0: no end", .min = 0, .max = kHalfTurn}),
    HingeVectorRow::field<&HingeVectorModifier::effect_ramp_down_min_distance>(
        "EffectRampDownMinDistance",
        {.unit = "m", .help = "full effect up to here; both distances 0: always", .min = 0, .max = 10}),
    HingeVectorRow::field<&HingeVectorModifier::effect_ramp_down_max_distance>(
        "EffectRampDownMaxDistance",
        {.unit = "m", .help = "no effect from here on; both distances 0: no end", .min = 0, .max = 10}),
    HingeVectorRow::field<&HingeVectorModifier::hinge_targets>(
        "HingeTargets", {.help = "bones to turn to", .role = LinkRole::Mandatory}),
    HingeVectorRow::field<&HingeVectorModifier::hinge_target_weights>(
        "HingeTargetWeights",
        {.help = "one per target, on any scale; none: equal", .min = 0, .max = 100, .least = 0, .optional = true}),
};

using PendulumRow = FieldsOf<PendulumModifier>;
inline constexpr Field kPendulumFields[] = {
    PendulumRow::field<&PendulumModifier::gravity_axis>(
        "GravityAxis", {.help = "gravity stands in the world, or turns with the parent", .words = &kGravityMode}),
    PendulumRow::field<&PendulumModifier::gravity_scale>("GravityScale",
                                                         {.help = "share of the world's gravity", .min = 0, .max = 10}),
    PendulumRow::field<&PendulumModifier::mass>(
        "Mass", {.unit = "kg", .help = "heavier swings slower", .min = 0, .max = 10, .least = 0}),
    PendulumRow::field<&PendulumModifier::friction>("Friction", {.unit = "1/s",
                                                                 .help = "decay of the swing relative to the socket",
                                                                 .min = 0,
                                                                 .max = 50,
                                                                 .least = 0,
                                                                 .start = 1}),
    PendulumRow::field<&PendulumModifier::air_friction>(
        "AirFriction",
        {.unit = "1/s", .help = "decay of the swing relative to still air", .min = 0, .max = 10, .least = 0}),
    PendulumRow::field<&PendulumModifier::length>(
        "Length", {.unit = "m", .help = "of the string", .min = 0.01f, .max = 5, .least = 0}),
    PendulumRow::field<&PendulumModifier::fake_centrifugal_force>(
        "FakeCentrifugalForce", {.help = "throws the weight outward when the parent turns", .min = 0, .max = 5}),
};

using SpringBoxRow = FieldsOf<SpringBoxModifier>;
inline constexpr Field kSpringBoxFields[] = {
    SpringBoxRow::field<&SpringBoxModifier::stiffness>(
        "Stiffness",
        {.unit = "1/s^2", .help = "of the spring, for a mass of 1", .min = 0, .max = 5000, .least = 0, .start = 200}),
    SpringBoxRow::field<&SpringBoxModifier::damping>(
        "Damping", {.unit = "1/s", .help = "decay of the swing", .min = 0, .max = 100, .least = 0, .start = 10}),
    SpringBoxRow::field<&SpringBoxModifier::wind_share>("WindShare",
                                                        {.help = "share of the wind that acts", .min = 0, .max = 2}),
    SpringBoxRow::field<&SpringBoxModifier::force>(
        "Force", {.unit = "m/s^2", .help = "constant push, in the world", .min = -100, .max = 100}),
    SpringBoxRow::field<&SpringBoxModifier::box_min>(
        "BoxMin",
        {.unit = "m", .help = "lower bounds of the local translation; both corners 0: no box", .min = -5, .max = 5}),
    SpringBoxRow::field<&SpringBoxModifier::box_max>(
        "BoxMax",
        {.unit = "m", .help = "upper bounds of the local translation; both corners 0: no box", .min = -5, .max = 5}),
};

using RotationConstraintRow = FieldsOf<RotationConstraintModifier>;
inline constexpr Field kRotationConstraintFields[] = {
    RotationConstraintRow::field<&RotationConstraintModifier::inertia>(
        "Inertia", {.unit = "s",
                    .help = "one over the spring's frequency in rad/s; 0: at once",
                    .min = 0,
                    .max = 2,
                    .least = 0,
                    .start = 0.1f}),
    RotationConstraintRow::field<&RotationConstraintModifier::damping>(
        "Damping", {.help = "ratio to critical damping; from 1 on nothing overshoots",
                    .min = 0,
                    .max = 2,
                    .least = 0,
                    .start = 0.5f}),
    RotationConstraintRow::field<&RotationConstraintModifier::gravity>(
        "Gravity", {.unit = "rad/s^2", .help = "turns the equilibrium", .min = -100, .max = 100}),
    RotationConstraintRow::field<&RotationConstraintModifier::constraint_associated_bone>(
        "ConstraintAssociatedBone", {.help = "bone to follow, as it stood at rest; none: the bone's own input"}),
    RotationConstraintRow::field<&RotationConstraintModifier::constraints>(
        "Constraints", {.help = "ranges of the angle from the goal about its X, Y and Z, in this order"}),
};

}  // namespace marrow
