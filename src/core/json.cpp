// SPDX-License-Identifier: MIT
#include "core/json.h"

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "marrow/core/text.h"

namespace marrow {

namespace {

const Json kNullJson;

class JsonParser {
 public:
  JsonParser(std::string_view text, const Limits& limits, JsonComments comments)
      : text_(text), max_depth_(limits.max_depth), left_(limits.left()), comments_(comments) {}

  Result<Json> parse() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    Json value;
    if (!read_value(value, 0)) return std::unexpected(std::move(error_));
    skip_blanks();
    if (at_ != text_.size()) return fail(ErrorCode::Malformed, "there is text after the end of the JSON", at_);
    return value;
  }

 private:
  bool refuse(std::string message) {
    error_ = {ErrorCode::Malformed, std::move(message), at_};
    return false;
  }

  void skip_blanks() {
    do {
      while (at_ < text_.size() &&
             (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
        ++at_;
    } while (comments_ == JsonComments::Skipped && skip_comment());
  }

  // False if there is none, or one that is not closed: what is expected there is then missing.
  bool skip_comment() {
    const bool is_line = text_.substr(at_, 2) == "//";
    if (!is_line && text_.substr(at_, 2) != "/*") return false;
    const std::size_t end = is_line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
    if (end == std::string_view::npos && !is_line) return false;
    at_ = is_line ? std::min(end, text_.size()) : end + 2;
    return true;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Recursion is bounded by `max_depth_`.
  bool read_value(Json& out, std::uint32_t depth) {
    skip_blanks();
    if (depth > max_depth_) return refuse("the JSON is nested too deeply");
    if (at_ >= text_.size()) return refuse("the JSON ends before a value");
    switch (text_[at_]) {
      case '{': return read_object(out, depth);
      case '[': return read_array(out, depth);
      case '"': {
        std::string text;
        if (!read_string(text)) return false;
        out = Json(std::move(text));
        return true;
      }
      default: return read_word(out);
    }
  }

  bool read_object(Json& out, std::uint32_t depth) {
    ++at_;
    Json::Object members;
    skip_blanks();
    bool is_open = !take('}');
    while (is_open) {
      skip_blanks();
      Json::Member member;
      if (at_ >= text_.size() || text_[at_] != '"') return refuse("expected a name in quotes");
      if (!read_string(member.first)) return false;
      skip_blanks();
      if (!take(':')) return refuse("expected ':' after a name");
      if (!read_value(member.second, depth + 1)) return false;
      if (!spend(sizeof(Json::Member) + member.first.size())) return false;
      members.push_back(std::move(member));
      skip_blanks();
      is_open = take(',');
      if (!is_open && !take('}')) return refuse("expected ',' or '}'");
    }
    out = Json(std::move(members));
    return true;
  }

  bool read_array(Json& out, std::uint32_t depth) {
    ++at_;
    Json::Array items;
    skip_blanks();
    bool is_open = !take(']');
    while (is_open) {
      if (!spend(sizeof(Json)) || !read_value(items.emplace_back(), depth + 1)) return false;
      skip_blanks();
      is_open = take(',');
      if (!is_open && !take(']')) return refuse("expected ',' or ']'");
    }
    out = Json(std::move(items));
    return true;
  }

  // Takes the memory of an element off the limit. Lists grow by doubling, and the old one lives while it is copied.
  bool spend(std::uint64_t bytes) {
    constexpr std::uint64_t kGrowth = 2;
    if (kGrowth * bytes > left_) {
      refuse("the JSON takes more memory than the limit allows");
      error_.code = ErrorCode::LimitExceeded;
      return false;
    }
    left_ -= kGrowth * bytes;
    return true;
  }

  bool read_string(std::string& out) {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return refuse("a control character inside a string must be escaped");
      if (c != '\\') {
        out += c;
        continue;
      }
      if (!read_escape(out)) return false;
    }
    return refuse("a string is not closed");
  }

  bool read_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kValues = "\"\\/\b\f\n\r\t";
    const char c = ++at_ < text_.size() ? text_[at_] : '\0';
    if (const std::size_t known = kNames.find(c); known != std::string_view::npos && c != '\0') {
      out += kValues[known];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !read_code(code)) return refuse("unknown escape sequence");
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_ + 1, 2) == "\\u") {
      std::uint32_t low = 0;
      at_ += 2;
      if (!read_code(low) || low < 0xDC00 || low > 0xDFFF) return refuse("unpaired surrogate");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xD800 && code < 0xE000) {
      return refuse("unpaired surrogate");
    }
    append_utf8(out, code);
    return true;
  }

  // Reads the four digits after `\u`; leaves `at_` on the last.
  bool read_code(std::uint32_t& code) {
    if (text_.size() - at_ < 5) return false;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[++at_];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  bool read_word(Json& out) {
    // A comment may follow at once.
    const std::size_t end =
        std::min(text_.find_first_of(comments_ == JsonComments::Skipped ? " \t\r\n,]}:\"/" : " \t\r\n,]}:\"", at_),
                 text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    const bool is_numeric = !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'));
    const bool is_whole = word.find_first_of(".eExX") == std::string_view::npos;
    if (word == "true" || word == "false")
      out = Json(word == "true");
    else if (word == "null")
      out = Json();
    else if (word == "-0")
      out = Json(-0.0);  // an integer would lose its sign
    else if (const auto whole = is_numeric && is_whole ? parse_int(word) : std::nullopt)
      out = Json(*whole);
    else if (const auto large = is_numeric && is_whole ? parse_uint(word) : std::nullopt)
      out = Json(*large);
    else if (const auto real =
                 is_numeric && word.find_first_of("xX") == std::string_view::npos ? parse_double(word) : std::nullopt;
             real && std::isfinite(*real))
      out = Json(*real);
    else
      return refuse(word.empty() ? "expected a value" : "'" + std::string(word.substr(0, 40)) + "' is not a value");
    at_ = end;
    return true;
  }

  std::string_view text_;
  std::uint32_t max_depth_;
  std::uint64_t left_;
  JsonComments comments_;
  std::size_t at_ = 0;
  Error error_;
};

}  // namespace

struct JsonText {
  bool indented;
  std::string out;

