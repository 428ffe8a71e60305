// SPDX-License-Identifier: MIT
#include "havok/packfile/container.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "core/try.h"
#include "havok/packfile/described_classes.h"
#include "havok/packfile/format.h"
#include "havok/packfile/turn.h"
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

// Reads numbers in the byte order of a file.
class FileReader {
 public:
  FileReader(ByteReader reader, bool is_turned) : reader_(reader), is_turned_(is_turned) {}

  template <Scalar T>
  T number() {
    const T value = reader_.read<T>();
    return is_turned_ ? std::byteswap(value) : value;
  }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  ByteReader& bytes() { return reader_; }

 private:
  ByteReader reader_;
  bool is_turned_;
};

Result<void> check_magic(ByteReader reader) {
  if (reader.remaining() == 0) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (reader.remaining() >= 8 && as_text(ByteReader(reader).bytes(8)).substr(4) == "TAG0")
    return unsupported("the file is a Havok tagfile (TAG0), not a packfile", 0);
  const std::uint32_t magic0 = reader.u32(), magic1 = reader.u32();
  if (reader.ok() && magic0 == 0xCAB00D1E && magic1 == 0xD011FACE)
    return unsupported(
        "a Havok binary tagfile (CAB00D1E D011FACE) is not supported; export the file as an XML tagfile, or as a "
        "packfile of " +
            supported_versions(),
        0);
  if (reader.ok() && (magic0 != kMagic0 || magic1 != kMagic1))
    return fail(ErrorCode::BadMagic, "not a Havok packfile: the first 8 bytes are not 57 E0 E0 57 10 C0 C0 10", 0,
                "header");
  return {};
}

// The four bytes that say how objects are laid out. They come before the first number that depends on them.
Result<FileLayout> read_layout(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  reader.skip(kLayoutOffset);
  const std::uint8_t pointer_size = reader.u8(), little_endian = reader.u8(), reuse_padding = reader.u8(),
                     empty_base = reader.u8();
  MARROW_CHECK(reader.status());
  if (pointer_size != 4 && pointer_size != 8)
    return unsupported("pointer size " + std::to_string(pointer_size) + "; it is 4 or 8", kLayoutOffset);
  if (little_endian > 1) return unsupported("byte order " + std::to_string(little_endian) + "; it is 0 or 1", 0x11);
  if (reuse_padding > 1)
    return unsupported("reuse of padding " + std::to_string(reuse_padding) + "; it is 0 or 1", 0x12);
  if (empty_base != 1)
    return unsupported("a packfile without the empty base class optimisation is not supported", 0x13);
  return FileLayout{pointer_size, little_endian == 0, reuse_padding == 1};
}

Result<void> read_header(FileReader& reader, ContainerView& view) {
  reader.bytes().skip(8);
  view.user_tag = reader.number<std::int32_t>();
  view.file_version = reader.number<std::int32_t>();
  reader.bytes().skip(4);
  const auto sections = reader.number<std::int32_t>(), contents_section = reader.number<std::int32_t>();
  view.root_offset = reader.u32();
  reader.bytes().skip(8);  // offset of the root's class name; the virtual fixup of the root states the same
  const std::string name = version_text(reader.bytes().bytes(kVersionTextSize));
  view.flags = reader.number<std::int32_t>();
  view.max_predicate = reader.number<std::uint16_t>();
  const auto predicate_size = reader.number<std::uint16_t>();
  MARROW_CHECK(reader.bytes().status());
  view.version = find_version(name);
  if (!view.version)
    return unsupported("Havok version '" + name + "' is not supported; " + supported_versions() + " are", 0x28);
  view.schema = builtin_schema(name);
  // What a version that no file of was at hand has there is not known.
  if (view.version->is_tested && view.file_version != view.version->file_version)
    return unsupported("file version " + std::to_string(view.file_version) + " does not match " + name, 0x0C);
  if (sections != kSectionCount || contents_section != kData)
    return unsupported(std::to_string(sections) + " sections with the contents in " + std::to_string(contents_section) +
                           "; there are three, the contents in 2",
                       0x14);
  if (has_predicates(view.file_version)) {
    const auto predicates = reader.bytes().bytes(predicate_size);
    view.predicates.assign(predicates.begin(), predicates.end());
    if (view.layout.is_big_endian) turn<std::uint16_t>(view.predicates);
  }
  return reader.bytes().status();
}

