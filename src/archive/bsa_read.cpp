// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "archive/names.h"
#include "archive/read.h"
#include "core/try.h"

namespace marrow::archive {
namespace {

constexpr std::size_t kBsaHeader = 36;
constexpr std::size_t kBsaFileRecord = 16;
constexpr std::uint32_t kInvertsPacking = 1u << 30;
constexpr std::uint32_t kSizeMask = kInvertsPacking - 1;
constexpr std::uint32_t kOffsetMask = 0x7FFFFFFF;
constexpr std::size_t kLongestEmbeddedName = 255;

// What the header says about the tables.
struct BsaTables {
  std::uint32_t folders = 0, files = 0, folder_name_bytes = 0, file_name_bytes = 0;
  std::size_t folder_record_bytes = 0;
};

// A file record with the two parts of its name, as far as the tables have them.
struct BsaRecord {
  std::string folder = {}, file = {};
  std::uint32_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t at = 0;  // where the record is
};

std::uint64_t stored_hash(ByteReader& reader, bool xbox_order) {
  const std::uint64_t hash = reader.u64();
  if (!xbox_order) return hash;
  const auto upper = __builtin_bswap32(static_cast<std::uint32_t>(hash >> 32));
  return std::uint64_t{upper} << 32 | (hash & 0xFFFFFFFF);
}

Result<BsaTables> read_bsa_header(Archive& archive) {
  const ByteSource& source = *archive.source;
  if (source.size() < kBsaHeader) return fail(ErrorCode::Truncated, "the header of the archive is cut short", 0);
  MARROW_TRY(const std::vector<std::byte> bytes, bytes_at(source, 0, kBsaHeader));
  ByteReader reader(bytes);
  reader.skip(4);
  archive.version = reader.u32();
  if (archive.version < 103 || archive.version > 105)
    return fail(ErrorCode::Unsupported,
                "version " + std::to_string(archive.version) + " of BSA is not supported; 103, 104 and 105 are", 4);
  if (const std::uint32_t start = reader.u32(); start != kBsaHeader)
    return fail(ErrorCode::Malformed, "the header claims " + std::to_string(start) + " bytes; it has 36", 8);
  archive.flags = reader.u32();
  // The bit means nothing before version 104; real archives have it set and embed no names.
  BsaTables tables{.folders = reader.u32(),
                   .files = reader.u32(),
                   .folder_name_bytes = reader.u32(),
                   .file_name_bytes = reader.u32()};
  tables.folder_record_bytes = archive.version == 105 ? 24 : 16;
  return tables;
}

// Reads all tables at once. Their size is checked against the archive's before anything is allocated.
Result<std::vector<std::byte>> table_bytes(const Archive& archive, const BsaTables& tables, const Limits& limits) {
  const std::uint64_t names =
      (archive.flags & kFolderNames ? std::uint64_t{tables.folder_name_bytes} + tables.folders : 0) +
      (archive.flags & kFileNames ? tables.file_name_bytes : 0);
  const std::uint64_t bytes =
      std::uint64_t{tables.folders} * tables.folder_record_bytes + std::uint64_t{tables.files} * kBsaFileRecord + names;
  if (bytes > archive.source->size() - kBsaHeader)
    return fail(ErrorCode::Truncated,
                std::to_string(tables.folders) + " folders and " + std::to_string(tables.files) +
                    " files need tables of " + std::to_string(bytes) + " bytes; the archive has " +
                    std::to_string(archive.source->size()),
                16);
  if (tables.files > limits.max_objects || tables.folders > limits.max_objects)
    return fail(ErrorCode::LimitExceeded,
                "the archive has " + std::to_string(tables.files) + " files; at most " +
                    std::to_string(limits.max_objects) + " are read",
                16);
  return bytes_at(*archive.source, kBsaHeader, static_cast<std::size_t>(bytes));
}

Result<void> read_folders(Archive& archive, const BsaTables& tables, ByteReader& reader) {
  std::size_t entries = 0;
  for (std::uint32_t i = 0; i < tables.folders; ++i) {
    Folder folder{.hash = stored_hash(reader, archive.flags & kXboxOrder)};
    folder.first_entry = entries;
    folder.entry_count = reader.u32();
    if (tables.folder_record_bytes == 24) reader.skip(4);
    folder.stated_offset = tables.folder_record_bytes == 24 ? reader.u64() : reader.u32();
    entries += folder.entry_count;
    if (entries > tables.files)
      return fail(ErrorCode::Malformed,
                  "the folders have more files than the " + std::to_string(tables.files) + " of the header",
                  reader.offset());
    archive.folders.push_back(folder);
  }
  if (entries != tables.files)
    return fail(ErrorCode::Malformed,
                "the folders have " + std::to_string(entries) + " files, the header " + std::to_string(tables.files),
                20);
  return reader.status();
}

// The blocks follow one another. The offsets of the folder records are often wrong and not needed.
Result<std::vector<BsaRecord>> read_blocks(Archive& archive, const BsaTables& tables, ByteReader& reader) {
  std::vector<BsaRecord> records;
  records.reserve(tables.files);
  const bool has_names = archive.flags & kFolderNames;
  for (Folder& folder : archive.folders) {
    folder.right_offset = reader.offset() + tables.file_name_bytes;
    std::string name;
    if (has_names) {
      const std::size_t length = reader.u8();
      name = as_text(reader.bytes(length));
      if (!reader.ok() || name.empty() || name.back() != '\0')
        return fail(ErrorCode::Malformed, "the name of a folder does not end in its table", reader.offset());
      name.pop_back();
    }
    for (std::size_t i = 0; i < folder.entry_count; ++i) {
      BsaRecord record{.folder = name, .at = reader.offset()};
      archive.entries.push_back(
          {.folder_hash = folder.hash, .file_hash = stored_hash(reader, archive.flags & kXboxOrder)});
      record.size = reader.u32();
      record.offset = reader.u32() & kOffsetMask;
      MARROW_CHECK(check_inside(*archive.source, record.offset, record.size & kSizeMask, record.at, name));
      records.push_back(std::move(record));
    }
  }
  MARROW_CHECK(reader.status());
  return records;
}

Result<void> read_file_names(std::vector<BsaRecord>& records, std::uint32_t name_bytes, ByteReader& reader) {
  ByteReader names(reader.bytes(name_bytes), reader.offset() - name_bytes);
  MARROW_CHECK(reader.status());
  for (BsaRecord& record : records) record.file = names.c_string();
  if (!names.ok())
    return fail(ErrorCode::Malformed, "the names of the files do not end in their table", names.offset());
  return {};
}

// Reads what stands before the bytes of a file: its name, its unpacked size.
Result<void> read_prefix(const Archive& archive, const BsaRecord& record, Entry& entry, std::string& embedded) {
  Chunk chunk{.offset = record.offset, .stored = record.size & kSizeMask};
  chunk.is_packed = bool(archive.flags & kCompressed) != bool(record.size & kInvertsPacking);
  const bool has_name = archive.version >= 104 && archive.flags & kEmbeddedNames;
  if (chunk.stored == 0) chunk.is_packed = false;  // an empty file has no room for a size
  const std::size_t prefix =
      std::min<std::size_t>(chunk.stored, (has_name ? 1 + kLongestEmbeddedName : 0) + (chunk.is_packed ? 4 : 0));
  MARROW_TRY(const std::vector<std::byte> bytes, bytes_at(*archive.source, chunk.offset, prefix));
  ByteReader reader(bytes, chunk.offset);
  if (has_name && chunk.stored > 0) {
    const std::size_t length = reader.u8();
    embedded = as_text(reader.bytes(length));
  }
  if (chunk.is_packed) chunk.unpacked = reader.u32();
  if (!reader.ok())
    return fail(ErrorCode::Malformed, "the data of a file are too short for its name and size", record.offset,
                record.file);
  chunk.offset += reader.position();
  chunk.stored -= static_cast<std::uint32_t>(reader.position());
  if (!chunk.is_packed) chunk.unpacked = chunk.stored;
  entry.is_xmem = chunk.is_packed && archive.version >= 104 && archive.flags & kXmem;
  entry.chunks.push_back(chunk);
  return {};
}

// The tables win over an embedded name: of files that share data, the data have the name of one only.
void name_entry(const Archive& archive, const BsaRecord& record, const std::string& embedded, Entry& entry) {
  const bool has_folder = archive.flags & kFolderNames, has_file = archive.flags & kFileNames;
  const auto [embedded_folder, embedded_file] = split_folder(embedded);
  const std::string_view folder = has_folder ? std::string_view(record.folder) : embedded_folder;
  const std::string_view file = has_file ? std::string_view(record.file) : embedded_file;
  const bool is_root = (folder == "." || folder.empty()) && (has_folder || !embedded.empty());
  if ((has_folder || !embedded.empty()) && (has_file || !embedded.empty()))
    entry.name = (is_root ? std::string() : std::string(folder) + '\\') + std::string(file);
  std::string shown =
      is_root ? "" : (has_folder || !embedded.empty() ? shown_path(folder) : hex(entry.folder_hash, 16)) + '/';
  entry.path = shown + (has_file || !embedded.empty() ? shown_path(file) : hex(entry.file_hash, 16));
}

}  // namespace

Result<void> read_bsa(Archive& archive, const Limits& limits) {
  MARROW_TRY(const BsaTables tables, read_bsa_header(archive));
  MARROW_TRY(const std::vector<std::byte> bytes, table_bytes(archive, tables, limits));
  ByteReader reader(bytes, kBsaHeader);
  MARROW_CHECK(read_folders(archive, tables, reader));
  archive.entries.reserve(tables.files);
  MARROW_TRY(std::vector<BsaRecord> records, read_blocks(archive, tables, reader));
  if (archive.flags & kFileNames) MARROW_CHECK(read_file_names(records, tables.file_name_bytes, reader));
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string embedded;
    MARROW_CHECK(read_prefix(archive, records[i], archive.entries[i], embedded));
    name_entry(archive, records[i], embedded, archive.entries[i]);
  }
  return {};
}

}  // namespace marrow::archive
