// SPDX-License-Identifier: MIT
#include "anvil/merge.h"

#include <algorithm>
#include <unordered_map>

#include "anvil/at.h"
#include "anvil/check.h"
#include "anvil/ids.h"
#include "anvil/kept_xml.h"
#include "anvil/match.h"
#include "anvil/names.h"
#include "core/crc32.h"

namespace marrow::anvil {
namespace {

class Merger {
 public:
  Merger(const Skeleton& base, std::span<const Part> addons, const MergeOptions& options)
      : addons_(addons), options_(options), ids_(base) {
    result_.skeleton = base;
  }

  Merge run();

 private:
  bool validate();
  bool try_addon(std::int32_t addon, bool last_chance);
  void add(std::int32_t addon, const Skeleton& skeleton, const Hierarchy& tree, const Match& match);
  void add_modifiers(std::int32_t addon, const Bone& from, std::size_t to, AddonSummary& summary);
  std::uint64_t free_id(std::int32_t addon, std::uint64_t id);
  void check_count();
  void order();
  void say(std::string_view code, Level level, std::string message, std::string where, std::optional<Cure> cure = {}) {
    result_.findings.push_back({std::string(code), level, std::move(message), std::move(where), std::move(cure)});
  }

  std::span<const Part> addons_;
  const MergeOptions& options_;
  Merge result_;
  Hierarchy tree_;  // of the skeleton so far
  IdPool ids_;
  std::size_t base_count_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> id_of_;  // of the current addon: its bone ids -> ids in the result
};

bool Merger::validate() {
  const auto collect = [&](const Skeleton& skeleton, const std::string& label) {
    for (Finding& finding : check(skeleton)) {
      if (finding.level != Level::Error) continue;
      finding.where = label + ": " + finding.where;
      result_.findings.push_back(std::move(finding));
    }
  };
  collect(result_.skeleton, "base");
  for (const Part& part : addons_) collect(*part.skeleton, part.label);
  return result_.succeeded();
}

std::uint64_t Merger::free_id(std::int32_t addon, std::uint64_t id) {
  if (ids_.take(id)) return id;
  const std::uint64_t fresh = ids_.fresh(std::to_string(addons_[at(addon)].skeleton->id) + "/" + std::to_string(id));
  result_.id_changes.push_back({addon, id, fresh});
  return fresh;
}

// Appends modifiers to those that the bone has; one that is equal in every field to an existing one is left out.
void Merger::add_modifiers(std::int32_t addon, const Bone& from, std::size_t to, AddonSummary& summary) {
  Bone& bone = result_.skeleton.bones[to];
  for (Modifier modifier : from.modifiers) {
    remap_links(modifier, [&](BoneLink link) {
      const auto found = id_of_.find(link.target);
      return found == id_of_.end() ? link : BoneLink{found->second};
    });
    for (Kept::Element& element : modifier.kept.elements) remap_kept_links(element.xml, id_of_);
    for (Kept& part : modifier.part_kept)
      for (Kept::Element& element : part.elements) remap_kept_links(element.xml, id_of_);
    const bool known =
        std::ranges::any_of(bone.modifiers, [&](const Modifier& present) { return same_effect(present, modifier); });
    if (known) {
      ++summary.modifiers_dropped;
      say("I_DUP_MODIFIER", Level::Info,
          std::string(class_name(modifier)) + " on " + display_name(bone.name) + " already exists and is left out",
          addons_[at(addon)].label);
      continue;
    }
    if (const auto twice = std::ranges::find_if(bone.modifiers,
                                                [&](const Modifier& present) { return acts_twice(present, modifier); });
        twice != bone.modifiers.end())
      say("W_MODIFIER_TWICE", Level::Warning,
          display_name(bone.name) + " has a " + std::string(class_name(modifier)) +
              " already, with other values: the two act one after the other, and add up",
          addons_[at(addon)].label);
    for_each_id(modifier, [&](std::uint64_t& id) { id = free_id(addon, id); });
    bone.modifiers.push_back(std::move(modifier));
    result_.sources[to].modifiers.push_back(addon);
    ++summary.modifiers_added;
  }
}

void Merger::add(std::int32_t addon, const Skeleton& skeleton, const Hierarchy& tree, const Match& match) {
  AddonSummary summary{.label = addons_[at(addon)].label,
                       .root = display_name(result_.skeleton.bones[at(match.root)].name),
                       .bones = skeleton.bones.size(),
                       .merged = true};
  auto& bones = result_.skeleton.bones;
  id_of_.clear();
  std::vector<std::int32_t> place = match.in_base;  // positions of the addon's bones in the result
  for (const std::int32_t index : tree.depth_first) {
    const Bone& bone = skeleton.bones[at(index)];
    if (place[at(index)] >= 0) {
      ++summary.matched;
    } else {
      ++summary.added;
      const auto parent = at(place[at(tree.parent[at(index)])]);
      place[at(index)] = static_cast<std::int32_t>(bones.size());
      Bone fresh = bone;
      fresh.id = free_id(addon, bone.id);
      fresh.parent = {bones[parent].id};
      fresh.modifiers.clear();
      set_global_rest(fresh, global_rest(bones[parent]) * local_rest(bone));
      bones.push_back(std::move(fresh));
      result_.sources.push_back({addon, {}});
    }
    id_of_.try_emplace(bone.id, bones[at(place[at(index)])].id);
  }
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    const std::size_t to = at(place[i]);
    if (match.in_base[i] < 0) {
      const auto mirror = id_of_.find(skeleton.bones[i].mirror.target);
      bones[to].mirror = mirror == id_of_.end() ? BoneLink{} : BoneLink{mirror->second};
      for (Kept::Element& element : bones[to].kept.elements) remap_kept_links(element.xml, id_of_);
    }
    add_modifiers(addon, skeleton.bones[i], to, summary);
  }
  tree_ = hierarchy_of(result_.skeleton);
  summary.total = bones.size();
  result_.addons.push_back(std::move(summary));
}

// True if the addon is finished. An addon whose root is missing may get it from another addon.
bool Merger::try_addon(std::int32_t addon, bool last_chance) {
  const Skeleton& skeleton = *addons_[at(addon)].skeleton;
  const Hierarchy tree = hierarchy_of(skeleton);
  const std::int32_t root = tree_.find_hash(skeleton.bones[at(tree.depth_first.front())].name.hash);
  const bool there = root >= 0 && !(options_.strict && at(root) >= base_count_);
  if (!there && !last_chance) return false;
  Report report(skeleton, tree, result_.findings, addons_[at(addon)].label);
  const std::size_t before = result_.findings.size();
  Match match = match_addon(report, result_.skeleton, tree_, [&](std::int32_t bone) {
    const std::int32_t part = result_.sources[at(bone)].part;
    return part == kFromBase ? std::string("the base") : addons_[at(part)].label;
  });
  if (!there && root >= 0)
    say("E_ADDON_ROOT_MISSING", Level::Error,
        display_name(result_.skeleton.bones[at(root)].name) +
            " is a bone of another addon, and a strict merge attaches addons to the base only",
        addons_[at(addon)].label);
  const bool broken =
      std::any_of(result_.findings.begin() + static_cast<std::ptrdiff_t>(before), result_.findings.end(),
                  [](const Finding& finding) { return finding.level == Level::Error; });
  if (broken) {
    result_.addons.push_back({.label = addons_[at(addon)].label,
                              .root = report.name(at(tree.depth_first.front())),
                              .bones = skeleton.bones.size(),
                              .matched = skeleton.bones.size() - match.added,
                              .added = match.added,
                              .total = result_.skeleton.bones.size()});
    return true;
  }
  add(addon, skeleton, tree, match);
  return true;
}

void Merger::check_count() {
  const std::size_t count = result_.skeleton.bones.size();
  const std::size_t limit = options_.game ? bone_limit(*options_.game) : 65535;
  const std::string game = options_.game ? std::string(title(*options_.game)) : "any game";
  if (count > limit)
    say("E_BONE_LIMIT", Level::Error,
        std::to_string(count) + " bones together, and " + game + " crashes past " + std::to_string(limit) +
            "; leave addons out",
        "skeleton", Cure{"rig plan"});
  else if (10 * count >= 9 * limit)
    say("W_BONE_LIMIT_NEAR", Level::Warning,
        std::to_string(count) + " bones of the " + std::to_string(limit) + " that " + game + " can hold", "skeleton");
}

// Depth-first, siblings of the base before those of addons: the order in which they were appended.
void Merger::order() {
  const Hierarchy tree = hierarchy_of(result_.skeleton);
  if (std::ranges::is_sorted(tree.depth_first)) return;
  if (options_.append) {
    say("I_NOT_CONTIGUOUS", Level::Info,
        "bones of the base keep their indices; the descendants of a bone are no longer contiguous", "skeleton");
    return;
  }
  std::vector<Bone> bones;
  std::vector<BoneSource> sources;
  for (const std::int32_t index : tree.depth_first) {
    bones.push_back(std::move(result_.skeleton.bones[at(index)]));
    sources.push_back(std::move(result_.sources[at(index)]));
  }
  result_.skeleton.bones = std::move(bones);
  result_.sources = std::move(sources);
}

Merge Merger::run() {
  base_count_ = result_.skeleton.bones.size();
  for (const Bone& bone : result_.skeleton.bones)
    result_.sources.push_back({kFromBase, std::vector<std::int32_t>(bone.modifiers.size(), kFromBase)});
  if (!validate()) return std::move(result_);
  tree_ = hierarchy_of(result_.skeleton);
  std::vector<std::int32_t> pending(addons_.size());
  for (std::size_t i = 0; i < pending.size(); ++i) pending[i] = static_cast<std::int32_t>(i);
  // An addon may attach to a bone of a later one: repeat until a pass changes nothing.
  for (bool progress = true; progress && !pending.empty();) {
    const std::size_t before = pending.size();
    std::erase_if(pending, [&](std::int32_t addon) { return try_addon(addon, false); });
    progress = pending.size() < before;
  }
  for (const std::int32_t addon : pending) try_addon(addon, true);
  if (!addons_.empty()) {
    check_count();
    order();
  }
  return std::move(result_);
}

}  // namespace

