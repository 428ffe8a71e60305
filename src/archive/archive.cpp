// SPDX-License-Identifier: MIT
#include "archive/archive.h"

#include <algorithm>
#include <utility>

#include "archive/dds_header.h"
#include "archive/read.h"
#include "core/compression.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::archive {
namespace {

constexpr std::string_view kBsaMagic{"BSA\0", 4};
constexpr std::string_view kBa2Magic = "BTDX";

bool same_character(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '\\' ? '/' : c; };
  return lower(a) == lower(b);
}

Packing packing_of(const Archive& archive) {
  if (archive.kind == Kind::Ba2) return archive.packs_with_lz4 ? Packing::Lz4Block : Packing::Zlib;
  return archive.version == 105 ? Packing::Lz4Frame : Packing::Zlib;
}

}  // namespace

std::string_view to_string(Kind kind) { return kind == Kind::Bsa ? "bsa" : "ba2"; }

std::uint64_t Entry::size() const {
  std::uint64_t all = texture ? kDdsHeaderBytes : 0;
  for (const Chunk& chunk : chunks) all += chunk.unpacked;
  return all;
}

std::uint64_t Entry::stored() const {
  std::uint64_t all = 0;
  for (const Chunk& chunk : chunks) all += chunk.stored;
  return all;
}

bool Entry::is_compressed() const { return std::ranges::any_of(chunks, &Chunk::is_packed); }

std::string_view Archive::game() const {
  if (kind == Kind::Ba2) return version == 2 || version == 3 ? "starfield" : "fallout4";
  return version == 103 ? "oblivion" : version == 104 ? "skyrim-le" : "skyrim-se";
}

const Entry* Archive::find(std::string_view path) const {
  const Entry* other_case = nullptr;
  for (const Entry& entry : entries) {
    if (entry.path == path) return &entry;
    if (!other_case && std::ranges::equal(entry.path, path, same_character)) other_case = &entry;
  }
  return other_case;
}

bool is_archive(std::span<const std::byte> head) {
  return as_text(head).starts_with(kBsaMagic) || as_text(head).starts_with(kBa2Magic);
}

Result<std::vector<std::byte>> bytes_at(const ByteSource& source, std::uint64_t offset, std::size_t count) {
  std::vector<std::byte> bytes(count);
  MARROW_CHECK(source.read(offset, bytes));
  return bytes;
}

Result<void> check_inside(const ByteSource& source, std::uint64_t offset, std::uint64_t count, std::uint64_t at,
                          const std::string& path) {
  if (offset <= source.size() && count <= source.size() - offset) return {};
  return fail(ErrorCode::Truncated,
              "the data of a file lie at " + std::to_string(offset) + " to " + std::to_string(offset + count) +
                  "; the archive ends at " + std::to_string(source.size()),
              at, path);
}

std::string hex(std::uint64_t value, int digits) { return hex_text(value, digits).substr(2); }

namespace {

// Deflate makes at most 1,032 bytes of one. Files that can give more together share their data, to take more than there
// is. What claims more than its own bytes can give fails by itself.
Result<void> check_claims(const Archive& archive) {
  constexpr std::uint64_t kAnyArchive = std::uint64_t{64} << 20, kPerByte = 1032;
  const std::uint64_t bytes = archive.source->size();
  if (bytes >= (UINT64_MAX - kAnyArchive) / kPerByte) return {};
  const std::uint64_t most = kAnyArchive + kPerByte * bytes;
  std::uint64_t claimed = 0;
  for (const Entry& entry : archive.entries) {
    for (const Chunk& chunk : entry.chunks)
      claimed += chunk.is_packed ? std::min<std::uint64_t>(chunk.unpacked, kPerByte * (std::uint64_t{chunk.stored} + 1))
                                 : chunk.stored;
    if (claimed > most)
      return fail(ErrorCode::LimitExceeded,
                  "its files unpack to more than " + std::to_string(most) + " bytes, which an archive of " +
                      std::to_string(bytes) + " bytes cannot hold",
                  0, entry.path);
  }
  return {};
}

}  // namespace

Result<Archive> open_archive(std::shared_ptr<const ByteSource> source, const Limits& limits) {
  Archive archive{.source = std::move(source)};
  const std::size_t magic_bytes = kBsaMagic.size();
  if (archive.source->size() < magic_bytes)
    return fail(ErrorCode::Truncated, "the file is too short for an archive", 0);
  MARROW_TRY(const std::vector<std::byte> magic, bytes_at(*archive.source, 0, magic_bytes));
  if (!is_archive(magic)) return fail(ErrorCode::BadMagic, "is not a BSA or BA2 archive", 0);
  archive.kind = as_text(magic) == kBsaMagic ? Kind::Bsa : Kind::Ba2;
  MARROW_CHECK(archive.kind == Kind::Bsa ? read_bsa(archive, limits) : read_ba2(archive, limits));
  MARROW_CHECK(check_claims(archive));
  return archive;
}

Result<std::vector<std::byte>> read_entry(const Archive& archive, const Entry& entry, const Limits& limits) {
  const auto located = [&](Error error, const Chunk& chunk) {
    if (error.offset == kNoOffset) error.offset = chunk.offset;
    error.path = entry.path;
    return std::unexpected(std::move(error));
  };
  const std::uint64_t most = limits.max_file_bytes;
  if (entry.is_xmem)
    return located({ErrorCode::Unsupported, "is packed for the Xbox (XMem), which is not supported"},
                   entry.chunks.front());
  std::vector<std::byte> bytes;
  if (entry.texture) bytes = dds_header(*entry.texture);
  for (const Chunk& chunk : entry.chunks) {
    // Many chunks may name the same bytes: what they unpack to together is limited, too.
    if (bytes.size() > most || (!chunk.is_packed && chunk.stored > most - bytes.size()))
      return located({ErrorCode::LimitExceeded, "has more than " + std::to_string(most) + " bytes"}, chunk);
    auto stored = bytes_at(*archive.source, chunk.offset, chunk.stored);
    if (!stored) return located(std::move(stored.error()), chunk);
    if (!chunk.is_packed) {
      bytes.insert(bytes.end(), stored->begin(), stored->end());
    } else if (auto done = unpack(packing_of(archive), *stored, chunk.unpacked, most - bytes.size(), bytes); !done) {
      return located(std::move(done.error()), chunk);
    }
  }
  return bytes;
}

}  // namespace marrow::archive
