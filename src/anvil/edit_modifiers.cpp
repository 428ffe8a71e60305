// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/edit.h"
#include "anvil/edit_support.h"
#include "anvil/games.h"
#include "anvil/ids.h"
#include "anvil/look_at_name.h"
#include "anvil/opaque.h"
#include "anvil/select.h"
#include "anvil/value_text.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "model/modifier_faults.h"

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
    for (const Assignment& value : values) MARROW_CHECK(apply(object, object.kept, parts, value.field, value));
    return {};
  }

 private:
  /// `parts` is the kept data of the objects inside a modifier.
  template <class Object>
  Result<void> apply(Object& object, Kept& kept, std::vector<Kept>* parts, std::string_view field,
                     const Assignment& value) const {
    const std::size_t inside = field.find_first_of("[.@");
    const Slots slots = slots_of(object);
    const std::string_view name = field.substr(0, inside);
    const auto slot = std::ranges::find_if(slots, [&](const Slot& candidate) {
      return equal_ignoring_case(candidate.standard_name, name) || equal_ignoring_case(candidate.schema_name, name);
    });
    if (slot == slots.end()) return no_field(slots, name);
    kept.absent &= ~(std::uint64_t{1} << (slot - slots.begin()));
    if (inside != std::string_view::npos) {
      const std::string_view rest = field.substr(inside);
      if (auto* const* data = std::get_if<Opaque*>(&slot->at)) {
        if (value.op != '=')
          return fail(ErrorCode::InvalidArgument,
                      "values inside " + std::string(name) + " are set with =, not changed");
        return set_opaque_value(**data, rest.starts_with('.') ? rest.substr(1) : rest, value.value);
      }
      return apply_to_item(*slot, parts, rest, value);
    }
    if (value.op != '=') return change_value(*slot, value.op, value.value);
    return set_value(*slot, value.value, [&](std::string_view word) -> Result<BoneLink> {
      MARROW_TRY(const std::uint32_t hash, bone_named(skeleton_, word));
      return BoneLink{skeleton_.bones[at(tree_.find_hash(hash))].id};
    });
  }

  static std::unexpected<Error> no_field(const Slots& slots, std::string_view name) {
    std::vector<std::string_view> names;
    std::string all;
    for (const Slot& candidate : slots) {
      names.push_back(candidate.standard_name);
      (all += all.empty() ? "; there are " : ", ") += candidate.standard_name;
    }
    const std::string near = did_you_mean(name, names);
    return fail(ErrorCode::NotFound, "there is no field '" + std::string(name) + "'" + (near.empty() ? all : near));
  }

  /// Parses `[0].MinAngle`; the index one past the last item creates a new one.
  Result<void> apply_to_item(const Slot& slot, std::vector<Kept>* parts, std::string_view rest,
                             const Assignment& value) const {
    const std::size_t end = rest.find("].");
    const bool is_item = rest.starts_with('[') && end != std::string_view::npos;
    const auto index = is_item ? parse_uint(rest.substr(1, end - 1)) : std::nullopt;
    if (!index)
      return fail(ErrorCode::InvalidArgument, "'" + std::string(rest) + "' is not a place in a list; write " +
                                                  std::string(slot.standard_name) + "[0].Field=value");
    return std::visit(
        [&](auto* list) -> Result<void> {
          if constexpr (kIsPartList<std::remove_pointer_t<decltype(list)>>) {
            if (*index > list->size())
              return fail(ErrorCode::NotFound, std::string(slot.standard_name) + " has " +
                                                   std::to_string(list->size()) + " entries, counted from 0; " +
                                                   std::to_string(*index) + " is not one of them");
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
void give_ids(const Skeleton& skeleton, const Bone& bone, Modifier& modifier) {
  IdPool ids(skeleton);
  const std::string name = display_name(bone.name) + "/" + std::string(class_name(modifier));
  for_each_id(modifier, [&](std::uint64_t& id) {
    if (id == 0) id = ids.fresh(name);
  });
}

bool is_id(const Assignment& value) { return equal_ignoring_case(value.field, "ID"); }

// Takes the assignment of an id out of the others.
Result<std::optional<std::uint64_t>> take_id(std::vector<Assignment>& values) {
  std::optional<std::uint64_t> id;
  for (const Assignment& value : values) {
    if (!is_id(value)) continue;
    id = parse_uint(value.value);
    if (!id || *id == 0 || value.op != '=')
      return fail(ErrorCode::InvalidArgument, "ID is a whole number above 0, not '" + value.value + "'");
  }
  std::erase_if(values, is_id);
  return id;
}

// Gives an object of the skeleton another id, with every reference to it.
Result<void> change_id(Skeleton& skeleton, std::uint64_t& object, std::uint64_t id, EditNotes& notes) {
  const std::uint64_t old = object;
  if (old == id) return {};
  std::size_t count = 0;
  bool is_taken = false;
  for_each_object_id(std::as_const(skeleton), [&](std::uint64_t each) {
    count += each == old;
    is_taken |= each == id;
  });
  if (is_taken)
    return fail(ErrorCode::InvalidArgument, "the id " + std::to_string(id) + " is taken by another object of the file");
  if (count > 1 || old == 0) {
    object = id;
    notes.push_back("the id was " + std::to_string(old) +
                    (old == 0 ? "; nothing referred to it" : ", as that of another object, which links still lead to"));
  } else {
    renumber(skeleton, {{old, id}});
    notes.push_back("the id " + std::to_string(old) + " is " + std::to_string(id) + " now, in every reference too");
  }
  return {};
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
  if (there.empty()) return fail(ErrorCode::NotFound, display_name(bone.name) + " has no modifiers");
  return fail(ErrorCode::NotFound,
              display_name(bone.name) +
                  (candidates.empty() ? " has no such modifier; it has " : " has several; choose one by number: ") +
                  there);
}

}  // namespace

namespace {

// Sets fields, brings those that depend on each other into agreement, and refuses what has no meaning.
Result<void> assign(const Skeleton& skeleton, Modifier& modifier, std::span<const Assignment> values,
                    EditNotes& notes) {
  const Modifier before = modifier;
  MARROW_CHECK(Setter(skeleton).apply(modifier, values));
  const auto is_given = [&](std::string_view field) {
    return std::ranges::any_of(values, [&](const Assignment& v) { return equal_ignoring_case(v.field, field); });
  };
  agree_on_axis(modifier, is_given("AxisConstraintType"), is_given("LocalAxisConstraint"));
  MARROW_CHECK(refuse_new_faults(before, modifier));
  if (const auto* joint = std::get_if<BallJointModifier>(&modifier.data);
      joint && joint->constraint_angle == 0.0f && is_given("ConstraintAngle"))
    notes.push_back("with ConstraintAngle 0 the joint is locked and does not move");
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, float>)
      if (is_given(field.name) && field.has_range() && (value < field.min || value > field.max))
        notes.push_back(std::string(field.name) + " " + float_text(value) + " is outside its usual range, " +
                        float_text(field.min) + " to " + float_text(field.max));
  });
  return {};
}

// Makes a modifier fit a game, or refuses it.
Result<void> fit_to_game(Modifier& modifier, Game game, EditNotes& notes) {
  const std::string before(class_name(modifier)), where(title(game));
  if (rename_look_at(modifier, game))
    notes.push_back("it is added as " + std::string(class_name(modifier)) + ", as " + before + " is called in " +
                    where);
  switch (availability(game, modifier.type())) {
    case Availability::No:
    case Availability::Renamed:
      return fail(ErrorCode::WrongGame, where + " has no " + before, Cure{"rig fields", {{"modifier", before}}});
    case Availability::NoEffect:
      notes.push_back(where + " reads " + before + " and does nothing with it: nothing will move");
      break;
    case Availability::Partial: notes.push_back("it is not documented whether " + where + " has " + before); break;
    case Availability::Observed:
      notes.push_back(before + " is documented as newer than " + where + ", but data of the first game contain it");
      break;
    default: break;
  }
  return {};
}

}  // namespace

