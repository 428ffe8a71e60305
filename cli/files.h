// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/path.h"
#include "marrow/ops/context.h"

namespace marrow::cli {

/// One file to work on. `relative` is its path below the folder that the user named, or its bare name.
struct Input {
  std::filesystem::path path;
  std::filesystem::path relative;
  bool is_from_folder = false;
  std::optional<Error> problem = {};  ///< why it cannot be worked on: a folder that cannot be read
};

/// Returns the files that the user named. Folders are walked in order of name, through links too, each folder once.
/// Files in them that Marrow does not know, its own temporary files and backups, and the folder `output` are skipped. A
/// file that was named itself, or that is empty, is always included.
std::vector<Input> expand_inputs(const std::vector<std::string>& paths, const std::string& output = {});

/// True if `paths` may name more than one file, so that the output must be a folder.
bool names_many(const std::vector<std::string>& paths);

/// Returns a lookup that finds files on disk.
Lookup disk_lookup(const Limits& limits = {});

}  // namespace marrow::cli
