// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/edit_support.h"
#include "anvil/ids.h"
#include "anvil/value_text.h"
#include "core/try.h"
#include "marrow/anvil/edit.h"
#include "marrow/anvil/names.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

// ---- fields by name
// --------------------------------------------------------------------------------------------------

/// Sets fields of objects of one skeleton, with links by bone name.
class Setter {
 public:
  explicit Setter(const Skeleton& skeleton) : skeleton_(skeleton), tree_(hierarchy_of(skeleton)) {}

  template <class Object>
  Result<void> apply(Object& object, std::span<const Assignment> values) const {
    std::vector<Kept>* parts = nullptr;
    if constexpr (std::is_same_v<Object, Modifier>) parts = &object.part_kept;
    for (const Assignment& value : values) MARROW_CHECK(apply(object, object.kept, parts, value.field, value.value));
    return {};
  }

 private:
  /// `parts` is the kept data of the objects inside a modifier.
  template <class Object>
  Result<void> apply(Object& object, Kept& kept, std::vector<Kept>* parts, std::string_view field,
                     std::string_view value) const {
    const std::size_t bracket = field.find('[');
    const Slots slots = slots_of(object);
    const std::string_view name = field.substr(0, bracket);
    const auto slot = std::ranges::find_if(slots, [&](const Slot& candidate) {
      return equal_ignoring_case(candidate.standard_name, name) || equal_ignoring_case(candidate.schema_name, name);
    });
    if (slot == slots.end()) {
      std::string known;
      for (const Slot& candidate : slots) known += (known.empty() ? "" : ", ") + std::string(candidate.standard_name);
      return fail(ErrorCode::NotFound, "there is no field '" + std::string(name) + "'; there are " + known);
    }
    kept.absent &= ~(std::uint64_t{1} << (slot - slots.begin()));
    if (bracket != std::string_view::npos) return apply_to_item(*slot, parts, field.substr(bracket), value);
    return set_value(*slot, value, [&](std::string_view word) -> Result<BoneLink> {
      MARROW_TRY(const std::int32_t bone, find_bone(skeleton_, tree_, hash_of(word)));
      return BoneLink{skeleton_.bones[at(bone)].id};
    });
  }

  /// Parses `[0].MinAngle`; the index one past the last item creates a new one.
  Result<void> apply_to_item(const Slot& slot, std::vector<Kept>* parts, std::string_view rest,
                             std::string_view value) const {
    const std::size_t end = rest.find("].");
    const auto index = end == std::string_view::npos ? std::nullopt : parse_uint(rest.substr(1, end - 1));
    if (!index)
      return fail(ErrorCode::InvalidArgument, "'" + std::string(rest) + "' is no place in a list; write " +
                                                  std::string(slot.standard_name) + "[0].Field=value");
    return std::visit(
        [&](auto* list) -> Result<void> {
          if constexpr (kIsPartList<std::remove_pointer_t<decltype(list)>>) {
            if (*index > list->size())
              return fail(ErrorCode::NotFound, std::string(slot.standard_name) + " has " +
                                                   std::to_string(list->size()) + " entries, none of them number " +
                                                   std::to_string(*index));
            if (*index == list->size()) list->emplace_back();
            if (parts->size() < list->size()) parts->resize(list->size());
            return apply((*list)[*index], (*parts)[*index], nullptr, rest.substr(end + 2), value);
          } else {
            return fail(ErrorCode::InvalidArgument, std::string(slot.standard_name) + " is set as a whole: [a, b]");
          }
        },
        slot.at);
  }

  const Skeleton& skeleton_;
  Hierarchy tree_;
};

// An object created by an assignment has no id yet.
void give_ids(Skeleton& skeleton, Modifier& modifier) {
  IdPool ids;
  ids.add(skeleton);
  for_each_id(modifier, [&](std::uint64_t& id) {
    if (id == 0) id = ids.fresh();
  });
}

Result<std::pair<Bone*, std::size_t>> choose(Skeleton& skeleton, const ModifierChoice& choice) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, choice.bone));
  Bone& bone = skeleton.bones[at(index)];
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < bone.modifiers.size(); ++i)
    if ((!choice.type || bone.modifiers[i].type() == *choice.type) && (!choice.index || *choice.index == i))
      candidates.push_back(i);
  if (candidates.size() == 1) return std::pair(&bone, candidates.front());
  std::string there;
  for (std::size_t i = 0; i < bone.modifiers.size(); ++i)
    there += (there.empty() ? "" : ", ") + std::to_string(i) + " " + std::string(class_name(bone.modifiers[i]));
  return fail(ErrorCode::NotFound, display_name(bone.name) +
                                       (candidates.empty() ? " has no such modifier" : " has several") + "; it has " +
                                       (there.empty() ? "none" : there) + ". Choose by number");
}

}  // namespace

