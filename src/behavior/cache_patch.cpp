// SPDX-License-Identifier: MIT
#include "behavior/cache_patch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "behavior/cache_entries.h"
#include "behavior/cache_entry.h"
#include "behavior/cache_lines.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

constexpr std::string_view kHeader = "$header$";

std::vector<std::string> lines_of(const CacheClip& clip) {
  std::vector<std::string> lines = {clip.name, clip.id, clip.speed, clip.crop_start, clip.crop_end,
                                    std::to_string(clip.triggers.size())};
  lines.insert(lines.end(), clip.triggers.begin(), clip.triggers.end());
  return lines;
}

std::vector<std::string> lines_of(const CacheMotion& motion) {
  std::vector<std::string> lines = {motion.id, motion.duration};
  for (const auto* keys : {&motion.translations, &motion.rotations}) {
    lines.push_back(std::to_string(keys->size()));
    lines.insert(lines.end(), keys->begin(), keys->end());
  }
  return lines;
}

std::vector<std::string> lines_of(const DataProject& project) {
  std::vector<std::string> lines = {project.lead, std::to_string(project.assets.size())};
  lines.insert(lines.end(), project.assets.begin(), project.assets.end());
  lines.emplace_back(project.has_motion ? "1" : "0");
  return lines;
}

std::vector<std::string> lines_of(const AnimationSet& set) {
  std::vector<std::string> lines = {set.version, std::to_string(set.triggers.size())};
  lines.insert(lines.end(), set.triggers.begin(), set.triggers.end());
  lines.push_back(std::to_string(set.conditions.size()));
  for (const CacheCondition& each : set.conditions) lines.insert(lines.end(), {each.variable, each.lowest, each.highest});
  lines.push_back(std::to_string(set.attacks.size()));
  for (const CacheAttack& each : set.attacks) {
    lines.insert(lines.end(), {each.event, each.mirrored, std::to_string(each.clips.size())});
    lines.insert(lines.end(), each.clips.begin(), each.clips.end());
  }
  lines.push_back(std::to_string(set.files.size()));
  for (const CacheFile& each : set.files) lines.insert(lines.end(), {each.folder, each.name, each.extension});
  return lines;
}

void fill(CacheClip& clip, EntryLines entry) {
  std::vector<std::string>& head = entry.parts[0];
  clip = {head[0], head[1], head[2], head[3], head[4], std::move(entry.parts[1])};
}
void fill(CacheMotion& motion, EntryLines entry) {
  motion = {entry.parts[0][0], entry.parts[0][1], std::move(entry.parts[1]), std::move(entry.parts[2])};
}
void fill(DataProject& project, EntryLines entry) {
  project.lead = entry.parts[0][0];
  project.assets = std::move(entry.parts[1]);
  project.has_motion = entry.parts[2][0] == "1";
}
void fill(AnimationSet& set, EntryLines entry) {
  set.version = entry.parts[0][0];
  set.triggers = std::move(entry.parts[1]);
  set.conditions.clear();
  for (std::size_t i = 0; i + 2 < entry.parts[2].size(); i += 3)
    set.conditions.push_back({entry.parts[2][i], entry.parts[2][i + 1], entry.parts[2][i + 2]});
  set.attacks = std::move(entry.attacks);
  set.files.clear();
  for (std::size_t i = 0; i + 2 < entry.parts[4].size(); i += 3)
    set.files.push_back({entry.parts[4][i], entry.parts[4][i + 1], entry.parts[4][i + 2]});
}

/// A value of the cache with the edits of mods so far.
template <class Value>
struct Entry {
  Value value = {};
  std::optional<CacheEntry> edits = {};  ///< once a mod touches it
  bool is_new = false;
};

// Returns the entry that a file of a mod states: its own lines, with its marks applied.
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

template <class Value>
void edit_entry(Entry<Value>& entry, std::span<const EntryPart> parts, const std::vector<MarkedLine>& patch,
                const CacheEdit& edit) {
  if (!entry.edits) entry.edits.emplace(parts, lines_of(entry.value));
  entry.edits->apply(patch, edit);
}

/// The files of one folder of a mod.
struct Folder {
  std::string name;  ///< `GiantProject~1`
  std::vector<const PatchFile*> files = {};
};

