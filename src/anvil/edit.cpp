// SPDX-License-Identifier: MIT
#include "anvil/edit.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/edit_support.h"
#include "anvil/ids.h"
#include "anvil/names.h"
#include "core/crc32.h"
#include "core/try.h"

namespace marrow::anvil {
namespace {

Transform inherited_rest(const Skeleton& skeleton, std::int32_t parent) {
  return parent < 0 ? Transform{} : global_rest(skeleton.bones[at(parent)]);
}

void unpair(Skeleton& skeleton, std::uint64_t id, EditNotes& notes) {
  for (Bone& bone : skeleton.bones)
    if (bone.id != id && bone.mirror.target == id) {
      bone.mirror = {bone.id};
      notes.push_back(display_name(bone.name) + " no longer has a mirror");
    }
}

}  // namespace

Result<std::int32_t> find_bone(const Skeleton& skeleton, const Hierarchy& tree, std::uint32_t hash) {
  const std::int32_t bone = tree.find_hash(hash);
  if (bone < 0)
    return fail(ErrorCode::NotFound, "there is no bone " + display_name({hash, {}}) + " (" + std::to_string(hash) +
                                         ") in the skeleton of " + std::to_string(skeleton.bones.size()) + " bones");
  return bone;
}

// ---- add
// -------------------------------------------------------------------------------------------------------------

Result<EditNotes> add_bone(Skeleton& skeleton, const NewBone& wanted) {
  const Hierarchy tree = hierarchy_of(skeleton);
  const std::uint32_t hash = hash_of(wanted.name);
  if (wanted.name.empty()) return fail(ErrorCode::InvalidArgument, "a bone needs a name");
  if (tree.find_hash(hash) >= 0)
    return fail(ErrorCode::InvalidArgument, "there is already a bone " + display_name({hash, wanted.name}));
  MARROW_TRY(const std::int32_t parent, find_bone(skeleton, tree, wanted.parent));
  std::optional<std::int32_t> mirror;
  if (wanted.mirror) {
    MARROW_TRY(mirror, find_bone(skeleton, tree, *wanted.mirror));
  }
  std::vector<std::int32_t> adopted;
  for (const std::uint32_t child_hash : wanted.adopt) {
    MARROW_TRY(const std::int32_t child, find_bone(skeleton, tree, child_hash));
    const std::string name = display_name(skeleton.bones[at(child)].name);
    if (tree.parent[at(child)] != parent)
      return fail(ErrorCode::InvalidArgument,
                  name + " is not a child of " + display_name(skeleton.bones[at(parent)].name));
    if (wanted.base && hierarchy_of(*wanted.base).find_hash(child_hash) >= 0)
      return fail(ErrorCode::InvalidArgument, "E_HIERARCHY_MISMATCH: " + name +
                                                  " is a bone of the base, and a new bone above it would make the game "
                                                  "crash with every addon that passes through it; adopt none of them");
    adopted.push_back(child);
  }
  IdPool ids(skeleton);
  if (wanted.id != 0 && !ids.take(wanted.id))
    return fail(ErrorCode::InvalidArgument, "the id " + std::to_string(wanted.id) + " is taken");

  EditNotes notes;
  Bone bone = make_bone();
  bone.id = wanted.id != 0 ? wanted.id : ids.fresh(display_name({hash, wanted.name}));
  bone.name = {hash, crc32(wanted.name) == hash ? wanted.name : std::string(NameTable::builtin().find(hash))};
  bone.parent = {skeleton.bones[at(parent)].id};
  bone.mirror = {bone.id};
  bone.mirroring_type = wanted.mirroring_type;
  bone.solving_priority = wanted.solving_priority;
  const Transform above = inherited_rest(skeleton, parent);
  set_local_rest(bone, wanted.global ? inverse(above) * *wanted.global : wanted.local.value_or(Transform{}));
  set_global_rest(bone, wanted.global ? *wanted.global : above * local_rest(bone));
  if (mirror) {
    unpair(skeleton, skeleton.bones[at(*mirror)].id, notes);
    skeleton.bones[at(*mirror)].mirror = {bone.id};
    bone.mirror = {skeleton.bones[at(*mirror)].id};
  }
  for (const std::int32_t child : adopted) {
    skeleton.bones[at(child)].parent = {bone.id};
    set_local_rest(skeleton.bones[at(child)], inverse(global_rest(bone)) * global_rest(skeleton.bones[at(child)]));
    notes.push_back(display_name(skeleton.bones[at(child)].name) +
                    " is now a child of the new bone: addons that pass through it no longer fit");
  }
  notes.push_back("id " + std::to_string(bone.id) + ", name hash " + std::to_string(hash));
  skeleton.bones.push_back(std::move(bone));
  sort_depth_first(skeleton);
  return notes;
}

// ---- remove
// ----------------------------------------------------------------------------------------------------------

namespace {

/// Removes entry `i` of the lists parallel to the targets: weights and flags, one per target.
void drop_beside(Modifier& modifier, std::size_t i, std::size_t targets) {
  walk_fields(modifier, [&](const Field&, auto& list) {
    using T = std::remove_cvref_t<decltype(list)>;
    if constexpr (std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<bool>>)
      if (list.size() == targets) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  });
}

/// Updates the links of a modifier to a bone that is removed. False if nothing useful is left of the modifier.
bool mend_links(Modifier& modifier, std::uint64_t gone, const std::string& owner, EditNotes& notes) {
  const std::string name = std::string(class_name(modifier)) + " on " + owner;
  bool keeps = true;
  const auto field_lost = [&](const Field& field) {
    if (field.role == LinkRole::Mandatory)
      keeps = false;
    else
      notes.push_back(std::string(field.name) + " of " + name + " is now null");
  };
  for (const Field& field : modifier_fields(modifier.type())) {
    const FieldPointer at = field.at(modifier_object(modifier.data));
    if (auto* const* link = std::get_if<BoneLink*>(&at); link && (*link)->target == gone) {
      **link = {};
      field_lost(field);
    } else if (auto* const* list = std::get_if<std::vector<BoneLink>*>(&at)) {
      for (std::size_t i = (*list)->size(); i-- > 0;) {
        if ((**list)[i].target != gone) continue;
        drop_beside(modifier, i, (*list)->size());
        (*list)->erase((*list)->begin() + static_cast<std::ptrdiff_t>(i));
        if ((*list)->empty())
          keeps = false;
        else
          notes.push_back("a target of " + name + " is removed");
      }
    } else if (auto* const* hinges = std::get_if<std::vector<Hinge>*>(&at)) {
      for (Hinge& hinge : **hinges)
        if (hinge.constraint_associated_bone.target == gone) {
          hinge.constraint_associated_bone = {};
          field_lost(hinge_fields().front());
        }
    }
  }
  if (!keeps) notes.push_back(name + " is removed: it does nothing without the bone");
  return keeps;
}

void mend_all_links(Skeleton& skeleton, const Bone& gone, EditNotes& notes) {
  const std::string name = display_name(gone.name);
  for (Bone& bone : skeleton.bones) {
    const std::string owner = display_name(bone.name);
    if (bone.mirror.target == gone.id) {
      bone.mirror = {bone.id};
      notes.push_back(owner + " no longer has a mirror");
    }
    if (std::erase(bone.dependencies, gone.name.hash) > 0) notes.push_back(owner + " no longer depends on " + name);
    std::erase_if(bone.modifiers, [&](Modifier& modifier) { return !mend_links(modifier, gone.id, owner, notes); });
  }
}

}  // namespace

Result<EditNotes> remove_bone(Skeleton& skeleton, std::uint32_t hash, const RemoveOptions& options) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  const Bone gone = skeleton.bones[at(index)];
  const std::string name = display_name(gone.name);
  std::vector<std::int32_t> children;
  for (std::int32_t child = tree.first_child[at(index)]; child >= 0; child = tree.next_sibling[at(child)])
    children.push_back(child);
  const bool is_root = tree.parent[at(index)] < 0;
  if (is_root && children.empty()) return fail(ErrorCode::InvalidArgument, name + " is the only bone of the skeleton");
  if (is_root && children.size() > 1 && !options.promote)
    return fail(ErrorCode::InvalidArgument,
                name + " is the root and has " + std::to_string(children.size()) +
                    " children; one of them would have to become the new root. Promoting chooses " +
                    display_name(skeleton.bones[at(children.front())].name));

