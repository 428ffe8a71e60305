// SPDX-License-Identifier: MIT
// An element with its attributes, which are looked at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <pugixml.hpp>
#include <string_view>

namespace marrow::anvil {

/// The attributes that mean something to the reader.
enum class Word : std::uint8_t {
  Name,
  Type,
  PointerType,
  Path,
  Value,
  HashValue,
  HashName,
  EnumName,
  ValueName,
  IsGlobal,
  Id,
  Dialect,
  Other,  ///< stands for all others
};
inline constexpr std::size_t kWordCount = static_cast<std::size_t>(Word::Other);

/// Returns what the name of an attribute means.
Word word_of(std::string_view name);

class WordSet {
 public:
  constexpr WordSet() = default;
  constexpr WordSet(std::initializer_list<Word> words) {
    for (const Word word : words) add(word);
  }
  constexpr void add(Word word) { bits_ |= bit(word); }
  constexpr bool has(Word word) const { return (bits_ & bit(word)) != 0; }
  constexpr bool is_within(WordSet other) const { return (bits_ & ~other.bits_) == 0; }

 private:
  static constexpr std::uint32_t bit(Word word) { return std::uint32_t{1} << static_cast<unsigned>(word); }
  std::uint32_t bits_ = 0;
};

class XmlElement {
 public:
  explicit XmlElement(pugi::xml_node node);
  /// Makes an element of a text alone, as which an attribute is read.
  explicit XmlElement(const char* text) : text_(text) { values_.fill(""); }

  pugi::xml_node node() const { return node_; }
  std::string_view tag() const { return node_.name(); }
  /// Returns its first piece of text.
  const char* text() const { return text_ ? text_ : node_.child_value(); }
  /// Returns the value of an attribute, the first one if there are several; empty if there is none.
  const char* operator[](Word word) const { return values_[static_cast<std::size_t>(word)]; }
  WordSet words() const { return words_; }

 private:
  pugi::xml_node node_;
  const char* text_ = nullptr;
  WordSet words_;
  std::array<const char*, kWordCount> values_;
};

}  // namespace marrow::anvil
