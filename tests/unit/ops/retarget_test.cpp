// SPDX-License-Identifier: MIT
#include "ops/retarget/retarget.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/retarget/body.h"
#include "ops/retarget/grip.h"
#include "ops/retarget/ground.h"
#include "ops/retarget/upright.h"
#include "support/motion_error.h"
#include "support/rigs.h"

using namespace marrow;
using marrow::test::make_human;
using marrow::test::make_other_human;
using marrow::test::make_walk;

namespace {

MapReason reason_of(const BoneMap& map, const Skeleton& from, const Skeleton& to, const char* source,
                    const char* target) {
  const auto f = find_bone(from, source), t = find_bone(to, target);
  REQUIRE(f.has_value());
  REQUIRE(t.has_value());
  const auto found = std::ranges::find(map.bones, *t, &MappedBone::to);
  REQUIRE_MESSAGE(found != map.bones.end(), source);
  CHECK_MESSAGE(found->from == *f, source);
  return found->reason;
}

Skeleton named(std::initializer_list<const char*> names) {
  Skeleton skeleton;
  for (const char* name : names) {
    Transform rest;
    rest.translation = {0, 0, 1};
    skeleton.bones.push_back({name, static_cast<std::int32_t>(skeleton.bones.size()) - 1, rest, false});
  }
  return skeleton;
}

}  // namespace

TEST_CASE("bones are mapped by what their names mean in the rigs that are known") {
  const Skeleton from = make_human(), to = make_other_human();
  const BoneMap map = map_bones(from, to);
  CHECK(map.bones.size() == to.bones.size());
  CHECK(reason_of(map, from, to, "NPC L Forearm [LLar]", "LArm_ForeArm1") == MapReason::Known);
  CHECK(reason_of(map, from, to, "NPC Spine1 [Spn1]", "SPINE2") == MapReason::Known);
  CHECK(reason_of(map, from, to, "NPC R Toe0 [RToe]", "RLeg_Toe1") == MapReason::Known);
}

TEST_CASE("a name that is two parts in two rigs is mapped by the part") {
  // The second bone of Fallout's spine and the second of HumanIK's: "Spine1" is another one in each.
  const Skeleton fallout = named({"Root", "COM", "Pelvis", "Spine1", "Spine2", "Chest", "Neck", "Head"});
  const Skeleton mixamo = named({"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2",
                                 "mixamorig:Neck", "mixamorig:Head"});
  const BoneMap map = map_bones(mixamo, fallout);
  CHECK(reason_of(map, mixamo, fallout, "mixamorig:Spine", "Spine1") == MapReason::Known);
  CHECK(reason_of(map, mixamo, fallout, "mixamorig:Spine1", "Spine2") == MapReason::Known);
  CHECK(reason_of(map, mixamo, fallout, "mixamorig:Spine2", "Chest") == MapReason::Known);
  CHECK(reason_of(map, mixamo, fallout, "mixamorig:Hips", "COM") == MapReason::Known);
}

TEST_CASE("bones of unknown names are guessed by their place") {
  const Skeleton from = make_human();
  Skeleton to = make_other_human();
  for (std::size_t i = 0; i < to.bones.size(); ++i) to.bones[i].name = "b" + std::to_string(i);
  const BoneMap map = map_bones(from, to);
  CHECK(map.bones.size() >= to.bones.size() - 2);
  for (const MappedBone& bone : map.bones) {
    CHECK(bone.reason == MapReason::Guessed);
    CHECK(bone.from == bone.to);  // both bodies have their bones in one order
  }
}

TEST_CASE("a map file wins over what was found, and says where it is wrong") {
  const Skeleton from = make_human(), to = make_other_human();
  const BoneMap automatic = map_bones(from, to);
  const std::string text = write_bone_map(automatic, from, to);
  const auto same = read_bone_map(text, from, to, {});
  REQUIRE(same.has_value());
  CHECK(same->bones.size() == automatic.bones.size());
  for (std::size_t i = 0; i < automatic.bones.size(); ++i) CHECK(same->bones[i].from == automatic.bones[i].from);

  const auto changed = read_bone_map("# left out\nWEAPON = -\nNPC Head [Head] = Weapon\n", from, to, automatic);
  REQUIRE(changed.has_value());
  CHECK(reason_of(*changed, from, to, "NPC Head [Head]", "Weapon") == MapReason::Given);
  CHECK_FALSE(changed->from_of(*find_bone(to, "HEAD")).has_value());

  const auto wrong = read_bone_map("\nNPC Head [Head] = Kopf\n", from, to, automatic);
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().path == "line 2");
  CHECK_FALSE(read_bone_map("no equals sign", from, to, automatic).has_value());
}

