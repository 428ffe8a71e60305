// SPDX-License-Identifier: MIT
// Animation data: projects with clips and motions, which have ids.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "behavior/cache_merge.h"

namespace marrow::behavior {
namespace {

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
      Project project{
          .value = {.name = each.name, .lead = each.lead, .assets = each.assets, .has_motion = each.has_motion}};
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
          report_.note({.code = "PATCH_SYNTAX",
                        .level = Level::Error,
                        .where = project.value.name,
                        .message = lines.error().message});
      }
      for (auto& clip : project.clips) {
        finish(clip, project.value.name + ", " + clip.value.id);
        project.value.clips.push_back(std::move(clip.value));
      }
      for (auto& motion : project.motions) {
        finish(motion, project.value.name + ", " + motion.value.id);
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
      File file{
          .file = each, .is_new = false, .is_clip = tilde != std::string::npos, .number = 0, .id = stem, .stem = stem};
      if (file.is_clip) file.id = stem.substr(tilde + 1);
      const std::size_t dollar = file.id.find_last_of('$');
      file.is_new = dollar != std::string::npos;
      file.number = parse_uint(file.is_new ? file.id.substr(dollar + 1) : file.id).value_or(UINT64_MAX);
      files.push_back(std::move(file));
    }
    std::ranges::stable_sort(
        files, {}, [](const File& file) { return std::tuple(file.is_new, file.number, !file.is_clip, file.stem); });
    return files;
  }

  static void see_id(Project& project, const std::string& id) {
    if (const auto number = parse_uint(id); number && *number < UINT64_MAX)
      project.next = std::max(project.next, *number + 1);
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

  void take_motion(Project& project, const std::vector<MarkedLine>& lines, const std::string& id,
                   const CacheEdit& edit) {
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

}  // namespace

AnimationData merge_data(const AnimationData& base, std::span<const Patch> mods, MergeReport& report,
                         const Limits& limits) {
  return DataMerge(base, mods, report, limits).run();
}

}  // namespace marrow::behavior
