// SPDX-License-Identifier: MIT
#include "havok/text/xml_source.h"

#include <algorithm>
#include <array>

#include "core/utf8.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

struct Units {
  std::size_t size;
  bool big_endian;
  bool latin1 = false;
};

// The encodings that pugixml converts to UTF-8, by the marks it looks for.
Units units_of(std::string_view text) {
  using namespace std::literals;
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("<\0\0\0"sv)) return {4, false};
  if (text.starts_with("\0\0\xFE\xFF"sv) || text.starts_with("\0\0\0<"sv)) return {4, true};
  if (text.starts_with("\xFF\xFE"sv) || text.starts_with("<\0"sv)) return {2, false};
  if (text.starts_with("\xFE\xFF"sv) || text.starts_with("\0<"sv)) return {2, true};
  const std::string prolog = to_lower(text.substr(0, std::min(text.find("?>"), std::size_t{200})));
  const bool latin1 = prolog.find("iso-8859-1") != std::string::npos || prolog.find("latin1") != std::string::npos;
  return {1, false, latin1};
}

std::uint64_t utf8_size(std::uint32_t unit, const Units& units) {
  if (units.size == 1) return units.latin1 && unit >= 0x80 ? 2 : 1;
  if (unit < 0x80) return 1;
  if (unit < 0x800 || (unit >= 0xD800 && unit < 0xE000)) return 2;  // half of a pair that takes four bytes
  return unit < 0x10000 ? 3 : 4;
}

}  // namespace

std::uint32_t XmlLines::line_of(std::uint64_t offset) {
  if (starts_.empty()) {
    const Units units = units_of(as_text(bytes_));
    std::uint64_t place = 0;
    starts_.push_back(0);
    for (std::size_t at = 0; at + units.size <= bytes_.size(); at += units.size) {
      std::uint32_t unit = 0;
      for (std::size_t i = 0; i < units.size; ++i)
        unit |= std::to_integer<std::uint32_t>(bytes_[at + i]) << 8 * (units.big_endian ? units.size - 1 - i : i);
      place += utf8_size(unit, units);
      if (unit == '\n') starts_.push_back(place);
    }
  }
  return static_cast<std::uint32_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin());
}

std::uint32_t XmlLines::line_of(const pugi::xml_node& node) { return line_of(offset_of(node)); }

std::uint64_t offset_of(const pugi::xml_node& node) {
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

NodeText::NodeText(const pugi::xml_node& node) {
  bool has_text = false;
  for (const pugi::xml_node piece : node.children()) {
    if (piece.type() != pugi::node_pcdata && piece.type() != pugi::node_cdata) continue;
    if (has_text) {
      if (joined_.empty()) joined_ = view_;
      joined_ += piece.value();
    } else {
      view_ = piece.value();
      has_text = true;
    }
  }
  if (!joined_.empty()) view_ = joined_;
}

bool XmlReport::refuse(const pugi::xml_node& node, std::string why, ErrorCode code) {
  const std::uint64_t offset = offset_of(node);
  error_ = Error{code, "line " + std::to_string(lines_.line_of(offset)) + ": " + std::move(why), offset, {}};
  return false;
}

void XmlReport::find(Level level, std::string code, std::string message, const pugi::xml_node& node) {
  if (options_.findings)
    options_.findings->push_back(
        {std::move(code), level, std::move(message), object_ + ", line " + std::to_string(lines_.line_of(node))});
}

bool XmlReport::spend(const pugi::xml_node& node, const Element& element, std::uint64_t count) {
  return spend(node, count * (element.pod_size + element.ref_count * sizeof(Ref)));
}

bool XmlReport::spend(const pugi::xml_node& node, std::uint64_t bytes) {
  if (!options_.limits.charge(bytes))
    return refuse(node, "the objects take more memory than the limit allows", ErrorCode::LimitExceeded);
  return true;
}

bool has_ignored_member(const Class& type, std::string_view name) {
  const auto is_it = [&](const Member& member) { return member.is_ignored && member.name == name; };
  for (const Class* each = &type; each; each = each->parent)
    if (std::ranges::any_of(each->members, is_it)) return true;
  return false;
}

std::string_view take_token(std::string_view& text) {
  text = text.substr(std::min(text.find_first_not_of(" \t\r\n,"), text.size()));
  const std::size_t end = std::min(text.find_first_of(" \t\r\n,"), text.size());
  const std::string_view token = text.substr(0, end);
  text.remove_prefix(end);
  return token;
}

bool at_end(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.empty();
}

namespace {

constexpr char32_t kControls = 0xF000;

constexpr bool has_place_in_xml(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

// Printable ASCII that is written as it is: what nearly all texts are.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) plain[c] = true;
  for (const char c : std::string_view("&<>\"")) plain[static_cast<std::uint8_t>(c)] = false;
  return plain;
}();
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return kPlain[static_cast<std::uint8_t>(c)]; });
}

}  // namespace

bool needs_bytes(std::string_view text) {
  if (is_plain(text)) return false;
  while (!text.empty()) {
    const auto c = take_utf8(text);
    if (!c || !has_place_in_xml(*c)) return true;
  }
  return false;
}

std::optional<std::string> bytes_of_latin1(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const auto c = take_utf8(text);
    const bool is_control = c && *c >= kControls && *c < kControls + 0x20;
    if (!c || (*c > 0xFF && !is_control)) return std::nullopt;
    bytes += static_cast<char>(is_control ? *c - kControls : *c);
  }
  return bytes;
}

void append_escaped(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += text;
    return;
  }
  const bool valid = !needs_bytes(text);
  while (!text.empty()) {
    char32_t c;
    if (valid) {
      c = *take_utf8(text);
    } else {
      c = static_cast<std::uint8_t>(text.front());
      if (!has_place_in_xml(c)) c += kControls;
      text.remove_prefix(1);
    }
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (c >= 0x20 && c < 0x7F)
          out += static_cast<char>(c);
        else
          out += "&#" + std::to_string(static_cast<std::uint32_t>(c)) + ";";
    }
  }
}

}  // namespace marrow::havok
