// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace marrow::anvil {

/// The two XML dialects of Assassin's Creed skeletons.
enum class Dialect : std::uint8_t {
  Standard,  ///< root `Skeleton`, usually UTF-16; the importer computes indices and counts
  Schema,    ///< root `Object Type="Skeleton"`, usually UTF-8; indices and counts are in the file
};

/// The line of a file that an object was read from, for messages; 0 if there is none. Not part of any value: always
/// equal.
struct SourceLine {
  std::uint32_t number = 0;
  bool operator==(const SourceLine&) const { return true; }
};

/// What a file contained about an object beyond the known fields, kept so that it can be written back in its place.
/// Empty for anything that was not read from a file.
struct Kept {
  /// Position of what comes before the first field, or belongs to the object itself.
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
    std::int32_t item = -1;               ///< if it is inside the list of that field: it precedes this item
    Dialect dialect = Dialect::Standard;  ///< of the file it came from
    std::string xml;                      ///< the element or comment as text, without surrounding white space
    /// The position is kept, but does not count: equal content elsewhere is equal.
    bool operator==(const Element& other) const { return dialect == other.dialect && xml == other.xml; }
  };
  /// A word that a file used for an enumerated value if the table of fields has a different one, or none.
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
  std::uint64_t absent = 0;  ///< bit i: field i was left out; it is left out again while it has its default
  SourceLine line;

  bool operator==(const Kept&) const = default;
};

}  // namespace marrow::anvil
