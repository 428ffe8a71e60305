// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/modifiers.h"

namespace marrow {

/// What can be wrong with a value of a modifier.
enum class ValueFault : std::uint8_t {
  NotFinite,
  OutOfRange,   ///< not one of the values of an enumeration
  Negative,     ///< below 0, where that means nothing: mass, friction
  NoRotation,   ///< a quaternion of length 0
  NoTarget,     ///< a bone is missing without which the modifier does nothing
  AxisMismatch  ///< two fields name different axes
};

/// One fault. The message is a whole sentence without a full stop and begins with the field.
struct FieldFault {
  ValueFault fault = ValueFault::NotFinite;
  std::string field;
  std::string message;
};

/// Returns everything in a modifier that has no meaning, in the order of its fields. Empty if there is nothing.
std::vector<FieldFault> find_faults(const Modifier& modifier);

/// Fails with `InvalidArgument` on the first fault of `after` that `before` does not have. For input: what was already
/// wrong does not stand in the way of setting something else.
Result<void> refuse_new_faults(const Modifier& before, const Modifier& after);

/// Brings the two fields of a hinge that name its axis into agreement. `type_is_given` and `axis_is_given` say which of
/// `AxisConstraintType` and `LocalAxisConstraint` was set; the other follows. Changes nothing if both or none were set,
/// if the vector is not an axis, or if the modifier is of another type.
void agree_on_axis(Modifier& modifier, bool type_is_given, bool axis_is_given);

/// Returns the unit vector of axis 0 X, 1 Y or 2 Z.
Vec4 axis_vector(std::int32_t axis);

}  // namespace marrow
