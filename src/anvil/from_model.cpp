// SPDX-License-Identifier: MIT
#include "anvil/from_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/bone_names.h"
#include "anvil/hierarchy.h"
#include "anvil/ids.h"
#include "anvil/names.h"
#include "anvil/to_model.h"
#include "core/crc32.h"
#include "core/try.h"

namespace marrow::anvil {
namespace {

constexpr std::string_view kMainRoot = "Reference";

// The text beside a hash: the hashed text, unless XML cannot represent it.
BoneName name_of(const std::string& name) {
  const std::uint32_t hash = hash_of(name);
  const bool writable = std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return {hash, writable && crc32(name) == hash ? name : std::string(NameTable::builtin().find(hash))};
}

// Rotations of other programs may not be exactly unit length, and the games have no scale.
Transform plain(const Transform& rest) { return {rest.translation, glm::normalize(rest.rotation), Vec3(1.0f)}; }

void report_scale(const marrow::Bone& bone, EditNotes& notes) {
  if (glm::length(bone.rest.scale - Vec3(1.0f)) > 1e-3f)
    notes.push_back("the scale of " + bone.name + " is left out: skeletons of these games have no scale");
}

Bone new_bone(const std::string& name, const Transform& rest, IdPool& ids) {
  Bone bone = make_bone();
  bone.id = ids.fresh(name);
  bone.name = name_of(name);
  bone.mirror = {bone.id};
  set_local_rest(bone, plain(rest));
  set_global_rest(bone, plain(rest));
  return bone;
}

// Makes bones that are named for the two sides each other's mirror.
void pair_sides(Skeleton& skeleton, const std::unordered_map<std::uint32_t, std::size_t>& by_hash) {
  for (Bone& bone : skeleton.bones) {
    const std::string name = display_name(bone.name), other = mirrored_name(name);
    if (other.empty() || mirrored_name(other) != name || stays_on_side(name)) continue;
    const auto found = by_hash.find(hash_of(other));
    if (found == by_hash.end()) continue;
    Bone& partner = skeleton.bones[found->second];
    bone.mirror = {partner.id};
    partner.mirror = {bone.id};
  }
}

using Matches = std::vector<std::optional<std::size_t>>;

// Matches each bone to a bone of the model by name. Prefers the same index, for broken rigs with duplicate names.
Matches match(const marrow::Skeleton& ours, const marrow::Skeleton& theirs, std::span<const std::int32_t> gone) {
  std::vector<bool> is_gone(theirs.bones.size(), false);
  for (const std::int32_t bone : gone)
    if (bone >= 0 && at(bone) < is_gone.size()) is_gone[at(bone)] = true;
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < theirs.bones.size(); ++i)
    if (!is_gone[i]) by_name.try_emplace(theirs.bones[i].name, i);
  Matches found(ours.bones.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& name = ours.bones[i].name;
    if (i < theirs.bones.size() && theirs.bones[i].name == name && !is_gone[i])
      found[i] = i;
    else if (const auto known = by_name.find(name); known != by_name.end())
      found[i] = known->second;
  }
  return found;
}

/// Finds bones that were only renamed: one that is gone and one that is new, on the same parent and in the same place,
/// or, if there is only one of each on a parent, with the same children.
class Renames {
 public:
  Renames(const marrow::Skeleton& ours, const marrow::Skeleton& theirs, std::vector<bool>& is_new, Matches& found)
      : ours_(ours), theirs_(theirs), is_new_(is_new), found_(found) {
    for (std::size_t i = 0; i < is_new.size(); ++i)
      if (is_new[i]) new_below_[theirs.bones[i].parent].push_back(i);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] && ours.bones[i].parent != kNoBone)
        parents_.insert(pair_of(at(ours.bones[i].parent), theirs.bones[*found[i]].parent));
  }

  // Parents come before their children in both, so a chain whose bones are all renamed is followed from its top.
  void run() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i]) continue;
      const std::int32_t own = ours_.bones[i].parent;
      if (own != kNoBone && !found_[at(own)]) continue;
      std::vector<std::size_t> candidates;
      for (const std::size_t j : new_below_[own == kNoBone ? kNoBone : static_cast<std::int32_t>(*found_[at(own)])])
        if (is_new_[j] && (same_place(i, j) || parents_.contains(pair_of(i, static_cast<std::int32_t>(j)))))
          candidates.push_back(j);
      if (candidates.size() != 1 && !candidates.empty())
        std::erase_if(candidates, [&](std::size_t j) { return !same_place(i, j) || !same_rotation(i, j); });
      if (candidates.size() != 1) continue;
      found_[i] = candidates.front();
      is_new_[candidates.front()] = false;
    }
  }

 private:
  static std::uint64_t pair_of(std::size_t own, std::int32_t other) {
    return (static_cast<std::uint64_t>(own) << 32) | static_cast<std::uint32_t>(other);
  }
  bool same_place(std::size_t i, std::size_t j) const {
    return glm::length(ours_.bones[i].rest.translation - theirs_.bones[j].rest.translation) < 1e-3f;
  }
  bool same_rotation(std::size_t i, std::size_t j) const {
    return angle_degrees(ours_.bones[i].rest.rotation, theirs_.bones[j].rest.rotation) < 0.5f;
  }
  const marrow::Skeleton& ours_;
  const marrow::Skeleton& theirs_;
  std::vector<bool>& is_new_;
  Matches& found_;
  std::unordered_map<std::int32_t, std::vector<std::size_t>> new_below_;  // new bones by their parent in the model
  std::unordered_set<std::uint64_t> parents_;                             // pairs of bones that have a child in common
};

