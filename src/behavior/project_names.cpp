// SPDX-License-Identifier: MIT
#include "behavior/project_names.h"

#include <algorithm>
#include <array>

#include "behavior/names.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

std::string folder_of(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? std::string_view() : name.substr(0, slash + 1));
}

// The name of a file without folder and extension.
std::string_view bare_stem(std::string_view key) {
  const std::string_view bare = key.substr(key.find_last_of('/') + 1);
  return bare.substr(0, bare.find_last_of('.'));
}

// A character and its behaviour often have one name.
bool has_same_role(std::string_view a, std::string_view b) {
  constexpr std::array<std::string_view, 4> kFolders = {"characters/", "behaviors/", "animations/",
                                                        "character assets/"};
  const auto role = [&](std::string_view name) {
    return std::ranges::find_if(kFolders,
                                [&](std::string_view folder) { return name.find(folder) != std::string_view::npos; });
  };
  return role(a) == kFolders.end() || role(b) == kFolders.end() || role(a) == role(b);
}

}  // namespace

ProjectNames::ProjectNames(std::span<const std::string> files) {
  for (const std::string& name : files) by_key_.emplace(file_key(name), name);
  for (const auto& [key, name] : by_key_) by_stem_[std::string(bare_stem(key))].push_back(key);
}

void ProjectNames::enter(std::string_view project) { root_ = folder_of(project); }

std::optional<std::string> ProjectNames::resolve(std::string_view name) const {
  std::string key = file_key(root_ + std::string(name));
  if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  if (!key.ends_with(".hkx")) return std::nullopt;
  key.replace(key.size() - 4, 4, ".xml");
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? std::nullopt : std::optional(found->second);
}

std::string ProjectNames::nearest(std::string_view name) const {
  const std::string key = file_key(name);
  const auto found = by_stem_.find(std::string(bare_stem(key)));
  if (found == by_stem_.end() || found->first.empty()) return {};
  const auto same =
      std::ranges::find_if(found->second, [&](std::string_view known) { return has_same_role(key, known); });
  return same == found->second.end() ? std::string() : by_key_.at(std::string(*same));
}

std::string ProjectNames::there_is(std::string_view name) const {
  const std::string file = nearest(name);
  return file.empty() ? file : "; there is " + file;
}

bool ProjectNames::is_below(std::string_view file) const { return file_key(file).starts_with(file_key(root_)); }

std::string ProjectNames::as_named(std::string file) const {
  file.erase(0, root_.size());
  std::ranges::replace(file, '/', '\\');
  if (file.size() > 4 && equal_ignoring_case(file.substr(file.size() - 4), ".xml"))
    file.replace(file.size() - 4, 4, ".hkx");
  return file;
}

std::vector<std::string> ProjectNames::packfiles() const {
  std::vector<std::string> names;
  const std::string root = file_key(root_);
  for (const auto& [key, name] : by_key_)
    if (key.starts_with(root) && (key.ends_with(".hkx") || key.ends_with(".xml")) &&
        key.find("animations/", root.size()) == std::string::npos)
      names.push_back(name);
  return names;
}

}  // namespace marrow::behavior
