// SPDX-License-Identifier: MIT
// Numbers of several characters side by side. Solvers are templates over the type of a number: `double` is one
// character, `Lanes<N>` are N of them, one per lane of a register. What is a branch for one character is a mask and a
// choice here. Every operation is the one that `double` has, lane by lane, so that results are equal to the last bit.
//
// `Lanes<8>` is compiled for AVX-512 only, `Lanes<4>` for AVX2 only and `Lanes<2>` for the processor that the library is
// built for. So no function of theirs is ever shared between instruction sets.
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <type_traits>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace marrow::motion {

template <int N>
struct LaneVectors {
  typedef double Numbers __attribute__((vector_size(N * sizeof(double))));
  typedef std::int64_t Masks __attribute__((vector_size(N * sizeof(double))));
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
    LaneMask mask;
    for (int i = 0; i < N; ++i) mask.m[i] = -static_cast<std::int64_t>((bits >> i) & 1u);
    return mask;
  }
};

/// One number per lane.
template <int N>
struct Lanes {
  using Vector = typename LaneVectors<N>::Numbers;
  Vector v;

  Lanes() = default;
  Lanes(double x) {  // implicit: constants of solvers are the same for every character
    for (int i = 0; i < N; ++i) v[i] = x;
  }
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
QuatOf<T> select(const MaskOf<T>& mask, const QuatOf<T>& yes, const QuatOf<T>& no) {
  return QuatOf<T>(select(mask, yes.w, no.w), select(mask, yes.x, no.x), select(mask, yes.y, no.y),
                   select(mask, yes.z, no.z));
}

// As std::min, std::max and std::clamp choose, for numbers that are none too.
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
