// SPDX-License-Identifier: MIT
// Which integers of which classes are event ids, variable indices and bones: one table, used by checks, searches and
// edits alike.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "behavior/records.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

enum class IndexKind : std::uint8_t { Event, Variable, Property, Bone };

/// A member that holds indices.
struct IndexMember {
  const havok::Member* member = nullptr;
  IndexKind kind = IndexKind::Event;
};

/// The members of classes that hold indices, looked up once per class.
class IndexTable {
 public:
  const std::vector<IndexMember>& of(const havok::Class& type);
  /// True if objects of a class may hold indices, themselves or in their records.
  bool has_any(const havok::Class& type);

 private:
  std::unordered_map<const havok::Class*, std::vector<IndexMember>> known_;
  std::unordered_map<const havok::Class*, bool> has_any_;
};

/// True if the binding drives its member by a character property instead of a variable.
bool is_property_binding(havok::FieldsView binding);

/// One index inside an object.
struct IndexUse {
  IndexKind kind = IndexKind::Event;
  std::int64_t value = -1;
  const Place& place;       ///< of the record that holds it
  std::string_view member;  ///< of that record
  bool is_binding = false;  ///< the index of a binding, which must not be -1
};

/// Calls `visit(use)` for every index of an object.
template <class Visit>
void for_each_index(const havok::Object& object, IndexTable& table, Visit visit) {
  if (!object.type || !table.has_any(*object.type)) return;
  for_each_record(object, [&](havok::FieldsView record, const Place& place) {
    for (const IndexMember& each : table.of(record.type())) {
      const bool is_binding = each.kind == IndexKind::Variable && each.member->name == "variableIndex";
      const IndexKind kind = is_binding && is_property_binding(record) ? IndexKind::Property : each.kind;
      if (!havok::is_array(each.member->type.kind)) {
        visit(IndexUse{kind, record.integer(each.member->name), place, each.member->name, is_binding});
        continue;
      }
      const auto numbers = record.array(each.member->name).template numbers<std::int16_t>();
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Place element{&place, each.member->name, static_cast<std::int64_t>(i)};
        visit(IndexUse{kind, numbers[i], element, {}, false});
      }
    }
  });
}

/// Gives every event, variable or property index of an object the value that `map(index)` returns for it.
template <class Map>
void map_indices(havok::Object& object, IndexTable& table, IndexKind wanted, Map map) {
  bool is_changed = false;
  for_each_index(std::as_const(object), table,
                 [&](const IndexUse& use) { is_changed |= use.kind == wanted && map(use.value) != use.value; });
  if (!is_changed) return;
  for_each_record(object, [&](havok::Fields record, const Place&) {
    for (const IndexMember& each : table.of(record.view().type())) {
      if (havok::is_array(each.member->type.kind)) continue;
      const bool is_property = each.member->name == "variableIndex" && is_property_binding(record.view());
      const IndexKind kind = is_property ? IndexKind::Property : each.kind;
      if (kind == wanted) record.set_integer(each.member->name, map(record.view().integer(each.member->name)));
    }
  });
}

}  // namespace marrow::behavior