/// Files are grouped by folder, in order of name.
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
  const auto found = std::ranges::find_if(folder.files, [](const PatchFile* file) { return file_stem(*file) == kHeader; });
  return found == folder.files.end() ? nullptr : *found;
}

/// A name that a header inserts, and the game's name that it stands after; empty: at the start.
struct Inserted {
  std::string name;
  std::string after;
};

std::vector<Inserted> inserted_names(const std::vector<MarkedLine>& lines, const auto& is_known) {
  std::vector<Inserted> names;
  std::string last;
  for (const MarkedLine& line : lines) {
    const std::string_view name = trim(line.text);
    if (name.empty() || plain_count(name)) continue;
    if (line.mark == Mark::New)
      names.push_back({std::string(name), last});
    else if (is_known(name))
      last = lowered_name(name);
  }
  return names;
}

/// What the two kinds of caches share: mods one after another, their folders, the list of projects.
template <class Derived>
class CacheMergeBase {
 public:
  CacheMergeBase(std::span<const Patch> mods, MergeReport& report, const Limits& limits)
      : mods_(mods), report_(report), limits_(limits) {}

  void take_all() {
    for (int mod = 0; mod < static_cast<int>(mods_.size()); ++mod) {
      const std::vector<Folder> folders = folders_of(mods_[static_cast<std::size_t>(mod)]);
      for (const Folder& folder : folders)
        if (folder.name == kHeader) take_list(mod, folder, folders);
      for (const Folder& folder : folders)
        if (folder.name != kHeader) derived().take_folder(mod, folder);
    }
  }

 protected:
  Derived& derived() { return static_cast<Derived&>(*this); }

  CacheEdit edit_of(int mod, std::string where) { return {mods_, mod, std::move(where), &report_}; }

  std::optional<std::vector<MarkedLine>> lines_in(const PatchFile& file, const CacheEdit& edit) {
    const auto count = static_cast<std::uint64_t>(std::ranges::count(file.text, '\n')) + 1;
    if (!limits_.charge(count, sizeof(MarkedLine) + 2 * sizeof(std::string)) || !limits_.charge(file.text.size())) {
      edit.note("PATCH_SYNTAX", Level::Error, "the lines take more memory than the limit allows");
      return std::nullopt;
    }
    auto lines = read_marked_lines(file.text);
    if (lines) return std::move(*lines);
    edit.note("PATCH_SYNTAX", Level::Error, lines.error().message);
    return std::nullopt;
  }

  // The list of all projects: those that are new stand where the block puts them, if the mod brings their folder.
  void take_list(int mod, const Folder& folder, const std::vector<Folder>& folders) {
    const PatchFile* header = header_in(folder);
    const CacheEdit edit = edit_of(mod, std::string(kHeader));
    const auto lines = header ? lines_in(*header, edit) : std::nullopt;
    if (!lines) return;
    const auto is_known = [&](std::string_view name) { return derived().find(lowered_name(name)) != nullptr; };
    std::set<std::string> brought;
    for (const Folder& each : folders) brought.insert(to_lower(Derived::project_of(each.name)));
    for (const Inserted& each : inserted_names(*lines, is_known)) {
      if (is_known(each.name)) continue;
      if (brought.contains(lowered_name(each.name)))
        derived().add_project(each.name, each.after);
      else
        edit.note("PATCH_NO_FILE", Level::Info, "the project " + each.name + " has no folder; it is left out");
    }
  }

  std::span<const Patch> mods_;
  MergeReport& report_;
  const Limits& limits_;
};

class DataMerge : public CacheMergeBase<DataMerge> {
 public:
  struct Project {
    DataProject value;  ///< without clips and motions
    std::vector<Entry<CacheClip>> clips = {};
    std::vector<Entry<CacheMotion>> motions = {};
    std::map<std::pair<std::string, std::string>, std::size_t> clip_of = {};  ///< by name and id
    std::map<std::string, std::size_t> motion_of = {};
    std::optional<CacheEntry> head = {};
    std::uint64_t next = 0;  ///< free id
    int ids_of = -1;         ///< the mod whose new ids these are
    std::map<std::string, std::string> new_ids = {};
    bool has_head = true;
  };