  EditNotes notes;
  for (std::size_t i = 0; i < children.size(); ++i) {
    Bone& child = skeleton.bones[at(children[i])];
    set_local_rest(child, local_rest(gone) * local_rest(child));
    child.parent = gone.parent;
    if (is_root && i > 0) {
      Bone& root = skeleton.bones[at(children.front())];
      child.parent = {root.id};
      set_local_rest(child, inverse(local_rest(root)) * local_rest(child));
    }
    const std::int32_t above = is_root ? (i > 0 ? children.front() : -1) : tree.parent[at(index)];
    notes.push_back(
        display_name(child.name) +
        (above < 0 ? " is now the root" : " is now a child of " + display_name(skeleton.bones[at(above)].name)));
  }
  // A damaged file may call a bone the root that hangs on another.
  const std::int32_t heir = is_root ? children.front() : tree.parent[at(index)];
  if (skeleton.root.target == gone.id) skeleton.root = {skeleton.bones[at(heir)].id};
  if (!gone.modifiers.empty()) notes.push_back(std::to_string(gone.modifiers.size()) + " modifiers are removed too");
  skeleton.bones.erase(skeleton.bones.begin() + index);
  mend_all_links(skeleton, gone, notes);
  sort_depth_first(skeleton);
  return notes;
}

