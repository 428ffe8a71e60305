// SPDX-License-Identifier: MIT
#include "havok/tag/known.h"

#include <algorithm>
#include <array>

namespace marrow::havok {
namespace {

/// Classes of tagfiles that this library reads begin with one of these. Their physics are not read.
constexpr std::array<std::string_view, 5> kReadPrefixes = {"hka", "hkRoot", "hkb", "hkMemory", "hkSimpleLocal"};
/// The versions that have classes which later ones have no more.
constexpr std::array<std::string_view, 3> kTableVersions = {kVersion2014, kVersion2010, "Havok-5.5.0-r1"};

bool same_kind(Kind a, Kind b) { return a == b || (is_integer(a) && is_integer(b)); }

// Records nest as deep as the tables do.
bool same_record(const Class* described, const Class* known) {
  return !known || (described && is_like(*described, *known));
}

bool same_type(const Type& described, const Type& known) {
  if (known.repeat > described.repeat) return false;
  if (is_array(known.kind))
    return is_array(described.kind) && same_kind(described.element, known.element) &&
           // Numbers of arrays are taken as they lie in memory.
           (!is_integer(known.element) || described.element == known.element || known.element == Kind::Bool) &&
           (known.element != Kind::Record || same_record(described.record, known.record));
  return same_kind(described.kind, known.kind) &&
         (known.kind != Kind::Record || same_record(described.record, known.record));
}

}  // namespace

const Class* known_class(std::string_view name) {
  const bool is_read =
      std::ranges::any_of(kReadPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
  for (const std::string_view version : kTableVersions)
    if (const Class* found = is_read ? builtin_schema(version)->find(name) : nullptr) return found;
  return nullptr;
}

bool is_like(const Class& described, const Class& known) {
  for (const Class* type = &known; type; type = type->parent)
    for (const Member& member : type->members) {
      if (member.is_ignored) continue;
      const Member* found = described.find(member.name);
      if (!found || !same_type(found->type, member.type)) return false;
    }
  return true;
}

}  // namespace marrow::havok
