// SPDX-License-Identifier: MIT
#include "marrow/havok/schema.h"

#include <algorithm>

namespace marrow::havok {

bool is_integer(Kind kind) { return (kind >= Kind::Bool && kind <= Kind::UInt64) || kind == Kind::ULong; }

bool is_array(Kind kind) { return kind == Kind::Array || kind == Kind::SimpleArray || kind == Kind::RelArray; }

std::uint32_t float_count(Kind kind) {
  switch (kind) {
    case Kind::Real: return 1;
    case Kind::Vector4:
    case Kind::Quaternion: return 4;
    case Kind::Matrix3:
    case Kind::Rotation:
    case Kind::QsTransform: return 12;
    case Kind::Matrix4:
    case Kind::Transform: return 16;
    default: return 0;
  }
}

const Member* Class::find(std::string_view member) const {
  for (const Class* type = this; type; type = type->parent)
    for (const Member& candidate : type->members)
      if (!candidate.is_ignored && candidate.name == member) return &candidate;
  return nullptr;
}

bool Class::is_a(std::string_view other) const {
  for (const Class* type = this; type; type = type->parent)
    if (type->name == other) return true;
  return false;
}

std::vector<const Class*> Class::lineage() const {
  std::vector<const Class*> classes;
  for (const Class* type = this; type; type = type->parent) classes.push_back(type);
  std::ranges::reverse(classes);
  return classes;
}

const Class* Schema::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

}  // namespace marrow::havok
