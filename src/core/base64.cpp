// SPDX-License-Identifier: MIT
#include "core/base64.h"

#include <array>
#include <cstdint>

namespace marrow {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
}

std::optional<std::vector<std::byte>> read_base64(std::string_view text) {
  std::array<std::int8_t, 256> value;
  value.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    value[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<std::byte> out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::int8_t digit = value[static_cast<unsigned char>(c)];
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<std::byte>(bits >> held & 0xFF));
  }
  return out;
}

}  // namespace marrow
