// SPDX-License-Identifier: MIT
#include "havok/physics/rules.h"

namespace marrow::havok {
namespace {

constexpr std::string_view kContact = "contacts push or brake without bound";
constexpr std::string_view kMass = "the body falls upwards, or flies off at the first contact";
constexpr std::string_view kDamping = "the body gains speed instead of losing it";
constexpr std::string_view kTurn = "the body collapses, or is not where it is seen";
constexpr std::string_view kLimits = "the joint has no position that it allows, and tears at its bodies";

// Ranges are wider than what the game's files use: a number outside them is damage, not a choice.
constexpr NumberRule kRules[] = {
    {.class_name = "hknpMaterial", .member = "dynamicFriction", .min = 0, .why = kContact},
    {.class_name = "hknpMaterial", .member = "staticFriction", .min = 0, .why = kContact},
    {.class_name = "hknpMaterial", .member = "restitution", .min = 0, .why = kContact},
    {.class_name = "hknpMaterial", .member = "maxContactImpulse", .min = 0, .why = kContact},
    {.class_name = "hknpMotionProperties", .member = "linearDamping", .min = 0, .why = kDamping},
    {.class_name = "hknpMotionProperties", .member = "angularDamping", .min = 0, .why = kDamping},
    {.class_name = "hknpMotionProperties", .member = "maxLinearSpeed", .min = 0, .why = "the body cannot move"},
    {.class_name = "hknpMotionProperties", .member = "maxAngularSpeed", .min = 0, .why = "the body cannot turn"},
    {.class_name = "hknpMotionProperties", .member = "timeFactor", .min = 0, .why = "time runs backwards for it"},
    {.class_name = "hknpMotionCinfo", .member = "inverseMass", .min = 0, .why = kMass},
    {.class_name = "hknpMotionCinfo", .member = "massFactor", .min = 0, .why = kMass},
    {.class_name = "hknpMotionCinfo", .member = "orientation", .is_unit = true, .why = kTurn},
    {.class_name = "hknpBodyCinfo", .member = "orientation", .is_unit = true, .why = kTurn},
    {.class_name = "hknpBodyCinfo", .member = "collisionLookAheadDistance", .min = 0, .why = kContact},
    {.class_name = "hknpShape", .member = "convexRadius", .min = 0, .why = "things sink into the shape"},
    // Planes are padded to a multiple of four with whatever was in memory.
    {.class_name = "hknpConvexPolytopeShape", .member = "planes", .as_many_as = "faces"},
    {.class_name = "hkpTwistLimitConstraintAtom", .member = "minAngle", .not_above = "maxAngle", .why = kLimits},
    {.class_name = "hkpConeLimitConstraintAtom", .member = "minAngle", .not_above = "maxAngle", .why = kLimits},
    {.class_name = "hkpAngLimitConstraintAtom", .member = "minAngle", .not_above = "maxAngle", .why = kLimits},
    {.class_name = "hkpLinLimitConstraintAtom", .member = "min", .not_above = "max", .why = kLimits},
    {.class_name = "hkpAngFrictionConstraintAtom", .member = "maxFrictionTorque", .min = 0, .why = kLimits},
    {.class_name = "hkpLimitedForceConstraintMotor", .member = "minForce", .not_above = "maxForce", .why = kLimits},
};

}  // namespace

std::span<const NumberRule> physics_rules() { return kRules; }

}  // namespace marrow::havok
