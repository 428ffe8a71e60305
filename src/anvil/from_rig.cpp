// SPDX-License-Identifier: MIT
#include "anvil/from_rig.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "anvil/at.h"
#include "anvil/games.h"
#include "anvil/hierarchy.h"
#include "anvil/ids.h"
#include "anvil/joint_offsets.h"
#include "anvil/look_at_name.h"
#include "core/try.h"
#include "marrow/core/text.h"

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
          "BallJoint, which is locked, turns the bone back. A simulation runs the two one after the other; nothing "
          "published says that the game does, so try it there, or turn the bone so that X runs along it");
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

std::string bone_name(const Rig& rig, const marrow::Modifier& modifier) {
  return rig.skeleton.bones[owner_of(modifier)].name;
}

constexpr double kAlmostX = 2.0 * std::numbers::pi / 180.0;

/// Writes the modifiers of a rig into a skeleton.
class ModifierWriter {
 public:
  ModifierWriter(const Skeleton& skeleton, const Rig& rig, std::optional<Game> game)
      : edited_(skeleton), rig_(rig), game_(game), tree_(hierarchy_of(skeleton)), ids_(skeleton) {
    for (const std::int32_t index : tree_.depth_first)
      for (const Modifier& modifier : skeleton.bones[at(index)].modifiers) before_.push_back(&modifier);
  }

  Result<void> run(std::span<const ModifierOrigin> origins) {
    for (Bone& bone : edited_.bones) bone.modifiers.clear();
    report_removed(origins);
    for (std::size_t i = 0; i < rig_.modifiers.size(); ++i) {
      const Modifier* old = origins[i].before == ModifierOrigin::kNew ? nullptr : before_[origins[i].before];
      if (!origins[i].is_given)
        bone_at(owner_of(rig_.modifiers[i])).modifiers.push_back(*old);
      else
        MARROW_CHECK(write(rig_.modifiers[i], old));
    }
    for (std::size_t i = 0; i < rig_.solving_priority.size(); ++i)
      if (Bone& bone = bone_at(i); bone.solving_priority != rig_.solving_priority[i]) {
        bone.solving_priority = rig_.solving_priority[i];
        notes.push_back("SolvingPriority of " + rig_.skeleton.bones[i].name + " is " +
                        std::to_string(rig_.solving_priority[i]));
      }
    return {};
  }

  Skeleton take() { return std::move(edited_); }
  EditNotes notes;

 private:
  Bone& bone_at(std::uint64_t place) { return edited_.bones[at(tree_.depth_first[place])]; }

  void report_removed(std::span<const ModifierOrigin> origins) {
    std::vector<bool> stays(before_.size(), false);
    for (const ModifierOrigin& origin : origins)
      if (origin.before != ModifierOrigin::kNew) stays[origin.before] = true;
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (!stays[i])
        notes.push_back(std::string(class_name(*before_[i])) + " " + std::to_string(before_[i]->id) +
                        " is removed: the new ones of its class replace all of them");
  }

  // `old` is the modifier whose place it takes; null: none.
  Result<void> write(marrow::Modifier modifier, const Modifier* old) {
    const std::size_t owner = owner_of(modifier);
    const std::string& name = rig_.skeleton.bones[owner].name;
    if (game_ && rename_look_at(modifier, *game_))
      notes.push_back("LookAt on " + name + " is written as " + std::string(class_name(modifier)) +
                      ", as it is called in " + std::string(title(*game_)));
    const Availability there = game_ ? availability(*game_, modifier.type()) : Availability::Yes;
    if (there == Availability::No) {
      notes.push_back(named(rig_, modifier) + " is left out: " + lacks(*game_, modifier.type()));
      return {};
    }
    if (there == Availability::NoEffect)
      notes.push_back(named(rig_, modifier) + " will not move: " + lacks(*game_, modifier.type()));
    const AlongBone along(rig_.along_bone.empty() ? make_quat(0, 0, 0, 1) : rig_.along_bone[owner], name);
    MARROW_TRY(std::vector<marrow::Modifier> written, along.write(modifier, notes));
    for (marrow::Modifier& each : written) {
      const bool is_first = &each == &written.front();
      Modifier out = is_first && old && old->type() == each.type() ? *old : anvil::make_modifier(each.type());
      if (!is_first || !old) {
        ids_.number(each, name);
      } else {
        for_each_id(each, [&](std::uint64_t& id) {
          if (id == 0 && old->id != 0) id = ids_.fresh(name + "/" + std::string(class_name(each)));
        });
      }
      remap_links(each, [&](BoneLink link) { return BoneLink{bone_at(link.target).id}; });
      static_cast<marrow::Modifier&>(out) = std::move(each);
      bone_at(owner).modifiers.push_back(std::move(out));
    }
    return {};
  }

  Skeleton edited_;
  const Rig& rig_;
  std::optional<Game> game_;
  Hierarchy tree_;
  IdPool ids_;
  std::vector<const Modifier*> before_;  // in the order of `to_model`
};

}  // namespace

EditNotes align_with_axis(Rig& rig) {
  EditNotes notes;
  for (std::size_t i = 0; i < rig.along_bone.size(); ++i) {
    const Quat& turn = rig.along_bone[i];
    const glm::dvec3 x = glm::normalize(glm::dquat(turn.w, turn.x, turn.y, turn.z)) * glm::dvec3(1, 0, 0);
    const double off = std::atan2(std::hypot(x.y, x.z), x.x);
    if (off < kSameAngle || off > kAlmostX) continue;
    rig.along_bone[i] = make_quat(0, 0, 0, 1);
    if (std::ranges::any_of(rig.modifiers, [&](const marrow::Modifier& m) { return owner_of(m) == i; }))
      notes.push_back(rig.skeleton.bones[i].name + " runs " +
                      float_text(static_cast<float>(off * 180.0 / std::numbers::pi)) +
                      " degrees off its X axis; the joint swings the X axis itself, as the games do");
  }
  return notes;
}

void number_added(const Skeleton& skeleton, Rig& rig, std::span<const ModifierOrigin> origins) {
  IdPool ids(skeleton);
  for (std::size_t i = 0; i < rig.modifiers.size(); ++i)
    if (origins[i].before == ModifierOrigin::kNew) ids.number(rig.modifiers[i], bone_name(rig, rig.modifiers[i]));
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

Result<EditNotes> set_modifiers(Skeleton& skeleton, const Rig& rig, std::span<const ModifierOrigin> origins,
                                std::optional<Game> game) {
  if (rig.metres_per_unit != 1.0)
    return fail(ErrorCode::Unrepresentable, "metres_per_unit: skeletons of these games are in metres; leave it out");
  ModifierWriter writer(skeleton, rig, game);
  if (!rig.colliders.empty() || rig.ground)
    writer.notes.push_back(
        "colliders and the ground are left out: the games have none, so joints stay out of them only when simulated");
  MARROW_CHECK(writer.run(origins));
  skeleton = writer.take();
  return std::move(writer.notes);
}

}  // namespace marrow::anvil