  void line(std::size_t depth) {
    if (!indented) return;
    out += '\n';
    out.append(2 * depth, ' ');
  }

  void quote(std::string_view text) {
    out += '"';
    while (!text.empty()) {
      const std::string_view before = text;
      const auto c = take_utf8(text);
      if (!c) {
        out += "\xEF\xBF\xBD";
        text.remove_prefix(1);
      } else if (*c == '"' || *c == '\\') {
        (out += '\\') += before[0];
      } else if (*c == '\n') {
        out += "\\n";
      } else if (*c == '\t') {
        out += "\\t";
      } else if (steers_terminal(*c)) {
        (out += "\\u") += hex_text(*c, 4).substr(2);
      } else {
        out += before.substr(0, before.size() - text.size());
      }
    }
    out += '"';
  }

  void number(double value) {
    if (!std::isfinite(value)) {
      out += "null";
      return;
    }
    // Many readers of JSON take -0 for an integer, which has no sign.
    if (value == 0.0 && std::signbit(value))
      out += "-0.0";
    else
      append_double(out, value);
  }

  // The depth of a value is chosen by its creator; parsed values are limited by `Limits::max_depth`.
  void write(const Json& json, std::size_t depth) {
    if (const auto* items = std::get_if<Json::Array>(&json.value_)) {
      // Rows of numbers stay on one line.
      bool flat = true;
      for (const Json& item : *items) flat &= !item.is_array() && !item.is_object();
      out += '[';
      for (std::size_t i = 0; i < items->size(); ++i) {
        if (i > 0) out += flat && indented ? ", " : ",";
        if (!flat) line(depth + 1);
        write((*items)[i], depth + 1);
      }
      if (!flat) line(depth);
      out += ']';
    } else if (const auto* members = std::get_if<Json::Object>(&json.value_)) {
      out += '{';
      for (std::size_t i = 0; i < members->size(); ++i) {
        if (i > 0) out += ',';
        line(depth + 1);
        quote((*members)[i].first);
        out += indented ? ": " : ":";
        write((*members)[i].second, depth + 1);
      }
      if (!members->empty()) line(depth);
      out += '}';
    } else if (const auto* text = std::get_if<std::string>(&json.value_)) {
      quote(*text);
    } else if (const auto* real = std::get_if<double>(&json.value_)) {
      number(*real);
    } else if (const auto* whole = std::get_if<std::int64_t>(&json.value_)) {
      append_int(out, *whole);
    } else if (const auto* large = std::get_if<std::uint64_t>(&json.value_)) {
      append_uint(out, *large);
    } else if (const auto* flag = std::get_if<bool>(&json.value_)) {
      out += *flag ? "true" : "false";
    } else {
      out += "null";
    }
  }
};

Json::Json(float value) : value_(static_cast<double>(value)) {
  if (const auto shorter = parse_double(float_text(value)); shorter && static_cast<float>(*shorter) == value)
    value_ = *shorter;
}

bool Json::is_number() const {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<std::uint64_t>(value_) ||
         std::holds_alternative<double>(value_);
}

bool Json::is_whole() const {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<std::uint64_t>(value_);
}

bool Json::boolean() const {
  const bool* value = std::get_if<bool>(&value_);
  return value && *value;
}

double Json::number() const {
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  if (const auto* large = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*large);
  return 0.0;
}

std::int64_t Json::integer() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return *whole;
  if (const auto* large = std::get_if<std::uint64_t>(&value_))
    return *large > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(*large);
  const double real = number();
  if (std::isnan(real)) return 0;
  return std::abs(real) < 9e18 ? static_cast<std::int64_t>(real) : real < 0.0 ? INT64_MIN : INT64_MAX;
}

std::optional<std::uint64_t> Json::natural() const {
  if (const auto* large = std::get_if<std::uint64_t>(&value_)) return *large;
  const auto* whole = std::get_if<std::int64_t>(&value_);
  return whole && *whole >= 0 ? std::optional(static_cast<std::uint64_t>(*whole)) : std::nullopt;
}

const std::string& Json::text() const {
  static const std::string kEmpty;
  const auto* value = std::get_if<std::string>(&value_);
  return value ? *value : kEmpty;
}

const Json::Array& Json::items() const {
  static const Array kEmpty;
  const auto* value = std::get_if<Array>(&value_);
  return value ? *value : kEmpty;
}

const Json::Object& Json::members() const {
  static const Object kEmpty;
  const auto* value = std::get_if<Object>(&value_);
  return value ? *value : kEmpty;
}

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members())
    if (member.first == key) return &member.second;
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* found = find(key);
  return found ? *found : kNullJson;
}

Json& Json::set(std::string_view key, Json value) {
  if (!is_object()) value_ = Object{};
  auto& all = std::get<Object>(value_);
  for (Member& member : all)
    if (member.first == key) {
      member.second = std::move(value);
      return *this;
    }
  all.emplace_back(std::string(key), std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
  return *this;
}

std::size_t Json::size() const { return is_object() ? members().size() : items().size(); }

Result<Json> parse_json(std::string_view text, const Limits& limits, JsonComments comments) {
  return JsonParser(text, limits, comments).parse();
}

std::string to_text(const Json& value, bool indented) {
  JsonText text{indented, {}};
  text.write(value, 0);
  return std::move(text.out);
}

}  // namespace marrow