  DataMerge(const AnimationData& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits)
      : CacheMergeBase(mods, report, limits), ends_(base.ends) {
    for (const DataProject& each : base.projects) {
      Project project{.value = {.name = each.name, .lead = each.lead, .assets = each.assets, .has_motion = each.has_motion}};
      project.next = next_id(each);
      for (const CacheClip& clip : each.clips) add(project, clip, false);
      for (const CacheMotion& motion : each.motions) add(project, motion, false);
      projects_.add(std::move(project));
    }
  }

  AnimationData run() {
    take_all();
    AnimationData merged{.ends = ends_};
    projects_.in_order([&](Project& project) {
      if (project.head) {
        auto lines = project.head->lines();
        if (lines)
          fill(project.value, std::move(*lines));
        else
          report_.note({.code = "PATCH_SYNTAX", .level = Level::Error, .where = project.value.name, .message = lines.error().message});
      }
      for (auto& clip : project.clips) {
        count(clip, project);
        project.value.clips.push_back(std::move(clip.value));
      }
      for (auto& motion : project.motions) {
        count(motion, project);
        project.value.motions.push_back(std::move(motion.value));
      }
      if (!project.value.motions.empty() || !project.value.clips.empty()) project.value.has_motion = true;
      merged.projects.push_back(std::move(project.value));
    });
    report_.nodes = merged.projects.size();
    return merged;
  }

  static std::string_view project_of(std::string_view folder) { return folder.substr(0, folder.find_last_of('~')); }

  Project* find(const std::string& lowered) { return projects_.find(lowered); }

  void add_project(const std::string& name, const std::string& after) {
    Project project{.value = {.name = name}};
    project.has_head = false;
    projects_.insert(std::move(project), after);
  }

  void take_folder(int mod, const Folder& folder) {
    const std::string name(project_of(folder.name));
    const PatchFile* header = header_in(folder);
    Project* project = find(to_lower(name));
    if (!project && header) {
      Project fresh{.value = {.name = name + ".txt"}};
      fresh.has_head = false;
      project = &projects_.append(std::move(fresh));
    }
    if (!project)
      return edit_of(mod, folder.name)
          .note("PATCH_NO_FILE", Level::Info, "the cache has no project " + name + "; the folder is skipped");
    if (header) take_head(mod, *project, *header, folder.name);
    if (project->ids_of != mod) project->new_ids.clear();
    project->ids_of = mod;
    for (const File& file : sorted_files(folder)) {
      const CacheEdit edit = edit_of(mod, std::string(file.file->name));
      const auto lines = lines_in(*file.file, edit);
      if (!lines || lines->empty()) continue;
      std::string id = file.id;
      if (file.is_new) {
        const auto [known, is_fresh] = project->new_ids.try_emplace(file.id);
        if (is_fresh) known->second = std::to_string(project->next++);
        id = known->second;
      }
      if (file.is_clip)
        take_clip(*project, *lines, id, edit);
      else
        take_motion(*project, *lines, id, edit);
    }
  }

 private:
  /// A file of a clip or a motion, by what its name says.
  struct File {
    const PatchFile* file;
    bool is_new, is_clip;
    std::uint64_t number;  ///< of the id
    std::string id;
    std::string stem;
  };

  // Game ids first, then by number, clips before motions, then by name.
  static std::vector<File> sorted_files(const Folder& folder) {
    std::vector<File> files;
    for (const PatchFile* each : folder.files) {
      const std::string stem(file_stem(*each));
      if (stem == kHeader) continue;
      const std::size_t tilde = stem.find_last_of('~');
      File file{.file = each, .is_new = false, .is_clip = tilde != std::string::npos, .number = 0, .id = stem, .stem = stem};
      if (file.is_clip) file.id = stem.substr(tilde + 1);
      const std::size_t dollar = file.id.find_last_of('$');
      file.is_new = dollar != std::string::npos;
      file.number = parse_uint(file.is_new ? file.id.substr(dollar + 1) : file.id).value_or(UINT64_MAX);
      files.push_back(std::move(file));
    }
    std::ranges::stable_sort(files, {}, [](const File& file) {
      return std::tuple(file.is_new, file.number, !file.is_clip, file.stem);
    });
    return files;
  }

