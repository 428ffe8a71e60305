// SPDX-License-Identifier: MIT
#include "anvil/xml_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

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

constexpr std::uint64_t kControls = 0xF000;

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
      default: {
        // XML has no place for other control bytes, not even as references; they are private characters there.
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
        out += "&#";
        append_uint(out, byte < 0x20 && !is_blank ? kControls + byte : byte);
        out += ';';
      }
    }
  }
}

void restore_controls(std::span<char> xml) {
  constexpr std::string_view kStart = "&#614";
  constexpr std::size_t kSize = 8;  // of `&#61441;`
  const std::string_view text(xml.data(), xml.size());
  for (std::size_t at = text.find(kStart); at != std::string_view::npos; at = text.find(kStart, at + 1)) {
    const auto code =
        at + kSize <= text.size() && text[at + kSize - 1] == ';' ? parse_uint(text.substr(at + 2, 5)) : std::nullopt;
    if (!code || *code <= kControls || *code >= kControls + 0x20) continue;
    const std::string digits = std::to_string(100'000 + *code - kControls);  // five, after a one
    std::ranges::copy(digits.substr(1), xml.begin() + static_cast<std::ptrdiff_t>(at) + 2);
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
