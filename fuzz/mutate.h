// SPDX-License-Identifier: MIT
// What structure-aware mutators share. A mutator changes one part of an input and keeps the rest consistent, so that
// damage reaches the code behind the first checks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>

// Of libFuzzer, or of replay.cpp: changes `size` bytes in any way, within `max_size`. Returns the new size.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace marrow::fuzz {

using Bytes = std::span<std::uint8_t>;

/// Chooses by a seed, the same on every machine.
class Chooser {
 public:
  explicit Chooser(std::uint32_t seed) : random_(seed) {}

  /// Returns a number below `end`; 0 if `end` is 0.
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  auto one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

 private:
  std::mt19937 random_;
};

/// Words at the edges of counts, offsets and floats: among the floats are 1e30, 1e-40, infinity and no number.
inline constexpr std::array<std::uint32_t, 16> kEdges = {
    0,       1,          2,          0x7F,       0xFF,       0x100,      0x7FFF,     0xFFFF,
    0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7149F2CA, 0x000116C2, 0x7F800000, 0x7FC00000};

inline std::uint32_t word_at(Bytes bytes, std::size_t at) {
  std::uint32_t value = 0;
  if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline void set_word(Bytes bytes, std::size_t at, std::uint32_t value) {
  if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Changes up to 16 bytes of `part` without changing their number.
inline void damage_in_place(Bytes part, Chooser& choose) {
  if (part.empty()) return;
  const std::size_t at = choose.below(part.size()), length = std::min(part.size() - at, 1 + choose.below(16));
  LLVMFuzzerMutate(part.data() + at, length, length);
}

}  // namespace marrow::fuzz