TEST_CASE("a walk keeps its directions on another body, and its feet do not slide") {
  const Skeleton from = make_human(), to = make_other_human();
  const Clip walk = make_walk(from, 61);
  const BoneMap map = map_bones(from, to);
  const auto there = retarget_clip(walk, from, to, map);
  REQUIRE(there.has_value());
  REQUIRE(validate(there->clip).has_value());
  const auto out = test::motion_error(walk, from, there->clip, to, map);
  MESSAGE("there: mean " << out.mean_degrees << " deg, worst " << out.worst_degrees << " deg, slide "
                         << out.standing_slide << " of the leg per frame, scale " << there->fit.scale << ", feet "
                         << there->fit.worst_contact_error << " % of a leg");
  CHECK(out.worst_degrees < 5.0f);
  CHECK(out.mean_degrees < 2.0f);
  CHECK(out.standing_slide < 0.002f);

  const BoneMap back_map = map_bones(to, from);
  const auto back = retarget_clip(there->clip, to, from, back_map);
  REQUIRE(back.has_value());
  BoneMap self;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(from.bones.size()); ++i) self.bones.push_back({i, i, {}});
  const auto home = test::motion_error(walk, from, back->clip, from, self);
  MESSAGE("there and back: mean " << home.mean_degrees << " deg, worst " << home.worst_degrees << " deg, slide "
                                  << home.any_slide);
  CHECK(home.worst_degrees < 3.0f);
  CHECK(home.any_slide < 0.002f);
}

TEST_CASE("root motion is as long as the legs; events, length and blend hint are carried over") {
  const Skeleton from = make_human(), to = make_other_human();
  Clip walk = make_walk(from, 31);
  const auto out = retarget_clip(walk, from, to, map_bones(from, to));
  REQUIRE(out.has_value());
  CHECK(out->fit.scale == doctest::Approx(0.94).epsilon(0.01));
  REQUIRE(out->clip.root_motion.has_value());
  CHECK(out->clip.root_motion->samples.back().y ==
        doctest::Approx(walk.root_motion->samples.back().y * out->fit.scale));
  CHECK(out->clip.duration_seconds == walk.duration_seconds);
  CHECK(out->clip.annotation_tracks.at(0) == walk.annotation_tracks[0]);
  CHECK(out->clip.annotation_tracks.at(3).annotations == walk.annotation_tracks[3].annotations);
  CHECK(out->clip.track_to_bone.empty());
  CHECK(out->fit.lost_floats.size() == 2);
  CHECK(out->clip.skeleton_name == to.name);
}

TEST_CASE("an additive clip stays one: at rest it adds nothing") {
  const Skeleton from = make_human(), to = make_other_human();
  Clip still = make_walk(from, 2);
  for (Transform& t : still.transforms) t = {};
  still.blend_hint = BlendHint::Additive;
  const auto out = retarget_clip(still, from, to, map_bones(from, to));
  REQUIRE(out.has_value());
  CHECK(out->clip.blend_hint == BlendHint::Additive);
  for (const Transform& t : out->clip.transforms) {
    CHECK(glm::length(t.translation) < 1e-3f);
    CHECK(angle_degrees(t.rotation, make_quat(0, 0, 0, 1)) < 0.1f);
  }
}

TEST_CASE("a crouch keeps its directions and its feet on a body whose thighs and calves have other proportions") {
  const Skeleton from = make_human();
  Skeleton to = make_other_human();
  // A shorter thigh and a longer calf, as Fallout 4's body has against Skyrim's.
  for (const char* name : {"LLeg_Calf", "RLeg_Calf"})
    to.bones[static_cast<std::size_t>(*find_bone(to, name))].rest.translation *= 0.9f;
  for (const char* name : {"LLeg_Foot", "RLeg_Foot"})
    to.bones[static_cast<std::size_t>(*find_bone(to, name))].rest.translation *= 1.1f;
  const Clip crouch = test::make_crouch(from, 31);
  const BoneMap map = map_bones(from, to);
  const auto out = retarget_clip(crouch, from, to, map);
  REQUIRE(out.has_value());
  MESSAGE("crouch: directions " << out->fit.mean_direction_error << " deg on average, "
                                << out->fit.worst_direction_error << " at worst at " << out->fit.worst_direction_bone
                                << "; feet " << out->fit.worst_contact_error << " % of a leg");
  // Feet that point down are tipped, so that no toe goes deeper through the floor than the source's. That costs one
  // degree on average here.
  CHECK(out->fit.mean_direction_error < 3.1f);
  CHECK(out->fit.worst_direction_bone.ends_with("_Foot"));
  CHECK(out->fit.worst_contact_error < 1.0f);
  // The same errors, measured from the clips alone.
  const auto error = test::motion_error(crouch, from, out->clip, to, map);
  CHECK(error.standing_slide < 0.002f);
  CHECK(error.mean_degrees < 5.0f);
  CHECK(error.worst_degrees < 15.0f);
}

