// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havok/object/schema.h"

namespace marrow::havok {

/// An object of a file, by its index in `Packfile::objects`.
struct ObjectId {
  std::uint32_t index = UINT32_MAX;

  bool is_null() const { return index == UINT32_MAX; }
  bool operator==(const ObjectId&) const = default;
};

/// Returns the path of an object for messages, `objects[12]`.
inline std::string path_of(ObjectId id) { return "objects[" + std::to_string(id.index) + "]"; }

class Ref;

/// A sequence of values of one type. Their numbers are packed in `pods` at `Member::pod_offset`. Their texts, pointers
/// and arrays are in `refs`, `Element::ref_count` per value. An array of plain numbers is just bytes; a record is an
/// array of one.
///
/// An array that was read with a packfile lies in the storage of that file, which its object shares with the copies of
/// the object. It moves to memory of its own when it is changed, copied or moved; so arrays behave as values.
class Array {
 public:
  Array() = default;
  /// Makes `count` zeroed values: empty arrays, null texts and pointers.
  Array(const Element& element, std::uint32_t count);
  /// Makes an array of numbers or tuples. `pods` must be a whole number of elements.
  Array(const Element& element, std::span<const std::byte> pods);
  /// Makes an array of texts or pointers.
  Array(const Element& element, std::vector<Ref> refs);
  Array(const Array& other);
  Array(Array&& other) noexcept;
  Array& operator=(const Array& other);
  Array& operator=(Array&& other) noexcept;
  ~Array() {
    if (is_owner()) release();
  }

  std::uint32_t count() const { return count_; }
  /// Returns the offset in the file it was read from, 0 if it was not. Not part of the value.
  std::uint32_t source_offset() const { return source_offset_; }

  std::span<const std::byte> pods() const { return {pods_begin(), pods_size()}; }
  std::span<const Ref> refs() const;

  /// The same, writable: an array that shares its storage gets its own first. Valid until the array is assigned to.
  std::span<std::byte> mutable_pods();
  std::span<Ref> mutable_refs();

  bool operator==(const Array& other) const;

 private:
  friend class Object;
  friend class Ref;
  friend class Storage;

  // Flags in the lowest bits of the element's address.
  static constexpr std::uintptr_t kOwner = 1, kText = 2, kFlags = kOwner | kText;
  static_assert(alignof(Element) > kFlags);

  struct Sharing {};
  // Copies what is its own and shares the rest; the same storage must outlive both.
  Array(const Array& other, Sharing);

  const Element* element() const { return reinterpret_cast<const Element*>(tagged_element_ & ~kFlags); }
  bool is_owner() const { return tagged_element_ & kOwner; }
  bool is_text() const { return tagged_element_ & kText; }

  std::size_t refs_count() const { return element() ? std::size_t{count_} * element()->ref_count : 0; }
  std::size_t pods_size() const { return element() ? std::size_t{count_} * element()->pod_size : 0; }
  std::byte* pods_begin() const;
  void allocate(const Element& element, std::uint32_t count);
  void copy_bits(const Array& other);
  void copy_block(bool is_sharing);
  // What the elements refer to stays shared until it is changed itself.
  void own() {
    if (block_ && !is_owner()) copy_block(true);
  }
  void release();
  void take(Array& other);
  void clear() {
    tagged_element_ = 0;
    block_ = nullptr;
    count_ = source_offset_ = 0;
  }

  std::uintptr_t tagged_element_ = 0;  // null if there are no elements
  std::byte* block_ = nullptr;         // refs, then pods
  std::uint32_t count_ = 0;
  std::uint32_t source_offset_ = 0;
};

/// A value outside the body of an object: nothing, a text, a pointer to an object, or an array. An empty array and a
/// null text or pointer are nothing. A member's type decides which getter fits.
class Ref {
 public:
  Ref() = default;
  explicit Ref(ObjectId id) { set_pointer(id); }
  explicit Ref(std::string_view text) { set_text(text); }

  bool is_null() const { return value_.tagged_element_ == 0 && value_.count_ == 0; }
  bool is_array() const { return value_.element() != nullptr; }

  /// Returns the text; nothing if it is null.
  std::optional<std::string_view> text() const {
    if (!value_.is_text()) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(value_.block_), value_.count_);
  }
  /// Returns the object that it leads to; null if it leads to none.
  ObjectId pointer() const { return value_.tagged_element_ == 0 ? ObjectId{value_.count_ - 1} : ObjectId{}; }
  /// Returns the array, empty if it is nothing. Must not be called on a text or pointer.
  const Array& array() const {
    assert(is_array() || is_null());
    return value_;
  }
  Array& array() {
    assert(is_array() || is_null());
    return value_;
  }

  void reset() {
    if (value_.is_owner()) value_.release();
    value_.clear();
  }
  void set_text(std::string_view text);
  void set_pointer(ObjectId id) {
    reset();
    value_.count_ = id.index + 1;
  }
  Array& set_array(Array array) { return value_ = std::move(array); }

  bool operator==(const Ref& other) const;

 private:
  friend class Array;
  friend class Storage;

  Ref(const Ref& other, Array::Sharing) : value_(other.value_, Array::Sharing{}) {}

  // A text is kept as an array of characters, and a pointer as an index plus one in place of a count.
  Array value_;
};

static_assert(sizeof(Ref) <= 24);

inline std::span<const Ref> Array::refs() const { return {reinterpret_cast<const Ref*>(block_), refs_count()}; }

inline std::byte* Array::pods_begin() const { return block_ + refs_count() * sizeof(Ref); }

inline std::span<std::byte> Array::mutable_pods() {
  own();
  return {pods_begin(), pods_size()};
}

inline std::span<Ref> Array::mutable_refs() {
  own();
  return {reinterpret_cast<Ref*>(block_), refs_count()};
}

}  // namespace marrow::havok
