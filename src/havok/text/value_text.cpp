// SPDX-License-Identifier: MIT
#include "havok/text/value_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "havok/object/layout.h"
#include "havok/text/number.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::size_t kLanes = 4;  // size of every tuple in memory

// The number of lanes that Havok's own XML writes per group of four: it leaves out the last if it is unused.
std::span<const std::uint8_t> lanes_of(Kind kind) {
  static constexpr std::array<std::uint8_t, 4> four = {4, 4, 4, 4}, three = {3, 3, 3, 3}, transform = {3, 4, 3};
  switch (kind) {
    case Kind::Vector4:
    case Kind::Quaternion: return std::span(four).first(1);
    case Kind::Matrix4: return four;
    case Kind::Matrix3:
    case Kind::Rotation: return std::span(three).first(3);
    case Kind::Transform: return three;
    case Kind::QsTransform: return std::span(transform).first(3);
    default: return {};
  }
}

// Writes six decimals as printf of Havok's own tools does: at most 17 digits count, those after them are 0, and values
// that are not finite have names.
void append_fixed(std::string& out, float value) {
  if (!std::isfinite(value)) {
    out += std::signbit(value) ? "-" : "";
    out += std::isinf(value) ? "1.#INF00" : "1.#QNAN0";
    return;
  }
  char buffer[64];                   // 39 digits, a sign, a point and six decimals
  constexpr float kLongest = 1e17f;  // from here on there are more digits before the point
  constexpr int kDigits = 17;
  if (std::abs(value) < kLongest) {
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 6);
    out.append(buffer, end);
    return;
  }
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, static_cast<double>(value),
                                          std::chars_format::scientific, kDigits - 1);
  const std::string_view text(buffer, end);  // -D.DDDDDDDDDDDDDDDDe+XX
  const std::size_t point = text.find('.'), exponent = text.find("e+");
  int zeros = 0;
  std::from_chars(text.data() + exponent + 2, text.data() + text.size(), zeros);
  out.append(text.substr(0, point)).append(text.substr(point + 1, exponent - point - 1));
  out.append(static_cast<std::size_t>(zeros - (kDigits - 1)), '0').append(".000000");
}

void append_number(std::string& out, float value, NumberStyle style) {
  return style == NumberStyle::Exact ? append_float(out, value) : append_fixed(out, value);
}

// What the fourth lane of a group holds if the text has three: 1 in the translation of a transform, which is a point.
float usual_last_lane(Kind kind, std::size_t group) { return kind == Kind::Transform && group == 3 ? 1.0f : 0.0f; }

void append_tuple(std::string& out, Kind kind, std::span<const std::byte> pods, NumberStyle style) {
  std::size_t at = 0, group = 0;
  for (std::size_t lanes : lanes_of(kind)) {
    const bool hides_something = load<std::uint32_t>(pods, at + 3 * sizeof(float)) !=
                                 std::bit_cast<std::uint32_t>(usual_last_lane(kind, group++));
    if (hides_something && style == NumberStyle::Exact) lanes = kLanes;
    for (std::size_t i = 0; i < lanes; ++i) {
      out += i == 0 ? '(' : ' ';
      append_number(out, load<float>(pods, at + i * sizeof(float)), style);
    }
    out += ')';
    at += kLanes * sizeof(float);
  }
}

// In the fixed style flags are as hkxcmd writes them: no flag is 0, and the highest comes first. After the bits that
// have names come the name for no flag and those that have none.
void append_enum(std::string& out, const Type& type, std::int64_t value, NumberStyle style) {
  const auto& items = type.names->items;
  const bool is_fixed_flags = type.is_flags && style == NumberStyle::Fixed;
  const auto exact = std::ranges::find(items, value, &std::pair<std::string, std::int64_t>::second);
  if (exact != items.end() && !(is_fixed_flags && value == 0)) {
    out += exact->first;
    return;
  }
  if (type.is_flags && value > 0) {
    std::string names;
    std::int64_t rest = value;
    for (const auto& [name, bit] : items)
      if (std::has_single_bit(static_cast<std::uint64_t>(bit)) && (rest & bit) != 0) {
        names = is_fixed_flags && !names.empty() ? name + "|" + names : names + (names.empty() ? "" : "|") + name;
        rest &= ~bit;
      }
    if (rest == 0) {
      out += names;
      return;
    }
    if (is_fixed_flags) {
      const auto none = std::ranges::find(items, 0, &std::pair<std::string, std::int64_t>::second);
      if (none != items.end()) names += (names.empty() ? "" : "|") + none->first;
      char digits[16];
      const auto [end, error] = std::to_chars(digits, digits + sizeof digits, rest, 16);
      out.append(names).append(names.empty() ? "0x" : "|0x").append(digits, end);
      return;
    }
  }
  append_int(out, value);
}

