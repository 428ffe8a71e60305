// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace marrow {

/// A 64-bit hash of bytes, the same on every machine (FNV-1a over words, mixed at the end). It notices changes of
/// files; it is not meant against forgery.
class Hash64 {
 public:
  /// Adds bytes. Where one run ends and the next starts is part of the hash.
  Hash64& add(std::span<const std::byte> bytes);
  Hash64& add(std::string_view text);

  std::uint64_t value() const;
  /// Returns the value as 16 digits of hex.
  std::string text() const;

 private:
  std::uint64_t state_ = 0xCBF29CE484222325;
};

}  // namespace marrow
