// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <optional>

#include "core/try.h"
#include "exchange/fbx/node.h"
#include "marrow/core/text.h"

namespace marrow::fbx {
namespace {

constexpr std::string_view kLineEnds = "\r\n", kByteOrderMark = "\xEF\xBB\xBF";

// `#` and `(` are of numbers that are not one, as some programs print them: 1.#QNAN, -nan(ind).
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '+' || c == '#' || c == '(' || c == ')';
}

std::optional<double> number_of(std::string_view word) {
  if (word.find(".#") != std::string_view::npos) return std::numeric_limits<double>::quiet_NaN();
  return parse_double(word);
}

class TextReader {
 public:
  TextReader(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  Result<File> read() {
    File file;
    file.is_ascii = true;
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    MARROW_CHECK(read_records(file.root));
    const Node* header = file.root.find("FBXHeaderExtension");
    const Node* version = header ? header->find("FBXVersion") : nullptr;
    if (!version)
      return fail(ErrorCode::Malformed, "the file does not state its version (FBXHeaderExtension, FBXVersion)", 0);
    file.version = static_cast<std::uint32_t>(version->integer(0) & 0xFFFFFFFF);
    if (file.version < kFirstVersion || file.version > kLastVersion) return unsupported_version(file.version, 0);
    const Node* objects = file.root.find("Objects");
    if (!objects || objects->children.empty())
      return fail(ErrorCode::Truncated, "the file has no Objects", text_.size());
    return file;
  }

 private:
  std::unexpected<Error> error(std::string message, ErrorCode code = ErrorCode::Malformed) const {
    return fail(code, std::move(message), at_);
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ';')
        at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        ++at_;
      else
        return;
    }
  }
  // Blanks, but not the end of a line.
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  // As in the binary reader, the open records are a list.
  Result<void> read_records(Node& root) {
    std::vector<Node*> open{&root};
    while (true) {
      skip_blanks();
      if (at_ == text_.size()) {
        if (open.size() > 1) return error("the file ends inside '" + open.back()->name + "'", ErrorCode::Truncated);
        return {};
      }
      if (peek() == '}') {
        if (open.size() == 1) return error("a brace is closed that was never opened");
        ++at_;
        open.pop_back();
        continue;
      }
      const std::string_view name = word();
      if (name.empty() || peek() != ':') return error("the name of a record is expected, with a colon");
      ++at_;
      if (++nodes_ > limits_.max_objects) return error("the file has too many records", ErrorCode::LimitExceeded);
      Node& node = open.back()->children.emplace_back();
      node.name = name;
      MARROW_TRY(const bool has_children, read_values(node));
      if (!has_children) continue;
      if (open.size() >= kMaxDepth) return error("the records are nested too deep", ErrorCode::LimitExceeded);
      open.push_back(&node);
    }
  }

  // True if a brace opens the children of a record; it may stand on a line of its own.
  bool take_brace() {
    skip_blanks();
    if (peek() != '{') return false;
    ++at_;
    return true;
  }

  // Reads the values of a record; returns true if a brace opens its children.
  Result<bool> read_values(Node& node) {
    bool is_after_comma = false;
    while (true) {
      // A comma may end a line: then the list goes on.
      is_after_comma ? skip_blanks() : skip_spaces();
      const char c = peek();
      if (c == ',') {
        ++at_;
        is_after_comma = true;
        continue;
      }
      if (c == '{') return take_brace();
      if (c == '*') {
        ++at_;
        MARROW_CHECK(read_array(node));
        return false;
      }
      if (c == '"') {
        MARROW_CHECK(read_text(node));
      } else if (is_word_character(c)) {
        const std::size_t start = at_;
        const std::string_view found = word();
        if (peek() == ':') {  // after a comma at the end of a list, this is the next record
          at_ = start;
          return false;
        }
        node.values.push_back(value_of(found));
      } else if (c == '\0' || c == '\n' || c == '\r' || c == ';' || c == '}') {
        if (c == '\0' && is_after_comma) return error("the file ends inside a list", ErrorCode::Truncated);
        return take_brace();
      } else {
        return error("a value is expected");
      }
      is_after_comma = false;
    }
  }

  static Value value_of(std::string_view word) {
    if (const auto integer = parse_int(word)) return *integer;
    if (const auto number = number_of(word)) return *number;
    return std::string(word);
  }

  static std::string unescaped(std::string_view text) {
    constexpr std::string_view kQuote = "&quot;";
    std::string out;
    while (true) {
      const std::size_t quote = text.find(kQuote);
      out += text.substr(0, quote);
      if (quote == std::string_view::npos) return out;
      out += '"';
      text.remove_prefix(quote + kQuote.size());
    }
  }

  Result<void> read_text(Node& node) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return error("a text is not closed", ErrorCode::Truncated);
    const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
    node.values.emplace_back(unescaped(text));
    at_ = end + 1;
    return {};
  }

  // `*24 { a: 1,2,... }`
  Result<void> read_array(Node& node) {
    const auto count = parse_uint(word());
    if (!count || *count > text_.size() - at_) return error("the size of an array is wrong");
    skip_blanks();
    if (peek() != '{') return error("an array has no brace");
    ++at_;
    skip_blanks();
    if (peek() == '}') {
      ++at_;
      return *count == 0 ? Result<void>() : error("an array has fewer values than it states");
    }
    if (word() != "a" || peek() != ':') return error("the values of an array are expected");
    ++at_;
    std::vector<double> list;
    list.reserve(static_cast<std::size_t>(*count));
    while (true) {
      skip_blanks();
      if (peek() == ',') {
        ++at_;
        continue;
      }
      if (peek() == '}') break;
      const std::string_view found = word();
      const auto number = number_of(found);
      if (!number)
        return error(
            found.empty() ? "an array is not closed" : "'" + std::string(found.substr(0, 40)) + "' is not a number",
            found.empty() ? ErrorCode::Truncated : ErrorCode::Malformed);
      list.push_back(*number);
    }
    ++at_;
    if (list.size() != *count)
      return error("an array has " + std::to_string(list.size()) + " values and states " + std::to_string(*count));
    node.values.emplace_back(std::move(list));
    return {};
  }

  std::string_view text_;
  const Limits& limits_;
  std::size_t at_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace

Result<File> read_ascii(std::string_view text, const Limits& limits) { return TextReader(text, limits).read(); }

}  // namespace marrow::fbx
