// SPDX-License-Identifier: MIT
#include "behavior/cache_patch.h"

#include <algorithm>
#include <map>

#include "behavior/cache_merge.h"

namespace marrow::behavior {

std::optional<EntryLines> new_entry(std::span<const EntryPart> parts, const std::vector<MarkedLine>& patch,
                                    const CacheEdit& edit) {
  std::vector<std::string> known;
  for (const MarkedLine& line : patch)
    if (line.mark != Mark::New) known.emplace_back(line.text);
  CacheEntry entry(parts, std::move(known));
  if (std::ranges::any_of(patch, [](const MarkedLine& line) { return line.block != 0; })) entry.apply(patch, edit);
  auto lines = entry.lines();
  if (lines) return std::move(*lines);
  edit.note("PATCH_SYNTAX", Level::Error, lines.error().message);
  return std::nullopt;
}

std::vector<Folder> folders_of(const Patch& patch) {
  std::map<std::string, Folder> folders;
  for (const PatchFile& file : patch.files) {
    const std::size_t slash = file.name.find('/');
    if (slash == std::string_view::npos || file.name.find('/', slash + 1) != std::string_view::npos) continue;
    const std::string_view name = file.name.substr(slash + 1);
    if (name.size() < 5 || !equal_ignoring_case(name.substr(name.size() - 4), ".txt")) continue;
    Folder& folder = folders[std::string(file.name.substr(0, slash))];
    folder.name = file.name.substr(0, slash);
    folder.files.push_back(&file);
  }
  std::vector<Folder> all;
  for (auto& [name, folder] : folders) all.push_back(std::move(folder));
  return all;
}

std::string_view file_stem(const PatchFile& file) {
  const std::string_view name = file.name.substr(file.name.find('/') + 1);
  return name.substr(0, name.size() - 4);
}

const PatchFile* header_in(const Folder& folder) {
  const auto found =
      std::ranges::find_if(folder.files, [](const PatchFile* file) { return file_stem(*file) == kHeader; });
  return found == folder.files.end() ? nullptr : *found;
}

Cache merge_cache(const Cache& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits) {
  if (const auto* data = std::get_if<AnimationData>(&base)) return merge_data(*data, mods, report, limits);
  return merge_sets(std::get<AnimationSets>(base), mods, report, limits);
}

}  // namespace marrow::behavior
