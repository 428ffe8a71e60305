// SPDX-License-Identifier: MIT
#include "havok/text/number.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "marrow/core/byte_reader.h"

namespace marrow::havok {
namespace {

// Calls `action` with a value of the C++ type that the kind is stored as.
template <class Action>
auto with_integer_type(Kind kind, Action action) {
  switch (kind) {
    case Kind::Int8: return action(std::int8_t{});
    case Kind::Int16: return action(std::int16_t{});
    case Kind::Int32: return action(std::int32_t{});
    case Kind::Int64: return action(std::int64_t{});
    case Kind::UInt16:
    case Kind::Half: return action(std::uint16_t{});
    case Kind::UInt32: return action(std::uint32_t{});
    case Kind::UInt64:
    case Kind::ULong: return action(std::uint64_t{});
    default: return action(std::uint8_t{});
  }
}

template <class T>
void store(std::span<std::byte> to, T value) {
  assert(to.size() >= sizeof(T));
  std::memcpy(to.data(), &value, sizeof(T));
}

}  // namespace

std::int64_t load_integer(Kind kind, std::span<const std::byte> from) {
  if (kind == Kind::Real || kind == Kind::Half) return static_cast<std::int64_t>(load_real(kind, from));
  return with_integer_type(kind, [&](auto type) { return static_cast<std::int64_t>(load<decltype(type)>(from, 0)); });
}

double load_real(Kind kind, std::span<const std::byte> from) {
  if (kind == Kind::Real) return double{load<float>(from, 0)};
  if (kind == Kind::Half) return double{std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(from, 0)} << 16)};
  return static_cast<double>(load_integer(kind, from));
}

void store_integer(Kind kind, std::span<std::byte> to, std::int64_t value) {
  if (kind == Kind::Real || kind == Kind::Half) return store_real(kind, to, static_cast<double>(value));
  with_integer_type(kind, [&](auto type) { store(to, static_cast<decltype(type)>(value)); });
}

void store_real(Kind kind, std::span<std::byte> to, double value) {
  const float narrow = static_cast<float>(value);
  if (kind == Kind::Real) return store(to, narrow);
  if (kind == Kind::Half) {
    // Rounds to the nearest; a value that is not finite is truncated, so that it stays what it is.
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(narrow);
    return store(to, static_cast<std::uint16_t>((std::isfinite(narrow) ? bits + 0x8000u : bits) >> 16));
  }
  store_integer(kind, to, static_cast<std::int64_t>(value));
}

bool fits(Kind kind, std::int64_t value) {
  return with_integer_type(kind, [&](auto type) {
    using T = decltype(type);
    if constexpr (sizeof(T) == 8)
      return true;
    else
      return value >= std::int64_t{std::numeric_limits<T>::min()} &&
             value <= std::int64_t{std::numeric_limits<T>::max()};
  });
}

}  // namespace marrow::havok
