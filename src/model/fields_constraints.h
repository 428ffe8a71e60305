// SPDX-License-Identifier: MIT
// The fields of modifiers that set a bone by others, in the order of files. Meanings and units: docs/modifiers.
#pragma once

#include <array>

#include "model/field_rows.h"

namespace marrow {

// What both constraints that blend between targets have; the object pointer differs in type, so each has its accessors.
template <class Object>
constexpr std::array<Field, 3> target_fields() {
  using Row = FieldsOf<Object>;
  return {
      Row::template field<&ConstraintTargets::targets>("Targets",
                                                       {.help = "bones to blend between", .role = LinkRole::Mandatory}),
      Row::template field<&ConstraintTargets::keep_initial_offset>(
          "KeepInitialOffset",
          {.help = "keeps the place relative to the target at rest; one per target or one for all"}),
      Row::template field<&ConstraintTargets::weights>(
          "Weights",
          {.help = "one per target, on any scale; none: equal", .min = 0, .max = 100, .least = 0, .optional = true}),
  };
}

constexpr std::array<Field, 4> with_targets(const std::array<Field, 3>& targets, const Field& last) {
  return {targets[0], targets[1], targets[2], last};
}

inline constexpr auto kPositionConstraintFields = with_targets(
    target_fields<PositionConstraintModifier>(),
    FieldsOf<PositionConstraintModifier>::field<&PositionConstraintModifier::offset>(
        "Offset", {.unit = "m", .help = "added, in the parent's space", .min = -5, .max = 5, .optional = true}));

inline constexpr auto kOrientationConstraintFields =
    with_targets(target_fields<OrientationConstraintModifier>(),
                 FieldsOf<OrientationConstraintModifier>::field<&OrientationConstraintModifier::offset>(
                     "Offset", {.help = "turn that is applied after the blend"}));

using SplineConstraintRow = FieldsOf<SplineConstraintModifier>;
inline constexpr Field kSplineConstraintFields[] = {
    SplineConstraintRow::field<&SplineConstraintModifier::targets>(
        "Targets", {.help = "two or more bones, in the order of the curve", .role = LinkRole::Mandatory}),
    SplineConstraintRow::field<&SplineConstraintModifier::percent>(
        "Percent", {.help = "place on the curve by length, 0 to 1; -1: the nearest at rest", .min = -1, .max = 1}),
};

using MaxLookAtRow = FieldsOf<MaxLookAtModifier>;
inline constexpr Field kMaxLookAtFields[] = {
    MaxLookAtRow::field<&MaxLookAtModifier::up_node>("UpNode",
                                                     {.help = "bone that decides what is up; none: the world"}),
    MaxLookAtRow::field<&MaxLookAtModifier::look_at_bone>("LookAtBone",
                                                          {.help = "bone to aim at", .role = LinkRole::Mandatory}),
    MaxLookAtRow::field<&MaxLookAtModifier::look_at_pos_offset>(
        "LookAtPosOffset", {.unit = "m", .help = "place to aim at, in the space of that bone", .min = -5, .max = 5}),
    MaxLookAtRow::field<&MaxLookAtModifier::look_at_used_axis>(
        "LookAtUsedAxis", {.help = "axis of this bone to aim", .words = &kLookAtAxis}),
    MaxLookAtRow::field<&MaxLookAtModifier::up_used_axis>(
        "UpUsedAxis", {.help = "axis of this bone to hold up; another than the one that aims", .words = &kLookAtAxis}),
    MaxLookAtRow::field<&MaxLookAtModifier::up_node_control>(
        "UpNodeControl",
        {.help = "up is an axis of the world, an axis of UpNode, or toward UpNode", .words = &kUpNodeControl}),
    MaxLookAtRow::field<&MaxLookAtModifier::source_axis>(
        "SourceAxis",
        {.help = "axis of the world or of UpNode that is up; toward UpNode: its sign", .words = &kLookAtAxis}),
};

// LookAt is AnvilLookAt under its old name.
template <class Object>
constexpr std::array<Field, 8> look_at_fields() {
  using Row = FieldsOf<Object>;
  using Member = AnvilLookAtModifier;
  return {
      Row::template field<&Member::look_at_bone>("LookAtBone", {.help = "bone to aim at", .role = LinkRole::Mandatory}),
      Row::template field<&Member::look_at_pos_offset>(
          "LookAtPosOffset", {.unit = "m", .help = "place to aim at, in the space of that bone", .min = -5, .max = 5}),
      Row::template field<&Member::min_angle>(
          "MinAngle", {.unit = "radians", .help = "lower limit; both 0: none", .min = -kHalfTurn, .max = kHalfTurn}),
      Row::template field<&Member::max_angle>(
          "MaxAngle", {.unit = "radians", .help = "upper limit; both 0: none", .min = -kHalfTurn, .max = kHalfTurn}),
      Row::template field<&Member::look_at_used_axis>("LookAtUsedAxis",
                                                      {.help = "axis of this bone to aim", .words = &kLookAtAxis}),
      Row::template field<&Member::parent_up_axis>("ParentUpAxis",
                                                   {.help = "axis of the parent that is up", .words = &kLookAtAxis}),
      Row::template field<&Member::clamped_rotation_axis>(
          "ClampedRotationAxis", {.help = "axis of this bone about which the turn is limited", .words = &kLookAtAxis}),
      Row::template field<&Member::clamped_rotation_reference_vector>(
          "ClampedRotationReferenceVector",
          {.help = "direction where the limited angle is 0; zero: that of the input", .min = -1, .max = 1}),
  };
}
inline constexpr auto kAnvilLookAtFields = look_at_fields<AnvilLookAtModifier>();
inline constexpr auto kLookAtFields = look_at_fields<LookAtModifier>();

inline constexpr Field kFollowFields[] = {
    FieldsOf<FollowModifier>::field<&FollowModifier::associated_bone>(
        "AssociatedBone", {.help = "bone to follow", .role = LinkRole::Mandatory}),
};

using RollRow = FieldsOf<RollModifier>;
inline constexpr Field kRollFields[] = {
    RollRow::field<&RollModifier::roll_bone_type>(
        "RollBoneType", {.help = "0 and 2 counter-roll, 1 and 3 follow; the pairs differ by side",
                         .min = 0,
                         .max = 3,
                         .least = 0,
                         .most = 3}),
    RollRow::field<&RollModifier::roll_factor>(
        "RollFactor",
        {.help = "share of the twist that is left (0, 2) or taken (1, 3)", .min = 0, .max = 1, .start = 0.5f}),
    RollRow::field<&RollModifier::source_bone>("SourceBone",
                                               {.help = "bone whose twist is read", .role = LinkRole::Mandatory}),
};

using CompressRow = FieldsOf<CompressModifier>;
inline constexpr Field kCompressFields[] = {
    CompressRow::field<&CompressModifier::position_influence1>(
        "PositionInfluence1",
        {.help = "share of bone 1 in the position; the rest is bone 2's", .min = 0, .max = 1, .start = 0.5f}),
    CompressRow::field<&CompressModifier::rotation_influence1>(
        "RotationInfluence1",
        {.help = "share of bone 1 in the rotation; the rest is bone 2's", .min = 0, .max = 1, .start = 0.5f}),
    CompressRow::field<&CompressModifier::offset_bone1>("OffsetBone1", {.help = "bone 1", .role = LinkRole::Mandatory}),
    CompressRow::field<&CompressModifier::offset_bone2>("OffsetBone2", {.help = "bone 2", .role = LinkRole::Mandatory}),
    CompressRow::field<&CompressModifier::rot_offset1>("RotOffset1", {.help = "turn in the space of bone 1"}),
    CompressRow::field<&CompressModifier::rot_offset2>("RotOffset2", {.help = "turn in the space of bone 2"}),
    CompressRow::field<&CompressModifier::pos_offset1>(
        "PosOffset1", {.unit = "m", .help = "place in the space of bone 1", .min = -5, .max = 5, .optional = true}),
    CompressRow::field<&CompressModifier::pos_offset2>(
        "PosOffset2", {.unit = "m", .help = "place in the space of bone 2", .min = -5, .max = 5, .optional = true}),
    CompressRow::field<&CompressModifier::use_rotation>("UseRotation", {.help = "sets the rotation", .optional = true}),
    CompressRow::field<&CompressModifier::use_position>("UsePosition", {.help = "sets the position", .optional = true}),
};

using StretchRow = FieldsOf<StretchModifier>;
inline constexpr Field kStretchFields[] = {
    StretchRow::field<&StretchModifier::target_bone>("TargetBone",
                                                     {.help = "bone to stretch to", .role = LinkRole::Mandatory}),
    StretchRow::field<&StretchModifier::min_scale>(
        "MinScale", {.help = "smallest scale along the bone", .min = 0.01f, .max = 1, .least = 0, .optional = true}),
    StretchRow::field<&StretchModifier::max_scale>(
        "MaxScale", {.help = "largest scale along the bone", .min = 1, .max = 10, .least = 0, .optional = true}),
};

using TermRow = FieldsOf<RotationExpression>;
inline constexpr Field kTermFields[] = {
    TermRow::field<&RotationExpression::gain>("Gain", {.help = "factor on the angle", .min = -4, .max = 4}),
    TermRow::field<&RotationExpression::bias>(
        "Bias", {.unit = "radians", .help = "added to the angle", .min = -kHalfTurn, .max = kHalfTurn}),
    TermRow::field<&RotationExpression::min>(
        "Min", {.unit = "radians", .help = "lower limit; both 0: none", .min = -kHalfTurn, .max = kHalfTurn}),
    TermRow::field<&RotationExpression::max>(
        "Max", {.unit = "radians", .help = "upper limit; both 0: none", .min = -kHalfTurn, .max = kHalfTurn}),
};

using RotationExpressionRow = FieldsOf<RotationExpressionModifier>;
inline constexpr Field kRotationExpressionFields[] = {
    RotationExpressionRow::field<&RotationExpressionModifier::bone_modifier_update_mode>(
        "BoneModifierUpdateMode", {.help = "meaning unknown; kept, and every frame is evaluated"}),
    RotationExpressionRow::field<&RotationExpressionModifier::linked_bone>(
        "LinkedBone", {.help = "bone whose twist is read", .role = LinkRole::Mandatory}),
    RotationExpressionRow::field<&RotationExpressionModifier::initial_offset>(
        "InitialOffset",
        {.unit = "radians", .help = "added to the angle that is read", .min = -kHalfTurn, .max = kHalfTurn}),
    RotationExpressionRow::field<&RotationExpressionModifier::axis_constraint>(
        "AxisConstraint",
        {.help = "axis of reading and turning: 0 X, 1 Y, 2 Z", .min = 0, .max = 2, .least = 0, .most = 2}),
    RotationExpressionRow::field<&RotationExpressionModifier::gravity_bone>(
        "GravityBone", {.help = "bone in which the angle of gravity is read instead; none: the twist is read"}),
    RotationExpressionRow::field<&RotationExpressionModifier::expressions>(
        "Expressions", {.help = "terms that are summed; none: the angle itself"}),
};

using RotationPasteRow = FieldsOf<RotationPasteModifier>;
inline constexpr Field kRotationPasteFields[] = {
    RotationPasteRow::field<&RotationPasteModifier::linked_bone>("LinkedBone",
                                                                 {.help = "bone to copy", .role = LinkRole::Mandatory}),
    RotationPasteRow::field<&RotationPasteModifier::use_parent_rotation>(
        "UseParentRotation", {.help = "copies its local rotation, not the one in the world", .optional = true}),
};

inline constexpr std::array<Field, 0> kFxFields = {};

}  // namespace marrow
