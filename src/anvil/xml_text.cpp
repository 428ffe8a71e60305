// SPDX-License-Identifier: MIT
#include "anvil/xml_text.h"

#include <array>

#include "core/large_pages.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr bool is_plain(unsigned char c, bool attribute) {
  if (c == '&' || c == '<' || c == '>') return false;
  if (c == '"') return !attribute;
  return c >= 32 || (!attribute && c == '\t');
}

// What stays as it is, by character: in text, and in attributes.
constexpr auto kPlain = [] {
  std::array<std::array<bool, 256>, 2> plain{};
  for (std::size_t c = 0; c < 256; ++c)
    for (const bool attribute : {false, true}) plain[attribute][c] = is_plain(static_cast<unsigned char>(c), attribute);
  return plain;
}();

}  // namespace

void append_escaped(std::string& out, std::string_view text, bool attribute) {
  const auto& plain = kPlain[attribute];
  for (std::size_t at = 0;; ++at) {
    const std::size_t start = at;
    while (at < text.size() && plain[static_cast<unsigned char>(text[at])]) ++at;
    out.append(text.substr(start, at - start));
    if (at == text.size()) return;
    switch (text[at]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n':
        if (!attribute) {
          out += "\r\n";
          break;
        }
        [[fallthrough]];
      default:
        out += "&#";
        append_uint(out, static_cast<unsigned char>(text[at]));
        out += ';';
    }
  }
}

XmlText::XmlText(std::string_view indent, std::size_t likely_bytes) : indent_(indent) {
  text_.reserve(likely_bytes);
  use_large_pages(text_.data(), text_.capacity());
}

void XmlText::pad() {
  while (padding_.size() < depth_ * indent_.size()) padding_ += indent_;
  text_.append(padding_, 0, depth_ * indent_.size());
}

void XmlText::start(std::string_view tag) {
  pad();
  tag_ = tag;
  text_ += '<';
  text_ += tag;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  append_escaped(text_, value, true);
  text_ += '"';
}

void XmlText::open() {
  text_ += ">\r\n";
  ++depth_;
  last_opened_ = text_.size();
}

void XmlText::leaf(std::string_view value) {
  text_ += '>';
  append_escaped(text_, value, false);
  end(tag_);
}

void XmlText::close(std::string_view tag) {
  --depth_;
  if (text_.size() == last_opened_) {
    text_.resize(text_.size() - std::string_view(">\r\n").size());
    return empty();
  }
  pad();
  end(tag);
}

void XmlText::end(std::string_view tag) {
  text_ += "</";
  text_ += tag;
  text_ += ">\r\n";
}

void XmlText::raw(std::string_view lines) {
  for (std::size_t at = lines.find('\n'); at != std::string_view::npos; at = lines.find('\n')) {
    text_ += lines.substr(0, at);
    text_ += "\r\n";
    lines.remove_prefix(at + 1);
  }
  text_ += lines;
}

void XmlText::kept(const Opaque& element, Dialect dialect) {
  std::string lines;
  append_kept(lines, element, dialect, indent_, depth_);
  raw(lines);
}

}  // namespace marrow::anvil
