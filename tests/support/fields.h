// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "model/modifiers_fields.h"

// What tests of fields share.
namespace marrow::test {

/// The numbers that the range of a field is of. The fourth component of a vector is nobody's.
template <class T>
std::vector<float> numbers_of(const T& value) {
  if constexpr (std::is_same_v<T, float>)
    return {value};
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return {static_cast<float>(value)};
  else if constexpr (std::is_same_v<T, Vec4>)
    return {value.x, value.y, value.z};
  else if constexpr (std::is_same_v<T, std::vector<float>>)
    return value;
  else
    return {};
}

/// Calls `visit(const Field&, const value&)` for the fields of a modifier and of the parts inside it.
template <class Visit>
void walk_all_fields(const Modifier& modifier, const Visit& visit) {
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    visit(field, value);
    if constexpr (std::is_same_v<T, std::vector<Hinge>>)
      for (const Hinge& hinge : value) walk_fields(hinge_fields(), hinge, visit);
    else if constexpr (std::is_same_v<T, std::vector<RotationExpression>>)
      for (const RotationExpression& term : value) walk_fields(rotation_expression_fields(), term, visit);
  });
}

/// The numbers of a modifier that lie outside the ranges of their fields, as `Mass 12`.
inline std::vector<std::string> out_of_range(const Modifier& modifier) {
  std::vector<std::string> found;
  walk_all_fields(modifier, [&](const Field& field, const auto& value) {
    for (const float number : numbers_of(value))
      if (number < field.min || number > field.max)
        found.push_back(std::string(field.name) + " " + std::to_string(number));
  });
  return found;
}

}  // namespace marrow::test
