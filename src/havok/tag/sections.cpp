// SPDX-License-Identifier: MIT
#include "havok/tag/sections.h"

#include <algorithm>
#include <bit>
#include <string>

#include "marrow/core/byte_reader.h"

namespace marrow::havok {

Result<std::vector<TagSection>> split_sections(std::span<const std::byte> bytes, std::uint64_t at) {
  std::vector<TagSection> sections;
  for (std::size_t position = 0; position < bytes.size();) {
    const std::size_t left = bytes.size() - position;
    if (left < kSectionHeader)
      return fail(ErrorCode::Truncated, "a section of the tagfile is cut off", at + position, "sections");
    const auto head = std::byteswap(load<std::uint32_t>(bytes, position));
    const std::size_t length = head & kLengthMask;
    if (length < kSectionHeader || length > left)
      return fail(ErrorCode::Truncated,
                  "a section states " + std::to_string(length) + " bytes, and " + std::to_string(left) + " are left",
                  at + position, "sections");
    const auto whole = bytes.subspan(position, length);
    sections.push_back({as_text(whole.subspan(4, 4)), at + position + kSectionHeader, whole,
                        whole.subspan(kSectionHeader), (head & kLeaf) != 0});
    position += length;
  }
  return sections;
}

const TagSection* find_section(std::span<const TagSection> sections, std::string_view tag, std::string_view or_tag) {
  const auto found = std::ranges::find_if(sections, [&](const TagSection& section) {
    return section.tag == tag || (!or_tag.empty() && section.tag == or_tag);
  });
  return found == sections.end() ? nullptr : &*found;
}

std::uint64_t PackedReader::next() {
  // By the leading ones of the first byte: bytes in all, and bits that belong to the number.
  struct Form {
    unsigned mask, mark, bytes, bits;
  };
  constexpr std::array<Form, 6> kForms = {{{0x80, 0x00, 1, 7},
                                           {0xC0, 0x80, 2, 14},
                                           {0xE0, 0xC0, 3, 21},
                                           {0xF8, 0xE0, 4, 27},
                                           {0xF8, 0xE8, 5, 35},
                                           {0xF8, 0xF0, 8, 59}}};
  if (at_end()) {
    has_failed_ = true;
    return 0;
  }
  const auto first = std::to_integer<unsigned>(bytes_[position_]);
  const auto form = std::ranges::find_if(kForms, [&](const Form& f) { return (first & f.mask) == f.mark; });
  if (form == kForms.end() || remaining() < form->bytes) {
    has_failed_ = true;
    return 0;
  }
  std::uint64_t value = 0;
  for (unsigned i = 0; i < form->bytes; ++i) value = value << 8 | std::to_integer<std::uint64_t>(bytes_[position_ + i]);
  position_ += form->bytes;
  return value & ((std::uint64_t{1} << form->bits) - 1);
}

std::uint32_t PackedReader::index(std::uint64_t limit) {
  const std::uint64_t value = next();
  if (value < limit) return static_cast<std::uint32_t>(value);
  has_failed_ = true;
  return 0;
}

std::uint32_t PackedReader::raw_u32() {
  if (remaining() < 4) {
    has_failed_ = true;
    return 0;
  }
  const auto value = load<std::uint32_t>(bytes_, position_);
  position_ += 4;
  return value;
}

std::unexpected<Error> PackedReader::refuse(std::string what) const {
  return fail(ErrorCode::Malformed, std::move(what), at_ + position_, "TYPE");
}

}  // namespace marrow::havok
