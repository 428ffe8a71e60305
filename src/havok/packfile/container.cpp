// SPDX-License-Identifier: MIT
#include "havok/packfile/container.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/try.h"
#include "havok/packfile/format.h"
#include "marrow/core/byte_reader.h"

namespace marrow::havok {
namespace {

struct SectionHeader {
  std::uint64_t at = 0;  // of the header itself, for messages
  std::uint32_t start = 0, local_fixups = 0, global_fixups = 0, virtual_fixups = 0, exports = 0, imports = 0, end = 0;
};

std::string version_text(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  return std::string(text.substr(0, std::min(text.find('\0'), text.size())));
}

std::unexpected<Error> unsupported(std::string what, std::uint64_t offset) {
  return fail(ErrorCode::Unsupported, std::move(what), offset, "header");
}

Result<void> read_header(ByteReader& reader, ContainerView& view) {
  if (reader.remaining() == 0) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (reader.remaining() >= 8 && as_text(ByteReader(reader).bytes(8)).substr(4) == "TAG0")
    return unsupported(
        "a Havok tagfile (TAG0, 2015 and later) is not supported; packfiles of " + supported_versions() + " are", 0);
  const std::uint32_t magic0 = reader.u32(), magic1 = reader.u32();
  if (reader.ok() && magic0 == 0xCAB00D1E && magic1 == 0xD011FACE)
    return unsupported(
        "a Havok binary tagfile (CAB00D1E D011FACE) is not supported; export the file as an XML tagfile, or as a "
        "packfile "
        "of " +
            supported_versions(),
        0);
  if (reader.ok() && (magic0 != kMagic0 || magic1 != kMagic1))
    return fail(ErrorCode::BadMagic, "not a Havok packfile: the first 8 bytes are not 57 E0 E0 57 10 C0 C0 10", 0,
                "header");
  view.user_tag = reader.i32();
  const std::int32_t file_version = reader.i32();
  view.pointer_size = reader.u8();
  const std::uint8_t little_endian = reader.u8(), reuse_padding = reader.u8(), empty_base = reader.u8();
  const std::int32_t sections = reader.i32(), contents_section = reader.i32();
  view.root_offset = reader.u32();
  reader.skip(8);  // offset of the root's class name; the virtual fixup of the root states the same
  const std::string name = version_text(reader.bytes(kVersionTextSize));
  view.flags = reader.i32();
  view.max_predicate = reader.u16();
  const std::uint16_t predicate_size = reader.u16();
  MARROW_CHECK(reader.status());
  if (little_endian != 1) return unsupported("a big-endian packfile (console) is not supported", 0x11);
  view.version = find_version(name);
  if (!view.version)
    return unsupported("Havok version '" + name + "' is not supported; " + supported_versions() + " are", 0x28);
  view.schema = builtin_schema(name);
  if (file_version != view.version->file_version)
    return unsupported("file version " + std::to_string(file_version) + " does not match " + name, 0x0C);
  if (view.pointer_size != 4 && view.pointer_size != 8)
    return unsupported("pointer size " + std::to_string(view.pointer_size) + "; it is 4 or 8", 0x10);
  if (reuse_padding != 0)
    return unsupported("a packfile with reused padding (as in Bloodborne) is not supported", 0x12);
  if (empty_base != 1)
    return unsupported("a packfile without the empty base class optimisation is not supported", 0x13);
  if (sections != kSectionCount || contents_section != kData)
    return unsupported(std::to_string(sections) + " sections with the contents in " + std::to_string(contents_section) +
                           "; there are three, the contents in 2",
                       0x14);
  if (view.version->has_predicates) view.predicates = reader.bytes(predicate_size);
  return reader.status();
}

Result<SectionHeader> read_section(ByteReader& reader, std::string_view tag, const ContainerView& view,
                                   std::size_t file_size) {
  SectionHeader section;
  section.at = reader.offset();
  const std::string name = version_text(reader.bytes(kSectionTagSize));
  reader.skip(1);
  section.start = reader.u32();
  for (std::uint32_t* field : {&section.local_fixups, &section.global_fixups, &section.virtual_fixups, &section.exports,
                               &section.imports, &section.end})
    *field = reader.u32();
  reader.skip(view.version->section_header_size - kSectionFieldsSize);
  MARROW_CHECK(reader.status());
  const auto refuse = [&](ErrorCode code, std::string why) {
    return fail(code, std::move(why), section.at, std::string(tag));
  };
  if (name != tag) return refuse(ErrorCode::Malformed, "the section is named '" + name + "'");
  const std::array order = {
      0u,         section.local_fixups, section.global_fixups, section.virtual_fixups, section.exports, section.imports,
      section.end};
  if (!std::ranges::is_sorted(order)) return refuse(ErrorCode::Malformed, "the tables of the section are not in order");
  if (std::uint64_t{section.start} + section.end > file_size)
    return refuse(ErrorCode::Truncated, "the section ends at " +
                                            std::to_string(std::uint64_t{section.start} + section.end) +
                                            ", the file at " + std::to_string(file_size));
  return section;
}

// True if all bytes have the same value and are too few for another multiple of 16. A record never matches: it contains
// the mark 09 and ends in 0.
bool is_padding(std::span<const std::byte> bytes) {
  return bytes.size() < kAlignment && std::ranges::all_of(bytes, [&](std::byte b) { return b == bytes.front(); });
}

// For each byte of the section, the number of the class whose name starts there, or `kNoName`.
using NameStarts = std::vector<std::uint32_t>;
constexpr std::uint32_t kNoName = UINT32_MAX;

Result<NameStarts> read_class_names(std::span<const std::byte> section, std::uint64_t start, ContainerView& view) {
  NameStarts starts(section.size(), kNoName);
  ByteReader reader(section, start);
  while (reader.remaining() > 0) {
    const auto rest = section.subspan(reader.position());
    if (is_padding(rest)) {
      view.class_name_padding = std::to_integer<std::uint8_t>(rest.front());
      break;
    }
    if (rest.size() < 5) break;
    const std::uint32_t signature = reader.u32();
    const std::uint8_t mark = reader.u8();
    if (signature == kNoFixup) break;  // more padding than a multiple of 16 needs
    if (mark != kClassNameMark) reader.set_error(ErrorCode::Malformed, "a class name does not start with 09");
    const auto offset = static_cast<std::uint32_t>(reader.position());
    const std::string_view name = reader.c_string();
    if (Result<void> status = reader.status(); !status) {
      status.error().path = kSectionTags[kClassNames];
      return std::unexpected(status.error());
    }
    starts[offset] = static_cast<std::uint32_t>(view.class_names.size());
    view.class_names.push_back({name, signature, view.schema->find(name)});
  }
  return starts;
}

// Converts the three tables to fixups that lie inside the data.
class FixupReader {
 public:
  FixupReader(std::span<const std::byte> bytes, const SectionHeader& header, ContainerView& view) : view_(view) {
    section_ = bytes.subspan(header.start, header.end);
    header_ = header;
  }