// Copies rest poses and recomputes the global poses of moved bones and their descendants; others keep their bits.
// `models` is the bone of the model for each bone of the skeleton, `was` its rest pose before the edits.
void move_bones(Skeleton& skeleton, const std::vector<const marrow::Bone*>& models,
                const std::vector<const marrow::Bone*>& was, const std::vector<bool>& has_moved, EditNotes& notes) {
  const Hierarchy tree = hierarchy_of(skeleton);
  std::vector<bool> moved(skeleton.bones.size(), false);
  for (const std::int32_t index : tree.depth_first) {
    const std::size_t i = at(index);
    Bone& bone = skeleton.bones[i];
    const std::int32_t parent = tree.parent[i];
    const Transform above =
        parent >= 0 ? global_rest(skeleton.bones[at(parent)]) : global_rest(bone) * inverse(local_rest(bone));
    moved[i] = has_moved[i] || (parent >= 0 && moved[at(parent)]);
    if (models[i] && was[i]) {
      const marrow::Bone& now = *models[i];
      if (now.rest.translation != was[i]->rest.translation || now.rest.rotation != was[i]->rest.rotation) {
        moved[i] = true;
        set_local_rest(bone, plain(now.rest));
        notes.push_back(now.name + " has a new rest pose");
      }
      report_scale(now, notes);
    }
    if (moved[i]) set_global_rest(bone, plain(above * local_rest(bone)));
  }
}

/// The edits of a model, made one after the other on the skeleton that it came from.
class Follower {
 public:
  Follower(Skeleton& edited, const marrow::Skeleton& before, const marrow::Skeleton& model,
           std::span<const std::int32_t> gone)
      : edited_(edited), before_(before), model_(model), found_(match(before, model, gone)) {
    is_new_.assign(model.bones.size(), true);
    for (const auto& bone : found_)
      if (bone) is_new_[*bone] = false;
    for (const std::int32_t bone : gone)
      if (bone >= 0 && at(bone) < is_new_.size()) is_new_[at(bone)] = false;
    Renames(before, model, is_new_, found_).run();
  }

  Result<EditNotes> run() {
    MARROW_CHECK(rename());
    MARROW_CHECK(add());
    MARROW_CHECK(reparent());
    move();
    MARROW_CHECK(remove());
    return std::move(notes_);
  }

 private:
  std::uint32_t hash_in_model(std::size_t bone) const { return name_of(model_.bones[bone].name).hash; }