TEST_CASE("hands that hold one thing hold it on shoulders of another width") {
  const Skeleton from = make_human(), to = make_other_human();
  const Clip grip = test::make_grip(from, 3);
  const BoneMap map = map_bones(from, to);
  const auto out = retarget_clip(grip, from, to, map);
  REQUIRE(out.has_value());
  const auto apart = [](const Skeleton& skeleton, const Clip& clip, const char* left, const char* right) {
    std::vector<Transform> pose(skeleton.bones.size());
    pose_from_frame(skeleton, clip, clip.frame(1), pose);
    local_to_model(skeleton, pose, pose);
    return glm::length(pose[static_cast<std::size_t>(*find_bone(skeleton, left))].translation -
                       pose[static_cast<std::size_t>(*find_bone(skeleton, right))].translation);
  };
  const float before = apart(from, grip, "NPC L Hand [LHnd]", "NPC R Hand [RHnd]");
  REQUIRE(before < 12.0f);
  CHECK(apart(to, out->clip, "LArm_Hand", "RArm_Hand") == doctest::Approx(before * out->fit.scale).epsilon(0.02));
}

namespace {

// Arms that swing together with the hands far apart, as on a long rifle, or each for itself. The chest holds the rifle.
Clip swinging_arms(const Skeleton& skeleton, int frames, float rigid) {
  Clip clip = test::resting_clip(skeleton, frames);
  const auto at = [&](const char* name) { return static_cast<std::size_t>(*find_bone(skeleton, name)); };
  const std::size_t bones = skeleton.bones.size();
  const std::size_t left = at("NPC L UpperArm [LUar]"), right = at("NPC R UpperArm [RUar]");
  std::vector<Transform> rest;
  for (const Bone& bone : skeleton.bones) rest.push_back(bone.rest);
  std::vector<Transform> model(bones);
  local_to_model(skeleton, rest, model);
  const Vec3 middle = 0.5f * (model[left].translation + model[right].translation);
  for (int f = 0; f < frames; ++f) {
    const float turn = 0.4f * std::sin(0.3f * static_cast<float>(f));
    for (const auto& [bone, share] : {std::pair(left, 1.0f), std::pair(right, rigid)}) {
      // Both arms turn about one axis between the shoulders, so that the hands stay as they are to each other.
      const Quat swing = glm::angleAxis(share * turn, Vec3(1, 0, 0));
      const Transform above = model[static_cast<std::size_t>(skeleton.bones[bone].parent)];
      const Transform wanted{middle + swing * (model[bone].translation - middle), swing * model[bone].rotation};
      clip.transforms[static_cast<std::size_t>(f) * bones + bone] = inverse(above) * wanted;
    }
  }
  return clip;
}

}  // namespace

TEST_CASE("hands that move as one thing hold one, however far apart; hands that swing freely do not") {
  const Skeleton from = make_human(), to = make_other_human();
  const BodyPair bodies = pair_bodies(from, to, map_bones(from, to));
  const auto weight = [&](float rigid) {
    const auto grips = find_grips(swinging_arms(from, 30, rigid), from, bodies);
    REQUIRE(grips.size() == 1);
    REQUIRE(grips[0].weight.size() == 30);
    return std::ranges::minmax(grips[0].weight);
  };
  CHECK(weight(1.0f).min == 1.0f);
  CHECK(weight(-1.0f).max == 0.0f);
  // Arms that do not move say nothing.
  const auto still = find_grips(test::resting_clip(from, 30), from, bodies);
  CHECK(std::ranges::max(still.at(0).weight) == 0.0f);
}