Result<EditNotes> add_modifier(Skeleton& skeleton, std::uint32_t hash, ModifierType type,
                               std::span<const Assignment> values, std::optional<Game> game) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  Bone& bone = skeleton.bones[at(index)];
  EditNotes notes;
  Modifier modifier = anvil::make_modifier(type);
  static_cast<marrow::Modifier&>(modifier) = new_modifier(type);
  modifier.owner = {bone.id};
  if (game) MARROW_CHECK(fit_to_game(modifier, *game, notes));
  MARROW_CHECK(assign(skeleton, modifier, values, notes));
  if (modifier.owner.target != bone.id)
    return fail(ErrorCode::InvalidArgument, "Owner is always the bone that has the modifier");
  // What a file may lack, a new modifier must have.
  for (const FieldFault& fault : find_faults(modifier))
    return fail(ErrorCode::InvalidArgument, fault.message + "; give " + fault.field + "=BONE");
  give_ids(skeleton, bone, modifier);
  notes.insert(notes.begin(), "modifier " + std::to_string(bone.modifiers.size()) + " of " + display_name(bone.name) +
                                  " is a " + std::string(class_name(modifier)) + " with the id " +
                                  std::to_string(modifier.id));
  bone.modifiers.push_back(std::move(modifier));
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

namespace {

// Sets the fields of an object with `set`, and then its id, which `id_of` finds: both or none.
template <class Set, class IdOf>
Result<EditNotes> set_with_id(Skeleton& skeleton, std::vector<Assignment> values, const Set& set, const IdOf& id_of) {
  MARROW_TRY(const std::optional<std::uint64_t> id, take_id(values));
  Skeleton edited = skeleton;
  EditNotes notes;
  if (!values.empty()) {
    MARROW_TRY(notes, set(edited, values));
  }
  if (id) {
    MARROW_TRY(std::uint64_t* object, id_of(edited));
    MARROW_CHECK(change_id(edited, *object, *id, notes));
  }
  skeleton = std::move(edited);
  return notes;
}

}  // namespace