bool Merge::succeeded() const { return !has_errors(findings); }

Merge merge(const Skeleton& base, std::span<const Part> addons, const MergeOptions& options) {
  return Merger(base, addons, options).run();
}

std::size_t find_main(std::span<const Part> parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].skeleton->type != kCustomSkeleton) return i;
  static const std::uint32_t reference = crc32("Reference");
  std::size_t best = 0, most = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Hierarchy tree = hierarchy_of(*parts[i].skeleton);
    const std::int32_t root = tree.find(parts[i].skeleton->root);
    if (root < 0 || parts[i].skeleton->bones[at(root)].name.hash != reference) continue;
    if (parts[i].skeleton->bones.size() > most) {
      most = parts[i].skeleton->bones.size();
      best = i;
    }
  }
  return best;
}

Skeleton without_addon(const Merge& merge, std::int32_t addon) {
  Skeleton skeleton = merge.skeleton;
  const Hierarchy tree = hierarchy_of(merge.skeleton);
  std::vector<bool> gone(skeleton.bones.size(), false);
  for (const std::int32_t index : tree.depth_first) {
    const std::int32_t parent = tree.parent[at(index)];
    gone[at(index)] = merge.sources[at(index)].part == addon || (parent >= 0 && gone[at(parent)]);
  }
  std::vector<Bone> bones;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    if (gone[i]) continue;
    Bone& bone = skeleton.bones[i];
    std::size_t k = 0;
    std::erase_if(bone.modifiers, [&](const Modifier&) { return merge.sources[i].modifiers[k++] == addon; });
    bones.push_back(std::move(bone));
  }
  skeleton.bones = std::move(bones);
  return skeleton;
}

}  // namespace marrow::anvil
