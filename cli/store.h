// SPDX-License-Identifier: MIT
// Files on disk and in archives as one tree. An archive is a folder, and a path may go on inside it, with either slash
// and in any case: `A.bsa/meshes/x.hkx`. What is on disk under that very name wins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/archive.h"
#include "core/path.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::cli {

/// An archive that stays open, with its names in lower case for a quick search.
struct OpenArchive {
  archive::Archive archive;
  std::unordered_map<std::string, std::size_t> by_name = {};  ///< the first entry of each name

  /// Returns the entry of a path: the one of that very name, else the first that differs in case only. Null if there is
  /// none, or if the name must not be a path.
  const archive::Entry* find(std::string_view path) const;
};

/// True if a path is a file on disk that starts as an archive does.
bool is_archive_file(const std::filesystem::path& path);
/// Opens an archive, once for the whole run. Fails if it is damaged.
Result<std::shared_ptr<const OpenArchive>> archive_at(const std::filesystem::path& path);

/// Explains why Windows would not take a path of an archive for that file: the name of a device, a dot or blank at the
/// end of a part. Empty if it would.
std::string_view unsafe_on_windows(std::string_view path);
/// The same as `archive::unsafe_because` for the system that this program runs on.
std::string_view unsafe_here(std::string_view path);

/// A path that goes on inside an archive.
struct ArchivePlace {
  std::filesystem::path archive;
  std::string inside;  ///< with `/`, without one at the ends
};
/// Returns the archive that a path leads into: its first part that is a file on disk. Nothing if the path is on disk
/// itself, or leads into none.
std::optional<ArchivePlace> place_in_archive(const std::filesystem::path& path);

/// True if the place is a folder of the archive, or the archive itself.
bool is_folder_in_archive(const ArchivePlace& place);
bool is_folder_in_archive(const std::filesystem::path& path);

/// Read a file, on disk or in an archive. What is unpacked is limited by `limits.max_file_bytes` and
/// `max_expanded_bytes`.
Result<std::vector<std::byte>> read_any(const std::filesystem::path& path, const Limits& limits = {});
Result<std::vector<std::byte>> read_any_head(const std::filesystem::path& path, std::size_t count);
/// Returns how many bytes a file has, on disk or, as it claims, in an archive.
Result<std::uint64_t> size_of_any(const std::filesystem::path& path);
/// True if there is such a file, on disk or in an archive.
bool is_any_file(const std::filesystem::path& path);
/// Returns the names of files in a folder, on disk or in an archive.
std::vector<std::string> names_of_files_in(const std::filesystem::path& folder);

/// Returns a path or pattern with `/` between folders.
std::string with_slashes(std::string_view path);

/// Returns a path whose part inside an archive has no `..`; as it is if it leads out of it, or into none.
std::filesystem::path normal_inside(const std::filesystem::path& path);

}  // namespace marrow::cli
