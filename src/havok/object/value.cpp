// SPDX-License-Identifier: MIT
#include "havok/object/value.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "core/memory.h"

namespace marrow::havok {

Array::Array(const Element& element, std::uint32_t count) {
  allocate(element, count);
  if (count_ == 0) return;
  std::uninitialized_value_construct_n(reinterpret_cast<Ref*>(block_), refs_count());
  std::memset(pods_begin(), 0, pods_size());
}

Array::Array(const Element& element, std::span<const std::byte> pods) {
  assert(element.ref_count == 0 && element.pod_size > 0 && pods.size() % element.pod_size == 0);
  allocate(element, static_cast<std::uint32_t>(pods.size() / element.pod_size));
  std::ranges::copy(pods, block_);
}

Array::Array(const Element& element, std::vector<Ref> refs) {
  assert(element.ref_count == 1 && element.pod_size == 0);
  allocate(element, static_cast<std::uint32_t>(refs.size()));
  std::uninitialized_move(refs.begin(), refs.end(), reinterpret_cast<Ref*>(block_));
}

Array::Array(const Array& other) {
  copy_bits(other);
  if (block_) copy_block(false);
}

Array::Array(const Array& other, Sharing) {
  copy_bits(other);
  if (is_owner()) copy_block(true);
}

Array::Array(Array&& other) noexcept {
  take(other);
  const MustAllocate whole;  // a move does not fail
  if (block_ && !is_owner()) {
    copy_block(false);
    return;
  }
  // What it contains may still lie in the storage of the object that it leaves.
  for (Ref& ref : mutable_refs()) {
    Array inner(std::move(ref.value_));
    ref.value_.take(inner);
  }
}

Array& Array::operator=(const Array& other) {
  if (this != &other) *this = Array(other);
  return *this;
}

Array& Array::operator=(Array&& other) noexcept {
  Array taken(std::move(other));  // before anything is released: `other` may lie inside this array
  if (is_owner()) release();
  take(taken);
  return *this;
}

bool Array::operator==(const Array& other) const {
  return count_ == other.count_ && std::ranges::equal(pods(), other.pods()) && std::ranges::equal(refs(), other.refs());
}

// Leaves the values uninitialized.
void Array::allocate(const Element& element, std::uint32_t count) {
  if (count == 0) return;
  count_ = count;
  tagged_element_ = reinterpret_cast<std::uintptr_t>(&element) | kOwner;
  block_ = static_cast<std::byte*>(::operator new(refs_count() * sizeof(Ref) + pods_size()));
}

void Array::copy_bits(const Array& other) {
  tagged_element_ = other.tagged_element_;
  block_ = other.block_;
  count_ = other.count_;
  source_offset_ = other.source_offset_;
}

// Moves the values to a new block; what their own values are in is copied too, or shared.
void Array::copy_block(bool is_sharing) {
  const std::span<const Ref> from = refs();
  const std::size_t rest = is_text() ? count_ : pods_size();
  auto* block = static_cast<std::byte*>(::operator new(from.size_bytes() + rest));
  auto* to = reinterpret_cast<Ref*>(block);
  for (const Ref& ref : from)
    if (is_sharing)
      new (to++) Ref(ref, Sharing{});
    else
      new (to++) Ref(ref);
  if (rest > 0) std::memcpy(block + from.size_bytes(), pods_begin(), rest);
  block_ = block;
  tagged_element_ |= kOwner;
}

void Array::release() {
  std::destroy_n(reinterpret_cast<Ref*>(block_), refs_count());
  ::operator delete(block_);
}

// Takes what the other has, shared or not; releases nothing.
void Array::take(Array& other) {
  copy_bits(other);
  other.clear();
}

void Ref::set_text(std::string_view text) {
  Array chars;
  chars.tagged_element_ = Array::kText | Array::kOwner;
  chars.count_ = static_cast<std::uint32_t>(text.size());
  chars.block_ = static_cast<std::byte*>(::operator new(text.size()));
  if (!text.empty()) std::memcpy(chars.block_, text.data(), text.size());
  value_ = std::move(chars);
}

bool Ref::operator==(const Ref& other) const {
  return value_.is_text() || other.value_.is_text() ? text() == other.text() : value_ == other.value_;
}

}  // namespace marrow::havok
