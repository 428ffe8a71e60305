// SPDX-License-Identifier: MIT
#include "marrow/havok/object.h"

#include <cassert>
#include <cmath>

#include "havok/layout.h"
#include "havok/number.h"

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

void fill_empty_refs(const Element& element, std::span<Ref> refs) {
  for (const Step& step : element.steps[1])
    if (step.element) refs[step.ref].value = Array{};
}

}  // namespace

bool Array::operator==(const Array& other) const {
  return count == other.count && pods == other.pods && refs == other.refs;
}

Array make_array(const Element& element, std::uint32_t count) {
  Array array;
  array.count = count;
  array.pods.resize(std::size_t{count} * element.pod_size);
  array.refs.resize(std::size_t{count} * element.ref_count);
  // Numbers, texts and pointers are already zero and null: the data of a clip has a hundred thousand elements.
  if (!element.holds_arrays) return array;
  for (std::uint32_t i = 0; i < count; ++i)
    fill_empty_refs(element, std::span(array.refs).subspan(std::size_t{i} * element.ref_count, element.ref_count));
  return array;
}

FieldsView fields_at(const Element& element, const Array& array, std::uint32_t i) {
  assert(element.record && i < array.count);
  return {*element.record, std::span(array.pods).subspan(std::size_t{i} * element.pod_size, element.pod_size),
          std::span(array.refs).subspan(std::size_t{i} * element.ref_count, element.ref_count)};
}

Fields fields_at(const Element& element, Array& array, std::uint32_t i) {
  assert(element.record && i < array.count);
  return {*element.record, std::span(array.pods).subspan(std::size_t{i} * element.pod_size, element.pod_size),
          std::span(array.refs).subspan(std::size_t{i} * element.ref_count, element.ref_count)};
}

FieldsView ArrayView::record(std::uint32_t i) const { return fields_at(*element_, *array_, i); }

std::optional<std::string_view> ArrayView::text(std::uint32_t i) const {
  const auto* text = std::get_if<std::string>(&array_->refs[i].value);
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

ObjectId ArrayView::pointer(std::uint32_t i) const {
  const auto* id = std::get_if<ObjectId>(&array_->refs[i].value);
  return id ? *id : ObjectId{};
}

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
  const auto* text = std::get_if<std::string>(&ref(member(name), at).value);
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

ObjectId FieldsView::pointer(std::string_view name, std::uint32_t at) const {
  const auto* id = std::get_if<ObjectId>(&ref(member(name), at).value);
  return id ? *id : ObjectId{};
}

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
  return {*m.type.layout, std::get<Array>(ref(m, at).value)};
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
    ref.value = std::move(*value);
  else
    ref.value = std::monostate{};
}

void Fields::set_pointer(std::string_view name, ObjectId value, std::uint32_t at) {
  Ref& ref = refs_[member(name).ref_offset + at];
  if (value.is_null())
    ref.value = std::monostate{};
  else
    ref.value = value;
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
  return refs_[m.ref_offset].value.emplace<Array>(make_array(*m.type.layout, count));
}

Fields Fields::element(std::string_view name, std::uint32_t i) {
  const Member& m = member(name);
  return fields_at(*m.type.layout, std::get<Array>(refs_[m.ref_offset].value), i);
}

void Fields::set_bytes(std::string_view name, std::span<const std::byte> bytes) {
  const Element& element = *member(name).type.layout;
  assert(element.pod_size > 0 && bytes.size() % element.pod_size == 0);
  Array& array = reset_array(name, 0);
  array.count = static_cast<std::uint32_t>(bytes.size() / element.pod_size);
  array.pods.assign(bytes.begin(), bytes.end());
}

void Fields::set_texts(std::string_view name, std::span<const std::string> values) {
  Array& array = reset_array(name, static_cast<std::uint32_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) array.refs[i].value = values[i];
}

void Fields::set_pointers(std::string_view name, std::span<const ObjectId> values) {
  Array& array = reset_array(name, static_cast<std::uint32_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].is_null()) array.refs[i].value = values[i];
}

}  // namespace marrow::havok
