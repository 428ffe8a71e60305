// SPDX-License-Identifier: MIT
#include "havok/object/copy_fields.h"

#include <algorithm>
#include <cstring>

#include "havok/object/layout.h"
#include "havok/text/number.h"

namespace marrow::havok {
namespace {

void copy_number(Kind from_kind, std::span<const std::byte> from, Kind to_kind, std::span<std::byte> to) {
  if (from_kind == to_kind)
    std::memcpy(to.data(), from.data(), element_of(to_kind).pod_size);
  else if (is_integer(from_kind) && is_integer(to_kind))
    store_integer(to_kind, to, load_integer(from_kind, from));
}

bool same_shape(Kind a, Kind b) { return a == b || (is_integer(a) && is_integer(b)); }

Ref copy_ref(Kind kind, const Ref& from, const CopyRules& rules) {
  if (kind == Kind::Text) return from;
  Ref to;
  if (!from.is_null()) to.set_pointer(rules.pointer(from.pointer()));
  return to;
}

Array copy_array(const Type& from_type, const Array& from, const Type& to_type, const CopyRules& rules) {
  const Element &source = *from_type.layout, &target = *to_type.layout;
  Array to(target, from.count());
  for (std::uint32_t i = 0; i < from.count(); ++i) {
    if (target.record && source.kind == Kind::Pointer) {
      const Object* row = rules.object ? rules.object(from.refs()[i].pointer()) : nullptr;
      if (row && row->type) copy_fields(row->fields(), fields_at(target, to, i), rules);
    } else if (target.record) {
      copy_fields(fields_at(source, from, i), fields_at(target, to, i), rules);
    } else if (target.ref_count > 0) {
      to.mutable_refs()[i] = copy_ref(to_type.element, from.refs()[i], rules);
    } else {
      copy_number(from_type.element, from.pods().subspan(std::size_t{i} * source.pod_size), to_type.element,
                  to.mutable_pods().subspan(std::size_t{i} * target.pod_size));
    }
  }
  return to;
}

void copy_member(const Member& from_member, const FieldsView& from, const Member& to_member, Fields& to,
                 const CopyRules& rules) {
  const Type &source = from_member.type, &target = to_member.type;
  const bool are_arrays = is_array(source.kind) && is_array(target.kind);
  if (!are_arrays && !same_shape(source.kind, target.kind)) return;
  for (std::uint32_t i = 0; i < std::min(source.repeat, target.repeat); ++i) {
    if (target.kind == Kind::Record) {
      copy_fields(from.record(from_member, i), to.record(to_member, i), rules);
    } else if (is_array(target.kind)) {
      const bool are_rows = source.element == Kind::Pointer && target.element == Kind::Record && rules.object;
      if (are_rows || same_shape(source.element, target.element))
        to.ref(to_member, i).set_array(copy_array(source, from.ref(from_member, i).array(), target, rules));
    } else if (element_of(target.kind).ref_count > 0) {
      to.ref(to_member, i) = copy_ref(target.kind, from.ref(from_member, i), rules);
    } else {
      copy_number(source.kind, from.pods().subspan(from_member.pod_offset + i * element_of(source.kind).pod_size),
                  target.kind, to.pods().subspan(to_member.pod_offset + i * element_of(target.kind).pod_size));
    }
  }
}

bool holds_something(const Member& member, const FieldsView& fields) {
  if (member.type.kind == Kind::Record) return true;
  for (std::uint32_t i = 0; i < member.type.repeat; ++i) {
    const Element& element = element_of(member.type.kind);
    if (element.ref_count > 0) {
      if (!fields.ref(member, i).is_null()) return true;
    } else {
      const auto bytes = fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size);
      if (std::ranges::any_of(bytes, [](std::byte b) { return b != std::byte{0}; })) return true;
    }
  }
  return false;
}

}  // namespace

void copy_fields(const FieldsView& from, Fields to, const CopyRules& rules) {
  for (const Class* type : from.type().lineage())
    for (const Member& member : type->members) {
      if (member.is_ignored) continue;
      const Member* target = to.view().type().find(member.name);
      if (target)
        copy_member(member, from, *target, to, rules);
      else if (rules.dropped && holds_something(member, from))
        rules.dropped(from.type().name + "." + member.name);
    }
}

}  // namespace marrow::havok
