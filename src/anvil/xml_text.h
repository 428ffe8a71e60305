// SPDX-License-Identifier: MIT
// Builds indented XML, as the games' tools lay it out.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "anvil/kept_xml.h"

namespace marrow::anvil {

/// Appends text with what XML reserves written as entities; attributes also escape quotes and white space.
void append_escaped(std::string& out, std::string_view text, bool attribute);

/// An element is started, gets its attributes, and goes on as one of `open`, `empty` and `leaf`.
class XmlText {
 public:
  explicit XmlText(std::string_view indent) : indent_(indent) {}

  /// `tag` must live until the element is complete.
  void start(std::string_view tag);
  void attribute(std::string_view name, std::string_view value);
  void open();
  void empty() { text_ += " />\n"; }
  void leaf(std::string_view value);
  /// Closes an open element; one without content becomes a self-closing tag.
  void close(std::string_view tag);

  void raw(std::string_view line);
  void kept(const Opaque& element, Dialect dialect) { append_kept(text_, element, dialect, indent_, depth_); }

  std::string take() && { return std::move(text_); }

 private:
  void pad();
  void end(std::string_view tag);

  std::string text_, padding_;
  std::string_view indent_, tag_;
  unsigned depth_ = 0;
  std::size_t last_opened_ = 0;
};

}  // namespace marrow::anvil
