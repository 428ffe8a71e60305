// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/memory.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// A JSON value, used for options and reports. Objects keep the order of their members.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  // A copy is made whole: the variant of g++ 12's library cannot undo one that ends in the middle.
  Json(const Json& other) : Json(other, MustAllocate()) {}
  Json(Json&&) noexcept = default;
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json& operator=(Json&&) noexcept = default;
  ~Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(std::signed_integral auto value) : value_(static_cast<std::int64_t>(value)) {}
  Json(std::unsigned_integral auto value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX))
      value_ = static_cast<std::int64_t>(value);
    else
      value_ = static_cast<std::uint64_t>(value);
  }
  Json(double value) : value_(value) {}
  Json(float value);  ///< keeps the short text of the float: 0.1f is written as 0.1
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  static Json array() { return Json(Array{}); }
  static Json object() { return Json(Object{}); }

  bool operator==(const Json&) const = default;

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_number() const;
  /// True for numbers that are written without a fraction and an exponent.
  bool is_whole() const;
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// Each returns the value, or the default of its type if this holds another type.
  bool boolean() const;
  double number() const;
  std::int64_t integer() const;
  /// Returns a whole number that is not negative, as ids of 64 bits are; none for anything else.
  std::optional<std::uint64_t> natural() const;
  const std::string& text() const;
  const Array& items() const;
  const Object& members() const;

  /// Returns the member of an object; null if there is none or this is not an object.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Json* find(std::string_view key) const;

  /// `set` sets a member of an object; `push` appends to an array. Null becomes an empty object or array first.
  Json& set(std::string_view key, Json value);
  Json& push(Json value);

  /// Returns the number of elements of an array or members of an object.
  std::size_t size() const;

 private:
  friend struct JsonText;
  Json(const Json& other, const MustAllocate&) : value_(other.value_) {}
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

/// Whether a text that people write may have comments, `//` to the end of a line and `/* */`.
enum class JsonComments : std::uint8_t { Refused, Skipped };

/// Reads JSON. Safe on untrusted text: nesting is limited to `limits.max_depth`. Errors contain the offset.
Result<Json> parse_json(std::string_view text, const Limits& limits = {},
                        JsonComments comments = JsonComments::Refused);

/// Writes JSON, indented by two spaces or on one line. Bytes that are not UTF-8 become U+FFFD; numbers that are not
/// finite become null.
std::string to_text(const Json& value, bool indented = true);

}  // namespace marrow
