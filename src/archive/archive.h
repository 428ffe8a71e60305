// SPDX-License-Identifier: MIT
/// The archives of the games as folders: BSA (Oblivion to Skyrim SE) and BA2 (Fallout 4, Starfield). Safe to use for
/// untrusted input. docs/formats/archives.md describes the layouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/byte_source.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::archive {

enum class Kind : std::uint8_t { Bsa, Ba2 };
std::string_view to_string(Kind kind);

/// Bits of `Archive::flags` that change how a BSA is read.
inline constexpr std::uint32_t kFolderNames = 1, kFileNames = 2, kCompressed = 4, kXboxOrder = 0x40,
                               kEmbeddedNames = 0x100, kXmem = 0x200;
inline constexpr std::uint32_t kLayoutFlags =
    kFolderNames | kFileNames | kCompressed | kXboxOrder | kEmbeddedNames | kXmem;

/// One piece of a file in the archive.
struct Chunk {
  std::uint64_t offset = 0;    ///< of its bytes in the archive
  std::uint32_t stored = 0;    ///< bytes there
  std::uint32_t unpacked = 0;  ///< bytes that it claims to unpack to
  bool is_packed = false;

  bool operator==(const Chunk&) const = default;
};

/// What a BA2 of textures says instead of the header of a .dds file.
struct Texture {
  std::uint16_t width = 0, height = 0;
  std::uint8_t mips = 0, format = 0;  ///< `format` is a DXGI format
  bool is_cube = false;

  bool operator==(const Texture&) const = default;
};

/// One file of an archive.
struct Entry {
  std::string path =
      {};  ///< UTF-8, `/` between folders, in the archive's case; hashes in hexadecimal for names it lacks
  std::string name =
      {};  ///< the bytes of the path as stored, `\` or `/` between folders; empty if the archive lacks names
  std::uint64_t folder_hash = 0;  ///< as stored
  std::uint64_t file_hash = 0;    ///< as stored; of a BA2 the stem's
  std::uint32_t extension = 0;    ///< BA2: four characters as stored
  std::vector<Chunk> chunks = {};
  std::optional<Texture> texture = {};
  bool is_xmem = false;  ///< packed for the Xbox, which is not supported

  bool operator==(const Entry&) const = default;

  std::uint64_t size() const;    ///< unpacked, as claimed; of a texture with its header
  std::uint64_t stored() const;  ///< bytes in the archive, without an embedded name and the stated size
  bool is_compressed() const;
};

/// A folder record of a BSA, for `check`.
struct Folder {
  std::uint64_t hash = 0;
  std::uint64_t stated_offset = 0, right_offset = 0;
  std::size_t first_entry = 0, entry_count = 0;

  bool operator==(const Folder&) const = default;
};

/// The tables of an archive, and where its data are. Files are read one by one when they are asked for.
struct Archive {
  Kind kind = Kind::Bsa;
  std::uint32_t version = 0;
  std::uint32_t flags = 0;           ///< BSA only
  bool packs_with_lz4 = false;       ///< BA2: chunks are LZ4 blocks
  std::vector<Folder> folders = {};  ///< BSA only, in stored order
  std::vector<Entry> entries = {};   ///< in stored order
  std::shared_ptr<const ByteSource> source = {};

  /// Returns the game that this version belongs to: `oblivion`, `skyrim-le`, `skyrim-se`, `fallout4` or `starfield`.
  std::string_view game() const;
  /// Returns the entry of a path, with either slash: the one of that very name, else the first that differs in case
  /// only. Null if there is none.
  const Entry* find(std::string_view path) const;
};

/// True if these first bytes of a file are those of an archive.
bool is_archive(std::span<const std::byte> head);

/// Reads the tables. Fails if any of them, or any file's data, lie outside the archive. Unpacks nothing.
Result<Archive> open_archive(std::shared_ptr<const ByteSource> source, const Limits& limits = {});

/// Returns the bytes of one file. A texture gets the header of a .dds file. Fails with `Unsupported` for XMem, with
/// `Malformed` if it does not unpack to the size that is stated, and with `LimitExceeded` past `limits.max_file_bytes`.
Result<std::vector<std::byte>> read_entry(const Archive& archive, const Entry& entry, const Limits& limits = {});

/// Explains why a path of an archive must not become a path on disk: a part that is empty, `.` or `..`, a drive, a
/// leading separator, a control character. Empty if it may.
std::string_view unsafe_because(std::string_view path);

}  // namespace marrow::archive
