// SPDX-License-Identifier: MIT
#include "behavior/member_path.h"

#include <limits>

#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Kind;
using havok::Member;

// Finds a member, ignored ones too: the game binds to them.
const Member* any_member(const havok::Class& type, std::string_view name) {
  for (const havok::Class* each = &type; each; each = each->parent)
    for (const Member& member : each->members)
      if (member.name == name) return &member;
  return nullptr;
}

// The record that a path has reached: its class and, as long as values are stored, its fields.
struct Reached {
  const havok::Class* type = nullptr;
  std::optional<havok::FieldsView> fields = {};
};

std::optional<Reached> into_object(const havok::Packfile& file, havok::ObjectId id, const havok::Class* otherwise) {
  if (id.index < file.objects.size() && file.at(id).type) return Reached{file.at(id).type, file.at(id).fields()};
  return otherwise ? std::optional(Reached{otherwise, std::nullopt}) : std::nullopt;
}

std::optional<Reached> into(const havok::Packfile& file, const Reached& at, const Member& member,
                            std::optional<std::uint64_t> index) {
  const bool is_array = havok::is_array(member.type.kind);
  if (is_array != index.has_value() && member.type.repeat == 1) return std::nullopt;
  const Kind kind = is_array ? member.type.element : member.type.kind;
  const bool is_stored = at.fields && !member.is_ignored;
  const auto i = static_cast<std::uint32_t>(index.value_or(0));
  if (is_array && is_stored && *index >= at.fields->ref(member).array().count()) return std::nullopt;
  if (!is_array && i >= member.type.repeat) return std::nullopt;
  if (kind == Kind::Record) {
    if (!is_stored) return Reached{member.type.record, std::nullopt};
    return Reached{member.type.record, is_array ? fields_at(*member.type.layout, at.fields->ref(member).array(), i)
                                                : at.fields->record(member, i)};
  }
  if (kind != Kind::Pointer && kind != Kind::Variant) return std::nullopt;
  if (!is_stored) return into_object(file, {}, member.type.record);
  const havok::ObjectId id =
      is_array ? at.fields->ref(member).array().refs()[i].pointer() : at.fields->ref(member, i).pointer();
  return into_object(file, id, member.type.record);
}

}  // namespace

std::optional<MemberTarget> follow(const havok::Packfile& file, const havok::Object& from, std::string_view path) {
  if (!from.type) return MemberTarget{};
  Reached at{from.type, from.fields()};
  while (true) {
    const std::size_t slash = path.find('/');
    std::string_view name = path.substr(0, slash);
    std::optional<std::uint64_t> index;
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
      index = parse_uint(name.substr(colon + 1));
      if (!index || *index > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
      name = name.substr(0, colon);
    }
    const Member* member = any_member(*at.type, name);
    if (!member) return std::nullopt;
    if (slash == std::string_view::npos) {
      const bool is_array = havok::is_array(member->type.kind);
      if (index && !is_array && member->type.repeat == 1) return std::nullopt;
      const bool is_counted = is_array && index && at.fields && !member->is_ignored;
      if (is_counted && *index >= at.fields->ref(*member).array().count()) return std::nullopt;
      return MemberTarget{member, index.has_value() && is_array};
    }
    const auto next = into(file, at, *member, index);
    if (!next || !next->type) return std::nullopt;
    at = *next;
    path = path.substr(slash + 1);
  }
}

}  // namespace marrow::behavior
