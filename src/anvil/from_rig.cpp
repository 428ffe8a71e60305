// SPDX-License-Identifier: MIT
#include "marrow/anvil/from_rig.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/ids.h"
#include "anvil/joint_offsets.h"
#include "anvil/look_at_name.h"
#include "core/try.h"
#include "marrow/anvil/games.h"
#include "marrow/anvil/hierarchy.h"

namespace marrow::anvil {
namespace {

constexpr double kSameAngle = 1e-5;  // radians; less is rounding

std::size_t owner_of(const marrow::Modifier& modifier) { return static_cast<std::size_t>(modifier.owner.target); }

std::string named(const Rig& rig, const marrow::Modifier& modifier) {
  return std::string(class_name(modifier)) + " on " + rig.skeleton.bones[owner_of(modifier)].name;
}

// Returns why a modifier does nothing in a game; empty if it works there.
std::string lacks(Game game, ModifierType type) {
  const std::string where(title(game));
  switch (availability(game, type)) {
    case Availability::No: return where + " has no such modifier";
    case Availability::Renamed: return "in " + where + " it is AnvilLookAtBoneModifier";
    case Availability::NoEffect: return where + " reads modifiers and does nothing with them";
    default: return {};
  }
}

/// The direction along a bone, put into what the modifier has.
class AlongBone {
 public:
  AlongBone(const Quat& along, std::string name)
      : along_(glm::normalize(glm::dquat(along.w, along.x, along.y, along.z))), name_(std::move(name)) {
    const glm::dvec3 x = along_ * glm::dvec3(1, 0, 0);
    runs_along_x_ = std::hypot(x.y, x.z) < kSameAngle && x.x > 0.0;
    roll_ = 2.0 * std::atan2(along_.x, along_.w);
  }

  /// Returns the modifiers to write in the place of one.
  Result<std::vector<marrow::Modifier>> write(const marrow::Modifier& modifier, EditNotes& notes) const {
    std::vector<marrow::Modifier> written = {modifier};
    if (auto* joint = std::get_if<BallJointModifier>(&written[0].data)) {
      if (runs_along_x_ && take_roll(*joint)) return written;
      if (modifier.blend_weight != 1.0f) return refuse("a BlendWeight other than 1 cannot be kept together with it");
      set_offsets(*joint, from_offsets(*joint) * along_);
      written.push_back(back(modifier));
      notes.push_back(
          name_ +
          " does not run along X as bones of the games do: the joint is turned by its offsets, and a second "
          "BallJoint, which is locked, turns the bone back");
      return written;
    }
    const auto* constraint = std::get_if<RotationConstraintModifier>(&modifier.data);
    const bool asks = std::holds_alternative<PendulumModifier>(modifier.data) ||
                      (constraint && Vec3(constraint->gravity) != Vec3(0.0f));
    if (asks && !runs_along_x_)
      return refuse(std::string(class_name(modifier)) +
                    " swings the X axis of a bone and has no offsets to change that; use a BallJoint, or turn the bone "
                    "so that X runs along it");
    return written;
  }

 private:
  // Puts a roll about X into the two shares of the cone, if they can hold it.
  bool take_roll(BallJointModifier& joint) const {
    const double quarters = roll_ / (std::numbers::pi / 2), whole = std::round(quarters);
    if (joint.constraint_scale_y == joint.constraint_scale_z) return true;
    if (std::abs(quarters - whole) * (std::numbers::pi / 2) >= kSameAngle) return false;
    if (std::llround(whole) % 2 != 0) std::swap(joint.constraint_scale_y, joint.constraint_scale_z);
    return true;
  }

  // A joint that cannot swing and only turns the bone back.
  marrow::Modifier back(const marrow::Modifier& modifier) const {
    marrow::Modifier turn = marrow::make_modifier(ModifierType::BallJoint);
    turn.owner = modifier.owner;
    turn.use_modified_bone_matrix = true;
    turn.limit_lod_level = modifier.limit_lod_level;
    set_offsets(std::get<BallJointModifier>(turn.data), glm::conjugate(along_));
    return turn;
  }

  std::unexpected<Error> refuse(const std::string& why) const {
    return fail(ErrorCode::Unrepresentable, "bone_axis: " + name_ + " does not run along X, and " + why);
  }

