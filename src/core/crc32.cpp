// SPDX-License-Identifier: MIT
#include "core/crc32.h"

#include <array>

namespace marrow {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xEDB88320u : 0u);
    table[i] = value;
  }
  return table;
}

constexpr auto kTable = make_table();

std::uint32_t update(std::uint32_t state, std::string_view bytes) {
  for (const char c : bytes) state = (state >> 8) ^ kTable[(state ^ static_cast<std::uint8_t>(c)) & 0xFF];
  return state;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) { return ~update(~0u, bytes); }
std::uint32_t crc32_plain(std::string_view bytes) { return update(0, bytes); }

}  // namespace marrow
