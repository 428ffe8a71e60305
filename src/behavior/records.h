// SPDX-License-Identifier: MIT
// Walks over objects and the records inside them, by their class descriptions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Returns the object if the pointer leads to one of that class or a derived one; null otherwise.
const havok::Object* object_of(const havok::Packfile& file, havok::ObjectId id, std::string_view class_name);
havok::Object* object_of(havok::Packfile& file, havok::ObjectId id, std::string_view class_name);

/// Returns the objects of a class that could be read: a damaged signature leaves an object its name and nothing else.
std::vector<havok::ObjectId> objects_of(const havok::Packfile& file, std::string_view class_name);

/// The place of a record or value inside an object: `transitions[3].triggerInterval`.
struct Place {
  const Place* outer = nullptr;
  std::string_view member = {};
  std::int64_t index = -1;  ///< of an element; -1 if the member is not repeated

  /// Returns the path; `last` is a member of this place.
  std::string text(std::string_view last = {}) const;
};

inline havok::FieldsView element_of(havok::FieldsView record, const havok::Member& member, std::uint32_t i) {
  return fields_at(*member.type.layout, record.ref(member).array(), i);
}
inline havok::Fields element_of(havok::Fields record, const havok::Member& member, std::uint32_t i) {
  return fields_at(*member.type.layout, record.ref(member).array(), i);
}

/// Calls `visit(member)` for the stored members of a class, those of its bases first.
template <class Visit>
void for_each_member(const havok::Class& type, const Visit& visit) {
  if (type.parent) for_each_member(*type.parent, visit);
  for (const havok::Member& member : type.members)
    if (!member.is_ignored) visit(member);
}

/// Calls `visit(record, place)` for a record and all records in it, in member order. The depth is that of the class
/// descriptions, never one that a file chooses. `Record` is `FieldsView` or `Fields`.
template <class Record, class Visit>
void for_each_record(Record record, const Place& place, Visit& visit) {
  visit(record, place);
  const havok::FieldsView view = record;
  for_each_member(view.type(), [&](const havok::Member& member) {
    if (member.type.kind == havok::Kind::Record) {
      for (std::uint32_t i = 0; i < member.type.repeat; ++i) {
        const Place inner{&place, member.name, member.type.repeat > 1 ? static_cast<std::int64_t>(i) : -1};
        for_each_record(record.record(member, i), inner, visit);
      }
    } else if (havok::is_array(member.type.kind) && member.type.element == havok::Kind::Record) {
      const std::uint32_t count = view.ref(member).array().count();
      for (std::uint32_t i = 0; i < count; ++i) {
        const Place inner{&place, member.name, i};
        for_each_record(element_of(record, member, i), inner, visit);
      }
    }
  });
}

template <class Visit>
void for_each_record(const havok::Object& object, Visit visit) {
  if (object.type) for_each_record(object.fields(), Place{}, visit);
}
template <class Visit>
void for_each_record(havok::Object& object, Visit visit) {
  if (object.type) for_each_record(object.fields(), Place{}, visit);
}

/// Calls `visit(place, id)` for every pointer of an object that is not null, with the place of the pointer itself.
template <class Visit>
void for_each_pointer_place(const havok::Object& object, Visit visit) {
  for_each_record(object, [&](havok::FieldsView record, const Place& place) {
    for_each_member(record.type(), [&](const havok::Member& member) {
      const bool is_array = havok::is_array(member.type.kind);
      const havok::Kind kind = is_array ? member.type.element : member.type.kind;
      if (kind != havok::Kind::Pointer && kind != havok::Kind::Variant) return;
      const auto tell = [&](havok::ObjectId id, std::int64_t index) {
        if (!id.is_null()) visit(Place{&place, member.name, index}, id);
      };
      if (is_array) {
        const auto refs = record.ref(member).array().refs();
        for (std::size_t i = 0; i < refs.size(); ++i) tell(refs[i].pointer(), static_cast<std::int64_t>(i));
      } else {
        for (std::uint32_t i = 0; i < member.type.repeat; ++i)
          tell(record.ref(member, i).pointer(), member.type.repeat > 1 ? static_cast<std::int64_t>(i) : -1);
      }
    });
  });
}

}  // namespace marrow::behavior
