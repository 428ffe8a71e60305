// SPDX-License-Identifier: MIT
#include "havok/object/object.h"

#include <cassert>
#include <cmath>

#include "havok/object/layout.h"
#include "havok/text/number.h"

namespace marrow::havok {
namespace {

// What stands for a record, and an array, that a class does not have.
const Class kNoClass;
const Element kNoElement;
const Array kNoArray;

bool is_number(const Member& member) {
  return is_integer(member.type.kind) || member.type.kind == Kind::Real || member.type.kind == Kind::Half;
}
bool is_tuple(const Member& member) { return float_count(member.type.kind) > 0; }
bool is_record(const Member& member) { return member.type.kind == Kind::Record; }
bool is_list(const Member& member) { return is_array(member.type.kind) && member.type.layout; }
bool is_text(const Member& member) { return member.type.kind == Kind::Text; }
bool is_pointer(const Member& member) { return member.type.kind == Kind::Pointer || member.type.kind == Kind::Variant; }

/// Returns the member if the class has it, with a type that fits and at least `at + 1` values; else null.
template <class Fits>
const Member* find(const Class& type, std::string_view name, Fits fits, std::uint32_t at = 0) {
  const Member* member = type.find(name);
  return member && fits(*member) && at < member->type.repeat ? member : nullptr;
}

std::uint32_t pod_place(const Member& member, std::uint32_t at) {
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

FieldsView ArrayView::record(std::uint32_t i) const {
  if (!element_->record || i >= size()) return {kNoClass, {}, {}};
  return fields_at(*element_, *array_, i);
}

std::optional<std::string_view> ArrayView::text(std::uint32_t i) const {
  return element_->kind == Kind::Text && i < size() ? array_->refs()[i].text() : std::nullopt;
}

ObjectId ArrayView::pointer(std::uint32_t i) const {
  const bool is_pointer = element_->kind == Kind::Pointer || element_->kind == Kind::Variant;
  return is_pointer && i < size() ? array_->refs()[i].pointer() : ObjectId{};
}

double FieldsView::real(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_number, at);
  return m ? load_real(m->type.kind, pods_.subspan(pod_place(*m, at))) : 0.0;
}

std::int64_t FieldsView::integer(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_number, at);
  return m ? load_integer(m->type.kind, pods_.subspan(pod_place(*m, at))) : 0;
}

std::vector<float> FieldsView::floats(std::string_view name) const {
  const Member* m = find(*type_, name, is_tuple);
  if (!m) return {};
  std::vector<float> values(std::size_t{float_count(m->type.kind)} * m->type.repeat);
  std::memcpy(values.data(), pods_.data() + m->pod_offset, values.size() * sizeof(float));
  return values;
}

std::optional<std::string_view> FieldsView::text(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_text, at);
  return m ? ref(*m, at).text() : std::nullopt;
}

ObjectId FieldsView::pointer(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_pointer, at);
  return m ? ref(*m, at).pointer() : ObjectId{};
}

FieldsView FieldsView::record(const Member& m, std::uint32_t at) const {
  assert(m.type.kind == Kind::Record);
  const Element& layout = m.type.record->layout;
  return {*m.type.record, pods_.subspan(m.pod_offset + at * layout.pod_size, layout.pod_size),
          refs_.subspan(m.ref_offset + at * layout.ref_count, layout.ref_count)};
}

FieldsView FieldsView::record(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_record, at);
  return m ? record(*m, at) : FieldsView(kNoClass, {}, {});
}

ArrayView FieldsView::array(std::string_view name, std::uint32_t at) const {
  const Member* m = find(*type_, name, is_list, at);
  return m ? ArrayView(*m->type.layout, ref(*m, at).array()) : ArrayView(kNoElement, kNoArray);
}

void Fields::set_real(std::string_view name, double value, std::uint32_t at) {
  if (const Member* m = find(*type_, name, is_number, at))
    store_real(m->type.kind, pods_.subspan(pod_place(*m, at)), value);
}

void Fields::set_integer(std::string_view name, std::int64_t value, std::uint32_t at) {
  if (const Member* m = find(*type_, name, is_number, at))
    store_integer(m->type.kind, pods_.subspan(pod_place(*m, at)), value);
}

void Fields::set_floats(std::string_view name, std::span<const float> values) {
  const Member* m = find(*type_, name, is_tuple);
  if (!m || values.size() != std::size_t{float_count(m->type.kind)} * m->type.repeat) return;
  std::memcpy(pods_.data() + m->pod_offset, values.data(), values.size_bytes());
}

void Fields::set_text(std::string_view name, std::optional<std::string> value, std::uint32_t at) {
  const Member* m = find(*type_, name, is_text, at);
  if (!m) return;
  if (value)
    ref(*m, at).set_text(*value);
  else
    ref(*m, at).reset();
}

void Fields::set_pointer(std::string_view name, ObjectId value, std::uint32_t at) {
  if (const Member* m = find(*type_, name, is_pointer, at)) ref(*m, at).set_pointer(value);
}

Fields Fields::record(const Member& m, std::uint32_t at) {
  assert(m.type.kind == Kind::Record);
  const Element& layout = m.type.record->layout;
  return {*m.type.record, pods_.subspan(m.pod_offset + at * layout.pod_size, layout.pod_size),
          refs_.subspan(m.ref_offset + at * layout.ref_count, layout.ref_count)};
}

Fields Fields::record(std::string_view name, std::uint32_t at) {
  const Member* m = find(*type_, name, is_record, at);
  return m ? record(*m, at) : Fields(kNoClass, {}, {});
}

void Fields::reset_array(std::string_view name, std::uint32_t count) {
  if (const Member* m = find(*type_, name, is_list)) ref(*m).set_array(Array(*m->type.layout, count));
}

Fields Fields::element(std::string_view name, std::uint32_t i) {
  const Member* m = find(*type_, name, is_list);
  if (!m || !m->type.layout->record || i >= ref(*m).array().count()) return {kNoClass, {}, {}};
  return fields_at(*m->type.layout, ref(*m).array(), i);
}

void Fields::set_bytes(std::string_view name, std::span<const std::byte> bytes) {
  const Member* m = find(*type_, name, is_list);
  if (!m || m->type.layout->ref_count > 0 || m->type.layout->pod_size == 0 ||
      bytes.size() % m->type.layout->pod_size != 0)
    return;
  ref(*m).set_array(Array(*m->type.layout, bytes));
}

void Fields::set_refs(std::string_view name, Kind kind, std::vector<Ref> values) {
  const Member* m = find(*type_, name, is_list);
  if (m && m->type.layout->kind == kind) ref(*m).set_array(Array(*m->type.layout, std::move(values)));
}

void Fields::set_texts(std::string_view name, std::span<const std::string> values) {
  std::vector<Ref> refs;
  for (const std::string& value : values) refs.emplace_back(std::string_view(value));
  set_refs(name, Kind::Text, std::move(refs));
}

void Fields::set_pointers(std::string_view name, std::span<const ObjectId> values) {
  std::vector<Ref> refs;
  for (const ObjectId value : values) refs.emplace_back(value);
  set_refs(name, Kind::Pointer, std::move(refs));
}

}  // namespace marrow::havok
