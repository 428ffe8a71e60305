// SPDX-License-Identifier: MIT
#include "anvil/rig_set.h"

#include <algorithm>
#include <numeric>

#include "anvil/at.h"
#include "anvil/check.h"
#include "anvil/hierarchy.h"
#include "anvil/ids.h"
#include "anvil/merge.h"
#include "core/crc32.h"

namespace marrow::anvil {
namespace {

constexpr double kSameShare = 0.9;  // of the bones: files that have more in common are versions of one

// Calls `visit(id, name)` for every object.
template <class Visit>
void for_each_named_id(const Skeleton& skeleton, Visit&& visit) {
  visit(skeleton.id, std::string("the skeleton"));
  for (const Bone& bone : skeleton.bones) {
    const std::string name = display_name(bone.name);
    visit(bone.id, "bone " + name);
    for (const Modifier& modifier : bone.modifiers)
      for_each_id(modifier, [&](std::uint64_t id) { visit(id, std::string(class_name(modifier)) + " of " + name); });
  }
}

std::optional<std::uint32_t> root_of(const Skeleton& skeleton) {
  for (const Bone& bone : skeleton.bones)
    if (bone.parent.is_null()) return bone.name.hash;
  return std::nullopt;
}

bool has_bone(const Skeleton& skeleton, std::uint32_t hash) {
  return std::ranges::any_of(skeleton.bones, [&](const Bone& bone) { return bone.name.hash == hash; });
}

}  // namespace

RigSet::RigSet(std::vector<RigFile> files, std::optional<Game> game) : game_(game) {
  for (RigFile& file : files) members_.push_back({.file = std::move(file)});
  for (Member& member : members_) member.is_sound = !has_errors(anvil::check(member.file.skeleton));
  find_roles();
  index_ids();
  count_bones(game);
}

std::optional<std::size_t> RigSet::find(std::string_view label) const {
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (members_[i].file.label == label) return i;
  return std::nullopt;
}

const Skeleton* RigSet::base_of(std::size_t file) const {
  return members_[file].base ? &members_[*members_[file].base].file.skeleton : nullptr;
}

// A base has another type than addons. An addon that was given the wrong type is known by its root, which is a bone
// inside another skeleton.
void RigSet::find_roles() {
  static const std::uint32_t reference = crc32("Reference");
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> with_bone;  // bases by their bones
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].is_base = members_[i].file.skeleton.type != kCustomSkeleton;
    if (!members_[i].is_base) continue;
    for (const Bone& bone : members_[i].file.skeleton.bones)
      if (!bone.parent.is_null()) with_bone[bone.name.hash].push_back(i);
  }
  for (Member& member : members_)
    if (const auto root = root_of(member.file.skeleton);
        member.is_base && root && *root != reference && with_bone.contains(*root))
      member.is_base = false;
  const auto find_base = [&](std::uint32_t root) -> std::optional<std::size_t> {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_[i].is_base && has_bone(members_[i].file.skeleton, root))
        if (!found || (members_[i].is_sound && !members_[*found].is_sound)) found = i;
    return found;
  };
  std::unordered_map<std::uint32_t, std::optional<std::size_t>> by_root;
  for (Member& member : members_)
    if (const auto root = root_of(member.file.skeleton); !member.is_base && root) {
      const auto [place, is_new] = by_root.try_emplace(*root);
      if (is_new) place->second = find_base(*root);
      member.base = place->second;
    }
  rank_.resize(members_.size());
  std::size_t next = 0;
  for (const bool bases : {true, false})
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_[i].is_base == bases) rank_[i] = next++;
}

void RigSet::index_ids() {
  std::vector<std::size_t> order(members_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t file) { return rank_[file]; });
  for (const std::size_t file : order)
    for_each_named_id(members_[file].file.skeleton, [&](std::uint64_t id, std::string name) {
      if (id != 0) owners_.try_emplace(id, Object{file, std::move(name)});
    });
}

void RigSet::count_bones(std::optional<Game> game) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& base = members_[i];
    if (!base.is_base || !base.is_sound) continue;
    std::vector<Part> addons;
    for (const Member& member : members_)
      if (member.base == i && member.is_sound) addons.push_back({&member.file.skeleton, member.file.label});
    // Addons that do not fit have findings of their own; the rest are counted.
    const Merge merged = merge(base.file.skeleton, addons, {.game = game});
    base.bones = merged.skeleton.bones.size();
    for (const AddonSummary& addon : merged.addons) base.addons += addon.merged;
  }
}

const RigSet::Object* RigSet::earlier(std::uint64_t id, std::size_t file) const {
  const auto found = owners_.find(id);
  return found == owners_.end() || rank_[found->second.file] >= rank_[file] ? nullptr : &found->second;
}

