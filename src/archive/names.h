// SPDX-License-Identifier: MIT
// Paths in archives and their hashes. Names are bytes, mostly Windows-1252: hashes and order go by the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marrow::archive {

/// Returns the form that is hashed: lower case for A to Z, `\` between folders, none at the ends; `.` for a path that
/// is empty or has 260 bytes or more.
std::string normalised(std::string_view path);

/// A path in two: `meshes\a` and `b.nif`; the folder is empty in the root.
struct SplitPath {
  std::string_view folder, file;
};
/// Splits at the last separator of either kind.
SplitPath split_folder(std::string_view path);
/// A file name in two: `b` and `.nif`; the extension is empty if there is no dot.
struct SplitName {
  std::string_view stem, extension;
};
SplitName split_extension(std::string_view file);

std::uint64_t bsa_folder_hash(std::string_view folder);
std::uint64_t bsa_file_hash(std::string_view file);
/// Returns the number that a hash is sorted by.
std::uint64_t bsa_sort_key(std::uint64_t hash, bool xbox_order);

/// The three numbers that a BA2 finds a file by.
struct Ba2Hash {
  std::uint32_t stem = 0, extension = 0, folder = 0;

  bool operator==(const Ba2Hash&) const = default;
};
Ba2Hash ba2_hash(std::string_view path);

/// Returns a path in UTF-8 as archives of the games store it: in Windows-1252 if that has all of its characters, else
/// as it is.
std::string stored_path(std::string_view utf8);

/// Returns bytes as UTF-8 with `/` between folders: as they are if they are valid, else taken for Windows-1252.
std::string shown_path(std::string_view bytes);

}  // namespace marrow::archive