TEST_CASE("a clip that moves some bones gives one that moves those") {
  const Skeleton from = make_human(), to = make_other_human();
  Clip part = make_walk(from, 3);
  Clip arms = part;
  arms.transforms.clear();
  arms.annotation_tracks.clear();
  for (std::int32_t frame = 0; frame < 3; ++frame)
    for (const std::size_t bone : {17u, 18u}) arms.transforms.push_back(part.frame(frame)[bone]);
  arms.track_count = 2;
  arms.track_to_bone = {17, 18};
  const auto out = retarget_clip(arms, from, to, map_bones(from, to));
  REQUIRE(out.has_value());
  CHECK(out->clip.track_to_bone == arms.track_to_bone);
}

TEST_CASE("a body that faces the other way walks the other way") {
  const Skeleton from = make_human();
  Skeleton to = make_other_human();
  to.bones[0].rest = Transform{Vec3(0), make_quat(0, 0, 1, 0), Vec3(1)} * to.bones[0].rest;
  const BoneMap map = map_bones(from, to);
  const Clip walk = make_walk(from, 31);
  const auto out = retarget_clip(walk, from, to, map);
  REQUIRE(out.has_value());
  CHECK(out->clip.root_motion->samples.back().y < 0.0f);
  const auto error = test::motion_error(walk, from, out->clip, to, map, 180);
  CHECK(error.worst_degrees < 5.0f);
  CHECK(error.any_slide < 0.002f);
}

TEST_CASE("a body that stands along another axis or in left-handed axes is stood up as it was") {
  const Skeleton human = make_human();
  const Clip walk = make_walk(human, 5);
  CHECK(find_standing(human) == Standing{});
  const float half = std::sqrt(0.5f);
  for (const Quat& fall : {make_quat(-half, 0, 0, half), make_quat(1, 0, 0, 0), make_quat(0, half, 0, half)})
    for (const bool is_mirrored : {false, true}) {
      Skeleton skeleton = human;
      Clip clip = walk;
      stand_up({.turn = fall, .is_mirrored = is_mirrored}, skeleton);
      stand_up({.turn = fall, .is_mirrored = is_mirrored}, human, clip);
      const Standing standing = find_standing(skeleton);
      CHECK(standing.is_mirrored == is_mirrored);
      stand_up(standing, skeleton, clip);
      stand_up(standing, skeleton);
      CHECK(find_standing(skeleton) == Standing{});
      // It may face another way now, which the retargeting finds out.
      const BoneMap map = map_bones(skeleton, human);
      const auto out = retarget_clip(clip, skeleton, human, map);
      REQUIRE(out);
      CHECK(test::motion_error(walk, human, out->clip, human, map_bones(human, human), 0).worst_degrees < 0.1f);
      REQUIRE(out->clip.root_motion);
      CHECK(glm::length(out->clip.root_motion->samples.back() - walk.root_motion->samples.back()) < 0.01f);
    }
}

TEST_CASE("sides of bodies with unknown names are those that their names state, or that their toes show") {
  const Skeleton human = make_human();
  const auto mapped_thigh = [&](const char* left, const char* right, bool is_turned) {
    Skeleton other = make_other_human();
    std::size_t thigh = 0;
    for (std::size_t i = 0; i < other.bones.size(); ++i) {
      const std::string name = other.bones[i].name;
      if (name == "LLeg_Thigh") thigh = i;
      other.bones[i].name = "j" + std::to_string(i);
      if (name.starts_with("LArm") || name.starts_with("LLeg")) other.bones[i].name += left;
      if (name.starts_with("RArm") || name.starts_with("RLeg")) other.bones[i].name += right;
    }
    if (is_turned) other.bones[0].rest = Transform{Vec3(0), make_quat(0, 0, 1, 0), Vec3(1)} * other.bones[0].rest;
    const auto from = map_bones(human, other).from_of(static_cast<std::int32_t>(thigh));
    return from ? human.bones[static_cast<std::size_t>(*from)].name : std::string();
  };
  for (const bool is_turned : {false, true}) {
    CAPTURE(is_turned);
    CHECK(mapped_thigh("", "", is_turned) == "NPC L Thigh [LThg]");
    CHECK(mapped_thigh("_l", "_r", is_turned) == "NPC L Thigh [LThg]");
    CHECK(mapped_thigh("Left", "Right", is_turned) == "NPC L Thigh [LThg]");
  }
}

