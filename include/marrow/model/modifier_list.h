// SPDX-License-Identifier: MIT
#pragma once

/// The bone modifiers that Marrow supports, one row each: X(name, class name of the engine, what it does). `name` is
/// the enumerator of `ModifierType`; with the suffix `Modifier` it is the struct in `model/modifiers.h`. Enumeration,
/// variant, names and search are generated from this list. `model`, `motion` and `anvil` do not compile until each of
/// them handles a new row (CONTRIBUTING.md).
#define MARROW_MODIFIERS(X)                                                                                       \
  X(BallJoint, "BallJointBoneModifier", "swings freely inside a cone: hair, pouches, flaps of cloth")             \
  X(Hinge, "HingeBoneModifier", "swings about one axis between limits: a sword at the hip")                       \
  X(HingeVector, "HingeVectorBoneModifier", "turns a hinge toward the weighted mean of bones")                    \
  X(Pendulum, "PendulumBoneModifier", "swings as a weight on a string")                                           \
  X(SpringBox, "SpringBoxModifier", "moves on a spring, inside a box in the parent's space")                      \
  X(PositionConstraint, "PositionConstraintBoneModifier", "goes to the weighted mean of bones")                   \
  X(OrientationConstraint, "OrientationConstraintBoneModifier", "turns to the weighted mean of bones")            \
  X(RotationConstraint, "RotationConstraintModifier", "follows the rotation of a bone as a damped spring does")   \
  X(SplineConstraint, "SplineConstraintModifier", "sits on a curve through bones: ropes, belts")                  \
  X(MaxLookAt, "MaxLookAtBoneModifier", "aims an axis at a bone, with full control of the up direction")          \
  X(AnvilLookAt, "AnvilLookAtBoneModifier", "aims an axis at a bone, between limits")                             \
  X(LookAt, "LookAtBoneModifier", "aims an axis at a bone, between limits, in games before Assassin's Creed III") \
  X(Follow, "FollowBoneModifier", "takes the place and the rotation of a bone")                                   \
  X(Roll, "RollBoneModifier", "takes a share of the twist of a bone: forearms that do not wring")                 \
  X(Compress, "CompressBoneModifier", "stands between two bones: knees and elbows that keep their volume")        \
  X(Stretch, "StretchBoneModifier", "scales along the direction to a bone")                                       \
  X(RotationExpression, "RotationExpressionModifier", "turns about an axis by a function of a bone's rotation")   \
  X(RotationPaste, "RotationPasteModifier", "takes the rotation of a bone")                                       \
  X(Fx, "FXBoneModifier", "marks a bone that drives effects; moves nothing")