void append_integer(std::string& out, Kind kind, std::int64_t value) {
  if (kind == Kind::Bool && (value == 0 || value == 1))
    out += value ? "true" : "false";
  else if (kind == Kind::UInt64 || kind == Kind::ULong)
    append_uint(out, static_cast<std::uint64_t>(value));
  else
    append_int(out, value);
}

// Splits the next run of characters up to a blank or bracket off the text.
std::string_view take_word(std::string_view& text) {
  text = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::size_t end = std::min(text.find_first_of(" \t\r\n()"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// Reads a float, also in the form of the Windows C library for values that are not finite: 1.#INF, -1.#IND, 1.#QNAN.
std::optional<float> parse_any_float(std::string_view word) {
  const std::size_t mark = word.find(".#");
  if (mark == std::string_view::npos) return parse_float(word);
  const float value = word.substr(mark + 2).starts_with("INF") ? std::numeric_limits<float>::infinity()
                                                               : std::numeric_limits<float>::quiet_NaN();
  return word.starts_with('-') ? -value : value;
}

// Reads one group of lanes. Other tools may leave out the brackets, or separate numbers by commas.
bool take_group(std::string_view& text, std::size_t lanes, float last_lane, std::span<std::byte> pods) {
  text = text.substr(std::min(text.find_first_not_of(" \t\r\n,"), text.size()));
  const bool in_brackets = text.starts_with('(');
  std::string_view body = text;
  if (in_brackets) {
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos) return false;
    body = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
  }
  std::array<float, kLanes> values{0, 0, 0, last_lane};
  std::size_t count = 0;
  for (; count < (in_brackets ? kLanes : lanes); ++count) {
    const std::string_view word = take_word(body);
    if (word.empty()) break;
    const auto value = parse_any_float(word);
    if (!value) return false;
    values[count] = *value;
  }
  if (!in_brackets) text = body;
  if (count < std::min<std::size_t>(lanes, 3) || (in_brackets && !trim(body).empty())) return false;
  std::memcpy(pods.data(), values.data(), sizeof values);
  return true;
}

bool take_tuple(std::string_view& text, Kind kind, std::span<std::byte> pods) {
  std::size_t group = 0;
  for (const std::size_t lanes : lanes_of(kind)) {
    if (!take_group(text, lanes, usual_last_lane(kind, group++), pods.first(kLanes * sizeof(float)))) return false;
    pods = pods.subspan(kLanes * sizeof(float));
  }
  return true;
}

std::optional<std::int64_t> enum_value(const Type& type, std::string_view word) {
  if (!type.names) return std::nullopt;
  std::int64_t value = 0;
  while (!word.empty()) {
    const std::size_t end = std::min(word.find('|'), word.size());
    const std::string_view name = word.substr(0, end);
    const auto item = std::ranges::find(type.names->items, name, &std::pair<std::string, std::int64_t>::first);
    const auto number = item != type.names->items.end() ? std::optional(item->second) : parse_int(name);
    if (!number) return std::nullopt;
    value |= *number;
    word.remove_prefix(std::min(end + 1, word.size()));
  }
  return value;
}

std::optional<std::int64_t> integer_value(const Type& type, Kind kind, std::string_view word) {
  if (kind == Kind::Bool && (word == "true" || word == "false")) return word == "true";
  if (const auto value = parse_int(word)) return value;
  if (const auto value = parse_uint(word)) return static_cast<std::int64_t>(*value);
  return enum_value(type, word);
}

}  // namespace

void append_value(std::string& out, const Type& type, Kind kind, std::span<const std::byte> pods, NumberStyle style) {
  if (!lanes_of(kind).empty()) return append_tuple(out, kind, pods, style);
  if (kind == Kind::Real || kind == Kind::Half)
    return append_number(out, static_cast<float>(load_real(kind, pods)), style);
  const std::int64_t value = load_integer(kind, pods);
  if (type.names) return append_enum(out, type, value, style);
  append_integer(out, kind, value);
}

bool take_value(std::string_view& text, const Type& type, Kind kind, std::span<std::byte> pods) {
  if (!lanes_of(kind).empty()) return take_tuple(text, kind, pods);
  const std::string_view word = take_word(text);
  if (word.empty()) return false;
  if (kind == Kind::Real || kind == Kind::Half) {
    const auto value = parse_any_float(word);
    if (!value) return false;
    // A NaN keeps its bits, which a conversion through double could change.
    if (kind == Kind::Real)
      std::memcpy(pods.data(), &*value, sizeof(float));
    else
      store_real(kind, pods, double{*value});
    return true;
  }
  const auto value = integer_value(type, kind, word);
  if (!value || !fits(kind, *value)) return false;
  store_integer(kind, pods, *value);
  return true;
}

}  // namespace marrow::havok
