// SPDX-License-Identifier: MIT
#include "marrow/core/text.h"

#include "core/float_list.h"
#include "core/utf8.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace marrow {
namespace {

bool is_blank(char c) { return c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool has_hex_prefix(std::string_view text) { return text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x'; }

// A carriage return is one only in front of a line feed; alone it would have the line written over.
bool is_line_end_or_tab(std::string_view text) {
  return text.starts_with('\n') || text.starts_with('\t') || text.starts_with("\r\n");
}

template <std::integral T>
std::optional<T> parse_digits(std::string_view text, int base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// True if digits became infinite; the words for infinity have none.
template <class T>
bool is_too_large(std::string_view text, T value) {
  return std::isinf(value) && text.find_first_of("0123456789") != std::string_view::npos;
}

// `text` is trimmed.
template <class T>
std::optional<T> parse_real(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // Versions of the parser differ in whether this is an error: too small is zero here, too large is refused.
  const bool is_out_of_range = error == std::errc::result_out_of_range;
  if ((error != std::errc{} && !is_out_of_range) || end != text.data() + text.size() || text.empty() ||
      is_too_large(text, value))
    return std::nullopt;
  return value;
}

template <class T>
void append_chars(std::string& out, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, end);
}

}  // namespace

std::optional<float> parse_float(std::string_view text) {
  text = trim(text);
  if (has_hex_prefix(text)) {
    const auto bits = parse_digits<std::uint32_t>(text.substr(2), 16);
    return bits ? std::optional(std::bit_cast<float>(*bits)) : std::nullopt;
  }
  return parse_real<float>(text);
}

bool parse_floats(std::string_view text, std::span<float> values) {
  const char *at = text.data(), *const end = at + text.size();
  const auto skip_blanks = [&] {
    while (at != end && is_blank(*at)) ++at;
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return false;
    skip_blanks();
    const auto [next, error] = fast_float::from_chars(at, end, values[i]);
    if (error != std::errc{} || is_too_large({at, next}, values[i])) return false;
    at = next;
    skip_blanks();
  }
  return at == end;
}

std::optional<double> parse_double(std::string_view text) { return parse_real<double>(trim(text)); }

std::optional<std::int64_t> parse_int(std::string_view text) {
  text = trim(text);
  if (has_hex_prefix(text)) return parse_digits<std::int64_t>(text.substr(2), 16);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return parse_digits<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> parse_uint(std::string_view text) {
  text = trim(text);
  if (has_hex_prefix(text)) return parse_digits<std::uint64_t>(text.substr(2), 16);
  return parse_digits<std::uint64_t>(text, 10);
}

void append_float(std::string& out, float value) {
  if (std::isfinite(value))
    append_chars(out, value);
  else
    out += hex_text(std::bit_cast<std::uint32_t>(value), 8);
}

void append_double(std::string& out, double value) { append_chars(out, value); }
void append_int(std::string& out, std::int64_t value) { append_chars(out, value); }
void append_uint(std::string& out, std::uint64_t value) { append_chars(out, value); }

std::string float_text(float value) {
  std::string text;
  append_float(text, value);
  return text;
}

std::string hex_text(std::uint64_t value, int digits) {
  std::string text = "0x";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[(value >> shift) & 15];
  return text;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

std::string printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const auto code = take_utf8(text);
    if (!code) {
      (out += "\\x") += hex_text(static_cast<unsigned char>(before.front()), 2).substr(2);
      text = before.substr(1);
    } else if (steers_terminal(*code) && !(keep_lines && is_line_end_or_tab(before))) {
      const bool is_short = *code < 0x80;
      (out += is_short ? "\\x" : "\\u") += hex_text(*code, is_short ? 2 : 4).substr(2);
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

bool matches(std::string_view pattern, std::string_view text) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  // The last star and its match are remembered: on a mismatch the star takes one more character.
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace marrow
