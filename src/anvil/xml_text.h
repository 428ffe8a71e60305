// SPDX-License-Identifier: MIT
// Builds indented XML, as the games' tools lay it out: lines end with a carriage return and a line feed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "anvil/kept_xml.h"

namespace marrow::anvil {

/// Turns references to the private characters that `append_escaped` writes for control bytes into references to these,
/// which the parser takes though XML does not. They are as long.
void restore_controls(std::span<char> xml);

/// Appends text with what XML reserves written as entities; attributes also escape quotes and white space. Lines end
/// as those of the file do.
void append_escaped(std::string& out, std::string_view text, bool attribute);

/// An element is started, gets its attributes, and goes on as one of `open`, `empty` and `leaf`.
class XmlText {
 public:
  /// `likely_bytes` saves moving the text as it grows.
  XmlText(std::string_view indent, std::size_t likely_bytes);

  /// `tag` must live until the element is complete.
  void start(std::string_view tag);
  void attribute(std::string_view name, std::string_view value);
  void open();
  void empty() { text_ += " />\r\n"; }
  void leaf(std::string_view value);
  /// Closes an open element; one without content becomes a self-closing tag.
  void close(std::string_view tag);

  /// Writes a line, or several, that are XML already.
  void raw(std::string_view lines);
  void kept(const Opaque& element, Dialect dialect);

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
