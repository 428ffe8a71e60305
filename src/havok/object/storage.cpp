// SPDX-License-Identifier: MIT
#include "havok/object/storage.h"

#include <algorithm>
#include <cstring>

#include "core/large_pages.h"

namespace marrow::havok {
namespace {

constexpr std::size_t kSmallestChunk = 4096;
constexpr std::size_t kBlockAlignment = 8;  // of the widest number, and of a Ref

}  // namespace

Storage::Storage(std::size_t expected_bytes) : next_chunk_size_(std::max(kSmallestChunk, expected_bytes / 4)) {
  add_chunk(std::max(kSmallestChunk, expected_bytes));
}

void Storage::add_chunk(std::size_t size) {
  next_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size)).get();
  room_ = size;
  use_large_pages(next_, size);
}

std::byte* Storage::allocate(std::size_t size, std::size_t alignment) {
  const std::size_t gap = -reinterpret_cast<std::uintptr_t>(next_) % alignment;
  if (size > room_ || gap > room_ - size) {
    add_chunk(std::max(size, next_chunk_size_));  // aligned as all memory is
  } else {
    next_ += gap;
    room_ -= gap;
  }
  std::byte* at = next_;
  next_ += size;
  room_ -= size;
  return at;
}

Storage::Block Storage::place_object(const std::shared_ptr<Storage>& storage, Object& into, const Class& type,
                                     std::uint32_t source_offset) {
  into.type = &type;
  into.storage_ = storage;
  return storage->place(into.body_, type.layout, 1, source_offset);
}

Storage::Block Storage::place(Array& into, const Element& element, std::uint32_t count, std::uint32_t source_offset) {
  const std::size_t refs = std::size_t{count} * element.ref_count * sizeof(Ref);
  const std::size_t size = refs + std::size_t{count} * element.pod_size;
  std::byte* block = allocate(size, kBlockAlignment);
  std::memset(block, 0, size);  // a Ref of zeros is null
  into.tagged_element_ = reinterpret_cast<std::uintptr_t>(&element);
  into.block_ = block;
  into.count_ = count;
  into.source_offset_ = source_offset;
  return {block + refs, reinterpret_cast<Ref*>(block)};
}

void Storage::place_pods(Array& into, const Element& element, std::span<const std::byte> pods,
                         std::uint32_t source_offset) {
  std::byte* block = allocate(pods.size(), kBlockAlignment);
  std::memcpy(block, pods.data(), pods.size());
  into.tagged_element_ = reinterpret_cast<std::uintptr_t>(&element);
  into.block_ = block;
  into.count_ = static_cast<std::uint32_t>(pods.size() / element.pod_size);
  into.source_offset_ = source_offset;
}

void Storage::place_text(Ref& into, std::string_view text) {
  std::byte* block = allocate(text.size(), 1);
  std::memcpy(block, text.data(), text.size());
  into.value_.tagged_element_ = Array::kText;
  into.value_.block_ = block;
  into.value_.count_ = static_cast<std::uint32_t>(text.size());
}

}  // namespace marrow::havok
