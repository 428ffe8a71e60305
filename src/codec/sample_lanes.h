// SPDX-License-Identifier: MIT
#pragma once

// Four or eight lanes of 32 bits, one per channel, for the compact kernel. The eight-lane types exist only where a
// register holds them: lowered to pairs of registers they are slower than four lanes. Internal linkage, as vector4.h.

#include <array>

#include "codec/vector4.h"
#if defined(__AVX2__) || defined(__SSSE3__)
#include <immintrin.h>
#endif

namespace marrow::codec {
namespace {

template <std::size_t N>
struct LaneTypes;
template <>
struct LaneTypes<4> {
  using Float = Float4;
  using Int = Int4;
  using Unsigned = std::uint32_t __attribute__((vector_size(16)));
  using Short = std::uint16_t __attribute__((vector_size(16)));
};
#if defined(__AVX2__)
template <>
struct LaneTypes<8> {
  using Float = float __attribute__((vector_size(32)));
  using Int = std::int32_t __attribute__((vector_size(32)));
  using Unsigned = std::uint32_t __attribute__((vector_size(32)));
  using Short = std::uint16_t __attribute__((vector_size(32)));
};
#endif
template <std::size_t N>
using Floats = typename LaneTypes<N>::Float;
template <std::size_t N>
using Ints = typename LaneTypes<N>::Int;
template <std::size_t N>
using Unsigneds = typename LaneTypes<N>::Unsigned;

template <std::size_t N>
using Shorts = typename LaneTypes<N>::Short;

/// Calls `batch` with the number of lanes and the first channel of every batch. `count` is a multiple of 4.
template <class Batch>
[[gnu::always_inline]] inline void in_batches(std::uint32_t count, Batch&& batch) {
  std::uint32_t c = 0;
#if defined(__AVX2__)
  for (; c + 8 <= count; c += 8) batch(std::integral_constant<std::size_t, 8>{}, c);
#endif
  for (; c < count; c += 4) batch(std::integral_constant<std::size_t, 4>{}, c);
}

template <std::size_t N>
inline Floats<N> load_floats(const float* at) {
  Floats<N> v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

template <std::size_t N>
inline Ints<N> load_ints(const std::uint32_t* at) {
  Ints<N> v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

template <class Vector, class T>
inline void store_lanes(T* at, Vector v) {
  std::memcpy(at, &v, sizeof v);
}

/// Loads unsigned numbers of 16 bits.
template <std::size_t N>
inline Ints<N> load_shorts(const std::uint16_t* at) {
  if constexpr (N == 4) {
    std::int64_t packed;
    std::memcpy(&packed, at, 8);
    return (Ints<N>)__builtin_shufflevector((Short8)Pair64{packed, 0}, Short8{}, 0, 8, 1, 9, 2, 10, 3, 11);
  } else {
    std::uint16_t __attribute__((vector_size(16))) shorts;
    std::memcpy(&shorts, at, 16);
    return __builtin_convertvector(shorts, Ints<N>);
  }
}

template <std::size_t N>
inline Ints<N> shifted_right(Ints<N> v, int bits) {
  return (Ints<N>)((Unsigneds<N>)v >> bits);
}

template <std::size_t N>
inline Floats<N> to_floats(Ints<N> v) {
  return __builtin_convertvector(v, Floats<N>);
}

/// Returns 2 to the power of numbers from 0 to 30.
template <std::size_t N>
inline Ints<N> powers_of_two(Ints<N> v) {
  return __builtin_convertvector((Floats<N>)((v + 127) << 23), Ints<N>);
}

/// Returns the product of numbers whose product is below 2^16.
template <std::size_t N>
inline Ints<N> small_product(Ints<N> a, Ints<N> b) {
  return (Ints<N>)((Shorts<N>)a * (Shorts<N>)b);
}

template <std::size_t N>
inline Floats<N> roots(Floats<N> v) {
  if constexpr (N == 4) return sqrt4(v);
#if defined(__AVX2__)
  else
    return (Floats<N>)_mm256_sqrt_ps((__m256)v);
#endif
}

/// Returns `a` where the sign bit of `mask` is set, else `b`.
template <std::size_t N>
inline Floats<N> choose(Ints<N> mask, Floats<N> a, Floats<N> b) {
#if defined(__AVX2__)
  if constexpr (N == 8) return (Floats<N>)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#endif
#if defined(__SSE4_1__)
  if constexpr (N == 4) return (Floats<N>)_mm_blendv_ps((__m128)b, (__m128)a, (__m128)mask);
#endif
  const Ints<N> all = mask >> 31;
  return (Floats<N>)(((Ints<N>)a & all) | ((Ints<N>)b & ~all));
}

/// Returns the bits that are set in each byte.
template <std::size_t N>
inline Ints<N> byte_counts(Ints<N> v) {
  v = v - (shifted_right<N>(v, 1) & 0x55555555);
  v = (v & 0x33333333) + (shifted_right<N>(v, 2) & 0x33333333);
  return (v + shifted_right<N>(v, 4)) & 0x0F0F0F0F;
}

/// Returns the sum of the two lowest bytes.
template <std::size_t N>
inline Ints<N> low_bytes_sum(Ints<N> v) {
  return (v + shifted_right<N>(v, 8)) & 0xFF;
}

/// Returns the position of the highest bit of a number from 1 to 2^24 - 1, where the conversion to float is exact.
template <std::size_t N>
inline Ints<N> highest_bit(Ints<N> v) {
  return shifted_right<N>((Ints<N>)to_floats<N>(v), 23) - 127;
}

/// Exchanges rows and columns of four registers; each half of eight lanes for itself.
template <std::size_t N, class Vector>
inline void transpose(Vector* v) {
  Vector a, b, c, d;
  if constexpr (N == 4) {
    a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5), b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7), d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5), v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5), v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
  } else {
    a = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);
    b = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);
    c = __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
    d = __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15);
  }
}

