// SPDX-License-Identifier: MIT
#include "marrow/anvil/from_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/ids.h"
#include "core/try.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/names.h"
#include "marrow/anvil/to_model.h"
#include "marrow/core/crc32.h"

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

void tell_scale(const marrow::Bone& bone, EditNotes& notes) {
  if (glm::length(bone.rest.scale - Vec3(1.0f)) > 1e-3f)
    notes.push_back("the scale of " + bone.name + " is left out: these skeletons have none");
}

Bone new_bone(const std::string& name, const Transform& rest, IdPool& ids) {
  Bone bone = make_bone();
  bone.id = ids.fresh();
  bone.name = name_of(name);
  bone.mirror = {bone.id};
  set_local_rest(bone, plain(rest));
  set_global_rest(bone, plain(rest));
  return bone;
}

// Matches each bone to a bone of the model by name. Prefers the same index, for broken rigs with duplicate names.
std::vector<std::optional<std::size_t>> match(const marrow::Skeleton& ours, const marrow::Skeleton& theirs) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < theirs.bones.size(); ++i) by_name.try_emplace(theirs.bones[i].name, i);
  std::vector<std::optional<std::size_t>> found(ours.bones.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& name = ours.bones[i].name;
    if (i < theirs.bones.size() && theirs.bones[i].name == name)
      found[i] = i;
    else if (const auto known = by_name.find(name); known != by_name.end())
      found[i] = known->second;
  }
  return found;
}

// Copies rest poses and recomputes the global poses of moved bones and their descendants; others keep their bits.
void move_bones(Skeleton& skeleton, const marrow::Skeleton& before, const marrow::Skeleton& model,
                const std::vector<std::optional<std::size_t>>& found, EditNotes& notes) {
  const Hierarchy tree = hierarchy_of(skeleton);
  std::vector<bool> moved(skeleton.bones.size(), false);
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    Bone& bone = skeleton.bones[i];
    const std::int32_t parent = tree.parent[i];
    const Transform above =
        parent >= 0 ? global_rest(skeleton.bones[at(parent)]) : global_rest(bone) * inverse(local_rest(bone));
    moved[i] = parent >= 0 && moved[at(parent)];
    if (found[i]) {
      const marrow::Bone& now = model.bones[*found[i]];
      const Transform& was = before.bones[i].rest;
      if (now.rest.translation != was.translation || now.rest.rotation != was.rotation) {
        moved[i] = true;
        set_local_rest(bone, plain(now.rest));
        notes.push_back(now.name + " has another rest pose");
      }
      tell_scale(now, notes);
    }
    if (moved[i]) set_global_rest(bone, plain(above * local_rest(bone)));
  }
}

}  // namespace

Result<Skeleton> from_model(const marrow::Skeleton& model, EditNotes& notes) {
  if (model.bones.empty()) return fail(ErrorCode::InvalidArgument, "there is no bone to make a skeleton of");
  IdPool ids;
  Skeleton skeleton = make_skeleton();
  skeleton.id = ids.fresh();
  const auto roots = std::ranges::count(model.bones, kNoBone, &marrow::Bone::parent);
  const std::size_t above = roots > 1 ? 1 : 0;  // bones before those of the model
  if (above > 0) {
    skeleton.bones.push_back(new_bone(std::string(kMainRoot), {}, ids));
    notes.push_back(std::to_string(roots) + " bones have no parent; they hang on a new root " + std::string(kMainRoot));
  }
  for (const marrow::Bone& bone : model.bones) {
    skeleton.bones.push_back(new_bone(bone.name, bone.rest, ids));
    if (bone.parent != kNoBone)
      skeleton.bones.back().parent = {skeleton.bones[at(bone.parent) + above].id};
    else if (above > 0)
      skeleton.bones.back().parent = {skeleton.bones.front().id};
    tell_scale(bone, notes);
  }
  std::unordered_map<std::uint32_t, std::string> hashes;
  for (const Bone& bone : skeleton.bones)
    if (const auto [other, is_new] = hashes.try_emplace(bone.name.hash, display_name(bone.name)); !is_new)
      return fail(ErrorCode::Unrepresentable,
                  "E_DUP_BONEID: two bones have the name hash of " + other->second + "; rename one of them");
  const Bone& root = *std::ranges::find_if(skeleton.bones, [](const Bone& bone) { return bone.parent.is_null(); });
  const std::string root_name = display_name(root.name);
  skeleton.root = {root.id};
  skeleton.type = root_name == kMainRoot ? 0 : kCustomSkeleton;
  notes.push_back("the skeleton is new: its root is " + root_name + ", its type " + std::to_string(skeleton.type) +
                  (skeleton.type == 0 ? " (biped)" : " (custom, as addons are)") +
                  ", without mirrors, modifiers and keys; 'rig set', 'rig mirror' and 'rig add-modifier' change that");
  sort_depth_first(skeleton);
  rebuild_globals(skeleton);
  return skeleton;
}

Result<EditNotes> follow_model(Skeleton& skeleton, const marrow::Skeleton& model, std::span<const std::int32_t> gone) {
  EditNotes notes;
  Skeleton edited = skeleton;
  sort_depth_first(edited);  // the order of the model
  MARROW_TRY(const Rig before, to_model(edited));
  const auto found = match(before.skeleton, model);
  move_bones(edited, before.skeleton, model, found, notes);

  std::vector<bool> known(model.bones.size(), false);
  for (const auto& bone : found)
    if (bone) known[*bone] = true;
  for (const std::int32_t bone : gone)
    if (bone >= 0 && at(bone) < known.size()) known[at(bone)] = true;
  for (std::size_t i = 0; i < model.bones.size(); ++i) {
    if (known[i]) continue;
    const marrow::Bone& bone = model.bones[i];
    const std::string parent =
        bone.parent == kNoBone ? display_name(edited.bones.front().name) : model.bones[at(bone.parent)].name;
    MARROW_CHECK(add_bone(edited, {.name = bone.name, .parent = hash_of(parent), .local = plain(bone.rest)}));
    notes.push_back(bone.name + " is new, on " + parent);
    tell_scale(bone, notes);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool stays = found[i] && std::ranges::find(gone, static_cast<std::int32_t>(*found[i])) == gone.end();
    if (stays) continue;
    const std::string& name = before.skeleton.bones[i].name;
    MARROW_TRY(const EditNotes told, remove_bone(edited, hash_of(name), {.promote = true}));
    notes.push_back(name + " is removed");
    notes.insert(notes.end(), told.begin(), told.end());
  }
  skeleton = std::move(edited);
  return notes;
}

}  // namespace marrow::anvil
