// SPDX-License-Identifier: MIT
#include "anvil/build_table.h"

#include <algorithm>
#include <optional>
#include <pugixml.hpp>
#include <string_view>

#include "anvil/encoding.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr std::size_t kMostReferences = 100'000;
constexpr int kDeepestPath = 32;
constexpr std::size_t kMostCounted = 1000;  // elements of one name; beyond that the line must do

bool names_skeleton(pugi::xml_node node) {
  for (const pugi::xml_attribute attribute : node.attributes())
    if (std::string_view(attribute.name()) != "Path" && std::string_view(attribute.value()).contains("Skeleton"))
      return true;
  return std::string_view(node.name()).contains("Skeleton");
}

// `BuildTable/Columns/BuildColumn[2]/Value`: elements of one name below a parent are counted.
std::string counted_path(pugi::xml_node node) {
  std::string path;
  for (int depth = 0; node && node.type() == pugi::node_element && depth < kDeepestPath;
       node = node.parent(), ++depth) {
    std::size_t before = 0;
    auto other = node.previous_sibling(node.name());
    for (; other && before < kMostCounted; other = other.previous_sibling(node.name())) ++before;
    std::string part = node.name();
    if (before > 0 || node.next_sibling(node.name())) part += "[" + std::to_string(before) + "]";
    path = path.empty() ? part : part + "/" + path;
  }
  return path;
}

// One character of a text of one or two bytes each; 0 beyond its ends.
class Characters {
 public:
  explicit Characters(std::span<const std::byte> bytes) : bytes_(bytes) {
    const auto starts = [&](int a, int b) {
      return bytes.size() >= 2 && std::to_integer<int>(bytes[0]) == a && std::to_integer<int>(bytes[1]) == b;
    };
    is_big_endian_ = starts(0xFE, 0xFF);
    width_ = is_big_endian_ || starts(0xFF, 0xFE) ? 2 : 1;
  }
  std::size_t size() const { return bytes_.size() / width_; }
  std::size_t width() const { return width_; }
  char operator[](std::size_t i) const {
    if (i >= size()) return 0;
    if (width_ == 1) return std::to_integer<char>(bytes_[i]);
    const std::byte low = bytes_[2 * i + (is_big_endian_ ? 1 : 0)], high = bytes_[2 * i + (is_big_endian_ ? 0 : 1)];
    return high == std::byte{0} ? std::to_integer<char>(low) : '\x7F';
  }
  void append(std::vector<std::byte>& out, std::string_view text) const {
    for (const char c : text) {
      if (width_ == 2 && is_big_endian_) out.push_back(std::byte{0});
      out.push_back(static_cast<std::byte>(c));
      if (width_ == 2 && !is_big_endian_) out.push_back(std::byte{0});
    }
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t width_ = 1;
  bool is_big_endian_ = false;
};

bool is_id_digit(char c) { return c >= '0' && c <= '9'; }
// What may stand beside a digit in a longer word or number.
bool continues_word(char c) {
  return is_id_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-' ||
         c == '+';
}

}  // namespace

Result<std::vector<TableReference>> find_references(std::span<const std::byte> table,
                                                    std::span<const std::uint64_t> ids, const Limits& limits) {
  if (table.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (table.size() > limits.max_file_bytes) return fail(ErrorCode::LimitExceeded, "the file is too large", 0);
  MARROW_TRY(const SourceText source, SourceText::decode(table));
  pugi::xml_document document;
  const auto parsed =
      document.load_buffer(source.utf8().data(), source.utf8().size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed)
    return fail(ErrorCode::Malformed, std::string("not well-formed XML: ") + parsed.description(),
                source.file_offset(static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0))));
  std::vector<TableReference> found;
  LineCounter lines(source.utf8());
  const auto look = [&](pugi::xml_node node, std::string_view text, bool is_skeleton) {
    const auto id = parse_uint(trim(text));
    const bool is_known = id && std::ranges::find(ids, *id) != ids.end();
    // 0 is none, and small numbers are counts and flags.
    if (!id || (!is_known && !(is_skeleton && *id > 0xFFFF)) || found.size() >= kMostReferences) return;
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    if (!found.empty() && found.back().id == *id && found.back().element == counted_path(node))
      return;  // a Path beside it
    found.push_back({lines.line_of(at), counted_path(node), *id});
  };
  for (pugi::xml_node node = document.first_child(); node;) {
    if (node.type() == pugi::node_element) {
      const bool is_skeleton = names_skeleton(node) || names_skeleton(node.parent());
      for (const pugi::xml_attribute attribute : node.attributes()) look(node, attribute.value(), is_skeleton);
      look(node, node.child_value(), is_skeleton);
    }
    pugi::xml_node next = node.first_child();
    for (; !next && node; node = node.parent()) next = node.next_sibling();
    node = next;
  }
  return found;
}

std::map<std::uint64_t, std::size_t> replace_ids(std::vector<std::byte>& table,
                                                 const std::map<std::uint64_t, std::uint64_t>& ids) {
  std::map<std::uint64_t, std::size_t> count;
  const Characters text(table);
  std::vector<std::byte> out;
  out.reserve(table.size());
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_id_digit(text[i]) || (i > 0 && continues_word(text[i - 1]))) {
      ++i;
      continue;
    }
    std::size_t end = i;
    std::string number;
    while (is_id_digit(text[end])) number += text[end++];
    const auto id = continues_word(text[end]) || number.size() > 20 ? std::nullopt : parse_uint(number);
    const auto found = id ? ids.find(*id) : ids.end();
    if (found != ids.end() && std::to_string(*id) == number) {
      out.insert(out.end(), table.begin() + static_cast<std::ptrdiff_t>(copied * text.width()),
                 table.begin() + static_cast<std::ptrdiff_t>(i * text.width()));
      text.append(out, std::to_string(found->second));
      copied = end;
      ++count[*id];
    }
    i = end;
  }
  out.insert(out.end(), table.begin() + static_cast<std::ptrdiff_t>(copied * text.width()), table.end());
  table = std::move(out);
  return count;
}

}  // namespace marrow::anvil
