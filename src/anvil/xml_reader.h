// SPDX-License-Identifier: MIT
// Reads the objects of a skeleton from parsed XML: values in xml_read_values.cpp, lists and objects in xml_read.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anvil/encoding.h"
#include "anvil/kept_xml.h"
#include "anvil/names.h"
#include "anvil/slots.h"
#include "anvil/xml_element.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::anvil {

/// Tells if an element was understood; others are kept unchanged.
enum class Understood : bool { No, Yes };

inline bool is_element(pugi::xml_node node) { return node.type() == pugi::node_element; }
inline bool is_remark(pugi::xml_node node) { return node.type() == pugi::node_comment || node.type() == pugi::node_pi; }

/// Returns a text in quotes for a message, shortened.
std::string quoted(std::string_view text);

class XmlReader {
 public:
  XmlReader(const SourceText& source, const NameTable& names, const Limits& limits)
      : source_(source), names_(names), limits_(limits), lines_(source.utf8()) {}

  Result<Skeleton> read(const pugi::xml_document& document);

 private:
  template <class Object>
  Result<void> read_object(const XmlElement& element, Object& object, Kept& kept, std::vector<Kept>* parts = nullptr);
  /// Keeps the attributes of an element whose names are not `known`. Hardly any has others.
  void keep_attributes(const XmlElement& element, WordSet known, std::string_view prefix, std::int16_t field,
                       std::int32_t item, Kept& kept) const {
    if (!element.words().is_within(known)) keep_others(element, known, prefix, field, item, kept);
  }
  void keep_others(const XmlElement& element, WordSet known, std::string_view prefix, std::int16_t field,
                   std::int32_t item, Kept& kept) const;
  void keep_remarks(pugi::xml_node node, std::int16_t field, Kept& kept) const;
  void drop(pugi::xml_node node, std::string what);
  void drop_text(pugi::xml_node parent);
  void keep(pugi::xml_node node, std::int16_t after, std::int32_t item, Kept& kept) const;

  struct Target {
    const Slot& slot;
    std::int16_t field;
    std::int32_t item;
    Kept& kept;
    std::vector<Kept>* parts;  // of a modifier: the kept data of the objects inside it
  };
  Result<Understood> read_slot(const XmlElement& element, const Target& target);
  Result<Understood> read(const XmlElement& element, const Target& target, float& value);
  Result<Understood> read(const XmlElement& element, const Target& target, bool& value);
  Result<Understood> read(const XmlElement& element, const Target& target, std::uint8_t& value);
  Result<Understood> read(const XmlElement& element, const Target& target, std::int32_t& value);
  Result<Understood> read(const XmlElement& element, const Target& target, std::uint32_t& value);
  Result<Understood> read(const XmlElement& element, const Target& target, Vec4& value);
  Result<Understood> read(const XmlElement& element, const Target& target, Quat& value);
  Result<Understood> read(const XmlElement& element, const Target& target, BoneLink& value);
  Result<Understood> read(const XmlElement& element, const Target& target, FileReference& value);
  Result<Understood> read(const XmlElement& element, const Target& target, BoneName& value);
  Result<Understood> read(const XmlElement& element, const Target& target, Opaque& value);
  Result<Understood> read(const XmlElement& element, const Target& target, Computed& value);
  template <class Item>
  Result<Understood> read(const XmlElement& element, const Target& target, std::vector<Item>& list);
  template <class Item>
  Result<Understood> read_item(const XmlElement& element, const Target& target, std::vector<Item>& list);

  template <class Integer>
  Result<Understood> read_integer(const XmlElement& element, const Target& target, Integer& value);
  void read_word(const XmlElement& element, const Target& target, std::int64_t value);
  Result<Understood> read_four(const XmlElement& element, std::array<float, 4>& four);
  Result<float> read_number(pugi::xml_node node, std::string_view text);
  Result<std::uint64_t> read_id(pugi::xml_node node);
  std::string_view class_of(const XmlElement& object) const;

  std::unexpected<Error> refuse(pugi::xml_node node, std::string why);

  const SourceText& source_;
  const NameTable& names_;
  const Limits& limits_;
  Dialect dialect_ = Dialect::Standard;
  std::uint32_t objects_ = 0;
  bool wide_indices_ = false;
  std::vector<Dropped> dropped_;
  // Hardly any file has comments, and one look at the text is quicker than one at every element.
  bool may_hold_remarks_ = true;
  LineCounter lines_;
};

}  // namespace marrow::anvil
