// SPDX-License-Identifier: MIT
// The triangles of a chunk, their numbers and keys.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "marrow/core/byte_reader.h"

namespace marrow::bhk {

/// A triangle of a chunk: its corners in decoded order, the position of the first index, and whether it is turned.
struct ChunkTriangle {
  std::array<std::uint16_t, 3> corners{};
  std::uint32_t position = 0;
  bool is_odd = false;
};

/// The number by which MOPP code names a triangle.
constexpr std::uint32_t chunk_key(std::uint32_t chunk, const ChunkTriangle& triangle) {
  return (chunk + 1) << 18 | (triangle.is_odd ? 1u << 17 : 0) | triangle.position;
}

enum class ChunkFault : std::uint8_t { None, Index, Strips };

/// Calls `action` with each triangle of a chunk until it returns false, which is an `Index` fault.
template <class Action>
ChunkFault for_each_triangle(std::span<const std::uint16_t> indices, std::span<const std::uint16_t> strips,
                             Action&& action) {
  std::size_t at = 0;
  for (const std::uint16_t length : strips) {
    if (length > indices.size() - at) return ChunkFault::Strips;
    for (std::size_t k = 0; k + 2 < length; ++k) {
      ChunkTriangle triangle{
          {indices[at + k], indices[at + k + 1], indices[at + k + 2]}, static_cast<std::uint32_t>(at + k), k % 2 != 0};
      if (triangle.is_odd) std::swap(triangle.corners[0], triangle.corners[2]);
      if (!action(triangle)) return ChunkFault::Index;
    }
    at += length;
  }
  for (; at + 2 < indices.size(); at += 3)
    if (!action(ChunkTriangle{{indices[at], indices[at + 1], indices[at + 2]}, static_cast<std::uint32_t>(at), false}))
      return ChunkFault::Index;
  return ChunkFault::None;
}

struct BigTriangle {
  std::array<std::uint16_t, 3> corners{};
  std::uint32_t material = 0;
  std::uint16_t welding = 0;
};
inline constexpr std::size_t kBigTriangleBytes = 12;

inline BigTriangle big_triangle(std::span<const std::byte> bytes) {
  return {{load<std::uint16_t>(bytes, 0), load<std::uint16_t>(bytes, 2), load<std::uint16_t>(bytes, 4)},
          load<std::uint32_t>(bytes, 6),
          load<std::uint16_t>(bytes, 10)};
}

}  // namespace marrow::bhk
