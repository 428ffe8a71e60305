// SPDX-License-Identifier: MIT
// The sections of a tagfile: a length with flags, four letters, and data or further sections.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"

namespace marrow::havok {

struct TagSection {
  std::string_view tag;                ///< four letters
  std::uint64_t at = 0;                ///< of its content, in the file
  std::span<const std::byte> whole;    ///< with its header
  std::span<const std::byte> content;  ///< of a section with sections: theirs, one after another
  bool is_leaf = false;
};

/// The size of a section's header, and the bit that says that it holds no sections.
inline constexpr std::size_t kSectionHeader = 8;
inline constexpr std::uint32_t kLeaf = 0x40000000;
inline constexpr std::uint32_t kLengthMask = 0x3FFFFFFF;

/// Splits bytes, which start at `at` in the file, into sections. Fails if one is longer than what is left.
Result<std::vector<TagSection>> split_sections(std::span<const std::byte> bytes, std::uint64_t at);

/// Returns the first section with one of these names; null if there is none.
const TagSection* find_section(std::span<const TagSection> sections, std::string_view tag,
                               std::string_view or_tag = {});

/// Reads packed numbers: big-endian, the length is in the first byte.
class PackedReader {
 public:
  explicit PackedReader(const TagSection& section) : bytes_(section.content), at_(section.at) {}

  bool at_end() const { return position_ >= bytes_.size() || has_failed_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  /// Returns the next number; 0 and a failure if there is none.
  std::uint64_t next();
  /// Returns a number that must be below `limit`; fails otherwise.
  std::uint32_t index(std::uint64_t limit);
  std::uint32_t u32() { return index(std::uint64_t{1} << 32); }
  std::uint32_t raw_u32();
  bool has_failed() const { return has_failed_; }
  std::unexpected<Error> refuse(std::string what) const;

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t at_;
  std::size_t position_ = 0;
  bool has_failed_ = false;
};

}  // namespace marrow::havok
