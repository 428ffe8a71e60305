// SPDX-License-Identifier: MIT
#include "model/modifier_faults.h"

#include <algorithm>
#include <cmath>
#include <concepts>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"
#include "model/modifiers_fields.h"

namespace marrow {
namespace {

constexpr float kSameAxis = 1e-3f;

std::string choices_of(const EnumWords& words) {
  std::string text;
  for (std::size_t i = 0; i < words.words.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " " + std::string(words.words[i]);
  return text;
}

/// Collects the faults of one object; `prefix` is the place of a part, `Constraints[0].`.
class Finder {
 public:
  Finder(std::vector<FieldFault>& faults, std::string prefix = {}) : faults_(faults), prefix_(std::move(prefix)) {}

  void operator()(const Field& field, float value) const {
    if (!std::isfinite(value))
      add(ValueFault::NotFinite, field, "is not a finite number");
    else if (value < field.least)
      add(ValueFault::Negative, field, "is " + float_text(value) + ", and cannot be below " + float_text(field.least));
  }
  void operator()(const Field& field, const Vec4& v) const {
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z) || !std::isfinite(v.w))
      add(ValueFault::NotFinite, field, "has a number that is not finite");
  }
  void operator()(const Field& field, const Quat& q) const {
    const float length = glm::length(q);
    if (!std::isfinite(length))
      add(ValueFault::NotFinite, field, "has a number that is not finite");
    else if (length < 1e-6f && field.name != "InitialGlobalRotation")  // a cache that the game recomputes
      add(ValueFault::NoRotation, field, "is a quaternion of length 0, which is not a rotation");
  }
  void operator()(const Field& field, const BoneLink& link) const {
    if (field.role == LinkRole::Mandatory && link.is_null())
      add(ValueFault::NoTarget, field, "is missing: without this bone the modifier does nothing");
  }
  void operator()(const Field& field, const std::vector<BoneLink>& links) const {
    if (field.role == LinkRole::Mandatory && std::ranges::all_of(links, &BoneLink::is_null))
      add(ValueFault::NoTarget, field, "names no bone: without one the modifier does nothing");
  }
  void operator()(const Field& field, const std::vector<float>& values) const {
    for (const float value : values)
      if (!std::isfinite(value) || value < field.least) return (*this)(field, value);
  }
  template <class Value>
  void operator()(const Field& field, const Value& value) const {
    if constexpr (kIsPartList<Value>)
      look_inside(field, value);
    else if constexpr (std::integral<Value> && !std::same_as<Value, bool>)
      look_at_whole(field, static_cast<std::int64_t>(value));
  }

 private:
  template <class Part>
  void look_inside(const Field& field, const std::vector<Part>& parts) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Finder inside(faults_, std::string(field.name) + "[" + std::to_string(i) + "].");
      if constexpr (std::same_as<Part, Hinge>)
        walk_fields(hinge_fields(), parts[i], inside);
      else
        walk_fields(rotation_expression_fields(), parts[i], inside);
    }
  }
  void look_at_whole(const Field& field, std::int64_t number) const {
    if (field.words && (number < 0 || number >= static_cast<std::int64_t>(field.words->words.size())))
      add(ValueFault::OutOfRange, field, "is " + std::to_string(number) + "; there are " + choices_of(*field.words));
    else if (static_cast<float>(number) < field.least || static_cast<float>(number) > field.most)
      add(ValueFault::OutOfRange, field,
          "is " + std::to_string(number) + "; it goes from " + float_text(field.least) + " to " +
              float_text(field.most));
  }
  void add(ValueFault fault, const Field& field, const std::string& what) const {
    const std::string name = prefix_ + std::string(field.name);
    faults_.push_back({fault, name, name + " " + what});
  }

  std::vector<FieldFault>& faults_;
  std::string prefix_;
};

bool is_axis(const Vec4& v, std::int32_t axis) {
  const Vec4 wanted = axis_vector(axis);
  return glm::length(Vec3(v) - Vec3(wanted)) < kSameAxis;
}

void find_axis_mismatch(const HingeModifier& hinge, std::vector<FieldFault>& faults) {
  const std::int32_t axis = hinge.axis_constraint_type;
  if (axis < 0 || axis > 2 || is_axis(hinge.local_axis_constraint, axis)) return;
  const Vec4& v = hinge.local_axis_constraint;
  constexpr char kNames[] = {'X', 'Y', 'Z'};
  faults.push_back({ValueFault::AxisMismatch, "LocalAxisConstraint",
                    "LocalAxisConstraint is " + float_text(v.x) + ", " + float_text(v.y) + ", " + float_text(v.z) +
                        ", but AxisConstraintType is " + kNames[axis] + "; the two name one axis"});
}

}  // namespace

Vec4 axis_vector(std::int32_t axis) {
  Vec4 vector(0.0f);
  if (axis >= 0 && axis < 3) vector[axis] = 1.0f;
  return vector;
}

std::vector<FieldFault> find_faults(const Modifier& modifier) {
  std::vector<FieldFault> faults;
  walk_fields(modifier, Finder(faults));
  if (const auto* hinge = std::get_if<HingeModifier>(&modifier.data)) find_axis_mismatch(*hinge, faults);
  // The angle of gravity in a bone takes the place of the twist of the linked bone.
  if (const auto* turn = std::get_if<RotationExpressionModifier>(&modifier.data); turn && !turn->gravity_bone.is_null())
    std::erase_if(faults, [](const FieldFault& fault) { return fault.fault == ValueFault::NoTarget; });
  return faults;
}

Result<void> refuse_new_faults(const Modifier& before, const Modifier& after) {
  const std::vector<FieldFault> old = find_faults(before);
  for (const FieldFault& fault : find_faults(after)) {
    const bool was_there = std::ranges::any_of(
        old, [&](const FieldFault& each) { return each.fault == fault.fault && each.message == fault.message; });
    if (!was_there)
      return fail(ErrorCode::InvalidArgument,
                  fault.message + (fault.fault == ValueFault::NoTarget ? "; give " + fault.field + "=BONE" : ""));
  }
  return {};
}

void agree_on_axis(Modifier& modifier, bool type_is_given, bool axis_is_given) {
  auto* hinge = std::get_if<HingeModifier>(&modifier.data);
  if (!hinge || type_is_given == axis_is_given) return;
  if (type_is_given) {
    const float w = hinge->local_axis_constraint.w;
    hinge->local_axis_constraint = axis_vector(hinge->axis_constraint_type);
    hinge->local_axis_constraint.w = w;
    return;
  }
  for (std::int32_t axis = 0; axis < 3; ++axis)
    if (is_axis(hinge->local_axis_constraint, axis)) hinge->axis_constraint_type = axis;
}

}  // namespace marrow
