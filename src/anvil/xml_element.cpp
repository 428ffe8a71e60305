// SPDX-License-Identifier: MIT
#include "anvil/xml_element.h"

#include <utility>

namespace marrow::anvil {
namespace {

constexpr std::array<std::string_view, kWordCount> kWordNames = {"Name",      "Type",      "PointerType", "Path",
                                                                 "Value",     "HashValue", "HashName",    "EnumName",
                                                                 "ValueName", "IsGlobal",  "ID",          "Dialect"};

}  // namespace

// Compared one by one with constants, which takes a few instructions each; a loop would call a function for most.
Word word_of(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::size_t at = 0;
    (void)((name == kWordNames[I] || (++at, false)) || ...);
    return static_cast<Word>(at);
  }(std::make_index_sequence<kWordCount>());
}

XmlElement::XmlElement(pugi::xml_node node) : node_(node) {
  values_.fill("");
  for (pugi::xml_attribute at = node.first_attribute(); at; at = at.next_attribute()) {
    const Word word = word_of(at.name());
    if (word != Word::Other && !words_.has(word)) values_[static_cast<std::size_t>(word)] = at.value();
    words_.add(word);
  }
}

}  // namespace marrow::anvil
