// SPDX-License-Identifier: MIT
#include "ops/behavior/mods.h"

#include <algorithm>
#include <optional>

#include "behavior/cache.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/document/tree_name.h"

namespace marrow {
namespace {

constexpr std::string_view kFirstPerson = "_1stperson";
constexpr std::string_view kDataCache = "animationdatasinglefile";
constexpr std::string_view kSetCache = "animationsetdatasinglefile";

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

bool is_node_file(std::string_view name) {
  return name.starts_with('#') && name.size() > 5 && equal_ignoring_case(name.substr(name.size() - 4), ".txt");
}

/// A file of a mod: what it is a patch of, and its name below that.
struct PatchPlace {
  std::string target;
  std::size_t name_parts;  ///< of the path, from its end
};

std::optional<PatchPlace> place_of(std::span<const std::string_view> parts) {
  if (parts.size() < 2) return std::nullopt;
  for (const std::string_view cache : {kDataCache, kSetCache})
    if (equal_ignoring_case(parts[0], cache))
      return parts.size() < 3 ? std::nullopt : std::optional(PatchPlace{std::string(cache), parts.size() - 1});
  if (!is_node_file(parts.back())) return std::nullopt;
  std::string target = to_lower(parts[parts.size() - 2]);
  const auto folders = parts.first(parts.size() - 2);
  if (std::ranges::any_of(folders, [](std::string_view part) { return equal_ignoring_case(part, kFirstPerson); }))
    target = std::string(kFirstPerson) + "/" + target;
  return PatchPlace{std::move(target), 1};
}

// A folder is a mod if it has what mods have, directly below it.
bool is_in_mod(std::span<const std::string_view> parts) {
  if (parts.size() == 1) return equal_ignoring_case(parts[0], "info.ini");
  if (equal_ignoring_case(parts[0], kDataCache) || equal_ignoring_case(parts[0], kSetCache)) return true;
  const std::size_t first = equal_ignoring_case(parts[0], kFirstPerson) ? 1 : 0;
  return parts.size() == first + 2 && is_node_file(parts.back());
}

void add_file(Mod& mod, const TreeFile& file, std::span<const std::string_view> parts) {
  const auto place = place_of(parts);
  if (!place) return;
  // Parts lie one after another in the name.
  const char* begin = parts[parts.size() - place->name_parts].data();
  const char* end = file.name.data() + file.name.size();
  mod.targets[place->target].push_back(
      {std::string_view(begin, static_cast<std::size_t>(end - begin)), as_text(file.bytes)});
}

}  // namespace

std::vector<Mod> mods_among(std::span<const TreeFile> files) {
  /// The files of one folder that was given.
  struct Root {
    std::string_view path;
    std::vector<const TreeFile*> files = {};
    bool is_mod = false;
  };
  std::vector<Root> roots;
  for (const TreeFile& file : files) {
    const std::string_view path = split_tree_name(file.name).head();
    auto root = std::ranges::find(roots, path, &Root::path);
    if (root == roots.end()) root = roots.insert(root, Root{path});
    root->files.push_back(&file);
    const auto parts = parts_of(split_tree_name(file.name).below);
    root->is_mod |= !parts.empty() && is_in_mod(parts);
  }
  std::vector<Mod> mods;
  for (const Root& root : roots) {
    std::map<std::string, Mod> inside;  // in order of name
    for (const TreeFile* file : root.files) {
      const std::vector<std::string_view> parts = parts_of(split_tree_name(file->name).below);
      if (parts.empty() || (!root.is_mod && parts.size() < 2)) continue;
      const auto folders = parts_of(split_tree_name(root.path).folder);
      const std::string code(root.is_mod ? (folders.empty() ? std::string_view() : folders.back()) : parts[0]);
      Mod& mod = inside[root.is_mod ? std::string() : code];
      mod.code = code;
      add_file(mod, *file, root.is_mod ? std::span(parts) : std::span(parts).subspan(1));
    }
    for (auto& [name, mod] : inside)
      if (!mod.targets.empty() || root.is_mod) mods.push_back(std::move(mod));
  }
  return mods;
}

std::string target_of(const TreeFile& base) {
  const std::string_view head = as_text(base.bytes).substr(0, kDetectBytes);
  switch (behavior::cache_part(head) == behavior::CachePart::Whole ? behavior::cache_kind(head)
                                                                   : behavior::CacheKind::None) {
    case behavior::CacheKind::Data: return std::string(kDataCache);
    case behavior::CacheKind::Sets: return std::string(kSetCache);
    default: break;
  }
  const std::vector<std::string_view> parts = parts_of(base.name);
  if (parts.empty()) return {};
  std::string target = to_lower(stem_of(parts.back()));
  const auto folders = std::span(parts).first(parts.size() - 1);
  if (std::ranges::any_of(folders, [](std::string_view part) { return equal_ignoring_case(part, kFirstPerson); }))
    target = std::string(kFirstPerson) + "/" + target;
  return target;
}

std::string safe_path(std::string_view path) {
  std::string safe;
  for (const std::string_view part : parts_of(path)) {
    if (part == "." || part == ".." || part.find_first_of(":") != std::string_view::npos) continue;
    safe += (safe.empty() ? "" : "/") + std::string(part);
  }
  return safe.empty() ? "patched" : safe;
}

}  // namespace marrow
