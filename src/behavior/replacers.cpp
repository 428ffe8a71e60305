// SPDX-License-Identifier: MIT
#include "behavior/replacers.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "behavior/names.h"
#include "core/json.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

constexpr std::string_view kOpen = "openanimationreplacer", kDynamic = "dynamicanimationreplacer";
constexpr std::string_view kConditionFolders = "_customconditions", kVariants = "_variants_";

std::vector<std::string_view> folders_in(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto value = parse_uint(text);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) && value &&
         *value <= 2147483647;
}

bool is_plugin(std::string_view name) {
  return name.ends_with(".esp") || name.ends_with(".esm") || name.ends_with(".esl");
}

bool is_form_id(std::string_view name) {
  return name.size() == 8 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// A clip in a replacer's folder, by its path in lower case with forward slashes.
struct ReplacerClip {
  std::string folder = {};      ///< with the conditions; below it, paths are those of the clips that are replaced
  std::string rest = {};        ///< below that folder
  std::string animations = {};  ///< the folder of animations that holds the replacer
  std::string mod = {};         ///< Open Animation Replacer: the folder of the mod
  std::string wrong = {};       ///< why the folder is skipped; empty if it is one
  bool is_open = false;         ///< conditions are in `config.json`
  bool needs_conditions = true;
};

std::string joined_path(std::span<const std::string_view> parts) {
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) (path += i == 0 ? "" : "/") += parts[i];
  return path;
}

std::optional<ReplacerClip> replacer_clip(const std::string& path) {
  if (!path.ends_with(".hkx") && !path.ends_with(".xml")) return std::nullopt;
  const std::vector<std::string_view> parts = folders_in(path);
  const auto replacer =
      std::ranges::find_if(parts, [](std::string_view part) { return part == kOpen || part == kDynamic; });
  if (replacer == parts.end() || replacer + 1 == parts.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(replacer - parts.begin());
  const std::span all(parts);
  const std::size_t below = parts.size() - at - 2;  // folders between the replacer's own and the file
  ReplacerClip clip{.is_open = *replacer == kOpen};
  clip.animations = joined_path(all.first(at));
  const std::size_t depth = std::min<std::size_t>(below, 2);
  clip.folder = joined_path(all.first(at + 1 + depth));
  clip.rest = joined_path(all.subspan(at + 1 + depth));
  if (clip.is_open) {
    if (depth == 2)
      clip.mod = joined_path(all.first(at + 2));
    else
      clip.wrong = "clips belong into OpenAnimationReplacer/MOD/SUBMOD";
    return clip;
  }
  const std::string_view first = below > 0 ? parts[at + 1] : std::string_view(),
                         second = below > 1 ? parts[at + 2] : std::string_view();
  if (first == kConditionFolders) {
    if (!is_number(second)) clip.wrong = "a folder of _CustomConditions is called by a whole number, its priority";
  } else if (is_plugin(first)) {
    clip.needs_conditions = false;
    if (!is_form_id(second)) clip.wrong = "a folder of a plugin is called by a form id of eight hexadecimal digits";
  } else {
    clip.wrong = "DynamicAnimationReplacer knows _CustomConditions and folders with the name of a plugin";
  }
  return clip;
}

// XML stands in for a packfile.
std::string as_packfile(std::string path) {
  if (path.ends_with(".xml")) path.replace(path.size() - 4, 4, ".hkx");
  return path;
}

// The clip that is replaced: variants lie in a folder with its name.
std::string replaced_name(const ReplacerClip& clip) {
  const std::size_t at = clip.rest.find(kVariants);
  if (at == std::string::npos || (at > 0 && clip.rest[at - 1] != '/')) return as_packfile(clip.rest);
  const std::size_t begin = at + kVariants.size();
  const std::size_t end = std::min(clip.rest.find('/', begin), clip.rest.size());
  return clip.rest.substr(0, at) + clip.rest.substr(begin, end - begin) + ".hkx";
}

// Lines of Dynamic Animation Replacer: [NOT] Name(arguments) [AND|OR]. Returns the first that is not one of them.
std::optional<std::string> wrong_condition(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with(';') || line.starts_with("//")) continue;
    std::string_view rest = line;
    if (rest.size() > 4 && equal_ignoring_case(rest.substr(0, 4), "NOT ")) rest = trim(rest.substr(4));
    for (const std::string_view word : {" AND", " OR"})
      if (rest.size() > word.size() && equal_ignoring_case(rest.substr(rest.size() - word.size()), word))
        rest = trim(rest.substr(0, rest.size() - word.size()));
    const std::size_t open = rest.find('(');
    const std::string_view name = trim(rest.substr(0, std::min(open, rest.size())));
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!is_name || (open != std::string_view::npos && !rest.ends_with(')'))) return std::string(line.substr(0, 80));
  }
  return std::nullopt;
}

class ReplacerCheck {
 public:
  explicit ReplacerCheck(const ReplacerFiles& files) : files_(files) {}

  ProjectFindings run() {
    for (const std::string& name : files_.names) {
      const std::string key = file_key(name);
      if (auto clip = replacer_clip(key))
        clips_.emplace_back(name, std::move(*clip));
      else if (const std::size_t slash = key.find_last_of('/'); slash != std::string::npos)
        plain_.insert(as_packfile(animation_key(key)));
    }
    for (const auto& [name, clip] : clips_) {
      if (told_.insert(clip.folder).second) check_folder(name, clip);
      if (!clip.mod.empty() && told_.insert(clip.mod).second) check_config(name, clip.mod, "mod");
      if (clip.wrong.empty()) check_target(name, clip);
    }
    return std::move(findings_);
  }

