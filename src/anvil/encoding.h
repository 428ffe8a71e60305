// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"

namespace marrow::anvil {

/// The text of an XML file as UTF-8, and the way back to places in the file.
class SourceText {
 public:
  /// Recognises UTF-8, UTF-16 and UTF-32 in either byte order by mark or by the zero bytes around the first `<`, and
  /// Latin-1 where the prolog names it. Text that is not what it seems to be is an error with its offset.
  static Result<SourceText> decode(std::span<const std::byte> bytes);

  const std::string& utf8() const { return utf8_; }
  /// Line of a place in `utf8`, from 1.
  std::uint32_t line_of(std::size_t at) const;
  /// Byte in the file of a place in `utf8`.
  std::uint64_t file_offset(std::size_t at) const;

 private:
  std::string utf8_;
  std::vector<std::size_t> line_starts_;
  std::size_t mark_bytes_ = 0;
  std::size_t unit_bytes_ = 1;
  bool latin1_ = false;
};

/// UTF-16, little endian, with a byte order mark. `utf8` is valid.
std::vector<std::byte> encode_utf16(std::string_view utf8);

}  // namespace marrow::anvil