  Result<void> run(const NameStarts& names) {
    const Table<2> locals = table<2>(header_.local_fixups, header_.global_fixups);
    view_.local_fixups.reserve(locals.size());
    for (std::size_t i = 0; i < locals.size(); ++i) {
      const auto [from, to] = locals[i];
      if (from == kNoFixup) continue;
      if (!slot_fits(from) || to >= view_.data.size()) return refuse("local fixup", from, to);
      view_.local_fixups.emplace_back(from, to);
    }
    const Table<3> globals = table<3>(header_.global_fixups, header_.virtual_fixups);
    view_.global_fixups.reserve(globals.size());
    for (std::size_t i = 0; i < globals.size(); ++i) {
      const auto [from, section, to] = globals[i];
      if (from == kNoFixup) continue;
      if (!slot_fits(from) || section != kData || to >= view_.data.size()) return refuse("global fixup", from, to);
      view_.global_fixups.emplace_back(from, to);
    }
    return read_objects(names);
  }

 private:
  // The rows of a table, in the file; those of padding start with `kNoFixup`.
  template <std::size_t kWords>
  class Table {
   public:
    using Row = std::array<std::uint32_t, kWords>;
    explicit Table(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::size_t size() const { return bytes_.size() / sizeof(Row); }
    Row operator[](std::size_t i) const {
      Row row;
      std::memcpy(&row, bytes_.data() + i * sizeof(Row), sizeof(Row));
      return row;
    }

   private:
    std::span<const std::byte> bytes_;
  };

  template <std::size_t kWords>
  Table<kWords> table(std::uint32_t begin, std::uint32_t end) const {
    return Table<kWords>(section_.subspan(begin, end - begin));
  }

  Result<void> read_objects(const NameStarts& names) {
    const Table<3> rows = table<3>(header_.virtual_fixups, header_.exports);
    view_.objects.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto [object, section, name] = rows[i];
      if (object == kNoFixup) continue;
      if (object >= view_.data.size() || section != kClassNames || name >= names.size() || names[name] == kNoName)
        return refuse("virtual fixup", object, name);
      view_.objects.push_back({object, names[name]});
    }
    if (!std::ranges::is_sorted(view_.objects, {}, &VirtualFixup::object))
      std::ranges::sort(view_.objects, {}, &VirtualFixup::object);
    const auto twice = std::ranges::adjacent_find(view_.objects, {}, &VirtualFixup::object);
    if (twice != view_.objects.end()) return refuse("second virtual fixup", twice->object, 0);
    return {};
  }

  bool slot_fits(std::uint32_t from) const {
    return from % 4 == 0 && std::uint64_t{from} + view_.pointer_size <= view_.data.size();
  }
  std::unexpected<Error> refuse(std::string_view what, std::uint32_t from, std::uint32_t to) const {
    return fail(ErrorCode::Malformed,
                "a " + std::string(what) + " from " + std::to_string(from) + " to " + std::to_string(to) +
                    " lies outside its section",
                view_.data_start + std::min<std::uint64_t>(from, view_.data.size()), std::string(kSectionTags[kData]));
  }

  std::span<const std::byte> section_;
  SectionHeader header_;
  ContainerView& view_;
};

}  // namespace

Result<ContainerView> read_container(std::span<const std::byte> bytes) {
  ContainerView view;
  ByteReader reader(bytes);
  MARROW_CHECK(read_header(reader, view));
  std::array<SectionHeader, kSectionCount> sections;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    MARROW_TRY(sections[i], read_section(reader, kSectionTags[i], view, bytes.size()));
  }
  if (sections[kTypes].end != 0)
    return fail(ErrorCode::Unsupported, "a packfile that carries its own class descriptions is not supported",
                sections[kTypes].at, std::string(kSectionTags[kTypes]));
  const SectionHeader& names = sections[kClassNames];
  MARROW_TRY(const NameStarts name_starts,
             read_class_names(bytes.subspan(names.start, names.local_fixups), names.start, view));
  const SectionHeader& data = sections[kData];
  view.data_start = data.start;
  view.data = bytes.subspan(data.start, data.local_fixups);
  MARROW_CHECK(FixupReader(bytes, data, view).run(name_starts));
  return view;
}

}  // namespace marrow::havok
