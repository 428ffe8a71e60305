// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace marrow {

/// Text and numbers, the same on every host: no locale, and no allocation except the result.

/// Parse the whole of `text` as a number. Surrounding white space is allowed. Return nothing for anything else, and for
/// digits that the type cannot hold; what is too small for it is zero. Floats also accept `inf`, `nan` and bits such as
/// `0x7fc00000`; integers also accept `0x`.
std::optional<float> parse_float(std::string_view text);
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_uint(std::string_view text);

/// Appends the shortest decimal that reads back as the same bits. A float that is not finite is written as its bits,
/// `0x7fc00000`.
void append_float(std::string& out, float value);
void append_double(std::string& out, double value);  ///< `value` is finite
void append_int(std::string& out, std::int64_t value);
void append_uint(std::string& out, std::uint64_t value);
std::string float_text(float value);
/// Returns `0x` followed by `digits` lower-case hexadecimal digits.
std::string hex_text(std::uint64_t value, int digits);

std::string_view trim(std::string_view text);
/// Handles ASCII only, which is enough for bone, class and material names.
std::string to_lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// Returns text that is safe to print: control characters, marks that change the direction of writing and bytes that
/// are not UTF-8 become `\x1b`, `\u202e`. Line ends and tabs stay if asked for.
std::string printable(std::string_view text, bool keep_lines = false);

/// True if a pattern with `*` and `?` matches the whole text, ignoring case.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace marrow
