// SPDX-License-Identifier: MIT
// How mods are merged into a cache, for both kinds: `cache_merge_data.cpp` and `cache_merge_sets.cpp` add what each
// has.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/cache_entries.h"
#include "behavior/cache_entry.h"
#include "behavior/cache_lines.h"
#include "behavior/cache_values.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

AnimationData merge_data(const AnimationData& base, std::span<const Patch> mods, MergeReport& report,
                         const Limits& limits);
AnimationSets merge_sets(const AnimationSets& base, std::span<const Patch> mods, MergeReport& report,
                         const Limits& limits);

/// The file of a folder that names what the folder adds.
inline constexpr std::string_view kHeader = "$header$";

/// A value of the cache with the edits of mods so far.
template <class Value>
struct Entry {
  Value value = {};
  std::optional<CacheEntry> edits = {};  ///< once a mod touches it
  bool is_new = false;
};

/// Returns the entry that a file of a mod states: its own lines, with its marks applied. Nothing, with a note, if they
/// are not one.
std::optional<EntryLines> new_entry(std::span<const EntryPart> parts, const std::vector<MarkedLine>& patch,
                                    const CacheEdit& edit);

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

/// Groups the files of a mod by folder, in order of name.
std::vector<Folder> folders_of(const Patch& patch);
std::string_view file_stem(const PatchFile& file);
/// Returns the header of a folder; null if it has none.
const PatchFile* header_in(const Folder& folder);

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

/// What merging has in common for both kinds of caches: mods one after another, their folders, the list of projects.
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
  // Takes the lines of an entry after all mods, and counts it.
  template <class Value>
  void finish(Entry<Value>& entry, const std::string& where) {
    if (entry.is_new) {
      ++report_.added;
      return;
    }
    if (!entry.edits || !entry.edits->is_changed()) return;
    auto lines = entry.edits->lines();
    if (!lines) {
      report_.note({.code = "PATCH_SYNTAX", .level = Level::Error, .where = where, .message = lines.error().message});
      return;
    }
    const Value before = entry.value;
    fill(entry.value, std::move(*lines));
    report_.changed += !(entry.value == before);
  }

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

}  // namespace marrow::behavior
