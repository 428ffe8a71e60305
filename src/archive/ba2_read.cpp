// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "archive/names.h"
#include "archive/read.h"
#include "core/try.h"

namespace marrow::archive {
namespace {

constexpr std::uint32_t kSentinel = 0xBAADF00D;

// The two kinds of records, as data.
struct RecordKind {
  std::string_view word;
  std::size_t record_bytes, chunk_bytes;
  std::uint16_t stated_bytes;  // what a record says of itself
};
constexpr RecordKind kGeneral{"GNRL", 16, 20, 16};
constexpr RecordKind kTextures{"DX10", 24, 24, 24};

// Tables of unknown length, read piece by piece.
class TableReader {
 public:
  TableReader(const ByteSource& source, std::uint64_t offset) : source_(source), next_(offset) {}

  // Returns the next `count` bytes, which are valid until the next call.
  Result<std::span<const std::byte>> take(std::size_t count) {
    if (count > buffer_.size() - at_) MARROW_CHECK(refill(count));
    const std::span<const std::byte> bytes = std::span<const std::byte>(buffer_).subspan(at_, count);
    at_ += count;
    return bytes;
  }
  std::uint64_t offset() const { return next_ - (buffer_.size() - at_); }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;

  Result<void> refill(std::size_t count) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t kept = buffer_.size();
    const std::uint64_t left = next_ < source_.size() ? source_.size() - next_ : 0;
    if (count - kept > left) return beyond_end(offset(), count, source_.size());
    buffer_.resize(kept + static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max(kPiece, count - kept))));
    MARROW_CHECK(source_.read(next_, std::span(buffer_).subspan(kept)));
    next_ += buffer_.size() - kept;
    return {};
  }

  const ByteSource& source_;
  std::uint64_t next_;  // of what is not in the buffer yet
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
};

struct Ba2Header {
  const RecordKind* kind = nullptr;
  std::uint32_t files = 0;
  std::uint64_t names = 0, bytes = 0;
};

Result<Ba2Header> read_ba2_header(Archive& archive) {
  TableReader table(*archive.source, 0);
  MARROW_TRY(const std::span<const std::byte> bytes, table.take(24));
  ByteReader reader(bytes);
  reader.skip(4);
  archive.version = reader.u32();
  if (archive.version != 1 && archive.version != 2 && archive.version != 3 && archive.version != 7 &&
      archive.version != 8)
    return fail(ErrorCode::Unsupported,
                "version " + std::to_string(archive.version) + " of BA2 is not supported; 1, 2, 3, 7 and 8 are", 4);
  const std::string_view word = as_text(reader.bytes(4));
  if (word != kGeneral.word && word != kTextures.word)
    return fail(ErrorCode::Unsupported, "the archive is neither GNRL nor DX10", 8);
  Ba2Header header{.kind = word == kGeneral.word ? &kGeneral : &kTextures,
                   .files = reader.u32(),
                   .names = reader.u64(),
                   .bytes = 24};
  if (archive.version == 2 || archive.version == 3) {
    MARROW_CHECK(table.take(8));
    header.bytes += 8;
  }
  if (archive.version == 3) {
    MARROW_TRY(const std::span<const std::byte> method, table.take(4));
    archive.packs_with_lz4 = ByteReader(method).u32() == 3;
    header.bytes += 4;
  }
  return header;
}

Result<void> check_counts(const Archive& archive, const Ba2Header& header, const Limits& limits) {
  if (std::uint64_t{header.files} * header.kind->record_bytes > archive.source->size() - header.bytes)
    return fail(ErrorCode::Truncated,
                std::to_string(header.files) + " files need more bytes than the " +
                    std::to_string(archive.source->size()) + " of the archive",
                12);
  if (header.files > limits.max_objects)
    return fail(ErrorCode::LimitExceeded,
                "the archive has " + std::to_string(header.files) + " files; at most " +
                    std::to_string(limits.max_objects) + " are read",
                12);
  return {};
}

Result<Chunk> read_chunk(const Archive& archive, const RecordKind& kind, TableReader& table) {
  const std::uint64_t at = table.offset();
  MARROW_TRY(const std::span<const std::byte> bytes, table.take(kind.chunk_bytes));
  ByteReader reader(bytes, at);
  Chunk chunk{.offset = reader.u64()};
  const std::uint32_t packed = reader.u32();
  chunk.unpacked = reader.u32();
  chunk.is_packed = packed != 0;
  chunk.stored = chunk.is_packed ? packed : chunk.unpacked;
  reader.seek(kind.chunk_bytes - 4);
  if (reader.u32() != kSentinel)
    return fail(ErrorCode::Malformed, "a chunk does not end in BAADF00D", reader.offset() - 4);
  MARROW_CHECK(check_inside(*archive.source, chunk.offset, chunk.stored, at, {}));
  return chunk;
}

Result<Entry> read_entry_record(const Archive& archive, const RecordKind& kind, TableReader& table) {
  const std::uint64_t at = table.offset();
  MARROW_TRY(const std::span<const std::byte> bytes, table.take(kind.record_bytes));
  ByteReader reader(bytes, at);
  Entry entry;
  entry.file_hash = reader.u32();
  entry.extension = reader.u32();
  entry.folder_hash = reader.u32();
  reader.skip(1);
  const std::size_t chunks = reader.u8();
  if (const std::uint16_t stated = reader.u16(); stated != kind.stated_bytes)
    return fail(ErrorCode::Malformed,
                "a record claims a chunk header of " + std::to_string(stated) + " bytes, not " +
                    std::to_string(kind.stated_bytes),
                reader.offset() - 2);
  if (&kind == &kTextures) {
    Texture texture{.height = reader.u16()};
    texture.width = reader.u16();
    texture.mips = reader.u8();
    texture.format = reader.u8();
    texture.is_cube = reader.u8() & 1;
    entry.texture = texture;
  }
  for (std::size_t i = 0; i < chunks; ++i) {
    MARROW_TRY(const Chunk chunk, read_chunk(archive, kind, table));
    entry.chunks.push_back(chunk);
  }
  return entry;
}

std::string nameless_path(const Entry& entry) {
  std::string path = hex(entry.folder_hash, 8) + '/' + hex(entry.file_hash, 8);
  if (entry.extension == 0) return path;
  std::string extension;
  for (int shift = 0; shift < 32; shift += 8)
    if (const auto c = static_cast<char>(entry.extension >> shift & 0xFF); c != 0) extension += c;
  return path + '.' + shown_path(extension);
}

Result<void> read_names(Archive& archive, std::uint64_t offset) {
  TableReader table(*archive.source, offset);
  for (Entry& entry : archive.entries) {
    MARROW_TRY(const std::span<const std::byte> length, table.take(2));
    MARROW_TRY(const std::span<const std::byte> name, table.take(ByteReader(length).u16()));
    entry.name = as_text(name);
    entry.path = shown_path(entry.name);
  }
  return {};
}

}  // namespace

Result<void> read_ba2(Archive& archive, const Limits& limits) {
  MARROW_TRY(const Ba2Header header, read_ba2_header(archive));
  MARROW_CHECK(check_counts(archive, header, limits));
  TableReader table(*archive.source, header.bytes);
  archive.entries.reserve(header.files);
  for (std::uint32_t i = 0; i < header.files; ++i) {
    MARROW_TRY(Entry entry, read_entry_record(archive, *header.kind, table));
    archive.entries.push_back(std::move(entry));
  }
  if (header.names != 0) return read_names(archive, header.names);
  for (Entry& entry : archive.entries) entry.path = nameless_path(entry);
  return {};
}

}  // namespace marrow::archive