bool RigSet::is_version_of(const Skeleton& skeleton, std::size_t other) const {
  const Skeleton& theirs = members_[other].file.skeleton;
  if (skeleton.id != theirs.id) return false;
  std::unordered_map<std::uint64_t, std::uint32_t> names;
  for (const Bone& bone : theirs.bones) names.emplace(bone.id, bone.name.hash);
  std::size_t same = 0;
  for (const Bone& bone : skeleton.bones)
    if (const auto found = names.find(bone.id); found != names.end() && found->second == bone.name.hash) ++same;
  const std::size_t fewer = std::min(skeleton.bones.size(), theirs.bones.size());
  return fewer > 0 && static_cast<double>(same) >= kSameShare * static_cast<double>(fewer);
}

void RigSet::check_ids(std::size_t file, const Skeleton& skeleton, Findings& findings) const {
  struct Clash {
    std::size_t count = 0;
    std::string first;
  };
  std::vector<std::pair<std::size_t, Clash>> clashes;  // by the earlier file, in the order they are met
  for_each_named_id(skeleton, [&](std::uint64_t id, const std::string& name) {
    const Object* other = earlier(id, file);
    if (!other) return;
    auto place = std::ranges::find(clashes, other->file, &std::pair<std::size_t, Clash>::first);
    if (place == clashes.end()) place = clashes.insert(clashes.end(), {other->file, {}});
    if (place->second.count++ == 0)
      place->second.first = std::to_string(id) + " is " + name + " here and " + other->name + " there";
  });
  for (const auto& [other, clash] : clashes) {
    const std::string& label = members_[other].file.label;
    if (is_version_of(skeleton, other))
      findings.push_back({"W_SAME_SKELETON", Level::Warning,
                          "the skeleton is in " + label +
                              " too, with the same ids: the game loads one of the two. If " +
                              "both are meant to be loaded, one needs new ids",
                          "skeleton", Cure{"rig renumber"}});
    else
      findings.push_back(
          {"E_ID_SHARED", Level::Error,
           std::to_string(clash.count) + (clash.count == 1 ? " id is" : " ids are") + " used in " + label +
               " too: " + clash.first + (clash.count > 1 ? ", and so on" : "") +
               ". The engine finds everything by its id, so one is taken for the other; a fix gives this file "
               "new ones",
           "skeleton"});
  }
}

Findings RigSet::check(std::size_t file, const Skeleton& skeleton) const {
  Findings findings;
  check_ids(file, skeleton, findings);
  const Member& member = members_[file];
  const bool has_bases = std::ranges::any_of(members_, &Member::is_base);
  if (!member.is_base && !member.base)
    findings.push_back({"I_NO_BASE", Level::Info,
                        std::string(has_bases ? "none of the skeletons here has the bone that the addon attaches to"
                                              : "an addon; the skeleton that it extends is not here") +
                            ", so the two are not compared",
                        "skeleton"});
  if (!member.is_base && member.base)
    findings.push_back({"I_ADDON", Level::Info, "an addon to " + members_[*member.base].file.label, "skeleton"});
  if (member.is_base && member.addons > 0) {
    const std::size_t limit = game_ ? bone_limit(*game_) : 65535;
    const bool is_over = member.bones > limit;
    findings.push_back({is_over ? "W_BONE_BUDGET" : "I_BONE_BUDGET", is_over ? Level::Warning : Level::Info,
                        std::to_string(member.bones) + " bones with all " + std::to_string(member.addons) +
                            " addons that are here; " +
                            (game_ ? std::string(title(*game_)) + " takes " + std::to_string(limit)
                                   : std::string("games before Unity take 255")) +
                            (is_over ? " and crashes past that" : ""),
                        "skeleton", Cure{"rig plan"}});
  }
  return findings;
}

std::unordered_map<std::uint64_t, std::uint64_t> RigSet::renumbering(std::size_t file) const {
  const Skeleton& skeleton = members_[file].file.skeleton;
  IdPool ids(skeleton);
  for (const auto& [id, object] : owners_) ids.take(id);
  std::unordered_map<std::uint64_t, std::uint64_t> to;
  std::unordered_map<std::size_t, bool> is_version;
  for_each_named_id(skeleton, [&](std::uint64_t id, const std::string& name) {
    const Object* other = earlier(id, file);
    if (!other || to.contains(id)) return;
    const auto [place, is_new] = is_version.try_emplace(other->file);
    if (is_new) place->second = is_version_of(skeleton, other->file);
    if (!place->second) to.emplace(id, ids.fresh(name));
  });
  return to;
}

}  // namespace marrow::anvil
