// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// Writes a temporary file beside `path` and renames it over `path`. Readers see the old file or the new one, never
/// half of one, even if this fails. Creates missing folders.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace marrow
