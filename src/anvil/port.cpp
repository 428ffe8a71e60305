// SPDX-License-Identifier: MIT
// Skeletons for another game, and repairs.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/edit.h"
#include "anvil/games.h"
#include "anvil/hierarchy.h"
#include "anvil/look_at_name.h"
#include "anvil/slots.h"
#include "marrow/core/text.h"
#include "model/modifier_faults.h"

namespace marrow::anvil {
bool rename_look_at(marrow::Modifier& modifier, Game game) {
  const bool old_name = availability(game, ModifierType::LookAt) == Availability::Yes;
  if (const auto* anvil = std::get_if<AnvilLookAtModifier>(&modifier.data); anvil && old_name) {
    const AnvilLookAtModifier fields = *anvil;
    modifier.data = LookAtModifier{fields};
    return true;
  }
  if (const auto* plain = std::get_if<LookAtModifier>(&modifier.data); plain && !old_name) {
    const AnvilLookAtModifier fields = *plain;
    modifier.data = fields;
    return true;
  }
  return false;
}

EditNotes to_game(Skeleton& skeleton, Game game) {
  EditNotes notes;
  const std::string title_of_game(title(game));
  bool inert = false;
  for (Bone& bone : skeleton.bones) {
    const std::string name = display_name(bone.name);
    std::erase_if(bone.modifiers, [&](Modifier& modifier) {
      const std::string before(class_name(modifier));
      if (rename_look_at(modifier, game))
        notes.push_back(before + " on " + name + " is renamed to " + std::string(class_name(modifier)));
      const Availability there = availability(game, modifier.type());
      if (modifier.type() == ModifierType::Unknown) return false;
      if (there == Availability::No) {
        notes.push_back(before + " on " + name + " is dropped: " + title_of_game + " does not have it");
        return true;
      }
      inert |= there == Availability::NoEffect;
      if (there == Availability::Observed)
        notes.push_back(before + " on " + name +
                        " is kept: it is documented as newer, but data of the first game contain it");
      if (!has_limit_lod_level(game) && modifier.limit_lod_level != -1) {
        notes.push_back("LimitLodLevel of " + before + " on " + name + " is dropped");
        modifier.limit_lod_level = -1;
        modifier.kept.absent |= 1u << 3;
      }
      if (!has_blend_weight(game) && modifier.blend_weight != 1.0f)
        notes.push_back("BlendWeight " + float_text(modifier.blend_weight) + " of " + before + " on " + name +
                        " is lost: " + title_of_game + " has no such field and always uses 1");
      return false;
    });
    if (!has_dependencies(game) && !bone.dependencies.empty()) {
      notes.push_back("Dependencies of " + name + " are dropped");
      bone.dependencies.clear();
    }
  }
  const auto drop = [&](std::string_view what, bool has, Opaque& value) {
    if (has || value.is_null()) return;
    notes.push_back(std::string(what) + " is dropped: " + title_of_game + " does not have it");
    value = {};
  };
  drop("ReflexSystem", has_reflex_system(game), skeleton.reflex_system);
  drop("Reflex3Constraints", has_reflex3_constraints(game), skeleton.reflex3_constraints);
  if (!has_reflex_system(game) && skeleton.hierarchy_key != 0) {
    notes.push_back("SkeletonHierarchyKey is dropped: " + title_of_game + " has none");
    skeleton.hierarchy_key = 0;
  }
  // Fields that an earlier game does not know are left out of its files.
  if (!has_reflex_system(game)) {
    const Slots slots = slots_of(skeleton);
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (slots[i].optional) skeleton.kept.absent |= std::uint64_t{1} << i;
    for (Bone& bone : skeleton.bones) {
      const Slots of_bone = slots_of(bone);
      for (std::size_t i = 0; i < of_bone.size(); ++i)
        if (of_bone[i].optional) bone.kept.absent |= std::uint64_t{1} << i;
    }
  }
  if (inert) notes.push_back(title_of_game + " reads modifiers and does nothing with them: nothing will move");
  if (skeleton.bones.size() > bone_limit(game))
    notes.push_back("E_BONE_LIMIT: " + std::to_string(skeleton.bones.size()) + " bones, and " + title_of_game +
                    " crashes past " + std::to_string(bone_limit(game)));
  skeleton.origin.wide_indices = has_wide_indices(game);
  return notes;
}

namespace {

// The type of the axis is what the game turns about; the vector is a copy of it.
void mend_axis(Modifier& modifier, const std::string& name, EditNotes& notes) {
  const auto is_mismatch = [](const FieldFault& fault) { return fault.fault == ValueFault::AxisMismatch; };
  if (std::ranges::none_of(find_faults(modifier), is_mismatch)) return;
  agree_on_axis(modifier, true, false);
  notes.push_back("LocalAxisConstraint of the hinge on " + name + " is set to the axis of AxisConstraintType");
}

}  // namespace

EditNotes mend(Skeleton& skeleton) {
  EditNotes notes;
  const Hierarchy tree = hierarchy_of(skeleton);
  const auto unit = [&](Quat& q, const std::string& name, const char* what) {
    const float length = glm::length(q);
    if (!(length > 1e-6f) || !std::isfinite(length) || std::abs(length - 1.0f) <= 1e-3f) return;
    q = glm::normalize(q);
    notes.push_back(std::string(what) + " of " + name + " is scaled to length 1");
  };
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    Bone& bone = skeleton.bones[i];
    const std::string name = display_name(bone.name);
    unit(bone.local_rotation, name, "LocalRotation");
    unit(bone.global_rotation, name, "GlobalRotation");
    for (Modifier& modifier : bone.modifiers) {
      if (modifier.owner.target != bone.id) {
        modifier.owner = {bone.id};
        notes.push_back("the Owner of a " + std::string(class_name(modifier)) + " is set to " + name);
      }
      mend_axis(modifier, name, notes);
    }
    if (tree.find(bone.mirror) == Hierarchy::kDangling) {
      bone.mirror = {bone.id};
      notes.push_back(name + " no longer has a mirror: the link led to no bone");
    }
  }
  for (const std::int32_t index : tree.depth_first) {
    Bone& bone = skeleton.bones[at(index)];
    const std::int32_t parent = tree.parent[at(index)];
    if (parent < 0 || !tree.cyclic.empty()) continue;
    const Transform expected = global_rest(skeleton.bones[at(parent)]) * local_rest(bone), global = global_rest(bone);
    if (glm::length(expected.translation - global.translation) > 1e-4f ||
        angle_degrees(expected.rotation, global.rotation) > 0.05f) {
      set_global_rest(bone, expected);
      notes.push_back("the global pose of " + display_name(bone.name) + " is recomputed");
    }
  }
  const std::int32_t root = tree.find(skeleton.root);
  if (!tree.depth_first.empty() && (root < 0 || tree.parent[at(root)] >= 0)) {
    const auto top = std::ranges::find_if(tree.depth_first,
                                          [&](std::int32_t bone) { return tree.parent[at(bone)] == Hierarchy::kNone; });
    if (top != tree.depth_first.end()) {
      skeleton.root = {skeleton.bones[at(*top)].id};
      notes.push_back("RootBone is set to " + display_name(skeleton.bones[at(*top)].name));
    }
  }
  return notes;
}

}  // namespace marrow::anvil
