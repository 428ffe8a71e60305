// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "behavior/records.h"

namespace marrow::behavior {

/// The members that hold expressions and conditions.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kExpressionMembers = {
    {{"hkbExpressionData", "expression"},
     {"hkbExpressionCondition", "expression"},
     {"hkbStringCondition", "conditionString"}}};

/// Calls `visit(record, member, place)` for every expression of an object; `place` is that of the record.
template <class SomeObject, class Visit>
void for_each_expression(SomeObject& object, Visit visit) {
  for_each_record(object, [&](auto record, const Place& place) {
    const havok::FieldsView view = record;
    for (const auto& [class_name, member] : kExpressionMembers)
      if (view.type().name == class_name) visit(record, member, place);
  });
}

}  // namespace marrow::behavior
