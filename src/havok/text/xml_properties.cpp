// SPDX-License-Identifier: MIT
#include "havok/text/xml_properties.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "havok/object/version.h"
#include "havok/text/file_properties.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

std::string padding_text(const Padding& padding) {
  if (padding == Padding(padding.bodies)) return std::to_string(padding.bodies);
  return std::to_string(padding.bodies) + " " + std::to_string(padding.arrays) + " " + std::to_string(padding.strings) +
         " " + std::to_string(padding.class_names);
}

// One value for the whole file, or one after bodies, arrays, strings and class names.
std::optional<Padding> parse_padding(std::string_view text) {
  std::vector<std::uint8_t> values;
  while (!(text = trim(text)).empty() && values.size() <= 4) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto value = parse_uint(text.substr(0, end));
    if (!value || *value > 0xFF) return std::nullopt;
    values.push_back(static_cast<std::uint8_t>(*value));
    text.remove_prefix(end);
  }
  if (values.size() == 1) return Padding(values[0]);
  if (values.size() != 4) return std::nullopt;
  Padding padding;
  padding.bodies = values[0];
  padding.arrays = values[1];
  padding.strings = values[2];
  padding.class_names = values[3];
  return padding;
}

}  // namespace

std::optional<std::vector<std::byte>> parse_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  std::optional<unsigned> high;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const std::size_t digit =
        std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == std::string_view::npos) return std::nullopt;
    if (high) {
      bytes.push_back(static_cast<std::byte>(*high << 4 | digit));
      high.reset();
    } else {
      high = static_cast<unsigned>(digit);
    }
  }
  if (high) return std::nullopt;
  return bytes;
}

std::string hex_bytes(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

void append_attribute(std::string& out, const char* name, std::string_view value) {
  out += ' ';
  out += name;
  out += "=\"";
  append_escaped(out, value);
  out += '"';
}

void append_properties(std::string& out, const Packfile& file) {
  const auto attribute = [&](const char* name, std::string_view value) { append_attribute(out, name, value); };
  attribute(xml::kPointerSize, std::to_string(file.pointer_size));
  if (file.padding != Padding()) attribute(xml::kPadding, padding_text(file.padding));
  const Packfile usual = make_packfile(*file.schema, file.pointer_size);
  const bool is_new = has_predicates(file.file_version);
  if (is_new && file.predicates != usual.predicates) attribute(xml::kPredicates, hex_bytes(file.predicates));
  if (is_new && file.max_predicate != usual.max_predicate)
    attribute(xml::kMaxPredicate, std::to_string(file.max_predicate));
  if (file.user_tag != 0) attribute(xml::kUserTag, std::to_string(file.user_tag));
  if (file.flags != usual.flags) attribute(xml::kFlags, std::to_string(file.flags));
  for (const auto& [name, value] : rare_properties(file)) attribute(std::string(name).c_str(), value);
}

std::string read_properties(const pugi::xml_node& node, const Schema& schema, Packfile& file) {
  const unsigned pointer_size = node.attribute(xml::kPointerSize).as_uint(8);
  if (pointer_size != 4 && pointer_size != 8) return "pointersize is 4 or 8";
  file = make_packfile(schema, pointer_size);
  const auto padding = parse_padding(node.attribute(xml::kPadding).as_string("0"));
  if (!padding) return "padding is one byte, or four";
  file.padding = *padding;
  file.user_tag = node.attribute(xml::kUserTag).as_int(0);
  file.flags = node.attribute(xml::kFlags).as_int(file.flags);
  const FindProperty find = [&](std::string_view name) -> std::optional<std::string> {
    const pugi::xml_attribute stated = node.attribute(std::string(name).c_str());
    return stated ? std::optional<std::string>(stated.value()) : std::nullopt;
  };
  if (std::string wrong = read_rare_properties(find, file); !wrong.empty()) return wrong;
  if (!has_predicates(file.file_version)) return {};
  file.max_predicate = static_cast<std::uint16_t>(node.attribute(xml::kMaxPredicate).as_uint(file.max_predicate));
  if (const pugi::xml_attribute predicates = node.attribute(xml::kPredicates)) {
    auto bytes = parse_hex(predicates.value());
    if (!bytes || bytes->size() > UINT16_MAX) return "predicates are bytes in hexadecimal";
    file.predicates = std::move(*bytes);
  }
  return {};
}

}  // namespace marrow::havok
