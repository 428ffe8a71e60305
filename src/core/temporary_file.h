// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace marrow {

/// The name of a file beside a target, to be written and renamed over it. The file is removed with this object, on a
/// signal (`remove_unfinished_files`), or by the next run (`remove_stale_temporaries`).
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// Creates the file and opens it for writing; null if that fails, with `errno` set.
  std::FILE* open();
  /// Renames the file over its target.
  std::error_code become_target();

 private:
  std::filesystem::path target_, path_;
  std::size_t slot_;
};

/// Waits until the written bytes are on the disk.
bool sync_to_disk(std::FILE* file);

}  // namespace marrow
