// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/path.h"
#include "marrow/ops/document/context.h"

namespace marrow::cli {

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

/// How folders are walked.
struct WalkOptions {
  std::string output = {};                       ///< a folder that is skipped: what a run writes is not its input
  bool follow = false;                           ///< through links that lead out of the folder, too
  std::vector<std::string>* left_out = nullptr;  ///< if given, gets the links that were not followed
  bool takes_all = false;                        ///< files of every kind
};

/// Returns the files that the user named. Folders are walked in order of name, each once, through links that stay
/// inside the folder that was named. Files in them that Marrow does not know and its own temporary files and backups
/// are skipped. A file that was named itself, or that is empty, is always included.
std::vector<Input> expand_inputs(const std::vector<std::string>& paths, const WalkOptions& options = {});

/// True if `paths` may name more than one file, so that the output must be a folder.
bool names_many(const std::vector<std::string>& paths);

/// Returns a lookup that finds files on disk. What a file refers to is read through links that lead out of its folder
/// only if `follow` is set.
Lookup disk_lookup(const Limits& limits = {}, bool follow = false);

}  // namespace marrow::cli