  template <class Value>
  void count(Entry<Value>& entry, const Project& project) {
    if (entry.is_new) {
      ++report_.added;
      return;
    }
    if (!entry.edits || !entry.edits->is_changed()) return;
    auto lines = entry.edits->lines();
    if (!lines) {
      report_.note({.code = "PATCH_SYNTAX",
                    .level = Level::Error,
                    .where = project.value.name + ", " + entry.value.id,
                    .message = lines.error().message});
      return;
    }
    const Value before = entry.value;
    fill(entry.value, std::move(*lines));
    report_.changed += !(entry.value == before);
  }

  static void see_id(Project& project, const std::string& id) {
    if (const auto number = parse_uint(id); number && *number < UINT64_MAX) project.next = std::max(project.next, *number + 1);
  }
  static void add(Project& project, CacheClip clip, bool is_new) {
    see_id(project, clip.id);
    auto& entry = project.clips.emplace_back();
    entry.is_new = is_new;
    project.clip_of.emplace(std::pair(clip.name, clip.id), project.clips.size() - 1);
    entry.value = std::move(clip);
  }
  static void add(Project& project, CacheMotion motion, bool is_new) {
    see_id(project, motion.id);
    auto& entry = project.motions.emplace_back();
    entry.is_new = is_new;
    project.motion_of.emplace(motion.id, project.motions.size() - 1);
    entry.value = std::move(motion);
  }

  void take_head(int mod, Project& project, const PatchFile& header, const std::string& where) {
    const CacheEdit edit = edit_of(mod, where + "/" + std::string(kHeader));
    const auto lines = lines_in(header, edit);
    if (!lines) return;
    if (!project.has_head) {
      if (auto entry = new_entry(project_parts(), *lines, edit)) fill(project.value, std::move(*entry));
      project.has_head = true;
      return;
    }
    if (!project.head) project.head.emplace(project_parts(), lines_of(project.value));
    project.head->apply(*lines, edit);
  }

  void take_clip(Project& project, const std::vector<MarkedLine>& lines, const std::string& id, const CacheEdit& edit) {
    const auto first = std::ranges::find_if(lines, [](const MarkedLine& line) { return line.mark != Mark::New; });
    const std::string name(first == lines.end() ? lines.front().text : first->text);
    if (const auto known = project.clip_of.find({name, id}); known != project.clip_of.end())
      return edit_entry(project.clips[known->second], clip_parts(), lines, edit);
    auto entry = new_entry(clip_parts(), lines, edit);
    if (!entry) return;
    CacheClip clip;
    fill(clip, std::move(*entry));
    clip.id = id;
    add(project, std::move(clip), true);
  }

  void take_motion(Project& project, const std::vector<MarkedLine>& lines, const std::string& id, const CacheEdit& edit) {
    if (const auto known = project.motion_of.find(id); known != project.motion_of.end())
      return edit_entry(project.motions[known->second], motion_parts(), lines, edit);
    auto entry = new_entry(motion_parts(), lines, edit);
    if (!entry) return;
    CacheMotion motion;
    fill(motion, std::move(*entry));
    motion.id = id;
    add(project, std::move(motion), true);
  }

  LineEnds ends_;
  Entries<Project> projects_;
};

class SetMerge : public CacheMergeBase<SetMerge> {
 public:
  struct Project {
    SetProject value;  ///< without sets
    Entries<Entry<AnimationSet>> sets = {};
  };

  SetMerge(const AnimationSets& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits)
      : CacheMergeBase(mods, report, limits), ends_(base.ends) {
    for (const SetProject& each : base.projects) {
      Project project{.value = {.name = each.name}};
      for (const AnimationSet& set : each.sets) project.sets.add({.value = set});
      projects_.add(std::move(project));
    }
  }

  AnimationSets run() {
    take_all();
    AnimationSets merged{.ends = ends_};
    projects_.in_order([&](Project& project) {
      project.sets.in_order([&](Entry<AnimationSet>& set) {
        if (set.is_new)
          ++report_.added;
        else
          finish(set, project);
        project.value.sets.push_back(std::move(set.value));
      });
      merged.projects.push_back(std::move(project.value));
    });
    report_.nodes = merged.projects.size();
    return merged;
  }

  // `GiantProjectData~GiantProject` is the project `GiantProjectData\GiantProject.txt`.
  static std::string_view project_of(std::string_view folder) { return folder.substr(folder.find_last_of('~') + 1); }

  Project* find(const std::string& lowered) { return projects_.find(lowered); }