Result<EditNotes> add_modifier(Skeleton& skeleton, std::uint32_t hash, ModifierType type,
                               std::span<const Assignment> values) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  Modifier modifier = anvil::make_modifier(type);
  modifier.owner = {skeleton.bones[at(index)].id};
  MARROW_CHECK(Setter(skeleton).apply(modifier, values));
  if (modifier.owner.target != skeleton.bones[at(index)].id)
    return fail(ErrorCode::InvalidArgument, "Owner is the bone that the modifier hangs on");
  give_ids(skeleton, modifier);
  EditNotes notes = {"id " + std::to_string(modifier.id) + ", modifier " +
                     std::to_string(skeleton.bones[at(index)].modifiers.size()) + " of the bone"};
  walk_links(modifier, [&](const Field& field, const BoneLink& link) {
    if (field.role == LinkRole::Mandatory && link.is_null())
      notes.push_back(std::string(field.name) + " is none yet: without it the modifier does nothing");
  });
  skeleton.bones[at(index)].modifiers.push_back(std::move(modifier));
  return notes;
}

Result<EditNotes> remove_modifier(Skeleton& skeleton, const ModifierChoice& choice) {
  MARROW_TRY(const auto found, choose(skeleton, choice));
  const auto [bone, index] = found;
  EditNotes notes = {std::string(class_name(bone->modifiers[index])) + " " + std::to_string(bone->modifiers[index].id) +
                     " is removed"};
  bone->modifiers.erase(bone->modifiers.begin() + static_cast<std::ptrdiff_t>(index));
  return notes;
}

Result<EditNotes> set_modifier(Skeleton& skeleton, const ModifierChoice& choice, std::span<const Assignment> values) {
  MARROW_TRY(const auto found, choose(skeleton, choice));
  const auto [bone, index] = found;
  Modifier modifier = bone->modifiers[index];
  MARROW_CHECK(Setter(skeleton).apply(modifier, values));
  give_ids(skeleton, modifier);
  bone->modifiers[index] = std::move(modifier);
  return EditNotes{};
}

Result<EditNotes> set_bone(Skeleton& skeleton, std::uint32_t hash, std::span<const Assignment> values) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  for (const Assignment& value : values)
    if (equal_ignoring_case(value.field, "Parent") || equal_ignoring_case(value.field, "FatherBone"))
      return fail(ErrorCode::InvalidArgument, "the parent is changed with 'rig reparent', which keeps the pose");
  Bone bone = skeleton.bones[at(index)];
  MARROW_CHECK(Setter(skeleton).apply(bone, values));
  const bool moved = bone.local_position != skeleton.bones[at(index)].local_position ||
                     bone.local_rotation != skeleton.bones[at(index)].local_rotation;
  const bool placed = bone.global_position != skeleton.bones[at(index)].global_position ||
                      bone.global_rotation != skeleton.bones[at(index)].global_rotation;
  if (const std::int32_t parent = tree.parent[at(index)]; parent >= 0) {
    const Transform above = global_rest(skeleton.bones[at(parent)]);
    if (moved)
      set_global_rest(bone, above * local_rest(bone));
    else if (placed)
      set_local_rest(bone, inverse(above) * global_rest(bone));
  }
  skeleton.bones[at(index)] = std::move(bone);
  EditNotes notes;
  if (moved || placed) {
    rebuild_globals_below(skeleton, index);
    notes.push_back("global poses of the bone and of what hangs on it are computed anew");
  }
  return notes;
}

Result<EditNotes> set_skeleton(Skeleton& skeleton, std::span<const Assignment> values) {
  Skeleton changed = skeleton;
  MARROW_CHECK(Setter(skeleton).apply(changed, values));
  skeleton = std::move(changed);
  return EditNotes{};
}

// ---- copy
// ------------------------------------------------------------------------------------------------------------

Result<EditNotes> copy_modifiers(const Skeleton& from, std::uint32_t source, Skeleton& to, std::uint32_t target,
                                 std::optional<ModifierType> only) {
  const Hierarchy from_tree = hierarchy_of(from), to_tree = hierarchy_of(to);
  MARROW_TRY(const std::int32_t source_bone, find_bone(from, from_tree, source));
  MARROW_TRY(const std::int32_t target_bone, find_bone(to, to_tree, target));
  IdPool ids;
  ids.add(to);
  EditNotes notes;
  std::vector<Modifier> copies;
  for (Modifier modifier : from.bones[at(source_bone)].modifiers) {
    if (only && modifier.type() != *only) continue;
    std::string missing;
    remap_links(modifier, [&](BoneLink link) {
      const std::int32_t bone = from_tree.find(link);
      if (bone == source_bone) return BoneLink{to.bones[at(target_bone)].id};
      const std::int32_t found = bone < 0 ? Hierarchy::kNone : to_tree.find_hash(from.bones[at(bone)].name.hash);
      if (found >= 0) return BoneLink{to.bones[at(found)].id};
      missing = bone < 0 ? std::to_string(link.target) : display_name(from.bones[at(bone)].name);
      return BoneLink{};
    });
    const std::string name(class_name(modifier));
    if (!missing.empty()) {
      notes.push_back(name + " is left out: it needs the bone " + missing);
      continue;
    }
    modifier.owner = {to.bones[at(target_bone)].id};
    if (std::ranges::any_of(to.bones[at(target_bone)].modifiers,
                            [&](const Modifier& present) { return same_effect(present, modifier); })) {
      notes.push_back(name + " is there already");
      continue;
    }
    for_each_id(modifier, [&](std::uint64_t& id) {
      if (!ids.take(id) || id == 0) id = ids.fresh();
    });
    notes.push_back(name + " is copied as " + std::to_string(modifier.id));
    copies.push_back(std::move(modifier));
  }
  if (notes.empty())
    return fail(ErrorCode::NotFound, display_name(from.bones[at(source_bone)].name) + " has no modifier to copy");
  auto& modifiers = to.bones[at(target_bone)].modifiers;
  modifiers.insert(modifiers.end(), std::make_move_iterator(copies.begin()), std::make_move_iterator(copies.end()));
  return notes;
}

