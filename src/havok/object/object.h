// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havok/object/schema.h"
#include "havok/object/value.h"
#include "marrow/core/byte_reader.h"

namespace marrow::havok {

class FieldsView;

/// A read-only array. The type of the element decides which getter fits. Another one, or an index past the end, gives
/// what `FieldsView` gives for a member that is missing.
class ArrayView {
 public:
  ArrayView(const Element& element, const Array& array) : element_(&element), array_(&array) {}

  std::uint32_t size() const { return array_->count(); }
  bool empty() const { return array_->count() == 0; }
  const Element& element() const { return *element_; }
  const Array& storage() const { return *array_; }

  FieldsView record(std::uint32_t i) const;
  std::optional<std::string_view> text(std::uint32_t i) const;
  ObjectId pointer(std::uint32_t i) const;
  /// Returns numbers and tuples as they lie in memory: `numbers<float>()` of n Vector4 has 4n elements. None if the
  /// elements are narrower than T. Use its size, not that of the array, where a file may describe its own classes.
  template <Scalar T>
  std::span<const T> numbers() const {
    if (element_->pod_alignment % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(array_->pods().data()), array_->pods().size() / sizeof(T)};
  }

 private:
  const Element* element_;
  const Array* array_;
};

/// The fields of an object, or of a record inside one, by name. Versions of Havok differ in their members, and a file
/// may describe its own: one that the class does not have, or has with a type that does not fit, reads as nothing (0,
/// no text, a null pointer, no floats, an empty array, a record without members). `has` tells if the name is there.
class FieldsView {
 public:
  FieldsView(const Class& type, std::span<const std::byte> pods, std::span<const Ref> refs)
      : type_(&type), pods_(pods), refs_(refs) {}

  const Class& type() const { return *type_; }
  bool has(std::string_view name) const { return type_->find(name) != nullptr; }

  /// Returns any number or enum, converted. `at` selects one value of a repeated member.
  double real(std::string_view name, std::uint32_t at = 0) const;
  std::int64_t integer(std::string_view name, std::uint32_t at = 0) const;
  /// Returns the floats of a real or tuple, repeats one after another: 4 of a Vector4, 12 of a QsTransform.
  std::vector<float> floats(std::string_view name) const;
  std::optional<std::string_view> text(std::string_view name, std::uint32_t at = 0) const;
  ObjectId pointer(std::string_view name, std::uint32_t at = 0) const;
  FieldsView record(std::string_view name, std::uint32_t at = 0) const;
  ArrayView array(std::string_view name, std::uint32_t at = 0) const;

  /// For code that walks members instead of naming them.
  std::span<const std::byte> pods() const { return pods_; }
  std::span<const Ref> refs() const { return refs_; }
  const Ref& ref(const Member& member, std::uint32_t at = 0) const { return refs_[member.ref_offset + at]; }
  FieldsView record(const Member& member, std::uint32_t at = 0) const;

 private:
  const Class* type_;
  std::span<const std::byte> pods_;
  std::span<const Ref> refs_;
};

/// The same fields, writable. Numbers are converted to the type of the member and truncated to its width. What the
/// class has no place for is not written.
class Fields {
 public:
  Fields(const Class& type, std::span<std::byte> pods, std::span<Ref> refs) : type_(&type), pods_(pods), refs_(refs) {}
  operator FieldsView() const { return {*type_, pods_, refs_}; }
  FieldsView view() const { return *this; }

  void set_real(std::string_view name, double value, std::uint32_t at = 0);
  void set_integer(std::string_view name, std::int64_t value, std::uint32_t at = 0);
  /// Sets all floats of a member. `values` has as many as the member holds.
  void set_floats(std::string_view name, std::span<const float> values);
  void set_text(std::string_view name, std::optional<std::string> value, std::uint32_t at = 0);
  void set_pointer(std::string_view name, ObjectId value, std::uint32_t at = 0);
  Fields record(std::string_view name, std::uint32_t at = 0);

  /// For code that walks members instead of naming them.
  std::span<std::byte> pods() { return pods_; }
  std::span<Ref> refs() { return refs_; }
  Ref& ref(const Member& member, std::uint32_t at = 0) { return refs_[member.ref_offset + at]; }
  Fields record(const Member& member, std::uint32_t at = 0);

  /// Replaces an array by `count` zeroed elements.
  void reset_array(std::string_view name, std::uint32_t count);
  /// Returns the fields of element `i` of an array of records.
  Fields element(std::string_view name, std::uint32_t i);
  /// Replaces an array of numbers or tuples. `values` must be a whole number of elements.
  template <Scalar T>
  void set_numbers(std::string_view name, std::span<const T> values) {
    set_bytes(name, std::as_bytes(values));
  }
  void set_texts(std::string_view name, std::span<const std::string> values);
  void set_pointers(std::string_view name, std::span<const ObjectId> values);

 private:
  void set_bytes(std::string_view name, std::span<const std::byte> bytes);
  void set_refs(std::string_view name, Kind kind, std::vector<Ref> values);

  const Class* type_;
  std::span<std::byte> pods_;
  std::span<Ref> refs_;
};

/// Returns the fields of record `i` of a standalone array, such as `Object::body`.
FieldsView fields_at(const Element& element, const Array& array, std::uint32_t i);
Fields fields_at(const Element& element, Array& array, std::uint32_t i);

}  // namespace marrow::havok
