// SPDX-License-Identifier: MIT
// The types that a tagfile describes, and the classes that follow from them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "havok/object/schema.h"
#include "havok/tag/sections.h"
#include "marrow/core/limits.h"

namespace marrow::havok {

struct TagMember {
  std::string name;
  std::uint32_t flags = 0, offset = 0, type = 0;
};

/// A type as the file states it. What it does not state is its parent's.
struct TagType {
  enum Part : std::uint32_t {
    kFormat = 1,
    kSubtype = 2,
    kVersion = 4,
    kSize = 8,
    kFlags = 16,
    kMembers = 32,
    kInterfaces = 64
  };
  /// The low four bits of a format.
  enum Form : std::uint32_t {
    kVoid = 0,
    kOpaque = 1,
    kBool = 2,
    kString = 3,
    kInteger = 4,
    kFloat = 5,
    kPointer = 6,
    kRecord = 7,
    kArray = 8
  };
  static constexpr std::uint32_t kFormMask = 15, kInPlace = 0x20, kSigned = 0x200;

  std::string name;
  std::uint32_t parent = 0, parts = 0, format = 0, subtype = 0, size = 0, alignment = 1;
  std::vector<TagMember> members;

  Form form() const { return static_cast<Form>(format & kFormMask); }
  bool is_in_place_array() const { return form() == kArray && (format & kInPlace) != 0; }
  std::uint32_t in_place_count() const { return format >> 8; }
};

/// A place in a record that refers to an item: a text, a pointer or an array.
struct TagSlot {
  std::uint32_t offset = 0;
  std::uint32_t type = 0;  ///< of the reference itself
};

/// All types of a tagfile.
struct TagTypes {
  std::vector<std::byte> section;  ///< TYPE, or the reference to a compendium, as in the file
  std::vector<TagType> types;      ///< by index; 0 is none. What they did not state has been filled in
  std::unique_ptr<const Schema> schema;
  std::vector<const Class*> classes;                        ///< of records, by type; null for other types
  std::vector<std::vector<TagSlot>> slots;                  ///< of every type, in the order of its references
  std::unordered_map<const Class*, std::uint32_t> type_of;  ///< by class
  std::uint32_t char_type = 0;                              ///< 0 if there is none

  /// Returns the layout of one value of a type.
  const Element& element_of_type(std::uint32_t type) const { return *elements[type]; }
  std::vector<const Element*> elements;  ///< by type
};

/// Reads the TYPE section (`content` holds its sections) and makes the classes. `version` names the schema.
Result<std::shared_ptr<TagTypes>> read_tag_types(const TagSection& section, std::string version, const Limits& limits);

}  // namespace marrow::havok
