// SPDX-License-Identifier: MIT
#include "nif/nif_file.h"

#include <algorithm>

#include "core/byte_writer.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/nif_header.h"
#include "nif/schema.h"

// docs/formats/nif-embedding.md describes the container.

namespace marrow {
namespace {

constexpr std::string_view kHeaderLine = "Gamebryo File Format, Version 20.2.0.7\n";
constexpr std::uint32_t kVersion = 0x14020007;
constexpr std::uint32_t kUserVersion = 12;
// Files from this stream on also name the file that they were exported from.
constexpr std::uint32_t kFirstSourcePath = 103;
// A header line longer than this is no header line.
constexpr std::size_t kLongestHeaderLine = 128;

// Returns what a file of another game holds, as far as its header can be read.
std::string content_of(std::span<const std::byte> bytes, const Limits& limits) {
  const auto header = read_nif_header(bytes, limits);
  return header && !header->types.empty() ? "; it is a " + describe(*header) : std::string();
}

Result<void> read_header_line(ByteReader& reader, std::string_view text) {
  const std::size_t end = text.substr(0, kLongestHeaderLine).find('\n');
  const bool gamebryo = text.starts_with("Gamebryo File Format") || text.starts_with("NetImmerse File Format");
  if (!gamebryo) return fail(ErrorCode::BadMagic, "not a NIF: the file does not start with 'Gamebryo File Format'", 0);
  if (end == std::string_view::npos)
    return fail(ErrorCode::Truncated, "the NIF header line has no end", std::min(text.size(), kLongestHeaderLine));
  if (text.substr(0, end + 1) != kHeaderLine)
    return fail(ErrorCode::Unsupported,
                "this NIF is from another game ('" + std::string(trim(text.substr(0, end))) +
                    "'); only Skyrim and Fallout 4 (20.2.0.7) are supported",
                0);
  reader.skip(end + 1);
  return {};
}

Result<void> read_versions(ByteReader& reader, NifFile& file, std::uint32_t& block_count) {
  const std::uint64_t at = reader.offset();
  const std::uint32_t version = reader.u32();
  const std::uint8_t little_endian = reader.u8();
  const std::uint32_t user_version = reader.u32();
  block_count = reader.u32();
  const std::uint64_t release_at = reader.offset();
  const std::uint32_t release = file.stream = reader.u32();
  MARROW_CHECK(reader.status());
  if (version != kVersion)
    return fail(ErrorCode::Unsupported,
                "NIF version " + nif_version_text(version) + " is not supported; Skyrim and Fallout 4 use 20.2.0.7",
                at);
  if (little_endian != 1)
    return fail(ErrorCode::Unsupported, "this is a big-endian (console) NIF; only PC files are supported", at + 4);
  if (!nif::is_known_stream(release) || user_version != kUserVersion) {
    const std::string_view game = nif_game(version, release), why = why_not_read(version, release);
    return fail(ErrorCode::Unsupported,
                "this NIF is of " + std::string(game.empty() ? "an unknown game" : game) + " (user version " +
                    std::to_string(user_version) + ", Bethesda version " + std::to_string(release) + ") and not read" +
                    (why.empty() ? "" : ": " + std::string(why)) +
                    "; Skyrim LE (12, 83), Skyrim SE (12, 100) and Fallout 4 (12, 130) are supported",
                release_at);
  }
  return {};
}

// The texts about the export that files of this stream have.
auto export_info_of(auto& file) { return std::span(file.export_info).first(file.stream < kFirstSourcePath ? 3 : 4); }

std::string read_string(ByteReader& reader, std::size_t length) { return std::string(as_text(reader.bytes(length))); }

// A count is accepted only if the remaining bytes could hold that many entries.
std::uint32_t read_count(ByteReader& reader, std::size_t entry_bytes, const Limits& limits, std::string_view what) {
  const std::uint32_t count = reader.u32();
  if (!reader.ok()) return 0;
  if (count > limits.max_objects) {
    reader.set_error(ErrorCode::LimitExceeded, std::to_string(count) + " " + std::string(what) +
                                                   " are more than the limit of " + std::to_string(limits.max_objects));
    return 0;
  }
  if (count > reader.remaining() / entry_bytes) {
    reader.set_error(ErrorCode::Truncated, std::to_string(count) + " " + std::string(what) + " do not fit in the file");
    return 0;
  }
  return count;
}

void read_tables(ByteReader& reader, NifFile& file, std::vector<std::uint32_t>& sizes, const Limits& limits) {
  const std::size_t block_count = file.blocks.size();
  const std::uint16_t type_count = reader.u16();
  for (std::uint16_t i = 0; i < type_count && reader.ok(); ++i) file.types.push_back(read_string(reader, reader.u32()));
  for (NifBlock& block : file.blocks) {
    block.type = reader.u16();
    if (reader.ok() && (block.type & kTypeIndexMask) >= type_count)
      reader.set_error(ErrorCode::Malformed, "a block has type " + std::to_string(block.type) + ", but there are " +
                                                 std::to_string(type_count) + " types");
  }
  sizes.resize(block_count);
  for (std::uint32_t& size : sizes) size = reader.u32();
  const std::uint32_t string_count = read_count(reader, 4, limits, "strings");
  file.longest_string = reader.u32();
  for (std::uint32_t i = 0; i < string_count && reader.ok(); ++i)
    file.strings.push_back(read_string(reader, reader.u32()));
  const std::uint32_t group_count = read_count(reader, 4, limits, "groups");
  for (std::uint32_t i = 0; i < group_count; ++i) file.groups.push_back(reader.u32());
}

}  // namespace

std::string_view NifFile::type_of(std::int32_t block) const {
  if (!has_block(block)) return {};
  const std::size_t type = blocks[static_cast<std::size_t>(block)].type & kTypeIndexMask;
  return type < types.size() ? std::string_view(types[type]) : std::string_view();
}

std::string_view NifFile::string_at(std::int32_t index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= strings.size()) return {};
  return strings[static_cast<std::size_t>(index)];
}

