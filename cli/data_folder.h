// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace marrow::cli {

/// The data folder of a game as the game sees it: loose files over archives, archives of plugins over those of the game
/// itself, later names over earlier ones. Names are found in any case.
class DataFolder {
 public:
  /// `folder` must exist.
  explicit DataFolder(std::filesystem::path folder);

  /// Returns where the file of a path below the folder is, on disk or in an archive; nothing if there is none.
  std::optional<std::filesystem::path> find(std::string_view path) const;
  /// Returns the skeleton of a character by the layout of the games: `meshes/actors/NAME/character
  /// assets/skeleton.hkx`.
  std::optional<std::filesystem::path> find_skeleton(std::string_view character) const;
  /// The same for any path that has a part `meshes` or `textures`: what follows it is below the folder.
  std::optional<std::filesystem::path> find_like(const std::filesystem::path& path) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::optional<std::filesystem::path> find_loose(std::string_view path) const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> archives_;  ///< the one that wins first
};

/// Opens the data folder that a command names, if it names one; `auto` looks for the game in the libraries of Steam.
/// Throws a UsageError if there is none.
std::optional<DataFolder> data_folder_of(const Command& command);

/// Replaces names of files that are not there by those in the data folder: paths below it and, for skeletons, names of
/// characters.
void find_files_in(const DataFolder& data, Command& command);

/// Opens the data folder of a command and finds its files there. Verbs that take textures have an option of that name
/// of their own: the first of its folders is the data folder.
std::optional<DataFolder> take_data_folder(Command& command);

/// Returns the folders of games in the Steam libraries that a file `libraryfolders.vdf` lists.
std::vector<std::filesystem::path> library_folders(std::string_view vdf);

}  // namespace marrow::cli
