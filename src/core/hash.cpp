// SPDX-License-Identifier: MIT
#include "core/hash.h"

namespace marrow {
namespace {

constexpr std::uint64_t kPrime = 0x100000001B3;

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < count; ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

}  // namespace

Hash64& Hash64::add(std::span<const std::byte> bytes) {
  const auto take = [this](std::uint64_t word) { state_ = ((state_ ^ word) * kPrime) ^ (state_ >> 29); };
  take(bytes.size());
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) take(word_at(bytes, 8));
  if (!bytes.empty()) take(word_at(bytes, bytes.size()));
  return *this;
}

Hash64& Hash64::add(std::string_view text) { return add(std::as_bytes(std::span(text.data(), text.size()))); }

std::uint64_t Hash64::value() const {
  // The mixer of splitmix64: every bit of the state reaches every bit of the value.
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

std::string Hash64::text() const {
  std::string out(16, '0');
  for (std::uint64_t left = value(), i = 16; i-- > 0; left >>= 4) out[i] = "0123456789abcdef"[left & 15];
  return out;
}

}  // namespace marrow
