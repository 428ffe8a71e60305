// SPDX-License-Identifier: MIT
// Sets of animations: projects with sets, which have names.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "behavior/cache_merge.h"

namespace marrow::behavior {
namespace {

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
        finish(set, project.value.name + ", " + set.value.name);
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

AnimationSets merge_sets(const AnimationSets& base, std::span<const Patch> mods, MergeReport& report,
                         const Limits& limits) {
  return SetMerge(base, mods, report, limits).run();
}

}  // namespace marrow::behavior