Result<NifFile> read_nif(std::span<const std::byte> bytes, const Limits& limits) {
  NifFile file;
  ByteReader reader(bytes);
  const auto with_content = [&](Error error) {
    if (error.code == ErrorCode::Unsupported) error.message += content_of(bytes, limits);
    return std::unexpected(std::move(error));
  };
  if (auto line = read_header_line(reader, as_text(bytes)); !line) return with_content(std::move(line.error()));
  std::uint32_t block_count = 0;
  const std::uint64_t count_at = reader.offset() + 9;
  if (auto versions = read_versions(reader, file, block_count); !versions)
    return with_content(std::move(versions.error()));
  if (block_count > limits.max_objects)
    return fail(ErrorCode::LimitExceeded, std::to_string(block_count) + " blocks are more than the limit", count_at);
  if (block_count > reader.remaining() / 6)  // a type index and a size each
    return fail(ErrorCode::Truncated, std::to_string(block_count) + " blocks do not fit in the file", count_at);
  for (std::string& text : export_info_of(file)) text = read_string(reader, reader.u8());
  file.blocks.resize(block_count);
  std::vector<std::uint32_t> sizes;
  read_tables(reader, file, sizes, limits);
  MARROW_CHECK(reader.status());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto data = reader.bytes(sizes[i]);
    if (!reader.ok())
      return fail(ErrorCode::Truncated,
                  "the file ends inside block " + std::to_string(i) + " (" +
                      std::string(file.type_of(static_cast<std::int32_t>(i))) + ", " + std::to_string(sizes[i]) +
                      " bytes)",
                  reader.offset(), "blocks[" + std::to_string(i) + "]");
    file.blocks[i].bytes.assign(data.begin(), data.end());
  }
  const std::uint32_t root_count = read_count(reader, 4, limits, "roots");
  for (std::uint32_t i = 0; i < root_count; ++i) file.roots.push_back(reader.i32());
  MARROW_CHECK(reader.status());
  const auto rest = reader.bytes(reader.remaining());
  file.trailing.assign(rest.begin(), rest.end());
  return file;
}

std::vector<std::byte> write_nif(const NifFile& file) {
  const auto size32 = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
  ByteWriter writer;
  writer.text(kHeaderLine);
  writer.u32(kVersion);
  writer.u8(1);
  writer.u32(kUserVersion);
  writer.u32(size32(file.blocks.size()));
  writer.u32(file.stream);
  for (const std::string& text : export_info_of(file)) {
    writer.u8(static_cast<std::uint8_t>(text.size()));
    writer.text(text);
  }
  writer.u16(static_cast<std::uint16_t>(file.types.size()));
  const auto long_string = [&](const std::string& text) {
    writer.u32(size32(text.size()));
    writer.text(text);
  };
  for (const std::string& type : file.types) long_string(type);
  for (const NifBlock& block : file.blocks) writer.u16(block.type);
  for (const NifBlock& block : file.blocks) writer.u32(size32(block.bytes.size()));
  writer.u32(size32(file.strings.size()));
  writer.u32(file.longest_string);
  for (const std::string& text : file.strings) long_string(text);
  writer.u32(size32(file.groups.size()));
  for (const std::uint32_t group : file.groups) writer.u32(group);
  for (const NifBlock& block : file.blocks) writer.bytes(block.bytes);
  writer.u32(size32(file.roots.size()));
  for (const std::int32_t root : file.roots) writer.i32(root);
  writer.bytes(file.trailing);
  return writer.take();
}

std::int32_t add_block(NifFile& file, std::string_view type, std::vector<std::byte> bytes) {
  auto found = std::ranges::find(file.types, type);
  if (found == file.types.end()) found = file.types.insert(found, std::string(type));
  file.blocks.push_back({static_cast<std::uint16_t>(found - file.types.begin()), std::move(bytes)});
  return static_cast<std::int32_t>(file.blocks.size() - 1);
}

std::int32_t add_string(NifFile& file, std::string_view text) {
  auto found = std::ranges::find(file.strings, text);
  if (found == file.strings.end()) found = file.strings.insert(found, std::string(text));
  file.longest_string = std::max(file.longest_string, static_cast<std::uint32_t>(text.size()));
  return static_cast<std::int32_t>(found - file.strings.begin());
}

}  // namespace marrow
