// SPDX-License-Identifier: MIT
/// Operations on whole archives. A file inside an archive is read as any other file: by its bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "marrow/core/byte_source.h"
#include "marrow/ops/document/context.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "ops/table/describe.h"

namespace marrow {

struct ListArchiveOptions {
  std::string match = {};  ///< a pattern of paths; empty: all
};

struct ArchiveTextureInfo {
  std::uint32_t width = 0, height = 0, mips = 0;
  std::uint32_t format = 0;  ///< a DXGI format
};
struct ArchiveEntryInfo {
  std::string path = {};
  std::uint64_t size = 0;    ///< unpacked, as claimed
  std::uint64_t packed = 0;  ///< bytes in the archive
  bool compressed = false;
  std::optional<ArchiveTextureInfo> texture = {};
};
struct ListArchiveReport {
  std::string format = {};
  std::uint32_t version = 0;
  std::string game = {};
  std::uint32_t flags = 0;
  std::vector<ArchiveEntryInfo> files = {};
};

struct ExtractArchiveOptions {
  std::string match = {};
};
struct ExtractArchiveReport {
  std::size_t files = 0;  ///< that were extracted
  std::uint64_t bytes = 0;
  std::vector<FailedInput> failed = {};
};

struct PackArchiveOptions {
  std::optional<Game> game = {};
  bool compress = false;
  bool embed_names = false;
  bool textures_as_files = false;
  std::optional<std::uint32_t> flags = {};
  std::string match = {};
};
struct PackArchiveReport {
  std::string format = {};
  std::size_t files = 0;
  std::uint64_t unpacked = 0;  ///< bytes of the files
  std::uint64_t bytes = 0;     ///< of the archive
};

void describe(FieldList& fields, ListArchiveOptions& options);
void describe(FieldList& fields, ArchiveTextureInfo& texture);
void describe(FieldList& fields, ArchiveEntryInfo& entry);
void describe(FieldList& fields, ListArchiveReport& report);
void describe(FieldList& fields, ExtractArchiveOptions& options);
void describe(FieldList& fields, ExtractArchiveReport& report);
void describe(FieldList& fields, PackArchiveOptions& options);
void describe(FieldList& fields, PackArchiveReport& report);

/// Lists the files of an archive. Unpacks nothing.
ListArchiveReport list_archive(const archive::Archive& archive, const ListArchiveOptions& options);

/// Hands every file of an archive that matches to `put`, under its path. A file fails by itself, and the others are
/// done: if its name would leave the folder, if an earlier one differs from it in case only, if it does not unpack, or
/// if `put` refuses it. Fails with `Cancelled`.
Result<ExtractArchiveReport> extract_archive(const archive::Archive& archive, const ExtractArchiveOptions& options,
                                             Context& context, const std::function<Result<void>(SavedFile)>& put);

/// A file to be packed: its path in the archive, and its bytes, which are read when its turn comes.
struct FileToPack {
  std::string path;
  std::shared_ptr<const ByteSource> source;
};

/// Packs files into an archive for the game. Fails with `BadOption` for games without archives that are written here,
/// and with `Unrepresentable` if the game could not read the result.
Result<SavedFile> pack_archive(const std::vector<FileToPack>& files, const PackArchiveOptions& options,
                               Context& context, PackArchiveReport& report);

}  // namespace marrow