Result<EditNotes> set_modifier(Skeleton& skeleton, const ModifierChoice& choice, std::span<const Assignment> values) {
  if (std::ranges::any_of(values, is_id))
    return set_with_id(
        skeleton, {values.begin(), values.end()},
        [&](Skeleton& edited, const auto& others) { return set_modifier(edited, choice, others); },
        [&](Skeleton& edited) -> Result<std::uint64_t*> {
          MARROW_TRY(const auto found, choose(edited, choice));
          return &found.first->modifiers[found.second].id;
        });
  MARROW_TRY(const auto found, choose(skeleton, choice));
  const auto [bone, index] = found;
  Modifier modifier = bone->modifiers[index];
  EditNotes notes;
  MARROW_CHECK(assign(skeleton, modifier, values, notes));
  if (modifier.owner.target != bone->id)
    return fail(ErrorCode::InvalidArgument, "Owner is always the bone that has the modifier");
  give_ids(skeleton, *bone, modifier);
  bone->modifiers[index] = std::move(modifier);
  return notes;
}

Result<EditNotes> set_bone(Skeleton& skeleton, std::uint32_t hash, std::span<const Assignment> values) {
  const Hierarchy tree = hierarchy_of(skeleton);
  MARROW_TRY(const std::int32_t index, find_bone(skeleton, tree, hash));
  if (std::ranges::any_of(values, is_id))
    return set_with_id(
        skeleton, {values.begin(), values.end()},
        [&](Skeleton& edited, const auto& others) { return set_bone(edited, hash, others); },
        [&](Skeleton& edited) -> Result<std::uint64_t*> { return &edited.bones[at(index)].id; });
  for (const Assignment& value : values)
    if (equal_ignoring_case(value.field, "Parent") || equal_ignoring_case(value.field, "FatherBone"))
      return fail(
          ErrorCode::InvalidArgument, "the parent is not set as a field: it changes with the pose of the bone",
          Cure{"rig reparent", {{"bone", display_name(skeleton.bones[at(index)].name)}, {"parent", value.value}}});
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
    notes.push_back("the global poses of the bone and of the bones below it are recomputed");
  }
  return notes;
}

Result<EditNotes> set_skeleton(Skeleton& skeleton, std::span<const Assignment> values) {
  if (std::ranges::any_of(values, is_id))
    return set_with_id(
        skeleton, {values.begin(), values.end()},
        [](Skeleton& edited, const auto& others) { return set_skeleton(edited, others); },
        [](Skeleton& edited) -> Result<std::uint64_t*> { return &edited.id; });
  Skeleton changed = skeleton;
  MARROW_CHECK(Setter(skeleton).apply(changed, values));
  skeleton = std::move(changed);
  return EditNotes{};
}

}  // namespace marrow::anvil
