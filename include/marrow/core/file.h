// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// Reads a whole file. Refuses one larger than `limits.max_file_bytes` before allocating.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, const Limits& limits = {});

/// Writes a temporary file beside `path` and renames it over `path`: a reader sees the old file or the new one, never
/// half of one, also when this fails. Missing folders are made.
Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace marrow