// ---- change
// ----------------------------------------------------------------------------------------------------------

Result<EditNotes> rename_bone(Skeleton& skeleton, std::uint32_t hash, std::string_view name) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  const std::uint32_t fresh = hash_of(name);
  if (name.empty()) return fail(ErrorCode::InvalidArgument, "a bone needs a name");
  if (fresh != hash && tree.find_hash(fresh) >= 0)
    return fail(ErrorCode::InvalidArgument, "there is already a bone " + std::string(name));
  EditNotes notes;
  skeleton.bones[at(index)].name = {
      fresh, crc32(name) == fresh ? std::string(name) : std::string(NameTable::builtin().find(fresh))};
  for (Bone& bone : skeleton.bones)
    if (std::ranges::find(bone.dependencies, hash) != bone.dependencies.end()) {
      std::ranges::replace(bone.dependencies, hash, fresh);
      notes.push_back(display_name(bone.name) + " depends on the new name");
    }
  notes.push_back("name hash " + std::to_string(fresh) +
                  "; addons, meshes and clips that use the old name must be changed too");
  return notes;
}

Result<EditNotes> reparent_bone(Skeleton& skeleton, std::uint32_t hash, std::uint32_t parent_hash, bool keep_global) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  MARROW_TRY(const std::int32_t parent, find_bone(skeleton, tree, parent_hash));
  const std::string name = display_name(skeleton.bones[at(index)].name);
  const bool in_ring = std::ranges::find(tree.cyclic, index) != tree.cyclic.end();
  if (index == parent || tree.is_below(parent, index) ||
      (in_ring && std::ranges::find(tree.cyclic, parent) != tree.cyclic.end()))
    return fail(ErrorCode::InvalidArgument,
                "E_CYCLE: " + display_name(skeleton.bones[at(parent)].name) + " is below " + name + " itself");
  EditNotes notes;
  Bone bone = std::move(skeleton.bones[at(index)]);
  bone.parent = {skeleton.bones[at(parent)].id};
  if (keep_global) set_local_rest(bone, inverse(inherited_rest(skeleton, parent)) * global_rest(bone));
  if (tree.parent[at(index)] == Hierarchy::kNone && skeleton.root.target == bone.id) {
    // If the file had two roots, another bone without a parent has to be the root.
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
      if (static_cast<std::int32_t>(i) != index && tree.parent[i] == Hierarchy::kNone) {
        skeleton.root = {skeleton.bones[i].id};
        notes.push_back("the root is now " + display_name(skeleton.bones[i].name));
        break;
      }
  }
  skeleton.bones.erase(skeleton.bones.begin() + index);
  skeleton.bones.push_back(std::move(bone));
  sort_depth_first(skeleton);
  if (!keep_global) {
    const Hierarchy after = hierarchy_of(skeleton);
    const std::int32_t moved = after.find_hash(hash);
    Bone& own = skeleton.bones[at(moved)];
    set_global_rest(own, global_rest(skeleton.bones[at(after.parent[at(moved)])]) * local_rest(own));
    rebuild_globals_below(skeleton, moved);
  }
  notes.push_back(name + (keep_global ? " keeps its place in the world" : " keeps its pose relative to its parent") +
                  "; addons that pass through it no longer fit");
  return notes;
}

