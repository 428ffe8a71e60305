// SPDX-License-Identifier: MIT
#include "havok/packfile/class_name_table.h"

#include <bit>
#include <cassert>

#include "havok/packfile/format.h"

namespace marrow::havok {
namespace {

constexpr std::size_t entry_size(std::string_view name) { return sizeof(std::uint32_t) + 1 + name.size() + 1; }

}  // namespace

ClassNameTable::ClassNameTable(const Packfile& file) : file_(file) {
  write_list();
  for (const Object& object : file.objects) offset_of(object);
  size_ = section_.size();
  for (const auto& [type, offset] : known_)
    if (offset == kUnwritten) size_ += entry_size(type->name);
  for (const auto& [key, offset] : unknown_)
    if (offset == kUnwritten) size_ += entry_size(key.first);
  size_ = align_up(size_, kAlignment);
  section_.reserve(size_);
}

// What comes before the classes that the objects bring: those that every file names, or the list that the file had.
void ClassNameTable::write_list() {
  if (file_.class_list.empty()) {
    for (const std::string_view name : kLeadingClasses) {
      const Class* type = file_.schema->find(name);
      write(known_[type], name, type->signature);
    }
    return;
  }
  for (const auto& [name, signature] : file_.class_list) {
    std::uint32_t offset = kUnwritten;
    write(offset, name, signature);
    // Objects of the class have that name, whatever signature the tables give it.
    unknown_[{name, signature}] = offset;
    if (const Class* type = file_.schema->find(name)) known_[type] = offset;
  }
}

std::uint32_t& ClassNameTable::offset_of(const Object& object) {
  const Class* type = object.type;
  if (!type) {
    const auto listed = unknown_.find({object.opaque().class_name, object.opaque().signature});
    if (listed != unknown_.end()) return listed->second;
    const Class* named = file_.schema->find(object.opaque().class_name);
    if (!named || named->signature != object.opaque().signature)
      return unknown_[{object.opaque().class_name, object.opaque().signature}];
    type = named;
  }
  return known_[type];
}

std::uint32_t ClassNameTable::add(const Object& object) {
  return write(offset_of(object), object.class_name(), object.signature());
}

std::uint32_t ClassNameTable::write(std::uint32_t& offset, std::string_view name, std::uint32_t signature) {
  if (offset != kUnwritten) return offset;
  section_.u32(file_.is_big_endian ? std::byteswap(signature) : signature);
  section_.u8(kClassNameMark);
  offset = static_cast<std::uint32_t>(section_.size());
  section_.text(name);
  section_.u8(0);
  return offset;
}

std::span<const std::byte> ClassNameTable::finish() {
  section_.pad_to(kAlignment, file_.padding.class_names);
  assert(section_.size() == size_);
  return section_.view();
}

}  // namespace marrow::havok