  Result<void> rename() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i] || model_.bones[*found_[i]].name == before_.bones[i].name) continue;
      const std::string& name = model_.bones[*found_[i]].name;
      MARROW_TRY(const EditNotes told, rename_bone(edited_, edited_.bones[i].name.hash, name));
      notes_.push_back(before_.bones[i].name + " is renamed to " + name);
      notes_.insert(notes_.end(), told.begin(), told.end());
    }
    return {};
  }

  Result<void> add() {
    for (std::size_t i = 0; i < model_.bones.size(); ++i) {
      if (!is_new_[i]) continue;
      const marrow::Bone& bone = model_.bones[i];
      const std::uint32_t parent =
          bone.parent == kNoBone ? edited_.bones.front().name.hash : hash_in_model(at(bone.parent));
      MARROW_CHECK(add_bone(edited_, {.name = bone.name, .parent = parent, .local = plain(bone.rest)}));
      notes_.push_back(bone.name + " is new, a child of " + name_in(parent));
      report_scale(bone, notes_);
    }
    return {};
  }

  // A bone whose parent is another one in the model goes there. One whose parent is only gone follows when that is
  // removed.
  Result<void> reparent() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i]) continue;
      const std::int32_t now = model_.bones[*found_[i]].parent;
      const std::int32_t then = before_.bones[i].parent;
      if (now == kNoBone || (then != kNoBone && found_[at(then)] && *found_[at(then)] == at(now))) continue;
      const Hierarchy tree = hierarchy_of(edited_);
      const std::uint32_t hash = hash_in_model(*found_[i]), wanted = hash_in_model(at(now));
      const std::int32_t bone = tree.find_hash(hash), parent = tree.find_hash(wanted);
      if (bone < 0 || parent < 0 || tree.parent[at(bone)] == parent) continue;
      MARROW_CHECK(reparent_bone(edited_, hash, wanted, true));
      notes_.push_back(name_in(hash) + " is now a child of " + name_in(wanted));
      reparented_.push_back(hash);
    }
    return {};
  }

  void move() {
    std::unordered_map<std::uint32_t, std::size_t> index;
    for (std::size_t i = 0; i < edited_.bones.size(); ++i) index.try_emplace(edited_.bones[i].name.hash, i);
    std::vector<const marrow::Bone*> models(edited_.bones.size(), nullptr), was(edited_.bones.size(), nullptr);
    std::vector<bool> has_moved(edited_.bones.size(), false);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i]) continue;
      const auto place = index.find(hash_in_model(*found_[i]));
      if (place == index.end()) continue;
      models[place->second] = &model_.bones[*found_[i]];
      was[place->second] = &before_.bones[i];
    }
    for (const std::uint32_t hash : reparented_) has_moved[index.at(hash)] = true;
    move_bones(edited_, models, was, has_moved, notes_);
  }

  Result<void> remove() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i]) continue;
      const std::string& name = before_.bones[i].name;
      MARROW_TRY(const EditNotes told, remove_bone(edited_, hash_of(name), {.promote = true}));
      notes_.push_back(name + " is removed");
      notes_.insert(notes_.end(), told.begin(), told.end());
    }
    return {};
  }

  std::string name_in(std::uint32_t hash) const {
    const auto bone = std::ranges::find(edited_.bones, hash, [](const Bone& each) { return each.name.hash; });
    return display_name(bone == edited_.bones.end() ? BoneName{hash, {}} : bone->name);
  }

  Skeleton& edited_;
  const marrow::Skeleton& before_;
  const marrow::Skeleton& model_;
  Matches found_;
  std::vector<bool> is_new_;
  std::vector<std::uint32_t> reparented_;
  EditNotes notes_;
};

}  // namespace

Result<Skeleton> from_model(const marrow::Skeleton& model, EditNotes& notes, const IdScheme& scheme) {
  if (model.bones.empty()) return fail(ErrorCode::InvalidArgument, "there is no bone to make a skeleton of");
  MARROW_CHECK(validate(model));
  Skeleton skeleton = make_skeleton();
  skeleton.origin.ids = scheme;
  if (scheme.file.empty()) skeleton.origin.ids.file = model.name;
  skeleton.id = IdPool(skeleton).fresh("Skeleton");
  IdPool ids(skeleton);
  const auto roots = std::ranges::count(model.bones, kNoBone, &marrow::Bone::parent);
  const std::size_t above = roots > 1 ? 1 : 0;  // bones before those of the model
  if (above > 0) {
    skeleton.bones.push_back(new_bone(std::string(kMainRoot), {}, ids));
    notes.push_back(std::to_string(roots) + " bones have no parent; they become children of a new root " +
                    std::string(kMainRoot));
  }
  for (const marrow::Bone& bone : model.bones) {
    skeleton.bones.push_back(new_bone(bone.name, bone.rest, ids));
    if (bone.parent != kNoBone)
      skeleton.bones.back().parent = {skeleton.bones[at(bone.parent) + above].id};
    else if (above > 0)
      skeleton.bones.back().parent = {skeleton.bones.front().id};
    report_scale(bone, notes);
  }
  std::unordered_map<std::uint32_t, std::size_t> hashes;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
    if (const auto [other, is_new] = hashes.try_emplace(skeleton.bones[i].name.hash, i); !is_new)
      return fail(ErrorCode::Unrepresentable, "E_DUP_BONEID: two bones have the name hash of " +
                                                  display_name(skeleton.bones[other->second].name) +
                                                  "; rename one of them");
  pair_sides(skeleton, hashes);
  const Bone& root = *std::ranges::find_if(skeleton.bones, [](const Bone& bone) { return bone.parent.is_null(); });
  const std::string root_name = display_name(root.name);
  skeleton.root = {root.id};
  skeleton.type = root_name == kMainRoot ? 0 : kCustomSkeleton;
  notes.push_back("the skeleton is new: its root is " + root_name + ", its type " + std::to_string(skeleton.type) +
                  (skeleton.type == 0 ? " (biped)" : " (custom, as addons are)") +
                  ". Bones named for the two sides are mirrors of each other; it has no modifiers or keys yet");
  sort_depth_first(skeleton);
  rebuild_globals(skeleton);
  return skeleton;
}

Result<EditNotes> follow_model(Skeleton& skeleton, const marrow::Skeleton& model, std::span<const std::int32_t> gone) {
  Skeleton edited = skeleton;
  sort_depth_first(edited);  // the order of the model
  MARROW_TRY(const Rig before, to_model(edited));
  MARROW_TRY(EditNotes notes, Follower(edited, before.skeleton, model, gone).run());
  skeleton = std::move(edited);
  return notes;
}

}  // namespace marrow::anvil
