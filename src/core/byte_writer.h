// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/core/byte_reader.h"

namespace marrow {

/// Grows a little-endian byte buffer; the counterpart of `ByteReader`.
class ByteWriter {
 public:
  template <Scalar T>
  void write(T value) {
    const std::size_t at = buffer_.size();
    buffer_.resize(at + sizeof(T));
    std::memcpy(buffer_.data() + at, &value, sizeof(T));
  }

  void u8(std::uint8_t value) { write(value); }
  void u16(std::uint16_t value) { write(value); }
  void u32(std::uint32_t value) { write(value); }
  void u64(std::uint64_t value) { write(value); }
  void i32(std::int32_t value) { write(value); }
  void f32(float value) { write(value); }

  void bytes(std::span<const std::byte> data) { buffer_.insert(buffer_.end(), data.begin(), data.end()); }
  void text(std::string_view data) { bytes(as_bytes(data)); }
  void fill(std::size_t count, std::uint8_t value = 0) { buffer_.resize(buffer_.size() + count, std::byte{value}); }
  /// Fills up to the next multiple of `alignment`.
  void pad_to(std::size_t alignment, std::uint8_t value = 0) {
    const std::size_t over = buffer_.size() % alignment;
    if (over != 0) fill(alignment - over, value);
  }

  /// Overwrites a number written earlier.
  template <Scalar T>
  void patch(std::size_t at, T value) {
    assert(at + sizeof(T) <= buffer_.size());
    std::memcpy(buffer_.data() + at, &value, sizeof(T));
  }

  std::size_t size() const { return buffer_.size(); }
  void reserve(std::size_t capacity) { buffer_.reserve(capacity); }
  std::span<std::byte> view() { return buffer_; }
  std::span<const std::byte> view() const { return buffer_; }
  std::vector<std::byte> take() { return std::move(buffer_); }

 private:
  std::vector<std::byte> buffer_;
};

}  // namespace marrow
