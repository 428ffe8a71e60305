// SPDX-License-Identifier: MIT
// Numbers of several characters side by side. Solvers are templates over the type of a number: `double` is one
// character, `Lanes<N>` are N of them, one per lane of a register. What is a branch for one character is a mask and a
// choice here. Every operation is the one that `double` has, lane by lane, so that results are equal to the last bit.
//
// `Lanes<8>` is compiled for AVX-512 only, `Lanes<4>` for AVX2 only and `Lanes<2>` for the processor that the library
// is built for. So no function of theirs is ever shared between instruction sets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <type_traits>
#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// Everything that such a function calls becomes part of it: lanes stay in registers. Not in builds for size.
#if defined(__OPTIMIZE_SIZE__)
#define MARROW_FLATTEN
#else
#define MARROW_FLATTEN __attribute__((flatten))
#endif

namespace marrow::motion {

template <int N>
struct LaneVectors {
  typedef double Numbers __attribute__((vector_size(N * sizeof(double))));
  typedef std::int64_t Masks __attribute__((vector_size(N * sizeof(double))));
  typedef float Floats __attribute__((vector_size(N * sizeof(float))));
};

/// One truth value per lane.
template <int N>
struct LaneMask {
  using Masks = typename LaneVectors<N>::Masks;
  Masks m;  // all bits of a lane, or none

  LaneMask() : m(Masks{}) {}
  LaneMask(Masks bits_of_lanes) : m(bits_of_lanes) {}

  friend LaneMask operator&(LaneMask a, LaneMask b) { return a.m & b.m; }
  friend LaneMask operator|(LaneMask a, LaneMask b) { return a.m | b.m; }
  friend LaneMask operator!(LaneMask a) { return ~a.m; }
  LaneMask& operator|=(LaneMask other) {
    m |= other.m;
    return *this;
  }

  /// One bit per lane, the first lowest.
  unsigned bits() const {
#if defined(__AVX512DQ__)
    if constexpr (N == 8) return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m));
#endif
#if defined(__AVX__)
    if constexpr (N == 4) return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
#endif
#if defined(__SSE2__)
    if constexpr (N == 2) return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m)));
#endif
    unsigned all = 0;
    for (int i = 0; i < N; ++i) all |= static_cast<unsigned>(m[i] & 1) << i;
    return all;
  }
  static LaneMask of_bits(unsigned bits) {
    Masks bit_of_lane;
    for (int i = 0; i < N; ++i) bit_of_lane[i] = std::int64_t{1} << i;
    return LaneMask((bit_of_lane & static_cast<std::int64_t>(bits)) != 0);
  }
};

/// One number per lane.
template <int N>
struct Lanes {
  using Vector = typename LaneVectors<N>::Numbers;
  Vector v;

  Lanes() = default;
  Lanes(double x) : v(x - Vector{}) {}  // implicit: constants of solvers are the same for every character
  static Lanes of(Vector vector) {
    Lanes lanes;
    lanes.v = vector;
    return lanes;
  }
  double operator[](int lane) const { return v[lane]; }
  void set(int lane, double x) { v[lane] = x; }

  friend Lanes operator+(Lanes a, Lanes b) { return of(a.v + b.v); }
  friend Lanes operator-(Lanes a, Lanes b) { return of(a.v - b.v); }
  friend Lanes operator*(Lanes a, Lanes b) { return of(a.v * b.v); }
  friend Lanes operator/(Lanes a, Lanes b) { return of(a.v / b.v); }
  friend Lanes operator-(Lanes a) { return of(-a.v); }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }
  Lanes& operator/=(Lanes b) { return *this = *this / b; }
  friend LaneMask<N> operator<(Lanes a, Lanes b) { return LaneMask<N>(a.v < b.v); }
  friend LaneMask<N> operator>(Lanes a, Lanes b) { return LaneMask<N>(a.v > b.v); }
  friend LaneMask<N> operator<=(Lanes a, Lanes b) { return LaneMask<N>(a.v <= b.v); }
  friend LaneMask<N> operator>=(Lanes a, Lanes b) { return LaneMask<N>(a.v >= b.v); }
  friend LaneMask<N> operator==(Lanes a, Lanes b) { return LaneMask<N>(a.v == b.v); }
  friend LaneMask<N> operator!=(Lanes a, Lanes b) { return LaneMask<N>(a.v != b.v); }
};

template <class T>
inline constexpr int kLaneCount = 1;
template <int N>
inline constexpr int kLaneCount<Lanes<N>> = N;

template <class T>
struct MaskOfNumber : std::type_identity<bool> {};
template <int N>
struct MaskOfNumber<Lanes<N>> : std::type_identity<LaneMask<N>> {};
template <class T>
using MaskOf = typename MaskOfNumber<T>::type;

