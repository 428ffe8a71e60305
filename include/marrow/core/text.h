// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace marrow {

/// Text and numbers, the same on every host: no locale, no allocation but the result.

/// The whole of `text` as a number, surrounding blanks allowed; nothing where it is anything else.
/// Floats also take `inf`, `nan` and the bits as `0x7fc00000`; integers take `0x` too.
std::optional<float> parse_float(std::string_view text);
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_uint(std::string_view text);

/// Appends the shortest decimal that reads back as the same bits; a float that is not finite as its bits, `0x7fc00000`.
void append_float(std::string& out, float value);
void append_int(std::string& out, std::int64_t value);
void append_uint(std::string& out, std::uint64_t value);
std::string float_text(float value);
/// `0x` and `digits` lower-case hexadecimal digits.
std::string hex_text(std::uint64_t value, int digits);

std::string_view trim(std::string_view text);
/// ASCII only: bone, class and material names of these formats are.
std::string to_lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// Whether a pattern with `*` and `?` matches all of a text, in any case.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace marrow
