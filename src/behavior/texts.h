// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

/// The objects that they are in.
inline constexpr std::array<std::string_view, 3> kExpressionHolders = {"hkbExpressionDataArray",
                                                                       "hkbExpressionCondition", "hkbStringCondition"};

/// Calls `visit(record, member, place)` for every expression of an object; `place` is that of the record.
template <class SomeObject, class Visit>
void for_each_expression(SomeObject& object, Visit visit) {
  if (std::ranges::find(kExpressionHolders, object.class_name()) == kExpressionHolders.end()) return;
  for_each_record(object, [&](auto record, const Place& place) {
    const havok::FieldsView view = record;
    for (const auto& [class_name, member] : kExpressionMembers)
      if (view.type().name == class_name) visit(record, member, place);
  });
}

}  // namespace marrow::behavior
