// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/core/byte_source.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// Reads a whole file. Refuses a file larger than `limits.max_file_bytes` before allocating.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, const Limits& limits = {});

/// Reads at most the first `count` bytes of a file.
Result<std::vector<std::byte>> read_file_head(const std::filesystem::path& path, std::size_t count);

/// Opens a file that is read where it is needed, however large it is. A read fails with `Io` once the file has changed.
Result<std::shared_ptr<const ByteSource>> open_source(const std::filesystem::path& path);

/// Copies a file, replacing `to` if it exists.
Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Creates or empties a file that grows line by line, or opens it to write at its end. The caller closes it.
Result<std::FILE*> open_to_write(const std::filesystem::path& path, bool append);

/// A file to be written.
struct FileToWrite {
  std::filesystem::path path;
  std::span<const std::byte> bytes;
  /// Keep a file that has the name already: write `path` with the first of `.1`, `.2` ... that is free.
  bool is_kept_apart = false;
  std::filesystem::path rights_of = {};  ///< the file whose mode and owner it gets; empty: those of the one it replaces
};

/// Writes files that belong together: all of them to temporary files beside their targets, which are then synced and
/// renamed, the first one last. Readers see the old files or the new ones, never half of one; if any cannot be written,
/// none is. Creates missing folders. Refuses to replace a read-only file and anything but a regular file; follows a
/// link to one. A file that is replaced keeps its mode and owner.
Result<void> write_files(std::span<const FileToWrite> files);
/// The same for one file.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// A file that is written piece by piece, for what is too long to be held. It appears under its name, as one of
/// `write_file` does, when it is finished; until then nothing does.
class FileInPieces {
 public:
  static Result<FileInPieces> open(const std::filesystem::path& path);
  FileInPieces(FileInPieces&& other) noexcept;
  FileInPieces& operator=(FileInPieces&&) = delete;
  ~FileInPieces();

  Result<void> add(std::string_view text);
  Result<void> finish();

 private:
  struct State;
  explicit FileInPieces(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes a file that nothing else has: `PREFIX-RANDOM.EXTENSION` in a folder. Returns its path.
Result<std::filesystem::path> write_new_file(const std::filesystem::path& folder, std::string_view prefix,
                                             std::string_view extension, std::span<const std::byte> bytes);

/// True for names of the temporary files that `write_files` uses.
bool is_temporary_name(const std::filesystem::path& path);
/// Removes temporary files in a folder that were left by a process of this user on this system that no longer runs.
/// Those that may belong to anybody else stay.
void remove_stale_temporaries(const std::filesystem::path& folder);
/// Removes the temporary files of this process that are being written, and lets no thread write another. Call it only
/// when the process is about to end. Safe in a signal handler.
void remove_unfinished_files();

}  // namespace marrow
