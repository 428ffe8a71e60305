// SPDX-License-Identifier: MIT
#pragma once

// Four floats in one register: compiler vectors, which become SSE2, NEON or wasm SIMD. Everything here has internal
// linkage, because the same source is compiled for several instruction sets.

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#include <cmath>
#endif

namespace marrow::codec {
namespace {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Byte16 = std::uint8_t __attribute__((vector_size(16)));
using Short8 = std::int16_t __attribute__((vector_size(16)));
using Pair64 = std::int64_t __attribute__((vector_size(16)));

inline Float4 splat(float x) { return Float4{x, x, x, x}; }

inline Float4 load4(const float* at) {
  Float4 v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

/// Does the same for an address that is a multiple of 16, which lets the load be part of an operation.
inline Float4 load4_aligned(const float* at) { return *static_cast<const Float4*>(static_cast<const void*>(at)); }

inline void store4(float* at, Float4 v) { std::memcpy(at, &v, sizeof v); }

/// Stores three floats, never the fourth: it would overwrite the neighbour.
inline void store3(float* at, Float4 v) {
  const std::int64_t low = ((Pair64)v)[0];
  std::memcpy(at, &low, 8);
  at[2] = v[2];
}

/// Copies without using the caches if the processor can, for output that does not fit them; `stream_fence` ends a run.
inline void stream_copy(float* to, const float* from, std::size_t count) {
#if defined(__SSE2__)
  for (; count > 0 && (reinterpret_cast<std::uintptr_t>(to) & 15) != 0; --count) *to++ = *from++;
  for (; count >= 4; count -= 4, to += 4, from += 4) _mm_stream_ps(to, _mm_loadu_ps(from));
#endif
  if (count > 0) std::memcpy(to, from, count * sizeof(float));
}

inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <int Lane>
inline Float4 splat_lane(Float4 v) {
  return __builtin_shufflevector(v, v, Lane, Lane, Lane, Lane);
}

/// Loads four bytes as floats. They are widened in two steps of interleaving with zeros, which every instruction set
/// has.
inline Float4 load4_bytes(const std::uint8_t* at) {
  std::uint32_t packed;
  std::memcpy(&packed, at, 4);
  const Byte16 bytes = (Byte16)Int4{static_cast<std::int32_t>(packed), 0, 0, 0};
  const Short8 shorts =
      (Short8)__builtin_shufflevector(bytes, Byte16{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const Int4 ints = (Int4)__builtin_shufflevector(shorts, Short8{}, 0, 8, 1, 9, 2, 10, 3, 11);
  return __builtin_convertvector(ints, Float4);
}

// The square root is the only operation that compiler vectors lack. This is a true root and division, not the estimate
// that some processors have: for four values it costs the same, and results do not depend on the processor.
inline Float4 sqrt4(Float4 v) {
#if defined(__SSE2__)
  return (Float4)_mm_sqrt_ps((__m128)v);
#elif defined(__aarch64__)
  return (Float4)vsqrtq_f32((float32x4_t)v);
#elif defined(__wasm_simd128__)
  return (Float4)wasm_f32x4_sqrt((v128_t)v);
#else
  return Float4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

/// Returns the squared length of each of four quaternions.
inline Float4 squared_lengths(Float4 a, Float4 b, Float4 c, Float4 d) {
  a *= a, b *= b, c *= c, d *= d;
  // Half a transpose: the xz+yw sums of two quaternions side by side, then the rest of the sum.
  const Float4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// Returns the reciprocal length of each of four quaternions. A number too small to matter avoids division by zero.
inline Float4 inverse_lengths(Float4 a, Float4 b, Float4 c, Float4 d) {
  return splat(1.0f) / sqrt4(squared_lengths(a, b, c, d) + splat(1e-30f));
}

/// Stores four quaternions at unit length, each where `place(i)` says.
template <class Place>
inline void store_rotations(Float4 q0, Float4 q1, Float4 q2, Float4 q3, const Place& place) {
  const Float4 inverse = inverse_lengths(q0, q1, q2, q3);
  store4(place(0), q0 * splat_lane<0>(inverse));
  store4(place(1), q1 * splat_lane<1>(inverse));
  store4(place(2), q2 * splat_lane<2>(inverse));
  store4(place(3), q3 * splat_lane<3>(inverse));
}

}  // namespace
}  // namespace marrow::codec