template <class T>
MaskOf<T> every_lane() {
  return !MaskOf<T>{};
}

template <class T>
MaskOf<T> mask_of(unsigned bits) {
  if constexpr (kLaneCount<T> == 1)
    return bits != 0;
  else
    return MaskOf<T>::of_bits(bits);
}

template <class T>
using VecOf = glm::vec<3, T>;
template <class T>
using Vec2Of = glm::vec<2, T>;
template <class T>
using QuatOf = glm::qua<T>;

// What both kinds of numbers have, under one name each.

inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }
inline unsigned bits_of(bool mask) { return mask ? 1u : 0u; }
inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
inline double root(double x) { return std::sqrt(x); }
inline double magnitude(double x) { return std::abs(x); }
inline double with_sign(double x, double sign) { return std::copysign(x, sign); }
inline double lane(double x, int) { return x; }
inline void set_lane(double& x, int, double value) { x = value; }
inline bool is_finite(double x) { return std::isfinite(x); }

template <int N>
bool any(LaneMask<N> mask) {
  return mask.bits() != 0;
}
template <int N>
bool all(LaneMask<N> mask) {
  return mask.bits() == (1u << N) - 1;
}
template <int N>
unsigned bits_of(LaneMask<N> mask) {
  return mask.bits();
}
template <int N>
Lanes<N> select(LaneMask<N> mask, Lanes<N> yes, Lanes<N> no) {
  return Lanes<N>::of(mask.m ? yes.v : no.v);
}
template <int N>
Lanes<N> root(Lanes<N> x) {
#if defined(__AVX512F__)
  if constexpr (N == 8) return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(_mm512_sqrt_pd(x.v)));
#endif
#if defined(__AVX__)
  if constexpr (N == 4) return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(_mm256_sqrt_pd(x.v)));
#endif
#if defined(__SSE2__)
  if constexpr (N == 2) return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(_mm_sqrt_pd(x.v)));
#elif defined(__aarch64__)
  if constexpr (N == 2) return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(vsqrtq_f64(x.v)));
#elif defined(__wasm_simd128__)
  if constexpr (N == 2)
    return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(wasm_f64x2_sqrt(reinterpret_cast<v128_t>(x.v))));
#endif
  for (int i = 0; i < N; ++i) x.v[i] = std::sqrt(x.v[i]);
  return x;
}
template <int N>
Lanes<N> magnitude(Lanes<N> x) {
  using Masks = typename LaneVectors<N>::Masks;
  const Masks sign = Masks{} + std::numeric_limits<std::int64_t>::max();
  return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(reinterpret_cast<Masks>(x.v) & sign));
}
template <int N>
Lanes<N> with_sign(Lanes<N> x, Lanes<N> sign) {
  using Masks = typename LaneVectors<N>::Masks;
  const Masks bit = Masks{} + std::numeric_limits<std::int64_t>::min();
  const Masks bits = (reinterpret_cast<Masks>(x.v) & ~bit) | (reinterpret_cast<Masks>(sign.v) & bit);
  return Lanes<N>::of(reinterpret_cast<typename Lanes<N>::Vector>(bits));
}
template <int N>
double lane(Lanes<N> x, int index) {
  return x.v[index];
}
template <int N>
void set_lane(Lanes<N>& x, int index, double value) {
  x.v[index] = value;
}
template <int N>
LaneMask<N> is_finite(Lanes<N> x) {
  return x - x == Lanes<N>(0.0);
}

template <class T>
VecOf<T> select(const MaskOf<T>& mask, const VecOf<T>& yes, const VecOf<T>& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
template <class T>
Vec2Of<T> select(const MaskOf<T>& mask, const Vec2Of<T>& yes, const Vec2Of<T>& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y)};
}
template <class T>
QuatOf<T> select(const MaskOf<T>& mask, const QuatOf<T>& yes, const QuatOf<T>& no) {
  return QuatOf<T>(select(mask, yes.w, no.w), select(mask, yes.x, no.x), select(mask, yes.y, no.y),
                   select(mask, yes.z, no.z));
}

// As std::min, std::max and std::clamp choose, also for NaN.
template <class T>
T least(const T& a, const T& b) {
  return select(b < a, b, a);
}
template <class T>
T most(const T& a, const T& b) {
  return select(a < b, b, a);
}
template <class T>
T held(const T& x, const T& low, const T& high) {
  return select(x < low, low, select(high < x, high, x));
}

