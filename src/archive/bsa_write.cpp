// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "archive/names.h"
#include "archive/write.h"
#include "core/byte_writer.h"
#include "core/try.h"

namespace marrow::archive {
namespace {

constexpr std::size_t kHeaderBytes = 36, kFileRecordBytes = 16, kSizeField = 4;
constexpr std::size_t kLongestFolder = 254, kLongestPacked = 259, kLongestEmbedded = 255;
constexpr std::uint32_t kInvertsCompression = 1u << 30;
constexpr std::uint64_t kLargestArchive = std::uint64_t{1} << 31;  // the game reads offsets as signed numbers

struct BsaFile {
  std::uint64_t hash;
  std::string name;
  const PackFile* source;
};
struct PackedFolder {
  std::string name;
  std::vector<BsaFile> files;
};
// Sorted by hash, as the game searches.
using Folders = std::map<std::uint64_t, PackedFolder>;

// What kinds of files an archive holds, by extension; a hint for the game.
std::uint16_t kind_of(std::string_view name) {
  struct Row {
    std::string_view extension;
    std::uint16_t kind;
  };
  constexpr std::array<Row, 8> kRows = {
      {{".nif", 1}, {".hkx", 1}, {".tri", 1}, {".dds", 2}, {".wav", 8}, {".xwm", 8}, {".fuz", 0x10}, {".lip", 0x10}}};
  const auto found = std::ranges::find(kRows, split_extension(name).extension, &Row::extension);
  return found == kRows.end() ? 0x100 : found->kind;
}

std::unexpected<Error> not_possible(const std::string& message, const std::string& path) {
  return fail(ErrorCode::Unrepresentable, message, kNoOffset, path);
}

Result<void> check_names(const std::string& shown, const std::string& path, const std::string& folder, bool embeds) {
  if (const std::string_view reason = unsafe_because(shown); !reason.empty())
    return not_possible("cannot be packed under this name: " + std::string(reason), shown);
  if (folder.size() > kLongestFolder || path.size() > kLongestPacked || (embeds && path.size() > kLongestEmbedded))
    return not_possible("the path has " + std::to_string(path.size()) + " bytes, more than the game reads", shown);
  return {};
}

Result<Folders> sorted_folders(std::span<const PackFile> files, bool embeds) {
  Folders folders;
  for (const PackFile& file : files) {
    const std::string path = normalised(stored_path(file.path));
    if (path == ".")
      return not_possible("the path is empty or has 260 bytes or more, more than the game reads", file.path);
    const auto [above, name] = split_folder(path);
    const std::string folder(above.empty() ? "." : above);
    MARROW_CHECK(check_names(file.path, path, folder, embeds));
    PackedFolder& into = folders[bsa_folder_hash(folder)];
    if (!into.files.empty() && into.name != folder)
      return not_possible("this folder has the same hash as " + into.name + "; rename one of them", folder);
    into.name = folder;
    into.files.push_back({bsa_file_hash(name), std::string(name), &file});
  }
  for (auto& [hash, folder] : folders) {
    std::ranges::sort(folder.files, {}, [](const BsaFile& file) { return std::pair(file.hash, file.name); });
    for (std::size_t i = 1; i < folder.files.size(); ++i)
      if (folder.files[i].hash == folder.files[i - 1].hash)
        return not_possible(
            "has the same hash as " + folder.files[i - 1].source->path + "; the game finds only one of them",
            folder.files[i].source->path);
  }
  return folders;
}

// The sizes of the tables, which the records of folders need before the tables are written.
struct Sizes {
  std::uint32_t folder_names = 0, file_names = 0, files = 0;
  std::uint16_t kinds = 0;
};
Sizes sizes_of(const Folders& folders) {
  Sizes sizes;
  for (const auto& [hash, folder] : folders) {
    sizes.folder_names += static_cast<std::uint32_t>(folder.name.size() + 1);
    sizes.files += static_cast<std::uint32_t>(folder.files.size());
    for (const BsaFile& file : folder.files) {
      sizes.file_names += static_cast<std::uint32_t>(file.name.size() + 1);
      sizes.kinds |= kind_of(file.name);
    }
  }
  return sizes;
}

}  // namespace

Result<std::vector<std::byte>> write_bsa(std::span<const PackFile> files, const PackOptions& options) {
  MARROW_TRY(const Folders folders, sorted_folders(files, options.embed_names));
  const bool is_se = options.game == Game::SkyrimSe;
  const Sizes sizes = sizes_of(folders);
  const std::size_t folder_record = is_se ? 24 : 16;
  ByteWriter out;
  reserve_for(files, options, kHeaderBytes + folders.size() * (folder_record + 258) + files.size() * kFileRecordBytes,
              out);
  out.text({"BSA\0", 4});
  out.u32(is_se ? 105 : 104);
  out.u32(kHeaderBytes);
  out.u32(kFolderNames | kFileNames | (options.compress ? kCompressed : 0) |
          (options.embed_names ? kEmbeddedNames : 0) | (options.hints & ~kLayoutFlags));
  out.u32(static_cast<std::uint32_t>(folders.size()));
  out.u32(sizes.files);
  out.u32(sizes.folder_names);
  out.u32(sizes.file_names);
  out.u16(sizes.kinds);
  out.u16(0);

  std::uint64_t block = kHeaderBytes + folders.size() * folder_record;
  for (const auto& [hash, folder] : folders) {
    out.u64(hash);
    out.u32(static_cast<std::uint32_t>(folder.files.size()));
    if (is_se) out.u32(0);
    is_se ? out.u64(block + sizes.file_names) : out.u32(static_cast<std::uint32_t>(block + sizes.file_names));
    block += 1 + folder.name.size() + 1 + folder.files.size() * kFileRecordBytes;
  }
  // Size and offset of each record are filled in when its data are written.
  std::vector<std::size_t> records;
  for (const auto& [hash, folder] : folders) {
    out.u8(static_cast<std::uint8_t>(folder.name.size() + 1));
    out.text(folder.name);
    out.u8(0);
    for (const BsaFile& file : folder.files) {
      out.u64(file.hash);
      records.push_back(out.size());
      out.fill(8);
    }
  }
  for (const auto& [hash, folder] : folders)
    for (const BsaFile& file : folder.files) {
      out.text(file.name);
      out.u8(0);
    }

  const std::optional<Packing> packing =
      !options.compress ? std::nullopt : std::optional(is_se ? Packing::Lz4Frame : Packing::Zlib);
  auto record = records.begin();
  for (const auto& [hash, folder] : folders)
    for (const BsaFile& file : folder.files) {
      MARROW_TRY(const PackedBytes packed, packed_bytes(*file.source, packing, kSizeField));
      const std::size_t start = out.size();
      if (options.embed_names) {
        const std::string path = folder.name == "." ? file.name : folder.name + '\\' + file.name;
        out.u8(static_cast<std::uint8_t>(path.size()));
        out.text(path);
      }
      if (packed.is_packed) out.u32(static_cast<std::uint32_t>(packed.unpacked));
      out.bytes(packed.bytes);
      if (out.size() > kLargestArchive || out.size() - start >= kInvertsCompression)
        return not_possible("the archive would pass 2 GiB, where the game does not read; pack the folder in two halves",
                            file.source->path);
      const bool inverts = options.compress && !packed.is_packed;
      out.patch(*record, static_cast<std::uint32_t>(out.size() - start) | (inverts ? kInvertsCompression : 0));
      out.patch(*record++ + 4, static_cast<std::uint32_t>(start));
    }
  return out.take();
}

}  // namespace marrow::archive
