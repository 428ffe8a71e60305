// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/byte_writer.h"
#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// The section of class names of a file that is being written. Its size is known before the first object is written,
/// since every object's class is named once; the order of the names follows the objects.
class ClassNameTable {
 public:
  explicit ClassNameTable(const Packfile& file);

  /// Returns the size of the finished section.
  std::size_t size() const { return size_; }
  /// Returns the offset of the name of the object's class, which is written the first time.
  std::uint32_t add(const Object& object);
  /// Returns the section, padded. Every object has been added.
  std::span<const std::byte> finish();

 private:
  static constexpr std::uint32_t kUnwritten = 0;  // names start after their signature

  // An object kept as bytes may have the name of a class whose signature differs.
  std::uint32_t& offset_of(const Object& object);
  std::uint32_t write(std::uint32_t& offset, std::string_view name, std::uint32_t signature);

  void write_list();

  const Packfile& file_;
  std::unordered_map<const Class*, std::uint32_t> known_;
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint32_t> unknown_;
  ByteWriter section_;
  std::size_t size_ = 0;
};

}  // namespace marrow::havok
