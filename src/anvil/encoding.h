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

/// The text of an XML file as UTF-8, and the way back to places in the file. Borrows the bytes of the file.
class SourceText {
 public:
  /// Recognises UTF-8, UTF-16 and UTF-32 in either byte order by mark or by the zero bytes around the first `<`, and
  /// Latin-1 if the prolog names it. Text that is not what it seems to be is an error with its offset.
  static Result<SourceText> decode(std::span<const std::byte> bytes);

  std::string_view utf8() const { return is_utf8() ? file_ : decoded_; }
  /// Returns the byte in the file of a place in `utf8`.
  std::uint64_t file_offset(std::size_t at) const;

 private:
  bool is_utf8() const { return unit_bytes_ == 1 && !latin1_; }

  std::string_view file_;  // without the mark
  std::string decoded_;    // unused if the file is UTF-8
  std::size_t mark_bytes_ = 0;
  std::size_t unit_bytes_ = 1;
  bool latin1_ = false;
};

/// Counts lines up to places that are asked for in rising order; an earlier one is counted from the start.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  /// Returns the line of a place in the text, from 1.
  std::uint32_t line_of(std::size_t at);

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

/// UTF-16, little endian, with a byte order mark. `utf8` is valid.
std::vector<std::byte> encode_utf16(std::string_view utf8);

}  // namespace marrow::anvil
