// SPDX-License-Identifier: MIT
#include "marrow/havok/object/object.h"

#include <cassert>
#include <cmath>

#include "havok/object/layout.h"
#include "havok/text/number.h"

namespace marrow::havok {
namespace {

const Member& find_or_die(const Class& type, std::string_view name) {
  const Member* member = type.find(name);
  assert(member && "the class has no such member");
  return *member;
}

std::uint32_t pod_place(const Member& member, std::uint32_t at) {
  assert(at < member.type.repeat);
  return member.pod_offset + at * element_of(member.type.kind).pod_size;
}

}  // namespace

FieldsView fields_at(const Element& element, const Array& array, std::uint32_t i) {
  assert(element.record && i < array.count());
  return {*element.record, array.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size),
          array.refs().subspan(std::size_t{i} * element.ref_count, element.ref_count)};
}

Fields fields_at(const Element& element, Array& array, std::uint32_t i) {
  assert(element.record && i < array.count());
  return {*element.record, array.mutable_pods().subspan(std::size_t{i} * element.pod_size, element.pod_size),
          array.mutable_refs().subspan(std::size_t{i} * element.ref_count, element.ref_count)};
}

FieldsView ArrayView::record(std::uint32_t i) const { return fields_at(*element_, *array_, i); }

std::optional<std::string_view> ArrayView::text(std::uint32_t i) const { return array_->refs()[i].text(); }

ObjectId ArrayView::pointer(std::uint32_t i) const { return array_->refs()[i].pointer(); }

const Member& FieldsView::member(std::string_view name) const { return find_or_die(*type_, name); }

double FieldsView::real(std::string_view name, std::uint32_t at) const {
  const Member& m = member(name);
  return load_real(m.type.kind, pods_.subspan(pod_place(m, at)));
}

std::int64_t FieldsView::integer(std::string_view name, std::uint32_t at) const {
  const Member& m = member(name);
  return load_integer(m.type.kind, pods_.subspan(pod_place(m, at)));
}

std::vector<float> FieldsView::floats(std::string_view name) const {
  const Member& m = member(name);
  std::vector<float> values(std::size_t{float_count(m.type.kind)} * m.type.repeat);
  std::memcpy(values.data(), pods_.data() + m.pod_offset, values.size() * sizeof(float));
  return values;
}

std::optional<std::string_view> FieldsView::text(std::string_view name, std::uint32_t at) const {
  return ref(member(name), at).text();
}

ObjectId FieldsView::pointer(std::string_view name, std::uint32_t at) const { return ref(member(name), at).pointer(); }

FieldsView FieldsView::record(const Member& m, std::uint32_t at) const {
  assert(m.type.kind == Kind::Record);
  const Element& layout = m.type.record->layout;
  return {*m.type.record, pods_.subspan(m.pod_offset + at * layout.pod_size, layout.pod_size),
          refs_.subspan(m.ref_offset + at * layout.ref_count, layout.ref_count)};
}

FieldsView FieldsView::record(std::string_view name, std::uint32_t at) const { return record(member(name), at); }

ArrayView FieldsView::array(std::string_view name, std::uint32_t at) const {
  const Member& m = member(name);
  assert(m.type.layout);
  return {*m.type.layout, ref(m, at).array()};
}

const Member& Fields::member(std::string_view name) const { return find_or_die(*type_, name); }

void Fields::set_real(std::string_view name, double value, std::uint32_t at) {
  const Member& m = member(name);
  store_real(m.type.kind, pods_.subspan(pod_place(m, at)), value);
}

void Fields::set_integer(std::string_view name, std::int64_t value, std::uint32_t at) {
  const Member& m = member(name);
  store_integer(m.type.kind, pods_.subspan(pod_place(m, at)), value);
}

void Fields::set_floats(std::string_view name, std::span<const float> values) {
  const Member& m = member(name);
  assert(values.size() == std::size_t{float_count(m.type.kind)} * m.type.repeat);
  std::memcpy(pods_.data() + m.pod_offset, values.data(), values.size_bytes());
}

void Fields::set_text(std::string_view name, std::optional<std::string> value, std::uint32_t at) {
  Ref& ref = refs_[member(name).ref_offset + at];
  if (value)
    ref.set_text(*value);
  else
    ref.reset();
}

void Fields::set_pointer(std::string_view name, ObjectId value, std::uint32_t at) {
  refs_[member(name).ref_offset + at].set_pointer(value);
}

Fields Fields::record(const Member& m, std::uint32_t at) {
  assert(m.type.kind == Kind::Record);
  const Element& layout = m.type.record->layout;
  return {*m.type.record, pods_.subspan(m.pod_offset + at * layout.pod_size, layout.pod_size),
          refs_.subspan(m.ref_offset + at * layout.ref_count, layout.ref_count)};
}

Fields Fields::record(std::string_view name, std::uint32_t at) { return record(member(name), at); }

Array& Fields::reset_array(std::string_view name, std::uint32_t count) {
  const Member& m = member(name);
  assert(m.type.layout);
  return refs_[m.ref_offset].set_array(Array(*m.type.layout, count));
}

Fields Fields::element(std::string_view name, std::uint32_t i) {
  const Member& m = member(name);
  return fields_at(*m.type.layout, refs_[m.ref_offset].array(), i);
}

void Fields::set_bytes(std::string_view name, std::span<const std::byte> bytes) {
  const Member& m = member(name);
  refs_[m.ref_offset].set_array(Array(*m.type.layout, bytes));
}

void Fields::set_texts(std::string_view name, std::span<const std::string> values) {
  const std::span<Ref> refs = reset_array(name, static_cast<std::uint32_t>(values.size())).mutable_refs();
  for (std::size_t i = 0; i < values.size(); ++i) refs[i].set_text(values[i]);
}

void Fields::set_pointers(std::string_view name, std::span<const ObjectId> values) {
  const std::span<Ref> refs = reset_array(name, static_cast<std::uint32_t>(values.size())).mutable_refs();
  for (std::size_t i = 0; i < values.size(); ++i) refs[i].set_pointer(values[i]);
}

}  // namespace marrow::havok
