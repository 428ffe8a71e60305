// SPDX-License-Identifier: MIT
// What precedes the objects of a packfile: its header, and a header per section.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/byte_writer.h"
#include "havok/packfile/format.h"
#include "havok/packfile/packfile.h"
#include "havok/packfile/turn.h"

namespace marrow::havok {

/// Writes numbers in the byte order of a file.
class HeadWriter {
 public:
  HeadWriter(const Packfile& file, ByteWriter& out) : file_(file), out_(out) {}

  /// Writes the header. `root` is the place of the root object in the data, `root_class` that of its class among the
  /// names.
  void header(std::uint32_t root, std::uint32_t root_class) {
    out_.u32(kMagic0);
    out_.u32(kMagic1);
    out_.i32(in_file(file_.user_tag));
    out_.i32(in_file(file_.file_version));
    out_.u8(static_cast<std::uint8_t>(file_.pointer_size));
    out_.u8(file_.is_big_endian ? 0 : 1);
    out_.u8(file_.reuses_padding ? 1 : 0);
    out_.u8(1);  // empty bases take no space
    for (const std::uint32_t value :
         {std::uint32_t{kSectionCount}, std::uint32_t{kData}, root, std::uint32_t{kClassNames}, root_class})
      out_.u32(in_file(value));
    out_.text(file_.schema->version());
    out_.u8(0);
    out_.pad_to(8, 0xFF);
    out_.i32(in_file(file_.flags));
    const bool is_new = has_predicates(file_.file_version);
    out_.u16(in_file(is_new ? file_.max_predicate : std::uint16_t{0xFFFF}));
    out_.u16(in_file(is_new ? static_cast<std::uint16_t>(file_.predicates.size()) : std::uint16_t{0xFFFF}));
    if (!is_new) return;
    const std::size_t at = out_.size();
    out_.bytes(file_.predicates);
    if (file_.is_big_endian) turn<std::uint16_t>(out_.view().subspan(at));
  }

  /// Writes the header of a section. `offsets`: local, global and virtual fixups, exports, imports, end.
  void section(Section section, std::uint32_t start, const std::array<std::uint32_t, 6>& offsets) {
    out_.text(kSectionTags[section]);
    out_.fill(kSectionTagSize - kSectionTags[section].size());
    out_.u8(0xFF);
    out_.u32(in_file(start));
    for (const std::uint32_t value : offsets) out_.u32(in_file(value));
    out_.fill(section_header_size(file_.file_version) - kSectionFieldsSize, 0xFF);
  }

 private:
  template <class T>
  T in_file(T value) const {
    return file_.is_big_endian ? std::byteswap(value) : value;
  }

  const Packfile& file_;
  ByteWriter& out_;
};

}  // namespace marrow::havok