  glm::dquat along_;
  std::string name_;
  bool runs_along_x_ = true;
  double roll_ = 0.0;
};

void number(IdPool& ids, marrow::Modifier& modifier) {
  for_each_id(modifier, [&](std::uint64_t& id) { id = ids.fresh(); });
}

}  // namespace

std::vector<std::size_t> added_modifiers(const Skeleton& skeleton, const Rig& rig) {
  const Hierarchy tree = hierarchy_of(skeleton);
  std::vector<std::size_t> met(rig.skeleton.bones.size(), 0), added;
  for (std::size_t i = 0; i < rig.modifiers.size(); ++i) {
    const std::size_t bone = owner_of(rig.modifiers[i]);
    if (met[bone]++ >= skeleton.bones[at(tree.depth_first[bone])].modifiers.size()) added.push_back(i);
  }
  return added;
}

void number_added(const Skeleton& skeleton, Rig& rig) {
  IdPool ids;
  ids.add(skeleton);
  for (const std::size_t i : added_modifiers(skeleton, rig)) number(ids, rig.modifiers[i]);
}

EditNotes drop_unavailable(Rig& rig, Game game) {
  EditNotes notes;
  std::erase_if(rig.modifiers, [&](const marrow::Modifier& modifier) {
    const bool known = modifier.type() != ModifierType::Unknown;
    const std::string why = known ? lacks(game, modifier.type()) : std::string();
    if (!why.empty()) notes.push_back(named(rig, modifier) + " does not run: " + why);
    return !why.empty();
  });
  return notes;
}

Result<EditNotes> add_modifiers(Skeleton& skeleton, const Rig& rig, std::optional<Game> game) {
  if (rig.metres_per_unit != 1.0)
    return fail(ErrorCode::Unrepresentable, "metres_per_unit: skeletons of these games are in metres; leave it out");
  Skeleton edited = skeleton;
  const Hierarchy tree = hierarchy_of(skeleton);
  const auto bone_at = [&](std::uint64_t place) -> Bone& { return edited.bones[at(tree.depth_first[place])]; };
  Rig numbered = rig;
  number_added(skeleton, numbered);
  IdPool ids;
  ids.add(skeleton);
  const std::vector<std::size_t> added = added_modifiers(skeleton, numbered);
  for (const std::size_t i : added) for_each_id(numbered.modifiers[i], [&](std::uint64_t id) { ids.take(id); });
  EditNotes notes;
  if (!rig.colliders.empty() || rig.ground)
    notes.push_back(
        "colliders and the ground are left out: the games have none, so only 'simulate' keeps joints out of them");
  for (const std::size_t i : added) {
    marrow::Modifier& modifier = numbered.modifiers[i];
    const std::size_t owner = owner_of(modifier);
    const std::string& name = rig.skeleton.bones[owner].name;
    if (game && rename_look_at(modifier, *game))
      notes.push_back("LookAt on " + name + " is written as " + std::string(class_name(modifier)) +
                      ", as it is called in " + std::string(title(*game)));
    if (const Availability there = game ? availability(*game, modifier.type()) : Availability::Yes;
        there == Availability::No) {
      notes.push_back(named(rig, modifier) + " is left out: " + lacks(*game, modifier.type()));
      continue;
    } else if (there == Availability::NoEffect) {
      notes.push_back(named(rig, modifier) + " will not move: " + lacks(*game, modifier.type()));
    }
    const AlongBone along(rig.along_bone.empty() ? make_quat(0, 0, 0, 1) : rig.along_bone[owner], name);
    MARROW_TRY(std::vector<marrow::Modifier> written, along.write(modifier, notes));
    for (marrow::Modifier& each : written) {
      if (each.id == 0) number(ids, each);
      remap_links(each, [&](BoneLink link) { return BoneLink{bone_at(link.target).id}; });
      Modifier out = anvil::make_modifier(each.type());
      static_cast<marrow::Modifier&>(out) = std::move(each);
      bone_at(owner).modifiers.push_back(std::move(out));
    }
  }
  for (std::size_t i = 0; i < rig.solving_priority.size(); ++i)
    if (Bone& bone = bone_at(i); bone.solving_priority != rig.solving_priority[i]) {
      bone.solving_priority = rig.solving_priority[i];
      notes.push_back("SolvingPriority of " + rig.skeleton.bones[i].name + " is " +
                      std::to_string(rig.solving_priority[i]));
    }
  skeleton = std::move(edited);
  return notes;
}

}  // namespace marrow::anvil
