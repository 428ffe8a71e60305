// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "havok/object/value.h"
#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// The memory of all values of a file that was read: filled from front to back, freed as a whole. Objects that lie in
/// it share it; nobody changes it once the file is read.
class Storage {
 public:
  /// `expected_bytes` is what the values will take; more is found if they take more.
  explicit Storage(std::size_t expected_bytes);

  /// Values in the storage, to be filled.
  struct Block {
    std::byte* pods;
    Ref* refs;
  };

  /// Makes `into`, which is empty, a zeroed object of a class.
  static Block place_object(const std::shared_ptr<Storage>& storage, Object& into, const Class& type,
                            std::uint32_t source_offset);
  /// Makes `into`, which is empty, an array of zeroed values. `count` is not 0.
  Block place(Array& into, const Element& element, std::uint32_t count, std::uint32_t source_offset);
  /// Makes `into`, which is empty, an array of numbers with these bytes. `pods` is not empty.
  void place_pods(Array& into, const Element& element, std::span<const std::byte> pods, std::uint32_t source_offset);
  /// Makes `into`, which is null, a text.
  void place_text(Ref& into, std::string_view text);

 private:
  std::byte* allocate(std::size_t size, std::size_t alignment);
  void add_chunk(std::size_t size);

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  std::size_t room_ = 0;
  std::size_t next_chunk_size_;
};

}  // namespace marrow::havok
