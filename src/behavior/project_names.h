// SPDX-License-Identifier: MIT
// The names of files that projects have, and the files that they lead to.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace marrow::behavior {

class ProjectNames {
 public:
  /// `files` are all files below the folder that is checked.
  explicit ProjectNames(std::span<const std::string> files);

  /// Takes the folder of a project as the one that names are relative to.
  void enter(std::string_view project);
  const std::string& root() const { return root_; }

  /// Returns the file that a name leads to. XML stands in for a packfile that is not there.
  std::optional<std::string> resolve(std::string_view name) const;
  /// Returns a file of the same name elsewhere, which is what people usually meant. Empty if there is none.
  std::string nearest(std::string_view name) const;
  /// Returns `; there is FILE` with the nearest file, or nothing.
  std::string there_is(std::string_view name) const;
  bool is_below(std::string_view file) const;
  /// Returns the name of a file below the project as projects write it: a packfile, with `\\`.
  std::string as_named(std::string file) const;
  /// Returns the packfiles and XML files below the project but for its animations.
  std::vector<std::string> packfiles() const;

 private:
  std::map<std::string, std::string> by_key_;                               // names as they are, by their keys
  std::unordered_map<std::string, std::vector<std::string_view>> by_stem_;  // keys, by their file's name alone
  std::string root_;
};

}  // namespace marrow::behavior