/// Joins registers of four channels each, so that register i has channel i in each half.
template <std::size_t N>
inline Ints<N> joined(const Byte16* of, std::size_t i) {
  if constexpr (N == 4)
    return (Int4)of[i];
  else
    return __builtin_shufflevector((Int4)of[i], (Int4)of[i + 4], 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Splits what `transpose` leaves: the register of channel `c`.
template <std::size_t N>
inline Float4 lane_row(const Floats<N>* rows, std::size_t c) {
  if constexpr (N == 4) {
    return rows[c];
  } else {
    const Floats<N> row = rows[c & 3];
    return c < 4 ? __builtin_shufflevector(row, row, 0, 1, 2, 3) : __builtin_shufflevector(row, row, 4, 5, 6, 7);
  }
}

/// Returns, by the bytes of a number, where numbers that follow each other lie in a register of `spacing` bytes each.
constexpr auto number_places(std::size_t spacing) {
  std::array<std::array<std::uint8_t, 16>, 8> places{};
  for (std::size_t bytes = 0; bytes < places.size(); ++bytes)
    for (std::size_t i = 0; i < 16; ++i)
      places[bytes][i] = static_cast<std::uint8_t>(i % spacing < bytes ? i / spacing * bytes + i % spacing : 0x80);
  return places;
}

/// Rearranges the bytes of a register by a table of places; 0x80 gives 0.
inline Byte16 rearranged(Byte16 v, const std::uint8_t* places) {
  Byte16 at;
  std::memcpy(&at, places, sizeof at);
#if defined(__SSSE3__)
  return (Byte16)_mm_shuffle_epi8((__m128i)v, (__m128i)at);
#elif defined(__aarch64__)
  return (Byte16)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)at);
#elif defined(__wasm_simd128__)
  return (Byte16)wasm_i8x16_swizzle((v128_t)v, (v128_t)at);
#else
  Byte16 out{};
  for (int i = 0; i < 16; ++i)
    if (at[i] < 16) out[i] = v[at[i]];
  return out;
#endif
}
#if defined(__SSSE3__) || defined(__aarch64__) || defined(__wasm_simd128__)
constexpr bool kRearrangesFast = true;
#else
constexpr bool kRearrangesFast = false;
#endif

/// Loads two or four numbers of one to four bytes that follow each other. Reads 16 bytes.
template <std::size_t Points>
inline Byte16 load_numbers(const std::uint8_t* at, std::uint32_t bytes) {
  if constexpr (kRearrangesFast) {
    alignas(16) static constexpr auto kPlaces = number_places(4);
    Byte16 v;
    std::memcpy(&v, at, sizeof v);
    return rearranged(v, kPlaces[bytes].data());
  } else {
    Unsigneds<4> numbers{};
    for (std::uint32_t i = 0; i < Points; ++i) {
      std::uint32_t number;
      std::memcpy(&number, at + i * bytes, sizeof number);
      numbers[i] = number & (0xFFFFFFFFu >> (32 - 8 * bytes));
    }
    return (Byte16)numbers;
  }
}

/// Loads two points of up to six bytes that follow each other: of each its first four bytes, and the others. Reads 16
/// bytes.
inline Byte16 load_two_points(const std::uint8_t* at, std::uint32_t bytes) {
  if constexpr (kRearrangesFast) {
    alignas(16) static constexpr auto kPlaces = number_places(8);
    Byte16 v;
    std::memcpy(&v, at, sizeof v);
    return rearranged(v, kPlaces[bytes].data());
  } else {
    std::uint64_t __attribute__((vector_size(16))) points{};
    for (std::uint32_t i = 0; i < 2; ++i) {
      std::uint64_t point;
      std::memcpy(&point, at + i * bytes, sizeof point);
      points[i] = point & (~std::uint64_t{0} >> (64 - 8 * bytes));
    }
    return (Byte16)points;
  }
}

}  // namespace
}  // namespace marrow::codec
