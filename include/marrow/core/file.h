// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// Reads a whole file. Refuses a file larger than `limits.max_file_bytes` before allocating.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, const Limits& limits = {});

/// Reads at most the first `count` bytes of a file.
Result<std::vector<std::byte>> read_file_head(const std::filesystem::path& path, std::size_t count);

/// Copies a file, replacing `to` if it exists.
Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Creates or empties a file that grows line by line, or opens it to write at its end. The caller closes it.
Result<std::FILE*> open_to_write(const std::filesystem::path& path, bool append);

/// A file to be written.
struct FileToWrite {
  std::filesystem::path path;
  std::span<const std::byte> bytes;
};

/// Writes files that belong together: all of them to temporary files beside their targets, which are then synced and
/// renamed, the first one last. Readers see the old files or the new ones, never half of one; if any cannot be written,
/// none is. Creates missing folders. Refuses to replace anything but a regular file; follows a link to one.
Result<void> write_files(std::span<const FileToWrite> files);
/// The same for one file.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// True for names of the temporary files that `write_files` uses.
bool is_temporary_name(const std::filesystem::path& path);
/// Removes temporary files that a process which no longer runs has left in a folder.
void remove_stale_temporaries(const std::filesystem::path& folder);
/// Removes the temporary files of this process that are being written, and lets no thread write another. Call it only
/// when the process is about to end. Safe in a signal handler.
void remove_unfinished_files();

}  // namespace marrow