  void add_project(const std::string& name, const std::string& after) {
    projects_.insert(Project{.value = {.name = name}}, after);
  }

  void take_folder(int mod, const Folder& folder) {
    const std::string name(project_of(folder.name));
    const PatchFile* header = header_in(folder);
    Project* project = find(to_lower(name));
    if (!project && header && folder.name.find('~') != std::string::npos) {
      std::string listed = folder.name + ".txt";
      std::ranges::replace(listed, '~', '\\');
      project = &projects_.append(Project{.value = {.name = std::move(listed)}});
    }
    if (!project)
      return edit_of(mod, folder.name)
          .note("PATCH_NO_FILE", Level::Info, "the cache has no project " + name + "; the folder is skipped");
    std::vector<Inserted> places;
    if (header)
      if (const auto lines = lines_in(*header, edit_of(mod, folder.name + "/" + std::string(kHeader))))
        places = set_places(*project, *lines);
    // New sets in the order of the header, then those that it does not name.
    std::unordered_map<std::string, std::size_t> listed;
    for (std::size_t i = 0; i < places.size(); ++i) listed.emplace(lowered_name(places[i].name), i);
    struct Fresh {
      const PatchFile* file;
      std::string set;
      std::size_t place;
    };
    std::vector<Fresh> fresh;
    for (const PatchFile* file : folder.files) {
      const std::string stem(file_stem(*file));
      if (stem == kHeader) continue;
      std::string set(stem.substr(stem.find('$') + 1));
      Entry<AnimationSet>* found = project->sets.find(to_lower(set));
      if (!found) {
        const auto place = listed.find(to_lower(set));
        fresh.push_back({file, std::move(set), place == listed.end() ? places.size() : place->second});
        continue;
      }
      const CacheEdit edit = edit_of(mod, std::string(file->name));
      if (const auto lines = lines_in(*file, edit)) edit_entry(*found, set_parts(), *lines, edit);
    }
    std::ranges::stable_sort(fresh, {}, &Fresh::place);
    for (const Fresh& each : fresh)
      add_set(mod, *project, *each.file, each.set, each.place < places.size() ? &places[each.place] : nullptr);
  }

 private:
  void finish(Entry<AnimationSet>& set, const Project& project) {
    if (!set.edits || !set.edits->is_changed()) return;
    auto lines = set.edits->lines();
    if (!lines) {
      report_.note({.code = "PATCH_SYNTAX",
                    .level = Level::Error,
                    .where = project.value.name + ", " + set.value.name,
                    .message = lines.error().message});
      return;
    }
    const AnimationSet before = set.value;
    fill(set.value, std::move(*lines));
    report_.changed += !(set.value == before);
  }

  // The header of a new project names its sets without marks.
  static std::vector<Inserted> set_places(Project& project, const std::vector<MarkedLine>& lines) {
    const auto is_known = [&](std::string_view name) { return project.sets.find(lowered_name(name)) != nullptr; };
    std::vector<Inserted> places;
    std::string last;
    for (const MarkedLine& line : lines) {
      const std::string_view name = trim(line.text);
      if (name.empty() || plain_count(name) || line.mark == Mark::Old) continue;
      if (is_known(name))
        last = lowered_name(name);
      else
        places.push_back({std::string(name), last});
    }
    return places;
  }

  void add_set(int mod, Project& project, const PatchFile& file, const std::string& name, const Inserted* place) {
    const CacheEdit edit = edit_of(mod, std::string(file.name));
    const auto lines = lines_in(file, edit);
    auto entry = lines ? new_entry(set_parts(), *lines, edit) : std::nullopt;
    if (!entry) return;
    Entry<AnimationSet> set{.value = {.name = place ? place->name : name + ".txt"}, .is_new = true};
    fill(set.value, std::move(*entry));
    if (place)
      project.sets.insert(std::move(set), place->after);
    else
      project.sets.append(std::move(set));
  }

  LineEnds ends_;
  Entries<Project> projects_;
};

}  // namespace

Cache merge_cache(const Cache& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits) {
  if (const auto* data = std::get_if<AnimationData>(&base)) return DataMerge(*data, mods, report, limits).run();
  return SetMerge(std::get<AnimationSets>(base), mods, report, limits).run();
}

}  // namespace marrow::behavior
