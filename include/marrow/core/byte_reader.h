// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "marrow/core/error.h"

namespace marrow {

static_assert(std::endian::native == std::endian::little, "all formats here are little-endian and read by memcpy");

/// A number stored in little-endian bytes.
template <class T>
concept Scalar = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// Reads little-endian numbers from untrusted bytes.
///
/// The first failure sticks: later reads return zero and do not advance, so a run of reads needs only one check at its
/// end (`ok()` or `status()`). Never reads outside the given span.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, std::uint64_t base_offset = 0)
      : bytes_(bytes), base_offset_(base_offset) {}

  template <Scalar T>
  T read() {
    T value{};
    if (const std::byte* at = take(sizeof(T))) std::memcpy(&value, at, sizeof(T));
    return value;
  }

  std::uint8_t u8() { return read<std::uint8_t>(); }
  std::uint16_t u16() { return read<std::uint16_t>(); }
  std::uint32_t u32() { return read<std::uint32_t>(); }
  std::uint64_t u64() { return read<std::uint64_t>(); }
  std::int8_t i8() { return read<std::int8_t>(); }
  std::int16_t i16() { return read<std::int16_t>(); }
  std::int32_t i32() { return read<std::int32_t>(); }
  float f32() { return read<float>(); }

  /// Returns the next `count` bytes, or an empty span and a sticky error.
  std::span<const std::byte> bytes(std::size_t count);
  /// Returns the bytes up to a NUL. The NUL is consumed but not returned.
  std::string_view c_string();
  void skip(std::size_t count) { take(count); }
  /// Moves to an absolute position in the span; one past the end is allowed.
  void seek(std::size_t position);
  /// Skips to the next multiple of `alignment`, counted from the start of the span.
  void align(std::size_t alignment);

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  /// Returns the position in the file, for messages: the position in the span plus the span's offset in the file.
  std::uint64_t offset() const { return base_offset_ + position_; }

  bool ok() const { return !error_; }
  Result<void> status() const;
  /// Records a failure at the current position unless one is recorded already.
  void set_error(ErrorCode code, std::string message);

 private:
  const std::byte* take(std::size_t count);

  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  std::uint64_t base_offset_ = 0;
  std::optional<Error> error_;
};

/// Reads one number at an offset that the caller has already proven to be inside `bytes`.
template <Scalar T>
T load(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// View text as bytes and bytes as text.
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace marrow
