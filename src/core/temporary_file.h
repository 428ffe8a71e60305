// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>

#include "core/system.h"

namespace marrow {

/// The name of a file beside a target, to be written and renamed over it. The file is removed with this object, on a
/// signal (`remove_unfinished_files`), or by the next run (`remove_stale_temporaries`).
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// Creates the file and opens it for writing. Fails with the reason in words.
  std::expected<system::File, std::string> open();
  /// Renames the file over its target. Fails with the reason in words.
  std::expected<void, std::string> become_target();
  /// Renames the file to a name beside it that nothing has yet. False if something has it.
  std::expected<bool, std::string> become_new(const std::filesystem::path& path);

 private:
  std::filesystem::path target_, path_;
  std::size_t slot_;
};

/// Returns 16 digits of hex that nobody can foresee.
std::string random_name();

}  // namespace marrow
