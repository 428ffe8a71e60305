// SPDX-License-Identifier: MIT
// Bytes of numbers in the other order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "havok/object/schema.h"

namespace marrow::havok {

/// Copies whole numbers and turns the bytes of each. `from` and `to` may be the same; `size` is a multiple of theirs.
template <class T>
void turn(std::byte* to, const std::byte* from, std::size_t size) {
  for (std::size_t at = 0; at + sizeof(T) <= size; at += sizeof(T)) {
    T value;
    std::memcpy(&value, from + at, sizeof(T));
    value = std::byteswap(value);
    std::memcpy(to + at, &value, sizeof(T));
  }
}

/// Turns the numbers of a block in place; bytes that are left over at its end stay.
template <class T>
void turn(std::span<std::byte> block) {
  turn<T>(block.data(), block.data(), block.size());
}

/// Does what a step of kind Copy or Turn does, for `size` bytes.
inline void copy_numbers(Step::Kind kind, std::byte* to, const std::byte* from, std::size_t size) {
  switch (kind) {
    case Step::Kind::Turn2: return turn<std::uint16_t>(to, from, size);
    case Step::Kind::Turn4: return turn<std::uint32_t>(to, from, size);
    case Step::Kind::Turn8: return turn<std::uint64_t>(to, from, size);
    default: std::memcpy(to, from, size); return;
  }
}

}  // namespace marrow::havok
