// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/path.h"
#include "marrow/core/error.h"
#include "marrow/ops/document/context.h"

namespace marrow::cli {

class DataFolder;
class FoundFiles;

/// One file to work on. A run may have a hundred thousand of them, so that both of its paths are kept as one text.
struct Input {
  /// `relative_path` is what `full_path` ends with.
  Input(const std::filesystem::path& full_path, const std::filesystem::path& relative_path, bool from_folder = false)
      : text(full_path.native()), relative_size(relative_path.native().size()), is_from_folder(from_folder) {}

  std::filesystem::path path() const { return text; }
  /// Returns its path below the folder that the user named, or its bare name.
  std::filesystem::path relative() const { return text.substr(text.size() - relative_size); }

  std::filesystem::path::string_type text;
  std::size_t relative_size;
  bool is_from_folder;
  std::shared_ptr<const Error> problem = {};  ///< why it cannot be worked on: a folder that cannot be read
};

/// What a verb works on: which files of folders it takes, and whether an archive is one of them.
enum class Wanted : std::uint8_t {
  Known,       ///< files that Marrow knows; an archive is a folder
  Archives,    ///< archives, as they are
  Everything,  ///< every file; an archive is a folder
};

/// How folders and archives are walked.
struct WalkOptions {
  std::string output = {};                       ///< a folder that is skipped: what a run writes is not its input
  bool follow = false;                           ///< through links that lead out of the folder, too
  std::vector<std::string>* left_out = nullptr;  ///< if given, gets the links that were not followed
  Wanted wanted = Wanted::Known;
  std::string match = {};              ///< a pattern of the paths below the folder or in the archive; empty: all
  bool opens_archives = false;         ///< those in a folder are folders, too
  std::size_t* other_kinds = nullptr;  ///< if given, counts the files of archives that Marrow does not know
};

/// Returns the files that the user named. Folders are walked in order of name, each once, through links that stay
/// inside the folder that was named, and archives in their own order. Files in them that Marrow does not know and its
/// own temporary files and backups are skipped. A file that was named itself, or that is empty, is always included. An
/// entry of an archive whose name must not be a path has a problem, and so has an archive that cannot be read.
std::vector<Input> expand_inputs(const std::vector<std::string>& paths, const WalkOptions& options = {});

/// True if `paths` may name more than one file, so that the output must be a folder.
bool names_many(const std::vector<std::string>& paths, Wanted wanted = Wanted::Known);

/// Returns a lookup that finds files on disk and in archives. What a file refers to is read through links that lead out
/// of its folder only if `follow` is set. What is not there is looked for in the data folder, if there is one.
Lookup disk_lookup(const Limits& limits = {}, bool follow = false, const DataFolder* data = nullptr,
                   FoundFiles* found = nullptr);

}  // namespace marrow::cli
