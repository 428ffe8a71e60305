// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "archive/names.h"
#include "archive/write.h"
#include "core/byte_writer.h"
#include "core/try.h"

namespace marrow::archive {
namespace {

constexpr std::size_t kBa2Header = 24, kBa2Record = 36;
constexpr std::uint32_t kChunkEnd = 0xBAADF00D;

struct Ba2File {
  std::string key;  // what it is sorted_files by
  std::string name;
  const PackFile* source;
};

Result<std::vector<Ba2File>> sorted_files(std::span<const PackFile> files, const PackOptions& options) {
  std::vector<Ba2File> all;
  for (const PackFile& file : files) {
    if (const std::string_view reason = unsafe_because(file.path); !reason.empty())
      return fail(ErrorCode::Unrepresentable, "cannot be packed under this name: " + std::string(reason), kNoOffset,
                  file.path);
    Ba2File added{.key = {}, .name = stored_path(file.path), .source = &file};
    added.key = normalised(added.name);
    std::ranges::replace(added.name, '/', '\\');
    if (added.key == "." || added.name.size() > std::numeric_limits<std::uint16_t>::max())
      return fail(ErrorCode::Unrepresentable,
                  "the path has " + std::to_string(file.path.size()) + " bytes, more than the game reads", kNoOffset,
                  file.path);
    if (added.key.ends_with(".dds") && !options.textures_as_files)
      return fail(
          ErrorCode::Unrepresentable,
          "is a texture, and archives of textures are not made; leave textures out, or ask for textures as files",
          kNoOffset, file.path);
    all.push_back(std::move(added));
  }
  std::ranges::sort(
      all, {}, [](const Ba2File& file) { return std::pair(std::string_view(file.key), std::string_view(file.name)); });
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].key == all[i - 1].key)
      return fail(ErrorCode::Unrepresentable,
                  "differs from " + all[i - 1].source->path + " in case only; the game finds only one of them",
                  kNoOffset, all[i].source->path);
  return all;
}

}  // namespace

Result<PackedBytes> packed_bytes(const PackFile& file, std::optional<Packing> packing, std::size_t overhead) {
  PackedBytes out;
  MARROW_TRY(out.bytes, file.read());
  out.unpacked = out.bytes.size();
  if (out.unpacked > std::numeric_limits<std::uint32_t>::max())
    return fail(ErrorCode::Unrepresentable, "has more than 4 GiB, which the archive cannot state", kNoOffset,
                file.path);
  if (!packing || out.bytes.empty()) return out;
  MARROW_TRY(std::vector<std::byte> smaller, pack(*packing, out.bytes));
  out.is_packed = smaller.size() + overhead < out.bytes.size();
  if (out.is_packed) out.bytes = std::move(smaller);
  return out;
}

void reserve_for(std::span<const PackFile> files, const PackOptions& options, std::size_t tables, ByteWriter& out) {
  if (options.compress) return;
  std::uint64_t bytes = tables;
  for (const PackFile& file : files) bytes += file.size + 2 * (file.path.size() + 2);  // names stand twice at most
  out.reserve(static_cast<std::size_t>(bytes));
}

Result<std::vector<std::byte>> write_ba2(std::span<const PackFile> files, const PackOptions& options) {
  MARROW_TRY(const std::vector<Ba2File> all, sorted_files(files, options));
  ByteWriter out;
  reserve_for(files, options, kBa2Header + all.size() * kBa2Record, out);
  out.text("BTDX");
  out.u32(1);
  out.text("GNRL");
  out.u32(static_cast<std::uint32_t>(all.size()));
  out.fill(8 + all.size() * kBa2Record);  // where the names are, and the records
  for (std::size_t i = 0; i < all.size(); ++i) {
    MARROW_TRY(const PackedBytes packed,
               packed_bytes(*all[i].source, options.compress ? std::optional(Packing::Zlib) : std::nullopt, 0));
    const Ba2Hash hash = ba2_hash(all[i].name);
    const std::size_t record = kBa2Header + i * kBa2Record;
    out.patch(record, hash.stem);
    out.patch(record + 4, hash.extension);
    out.patch(record + 8, hash.folder);
    out.patch(record + 13, std::uint8_t{1});
    out.patch(record + 14, std::uint16_t{16});
    out.patch(record + 16, std::uint64_t{out.size()});
    out.patch(record + 24, static_cast<std::uint32_t>(packed.is_packed ? packed.bytes.size() : 0));
    out.patch(record + 28, static_cast<std::uint32_t>(packed.unpacked));
    out.patch(record + 32, kChunkEnd);
    out.bytes(packed.bytes);
  }
  out.patch(16, std::uint64_t{out.size()});
  for (const Ba2File& file : all) {
    out.u16(static_cast<std::uint16_t>(file.name.size()));
    out.text(file.name);
  }
  return out.take();
}

Result<std::vector<std::byte>> pack_archive(std::span<const PackFile> files, const PackOptions& options) {
  switch (options.game) {
    case Game::SkyrimLe:
    case Game::SkyrimSe: return write_bsa(files, options);
    case Game::Fallout4: return write_ba2(files, options);
    default: return fail(ErrorCode::WrongGame, "archives are made for Skyrim LE, Skyrim SE and Fallout 4");
  }
}

}  // namespace marrow::archive
