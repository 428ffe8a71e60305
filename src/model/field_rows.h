// SPDX-License-Identifier: MIT
// What the tables of fields are written with.
#pragma once

#include <numbers>

#include "model/modifiers_fields.h"

namespace marrow {

// Makes the rows of one struct: `FieldsOf<Hinge>::field<&Hinge::min_angle>("MinAngle", {.unit = "radians", ...})`.
template <class Object>
struct FieldsOf {
  template <auto Member>
  static FieldPointer at(void* object) {
    return &(static_cast<Object*>(object)->*Member);
  }
  template <auto Member>
  static constexpr Field field(std::string_view name, Field row) {
    row.name = name;
    row.at = &at<Member>;
    return row;
  }
};

inline constexpr float kHalfTurn = std::numbers::pi_v<float>;  // radians

inline constexpr std::string_view kGravityModeWords[] = {"GlobalGravity", "LocalGravity"};
inline constexpr std::string_view kModifierAxisWords[] = {"AxisX", "AxisY", "AxisZ"};
inline constexpr std::string_view kLookAtAxisWords[] = {"AXIS_X",       "AXIS_Y",       "AXIS_Z",
                                                        "AXIS_MINUS_X", "AXIS_MINUS_Y", "AXIS_MINUS_Z"};
inline constexpr std::string_view kUpNodeControlWords[] = {"WORLD_ALIGNMENT", "AXIS_ALIGNMENT", "LOOK_AT_ALIGNMENT"};
inline constexpr EnumWords kGravityMode{"GravityMode", kGravityModeWords};
inline constexpr EnumWords kModifierAxis{"BoneModifier::ModifierAxis", kModifierAxisWords};
inline constexpr EnumWords kLookAtAxis{"MaxLookAtBoneAxis", kLookAtAxisWords};
inline constexpr EnumWords kUpNodeControl{"MaxLookAtUpNodeControl", kUpNodeControlWords};

}  // namespace marrow
