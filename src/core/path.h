// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"

namespace marrow {

/// File names are paths on disk and UTF-8 text everywhere else. These two functions are the only way from one to the
/// other: `std::filesystem` itself takes narrow text for the code page of the system on Windows. Every name comes back
/// as it was, even one that is not valid text.
std::filesystem::path path_of_text(std::string_view text);
std::string text_of_path(const std::filesystem::path& path);
/// The same with `/` between folders on every system.
std::string generic_text_of_path(const std::filesystem::path& path);

/// Questions about the disk. They take paths of any length, on Windows too, and never throw.

enum class PathKind {
  Missing,
  File,
  Folder,
  Device,  ///< a character device, such as /dev/null or NUL
  Other,   ///< a pipe, a socket, a disk
  Unknown  ///< the system does not say, for example because the folder above cannot be read
};

/// Returns what a path leads to, through links. If it is `Unknown`, `reason` receives why.
PathKind path_kind(const std::filesystem::path& path, std::string* reason = nullptr);
inline bool is_file(const std::filesystem::path& path) { return path_kind(path) == PathKind::File; }
inline bool is_folder(const std::filesystem::path& path) { return path_kind(path) == PathKind::Folder; }
bool path_exists(const std::filesystem::path& path);
/// True if the path itself is a link, wherever it leads.
bool is_link(const std::filesystem::path& path);

/// Returns the names of everything in a folder, in order of their text.
Result<std::vector<std::filesystem::path>> names_in_folder(const std::filesystem::path& folder);

/// Returns a path that is the same for all paths to one place: absolute, through links, and without difference of case
/// if the system makes none. The place need not exist. For comparing, not for showing.
std::filesystem::path place_of(const std::filesystem::path& path);

}  // namespace marrow