Result<SectionHeader> read_section(FileReader& reader, std::string_view tag, const ContainerView& view,
                                   std::size_t file_size) {
  SectionHeader section;
  section.at = reader.bytes().offset();
  const std::string name = version_text(reader.bytes().bytes(kSectionTagSize));
  reader.bytes().skip(1);
  section.start = reader.u32();
  for (std::uint32_t* field : {&section.local_fixups, &section.global_fixups, &section.virtual_fixups, &section.exports,
                               &section.imports, &section.end})
    *field = reader.u32();
  reader.bytes().skip(section_header_size(view.file_version) - kSectionFieldsSize);
  MARROW_CHECK(reader.bytes().status());
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

// Returns a class of the tables with the layout that the objects of a file have; null if it is unknown, or known with
// other members. In a version without tested files the members follow from its neighbours, whatever the signature.
const Class* class_for(const ContainerView& view, const Class* known, std::uint32_t signature) {
  if (!known) return nullptr;
  const bool is_any =
      !view.version->is_beyond && (known->signature == 0 || (!view.version->is_tested && !known->is_borrowed));
  return known->signature == signature || is_any ? view.schema->find(known->name, view.layout) : nullptr;
}

// The names and signatures of a section of class names, as far as they can be read.
std::vector<ClassSignature> listed_classes(std::span<const std::byte> section, bool is_big_endian) {
  std::vector<ClassSignature> all;
  ByteReader reader(section, 0);
  while (reader.remaining() > 5) {
    const auto signature = reader.u32();
    if (reader.u8() != kClassNameMark) break;
    const std::string_view name = reader.c_string();
    if (!reader.ok()) break;
    all.push_back({std::string(name), is_big_endian ? std::byteswap(signature) : signature});
  }
  return all;
}

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
    const auto stored = reader.u32();
    const std::uint32_t signature = view.layout.is_big_endian ? std::byteswap(stored) : stored;
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
    const Class* known = view.schema->find(name);
    if (known && known->is_borrowed && known->signature != signature) known = nullptr;
    view.class_names.push_back({name, signature, known, class_for(view, known, signature)});
  }
  return starts;
}

// Converts the three tables to fixups that lie inside the data.
class FixupReader {
 public:
  FixupReader(std::span<const std::byte> bytes, const SectionHeader& header, ContainerView& view)
      : section_(bytes.subspan(header.start, header.end)), header_(header), view_(view) {
    if (!view.layout.is_big_endian) return;
    // The tables are turned as a whole, so that reading a row is the same for every file.
    turned_.assign(section_.begin(), section_.end());
    const std::array borders = {header.local_fixups, header.global_fixups, header.virtual_fixups, header.exports};
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      turn<std::uint32_t>(std::span(turned_).subspan(borders[i], borders[i + 1] - borders[i]));
    section_ = turned_;
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
      if (section == kTypes && slot_fits(from) && to < view_.types.bytes.size()) {
        view_.type_fixups.push_back({static_cast<std::uint32_t>(view_.global_fixups.size()), from, to});
        continue;
      }
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
    return from % 4 == 0 && std::uint64_t{from} + view_.layout.pointer_size <= view_.data.size();
  }
  std::unexpected<Error> refuse(std::string_view what, std::uint32_t from, std::uint32_t to) const {
    return fail(ErrorCode::Malformed,
                "a " + std::string(what) + " from " + std::to_string(from) + " to " + std::to_string(to) +
                    " lies outside its section",
                view_.data_start + std::min<std::uint64_t>(from, view_.data.size()), std::string(kSectionTags[kData]));
  }

  std::span<const std::byte> section_;
  std::vector<std::byte> turned_;  // the section of a big-endian file, with its tables in our order
  SectionHeader header_;
  ContainerView& view_;
};

}  // namespace

Result<ContainerView> read_container(std::span<const std::byte> bytes, const Limits* limits_of_descriptions) {
  ContainerView view;
  MARROW_CHECK(check_magic(ByteReader(bytes)));
  MARROW_TRY(view.layout, read_layout(bytes));
  FileReader reader(ByteReader(bytes), view.layout.is_big_endian);
  MARROW_CHECK(read_header(reader, view));
  std::array<SectionHeader, kSectionCount> sections;
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    MARROW_TRY(sections[i], read_section(reader, kSectionTags[i], view, bytes.size()));
  }
  const SectionHeader& types = sections[kTypes];
  if (types.end != 0) {
    const auto content = bytes.subspan(types.start, types.end);
    view.types.bytes.assign(content.begin(), content.end());
    view.types.offsets = {types.local_fixups, types.global_fixups, types.virtual_fixups,
                          types.exports,      types.imports,       types.end};
  }
  const SectionHeader& names = sections[kClassNames];
  if (limits_of_descriptions && types.end != 0) {
    const auto listed = bytes.subspan(names.start, names.local_fixups);
    const StatedClasses stated = read_stated_classes(view.types, listed, view.layout, *limits_of_descriptions);
    view.own_schema = schema_with_stated(*view.schema, stated, listed_classes(listed, view.layout.is_big_endian),
                                         view.layout, *limits_of_descriptions);
    if (view.own_schema) view.schema = view.own_schema.get();
  }
  MARROW_TRY(const NameStarts name_starts,
             read_class_names(bytes.subspan(names.start, names.local_fixups), names.start, view));
  const SectionHeader& data = sections[kData];
  view.data_start = data.start;
  view.data = bytes.subspan(data.start, data.local_fixups);
  MARROW_CHECK(FixupReader(bytes, data, view).run(name_starts));
  return view;
}

}  // namespace marrow::havok
