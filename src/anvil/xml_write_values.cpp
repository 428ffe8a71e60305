// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "anvil/xml_writer.h"
#include "marrow/core/text.h"

namespace marrow::anvil {

std::string number_text(float value) {
  const float size = std::abs(value);
  if (!(size >= 1e-4f && size < 1e15f)) return float_text(value);
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return error == std::errc{} ? std::string(buffer, end) : float_text(value);
}

XmlText& XmlWriter::start(const Source& source, std::string_view tag, std::initializer_list<Attribute> given,
                          std::string_view prefix) {
  xml_.start(tag);
  if (source.item < 0 && prefix.empty()) xml_.attribute("Name", source.slot.name(dialect_));
  for (const Attribute& attribute : given) xml_.attribute(attribute.name, attribute.value);
  const auto mine = std::ranges::equal_range(source.kept.own.attributes, std::pair(source.field, source.item), {},
                                             [](const auto& a) { return std::pair(a.field, a.item); });
  for (const Kept::Attribute& attribute : mine) {
    const std::size_t mark = attribute.name.find('@');
    const std::size_t head = mark == std::string::npos ? 0 : mark + 1;
    if (std::string_view(attribute.name).substr(0, head) == prefix)
      xml_.attribute(std::string_view(attribute.name).substr(head), attribute.value);
  }
  return xml_;
}

void XmlWriter::write_value(const Source& source, std::string_view standard_type, std::string_view text) {
  if (standard())
    start(source, "Value", {{"Type", standard_type}}).leaf(text);
  else
    start(source, schema_type(standard_type)).leaf(text);
}

void XmlWriter::complain(const Source& source) {
  if (error_) return;
  error_ = Error{ErrorCode::Unrepresentable,
                 "E_NAN: " + std::string(source.slot.name(dialect_)) + " is not a finite number, which no game reads",
                 kNoOffset,
                 path_,
                 {},
                 Cure{"rig set"}};
}

void XmlWriter::write(const Source& source, const float& value) {
  if (!std::isfinite(value)) complain(source);
  write_value(source, "Single", number_text(value));
}

void XmlWriter::write(const Source& source, const bool& value) {
  write_value(source, "Boolean", standard() ? (value ? "true" : "false") : (value ? "True" : "False"));
}

void XmlWriter::write_integer(const Source& source, std::int64_t value, std::string_view standard_type) {
  const std::string text = std::to_string(value);
  const auto label = std::ranges::find_if(source.kept.own.labels, [&](const Kept::Label& kept) {
    return kept.field == source.field && kept.value == value && source.item < 0;
  });
  const EnumWords* words = source.slot.words;
  std::string_view type, word;
  if (label != source.kept.own.labels.end()) {
    type = label->type;
    word = label->word;
  } else if (words && !(standard() && source.slot.plain_in_standard)) {
    type = words->type;
    const bool known = value >= 0 && static_cast<std::size_t>(value) < words->words.size();
    word = known ? words->words[static_cast<std::size_t>(value)] : std::string_view(text);
  } else {
    return write_value(source, standard_type, text);
  }
  if (standard())
    start(source, "Value", {{"Type", "Enum"}, {"EnumName", type}, {"ValueName", word}}).leaf(text);
  else
    start(source, "Enum", {{"Type", type}, {"Value", word}}).leaf(text);
}

void XmlWriter::write_four(const Source& source, std::string_view standard_tag, std::string_view schema_tag,
                           const std::array<float, 4>& values) {
  constexpr std::string_view axes[] = {"X", "Y", "Z", "W"};
  if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) complain(source);
  if (!standard()) {
    std::string text;
    for (const float value : values) text += (text.empty() ? "( " : ", ") + number_text(value);
    return start(source, schema_tag).leaf(text + " )");
  }
  start(source, standard_tag).open();
  for (std::size_t i = 0; i < 4; ++i) {
    xml_.start(axes[i]);
    xml_.leaf(number_text(values[i]));
  }
  xml_.close(standard_tag);
}

void XmlWriter::write(const Source& source, const BoneLink& value) {
  if (value.is_null()) {
    if (standard())
      start(source, "ObjectPtr").empty();
    else
      start(source, "ObjectPtr", {{"PointerType", "Null"}}).empty();
    return;
  }
  const std::string id = std::to_string(value.target);
  if (standard()) {
    start(source, "ObjectPtr").open();
    start(source, "Link", {}, "Link@").open();
    xml_.start("Value");
    xml_.attribute("Name", "Value");
    xml_.attribute("Type", "UInt64");
    xml_.leaf(id);
    xml_.close("Link");
  } else {
    start(source, "ObjectPtr", {{"PointerType", "Link"}}).open();
    if (source.item < 0)
      start(source, "Link", {{"Name", source.slot.schema_name}, {"Path", id}}, "Link@").leaf(id);
    else
      start(source, "Link", {{"Path", id}}, "Link@").leaf(id);
  }
  xml_.close("ObjectPtr");
}

void XmlWriter::write(const Source& source, const FileReference& value) {
  const std::string id = std::to_string(value.id);
  start(source, "Reference").open();
  start(source, "FileReference", {{"Name", "Value"}, {"IsGlobal", value.is_global ? "1" : "0"}, {"Path", value.path}},
        "FileReference@")
      .leaf(id);
  xml_.close("Reference");
}

void XmlWriter::write(const Source& source, const BoneName& value) {
  const std::string id = std::to_string(value.hash);
  const std::string text = value.text.empty() ? display_name(value) : value.text;
  if (standard())
    start(source, "Value", {{"Type", "UInt32"}, {"HashName", text}}).leaf(id);
  else
    start(source, "Hash32", {{"HashValue", text}}).leaf(id);
}

void XmlWriter::write(const Source& source, const Opaque& value) {
  if (!value.is_null()) return xml_.kept(value, dialect_);
  const bool list = source.slot.standard_tag == "List";
  if (standard())
    start(source, source.slot.standard_tag.empty() ? "ObjectPtr" : source.slot.standard_tag).empty();
  else if (list)
    start(source, "DynamicSmallArray", {{"Type", "ObjectPtr"}}).empty();
  else
    start(source, "ObjectPtr", {{"PointerType", "Null"}}).empty();
}

void XmlWriter::write(const Source& source, const Computed&) {
  const bool is_index = source.slot.schema_name == "Index";
  start(source, wide_indices_ ? "Unsigned16" : "Unsigned8").leaf(std::to_string(is_index ? index_ : descendants_));
}

}  // namespace marrow::anvil
