// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace marrow {

/// The name of a file that was found below a folder or archive: `FOLDER/./BELOW`. Files that were given by themselves
/// have no mark.
struct TreeName {
  std::string_view folder;  ///< as it was given; empty without a mark
  std::string_view below;   ///< the whole name without a mark

  bool is_in_folder() const { return folder.data() != nullptr; }
  /// Returns the part of the name in front of `below`: the folder and the mark.
  std::string_view head() const {
    return is_in_folder() ? std::string_view(folder.data(), folder.size() + 3) : std::string_view();
  }
};

inline TreeName split_tree_name(std::string_view name) {
  const std::size_t mark = name.find("/./");
  return mark == std::string_view::npos ? TreeName{{}, name} : TreeName{name.substr(0, mark), name.substr(mark + 3)};
}

inline std::string tree_name(std::string_view folder, std::string_view below) {
  return std::string(folder) + "/./" + std::string(below);
}

}  // namespace marrow
