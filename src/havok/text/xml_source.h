// SPDX-License-Identifier: MIT
#pragma once

#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

// What the readers of Havok's two XML dialects share.

namespace marrow::havok {

/// White space between elements carries nothing, but a string may be white space alone.
inline constexpr unsigned kXmlParseFlags = pugi::parse_default | pugi::parse_ws_pcdata_single;

/// Finds the lines of places in an XML file. Places are those that pugixml states: bytes of the text as UTF-8, whatever
/// encoding the file has.
class XmlLines {
 public:
  explicit XmlLines(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Returns the line of a place, from 1. The first call walks the file.
  std::uint32_t line_of(std::uint64_t offset);
  std::uint32_t line_of(const pugi::xml_node& node);

 private:
  std::span<const std::byte> bytes_;
  std::vector<std::uint64_t> starts_;
};

/// Returns where a node stands in the text; 0 if that is not known.
std::uint64_t offset_of(const pugi::xml_node& node);

/// The text of an element without its child elements. Comments and CDATA split a text into pieces; they are joined.
class NodeText {
 public:
  explicit NodeText(const pugi::xml_node& node);
  std::string_view view() const { return view_; }

  NodeText(const NodeText&) = delete;
  NodeText& operator=(const NodeText&) = delete;

 private:
  std::string joined_;
  std::string_view view_;
};

/// What a reader of XML reports: the first error, and findings with the object and the line.
class XmlReport {
 public:
  XmlReport(const ReadOptions& options, XmlLines& lines) : options_(options), lines_(lines) {}

  /// Names the object that the following calls are about, `#0051 (hkaSkeleton)`.
  void enter(std::string object) { object_ = std::move(object); }
  /// Records an error at a node; false, to be returned.
  bool refuse(const pugi::xml_node& node, std::string why, ErrorCode code = ErrorCode::Malformed);
  void find(Level level, std::string code, std::string message, const pugi::xml_node& node);
  /// Takes the memory of `count` elements off the limit; refuses what exceeds it.
  bool spend(const pugi::xml_node& node, const Element& element, std::uint64_t count);
  bool spend(const pugi::xml_node& node, std::uint64_t bytes);
  /// Bytes that are left of the limit.
  std::uint64_t budget() const { return options_.limits.left(); }
  /// The error, its path without the object's name.
  Error& error() { return error_; }

 protected:
  const ReadOptions& options_;

 private:
  XmlLines& lines_;
  Error error_;
  std::string object_;
};

/// True if the class has a member of that name that files hold no value of: what a tool writes there says nothing.
bool has_ignored_member(const Class& type, std::string_view name);

/// Splits the next word off a list; blanks and commas separate. Returns nothing at the end.
std::string_view take_token(std::string_view& text);

/// True if nothing but blanks is left, which are taken off: a list is walked in linear time.
bool at_end(std::string_view& text);

/// True if a text is written byte by byte, and marked as `latin1`: it is not UTF-8, or has characters that XML has no
/// place for, not even as references.
bool needs_bytes(std::string_view text);
/// Appends text as ASCII with references for all else, so that any tool reads it whatever encoding it assumes. Text
/// that needs bytes is written one character per byte: a control byte is that of the private characters from U+F000 on.
void append_escaped(std::string& out, std::string_view text);
/// Reads what was written byte by byte; nothing if it is not such a text.
std::optional<std::string> bytes_of_latin1(std::string_view text);

}  // namespace marrow::havok