 private:
  void tell(const std::string& name, std::string_view code, const std::string& where, std::string message) {
    findings_[name].push_back({std::string(code), Level::Warning, std::move(message), where});
  }

  // Folders keep their case on a disk: the name of the first clip begins with that of its folder.
  static std::string spelled(const std::string& name, const std::string& folder) {
    const std::size_t shift = file_key_shift(name);
    return name.substr(0, std::min(name.size(), folder.size() + shift));
  }

  void check_folder(const std::string& name, const ReplacerClip& clip) {
    const std::string folder = spelled(name, clip.folder);
    if (!clip.wrong.empty())
      return tell(name, "REPLACER_FOLDER", folder, clip.wrong + ": this one is skipped, and its clips never play");
    if (!clip.needs_conditions) return;
    if (clip.is_open) return check_config(name, clip.folder, "submod");
    const auto text = files_.read(folder + "/_conditions.txt");
    if (!text)
      tell(name, "REPLACER_CONDITIONS", folder,
           "the folder has no _conditions.txt: it is skipped, and its clips never play");
    else if (const auto line = wrong_condition(*text))
      tell(name, "REPLACER_CONDITIONS", folder,
           "\"" + printable(*line) + "\" in _conditions.txt is not a condition, [NOT] Name(arguments) [AND|OR]");
  }

  void check_config(const std::string& name, const std::string& key, std::string_view what) {
    const std::string folder = spelled(name, key);
    std::optional<std::string> text = files_.read(folder + "/config.json");
    if (!text) text = files_.read(folder + "/user.json");
    if (!text) {
      if (!is_override(key))
        tell(name, "REPLACER_CONDITIONS", folder,
             "the folder of a " + std::string(what) + " has no config.json: it is skipped, and its clips never play");
      return;
    }
    std::string_view json = *text;
    if (json.starts_with("\xEF\xBB\xBF")) json.remove_prefix(3);
    if (const auto read = parse_json(json); !read)
      tell(name, "REPLACER_CONDITIONS", folder, "config.json is not JSON: " + read.error().message);
  }

  // A folder without conditions of its own may hold the clips of another: `overrideAnimationsFolder` names it.
  bool is_override(const std::string& key) {
    const std::size_t slash = key.find_last_of('/');
    return overrides_in(key.substr(0, slash)).contains(key.substr(slash + 1));
  }

  // The folders that submods of a mod name, in lower case. Each mod is read once.
  const std::set<std::string>& overrides_in(const std::string& mod) {
    if (submods_.empty())
      for (const auto& [name, clip] : clips_)
        if (clip.is_open && !clip.mod.empty()) submods_[clip.mod].emplace(clip.folder, spelled(name, clip.folder));
    const auto [entry, is_new] = overrides_.try_emplace(mod);
    if (!is_new) return entry->second;
    for (const auto& [key, folder] : submods_[mod]) {
      const auto text = files_.read(folder + "/config.json");
      const auto json = text ? parse_json(*text) : Result<Json>(Json());
      if (json && json->is_object()) entry->second.insert(to_lower((*json)["overrideAnimationsFolder"].text()));
    }
    return entry->second;
  }

  void check_target(const std::string& name, const ReplacerClip& clip) {
    const std::string target = animation_key(clip.animations + "/" + replaced_name(clip));
    const std::size_t slash = clip.animations.find_last_of('/');
    const std::string root = slash == std::string::npos ? "" : clip.animations.substr(0, slash + 1);
    const auto listed = files_.animations.find(root);
    if (listed != files_.animations.end()) {
      if (listed->second.contains(target.substr(root.size()))) return;
      return tell(
          name, "REPLACER_NO_TARGET", {},
          "replaces nothing: no character of the project lists " + target.substr(root.size()) + ", so it never plays");
    }
    if (plain_.contains(target) || !has_plain(clip.animations + "/")) return;
    tell(name, "REPLACER_NO_TARGET", {},
         "replaces nothing: there is no " + target +
             " among the files, so it never plays unless the game has it in an archive");
  }

  // Some mods bring their own animations beside a replacer: a handful of files is not the whole folder.
  bool has_plain(const std::string& folder) {
    constexpr std::size_t kWholeFolder = 20;
    std::size_t count = 0;
    for (auto each = plain_.lower_bound(folder);
         each != plain_.end() && count < kWholeFolder && each->starts_with(folder); ++each)
      ++count;
    return count == kWholeFolder;
  }

  const ReplacerFiles& files_;
  std::vector<std::pair<std::string, ReplacerClip>> clips_;
  std::set<std::string> plain_;  // other files, as animation keys
  std::set<std::string> told_;
  std::map<std::string, std::map<std::string, std::string>> submods_;  // folders by their keys, by mod
  std::map<std::string, std::set<std::string>> overrides_;             // by mod
  ProjectFindings findings_;
};

}  // namespace

bool is_below_replacer(std::string_view name) { return replacer_clip(file_key(name)).has_value(); }

ProjectFindings check_replacers(const ReplacerFiles& files) { return ReplacerCheck(files).run(); }

}  // namespace marrow::behavior