TEST_CASE("a body in metres is recognised by its bones as one in game units is") {
  Skeleton human = make_human();
  Clip walk = make_walk(human, 2);
  const SkeletonFit in_units = fit_of(walk, human);
  CHECK(in_units.is_right());
  for (Bone& bone : human.bones) bone.rest.translation *= 0.01428f;
  for (Transform& each : walk.transforms) each.translation *= 0.01428f;
  const SkeletonFit in_metres = fit_of(walk, human);
  CHECK(in_metres.is_right());
  CHECK(in_metres.compared == in_units.compared);
}

TEST_CASE("a capture whose rest pose lies around the origin stands on the ground as its clip does") {
  const Skeleton human = make_human(), to = make_other_human();
  const Clip walk = make_walk(human, 31);
  const auto right = retarget_clip(walk, human, to, map_bones(human, to));
  REQUIRE(right);
  CHECK(right->fit.raised == 0.0f);
  Skeleton low = human;
  const auto hips = static_cast<std::size_t>(*find_bone(low, "NPC COM [COM ]"));
  const float height = low.bones[hips].rest.translation.z;
  low.bones[hips].rest.translation.z = 0.0f;
  const auto out = retarget_clip(walk, low, to, map_bones(low, to));
  REQUIRE(out);
  CHECK(out->fit.raised == doctest::Approx(height).epsilon(0.02));
  const auto foot = static_cast<std::size_t>(*find_bone(to, "LLeg_Foot"));
  std::vector<Transform> pose(to.bones.size()), other(to.bones.size());
  for (int frame = 0; frame < 31; ++frame) {
    pose_from_frame(to, right->clip, right->clip.frame(frame), pose);
    local_to_model(to, pose, pose);
    pose_from_frame(to, out->clip, out->clip.frame(frame), other);
    local_to_model(to, other, other);
    CHECK(std::abs(pose[foot].translation.z - other[foot].translation.z) < 1.5f);
  }
  // A clip that lies around the origin as its rest pose does is one of a body whose ground is down there.
  Clip lowered = walk;
  for (std::size_t i = hips; i < lowered.transforms.size(); i += human.bones.size())
    lowered.transforms[i].translation.z -= height;
  const auto same = retarget_clip(lowered, low, to, map_bones(low, to));
  REQUIRE(same);
  CHECK(same->fit.raised == 0.0f);
  pose_from_frame(to, same->clip, same->clip.frame(0), other);
  local_to_model(to, other, other);
  CHECK(other[foot].translation.z < 20.0f);
  CHECK(other[foot].translation.z > 0.0f);
}

TEST_CASE("a body that was captured anywhere begins over its root and faces ahead") {
  const Skeleton human = make_human();
  const auto hips = static_cast<std::size_t>(*find_bone(human, "NPC COM [COM ]"));
  const std::size_t bones = human.bones.size();
  for (const int quarters : {0, 1, 2, 3}) {
    Clip clip = test::make_crouch(human, 5);
    const Clip right = clip;
    const Quat turn = glm::angleAxis(1.5707963f * static_cast<float>(quarters) + 0.2f, Vec3(0, 0, 1));
    // The way of the root, above the hips, is theirs too.
    for (std::size_t i = 0; i < clip.transforms.size(); i += bones) {
      clip.transforms[i].translation = Vec3(300, -40, 0) + static_cast<float>(i / bones) * Vec3(2, 0, 0);
      clip.transforms[i].rotation = turn * clip.transforms[i].rotation;
    }
    CHECK(start_over_root(clip, human, hips) == (4 - quarters) % 4);
    std::vector<Transform> pose(bones), wanted(bones);
    for (int frame = 0; frame < 5; ++frame) {
      CHECK(clip.frame(frame)[0] == human.bones[0].rest);
      pose_from_frame(human, clip, clip.frame(frame), pose);
      local_to_model(human, pose, pose);
      pose_from_frame(human, right, right.frame(frame), wanted);
      local_to_model(human, wanted, wanted);
      const Vec3 way = pose[hips].translation - human.bones[0].rest.translation;
      if (frame == 0) CHECK(glm::length(Vec3(way.x, way.y, 0)) < 1e-3f);
      CHECK(way.z == doctest::Approx(wanted[hips].translation.z));
      CHECK(angle_degrees(pose[hips].rotation, wanted[hips].rotation) == doctest::Approx(0.2 * 57.29578).epsilon(0.01));
    }
  }
}