// ---- another game
// ----------------------------------------------------------------------------------------------------

namespace {

// LookAt and AnvilLookAt are one modifier under two names; the fields are the same.
bool rename_look_at(Modifier& modifier, Game game) {
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

}  // namespace

EditNotes to_game(Skeleton& skeleton, Game game) {
  EditNotes notes;
  const std::string title_of_game(title(game));
  bool inert = false;
  for (Bone& bone : skeleton.bones) {
    const std::string name = display_name(bone.name);
    std::erase_if(bone.modifiers, [&](Modifier& modifier) {
      const std::string before(class_name(modifier));
      if (rename_look_at(modifier, game))
        notes.push_back(before + " on " + name + " is called " + std::string(class_name(modifier)) + " there");
      const Availability there = availability(game, modifier.type());
      if (modifier.type() == ModifierType::Unknown) return false;
      if (there == Availability::No) {
        notes.push_back(before + " on " + name + " is dropped: " + title_of_game + " has none");
        return true;
      }
      inert |= there == Availability::NoEffect;
      if (there == Availability::Observed)
        notes.push_back(before + " on " + name + " is kept: documented as newer, but seen in data of the first game");
      if (!has_limit_lod_level(game) && modifier.limit_lod_level != -1) {
        notes.push_back("LimitLodLevel of " + before + " on " + name + " is dropped");
        modifier.limit_lod_level = -1;
        modifier.kept.absent |= 1u << 3;
      }
      if (!has_blend_weight(game) && modifier.blend_weight != 1.0f)
        notes.push_back("BlendWeight " + float_text(modifier.blend_weight) + " of " + before + " on " + name +
                        " is unknown to " + title_of_game + ", which takes 1");
      return false;
    });
    if (!has_dependencies(game) && !bone.dependencies.empty()) {
      notes.push_back("Dependencies of " + name + " are dropped");
      bone.dependencies.clear();
    }
  }
  const auto drop = [&](std::string_view what, bool has, Opaque& value) {
    if (has || value.is_null()) return;
    notes.push_back(std::string(what) + " is dropped: " + title_of_game + " has none");
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

EditNotes mend(Skeleton& skeleton) {
  EditNotes notes;
  const Hierarchy tree = hierarchy_of(skeleton);
  const auto unit = [&](Quat& q, const std::string& name, const char* what) {
    const float length = glm::length(q);
    if (!(length > 1e-6f) || !std::isfinite(length) || std::abs(length - 1.0f) <= 1e-3f) return;
    q = glm::normalize(q);
    notes.push_back(std::string(what) + " of " + name + " is brought to length 1");
  };
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    Bone& bone = skeleton.bones[i];
    const std::string name = display_name(bone.name);
    unit(bone.local_rotation, name, "LocalRotation");
    unit(bone.global_rotation, name, "GlobalRotation");
    for (Modifier& modifier : bone.modifiers)
      if (modifier.owner.target != bone.id) {
        modifier.owner = {bone.id};
        notes.push_back("Owner of " + std::string(class_name(modifier)) + " is " + name);
      }
    if (tree.find(bone.mirror) == Hierarchy::kDangling) {
      bone.mirror = {bone.id};
      notes.push_back(name + " has no mirror any more: it led nowhere");
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
      notes.push_back("the global pose of " + display_name(bone.name) + " is computed anew");
    }
  }
  const std::int32_t root = tree.find(skeleton.root);
  if (!tree.depth_first.empty() && (root < 0 || tree.parent[at(root)] >= 0)) {
    const auto top = std::ranges::find_if(tree.depth_first,
                                          [&](std::int32_t bone) { return tree.parent[at(bone)] == Hierarchy::kNone; });
    if (top != tree.depth_first.end()) {
      skeleton.root = {skeleton.bones[at(*top)].id};
      notes.push_back("RootBone is " + display_name(skeleton.bones[at(*top)].name) + " now");
    }
  }
  return notes;
}

}  // namespace marrow::anvil