Result<EditNotes> pair_mirrors(Skeleton& skeleton, std::uint32_t hash, std::uint32_t other_hash) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t bone, find_bone(skeleton, tree, hash));
  MARROW_TRY(const std::int32_t other, find_bone(skeleton, tree, other_hash));
  EditNotes notes;
  unpair(skeleton, skeleton.bones[at(bone)].id, notes);
  unpair(skeleton, skeleton.bones[at(other)].id, notes);
  skeleton.bones[at(bone)].mirror = {skeleton.bones[at(other)].id};
  skeleton.bones[at(other)].mirror = {skeleton.bones[at(bone)].id};
  // Notes about these two bones made on the way no longer apply.
  std::erase_if(notes, [&](const std::string& note) {
    return note.starts_with(display_name(skeleton.bones[at(bone)].name) + " no longer has a mirror") ||
           note.starts_with(display_name(skeleton.bones[at(other)].name) + " no longer has a mirror");
  });
  return notes;
}

std::string mirrored_name(std::string_view name) {
  struct Sides {
    std::string_view left, right;
    bool at_end;
  };
  constexpr Sides sides[] = {
      {"Left", "Right", false}, {"left", "right", false}, {"_L_", "_R_", false}, {"_L", "_R", true}};
  for (const auto& [left, right, at_end] : sides)
    for (const auto& [from, to] : {std::pair(left, right), std::pair(right, left)}) {
      const std::size_t found =
          at_end ? (name.ends_with(from) ? name.size() - from.size() : std::string_view::npos) : name.find(from);
      if (found != std::string_view::npos)
        return std::string(name.substr(0, found)) + std::string(to) + std::string(name.substr(found + from.size()));
    }
  return {};
}

Result<EditNotes> add_mirrored_bone(Skeleton& skeleton, std::uint32_t hash, std::string name) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  const Bone& bone = skeleton.bones[at(index)];
  if (name.empty()) name = mirrored_name(display_name(bone.name));
  if (name.empty())
    return fail(ErrorCode::InvalidArgument,
                display_name(bone.name) + " has no left or right in its name; give the name of the new bone");
  const std::int32_t parent = tree.parent[at(index)];
  if (parent < 0) return fail(ErrorCode::InvalidArgument, "the root has no other side");
  const std::int32_t across = tree.find(skeleton.bones[at(parent)].mirror);
  // Reflecting a frame in X = 0 makes it left-handed. Negating Y gives the frame that the games' own pairs have.
  const Transform global = global_rest(bone);
  const Quat& q = global.rotation;
  const Transform reflected{Vec3(-global.translation.x, global.translation.y, global.translation.z),
                            make_quat(q.x, -q.y, -q.z, q.w) * make_quat(0, 0, 1, 0), Vec3(1.0f)};
  MARROW_TRY(EditNotes notes, add_bone(skeleton, {.name = name,
                                                  .parent = skeleton.bones[at(across < 0 ? parent : across)].name.hash,
                                                  .global = reflected,
                                                  .mirror = hash,
                                                  .mirroring_type = bone.mirroring_type,
                                                  .solving_priority = bone.solving_priority}));
  notes.push_back("modifiers are not copied with the bone");
  return notes;
}

std::string addon_use(const Skeleton& addon, std::uint32_t hash) {
  const Hierarchy tree = hierarchy_of(addon);
  const std::int32_t bone = tree.find_hash(hash);
  if (bone < 0) return {};
  const std::string name = display_name(addon.bones[at(bone)].name);
  if (tree.parent[at(bone)] < 0) return "is attached to " + name + ": E_ADDON_ROOT_MISSING";
  if (tree.first_child[at(bone)] >= 0) return "passes through " + name + ": E_HIERARCHY_MISMATCH";
  return "has the bone " + name + ", which it would then add as a new one";
}

}  // namespace marrow::anvil
