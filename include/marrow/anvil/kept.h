// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace marrow::anvil {

/// The two ways in which skeletons of Assassin's Creed are written as XML.
enum class Dialect : std::uint8_t {
  Standard,  ///< root `Skeleton`, usually UTF-16; indices and counts are computed by who imports it
  Schema,    ///< root `Object Type="Skeleton"`, usually UTF-8; indices and counts are in the file
};

/// The line of a file that an object was read from, for messages; 0 if there is none. No part of any value: always
/// equal.
struct SourceLine {
  std::uint32_t number = 0;
  bool operator==(const SourceLine&) const { return true; }
};

/// What a file said of an object beyond the fields that are known here, so that it can be written back in its place.
/// Empty for anything that was not read from a file.
struct Kept {
  /// Place of what stands before the first field, or of what belongs to the object itself.
  static constexpr std::int16_t kObject = -1;

  struct Attribute {
    std::int16_t field = kObject;  ///< the field whose element carries it, as an index into the table of fields
    std::int32_t item = -1;        ///< if the field is a list: the item whose element carries it
    std::string name;
    std::string value;
    bool operator==(const Attribute&) const = default;
  };
  struct Element {
    std::int16_t after = kObject;         ///< it follows this field
    std::int32_t item = -1;               ///< if it stands inside the list of that field: before this item
    Dialect dialect = Dialect::Standard;  ///< of the file it came from
    std::string xml;                      ///< the element, or a comment, as text without the white space around it
    /// Where it stands is worth keeping, but the same content elsewhere is the same.
    bool operator==(const Element& other) const { return dialect == other.dialect && xml == other.xml; }
  };
  /// A word that a file used for an enumerated value where the table of fields has another, or none.
  struct Label {
    std::int16_t field = 0;
    std::int64_t value = 0;  ///< the word is written only while the field still has this value
    std::string type;        ///< the enumeration
    std::string word;
    bool operator==(const Label&) const = default;
  };

  std::vector<Attribute> attributes;
  std::vector<Element> elements;
  std::vector<Label> labels;
  std::uint64_t absent = 0;  ///< bit i: field i was left out, and is again as long as it has its default value
  SourceLine line;

  bool operator==(const Kept&) const = default;
};

}  // namespace marrow::anvil