// Calls a function of doubles for the lanes of `mask`; the others keep what `otherwise` has.
template <class T, class Function, class... Arguments>
T each_lane(const MaskOf<T>& mask, T otherwise, Function&& function, const Arguments&... arguments) {
  for (unsigned left = bits_of(mask), i = 0; left != 0; left >>= 1, ++i)
    if ((left & 1u) != 0) set_lane(otherwise, static_cast<int>(i), function(lane(arguments, static_cast<int>(i))...));
  return otherwise;
}

// Exchanges rows and columns: N numbers of each of N characters become N times one number of all of them, and back.
// By squares of half the size each time, those off the diagonal change places.
template <int N>
using LaneRows = typename Lanes<N>::Vector[static_cast<std::size_t>(N)];
template <int N, int kHalf = N / 2>
void transpose(LaneRows<N>& rows) {
  const auto exchange = []<int... kLane>(auto& a, auto& b, std::integer_sequence<int, kLane...>) {
    const auto upper = __builtin_shufflevector(a, b, ((kLane & kHalf) == 0 ? kLane : N + kLane - kHalf)...);
    b = __builtin_shufflevector(a, b, ((kLane & kHalf) == 0 ? kLane + kHalf : N + kLane)...);
    a = upper;
  };
  for (int i = 0; i < N; ++i)
    if ((i & kHalf) == 0) exchange(rows[i], rows[i + kHalf], std::make_integer_sequence<int, N>{});
  if constexpr (kHalf > 1) transpose<N, kHalf / 2>(rows);
}

// Reads so many numbers of each character, from where `row_of(lane)` points to: floats or doubles.
template <std::size_t kNumbers, class RowOf>
void read_rows(double* to, RowOf&& row_of) {
  for (std::size_t i = 0; i < kNumbers; ++i) to[i] = static_cast<double>(row_of(0)[i]);
}
template <std::size_t kNumbers, int N, class RowOf>
void read_rows(Lanes<N>* to, RowOf&& row_of) {
  using Number = std::remove_cvref_t<decltype(row_of(0)[0])>;
  using Row = std::conditional_t<std::is_same_v<Number, float>, typename LaneVectors<N>::Floats,
                                 typename LaneVectors<N>::Numbers>;
  if constexpr (kNumbers < N) {
    for (std::size_t i = 0; i < kNumbers; ++i)
      for (int k = 0; k < N; ++k) to[i].v[k] = static_cast<double>(row_of(k)[i]);
  } else {
    // The last block goes to the end, and has some of the one before again.
    constexpr std::size_t kLanes = N;
    for (std::size_t next = 0; next < kNumbers; next += kLanes) {
      const std::size_t first = std::min(next, kNumbers - kLanes);
      LaneRows<N> rows;
      for (int k = 0; k < N; ++k) {
        Row row;
        std::memcpy(&row, row_of(k) + first, sizeof(row));
        rows[k] = __builtin_convertvector(row, typename Lanes<N>::Vector);
      }
      transpose<N>(rows);
      for (std::size_t k = 0; k < kLanes; ++k) to[first + k].v = rows[k];
    }
  }
}
// Writes the numbers of the characters in `where`, to where `row_of(lane)` points to.
template <std::size_t kNumbers, class RowOf>
void write_rows(const double* from, RowOf&& row_of, bool where) {
  if (where) std::memcpy(row_of(0), from, kNumbers * sizeof(double));
}
template <std::size_t kNumbers, int N, class RowOf>
void write_rows(const Lanes<N>* from, RowOf&& row_of, LaneMask<N> where) {
  const unsigned bits = where.bits();
  if constexpr (kNumbers < N) {
    for (std::size_t i = 0; i < kNumbers; ++i)
      for (int k = 0; k < N; ++k)
        if ((bits >> k & 1u) != 0) row_of(k)[i] = from[i].v[k];
  } else {
    constexpr std::size_t kLanes = N;
    for (std::size_t next = 0; next < kNumbers; next += kLanes) {
      const std::size_t first = std::min(next, kNumbers - kLanes);
      LaneRows<N> rows;
      for (std::size_t k = 0; k < kLanes; ++k) rows[k] = from[first + k].v;
      transpose<N>(rows);
      for (int k = 0; k < N; ++k)
        if ((bits >> k & 1u) != 0) std::memcpy(row_of(k) + first, &rows[k], sizeof(rows[k]));
    }
  }
}

// glm multiplies vectors with numbers of their own type only.
template <int N>
VecOf<Lanes<N>> operator*(const VecOf<Lanes<N>>& v, double s) {
  return v * Lanes<N>(s);
}
template <int N>
QuatOf<Lanes<N>> operator*(const QuatOf<Lanes<N>>& q, double s) {
  return q * Lanes<N>(s);
}

}  // namespace marrow::motion

// glm asks whether a number is one before it multiplies.
template <int N>
struct std::numeric_limits<marrow::motion::Lanes<N>> : std::numeric_limits<double> {};
