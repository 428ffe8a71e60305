// SPDX-License-Identifier: MIT
#include "anvil/edit.h"

#include "anvil/diff.h"
#include "anvil/to_model.h"
#include "samples.h"

namespace marrow::anvil {

TEST_CASE("a bone that is added and removed again leaves the file as it was") {
  const Skeleton before = sample("generic_male");
  Skeleton skeleton = before;
  REQUIRE(add_bone(skeleton, {.name = "P_Pouch", .parent = hash_of("Hips"), .local = Transform{Vec3(0.1f, 0, 0)}}));
  const Bone& pouch = bone(skeleton, "P_Pouch");
  CHECK(pouch.global_position != Vec4(0));
  CHECK(pouch.mirror.target == pouch.id);
  CHECK(pouch.id >= 0xF8000000);
  CHECK_FALSE(has_errors(check(skeleton)));
  REQUIRE(remove_bone(skeleton, hash_of("P_Pouch")));
  CHECK(skeleton == before);
  CHECK(written(skeleton) == written(before));
}

TEST_CASE("bones of one name, which damaged files have, are compared by their ids, then in order") {
  Skeleton skeleton = sample("generic_male");
  Bone& hand = bone(skeleton, "LeftHand");
  hand.name = bone(skeleton, "RightHand").name;
  CHECK(diff(skeleton, skeleton).empty());
  Skeleton moved = skeleton;
  moved.bones.at(static_cast<std::size_t>(&hand - skeleton.bones.data())).local_position.x += 1.0f;
  CHECK(diff(skeleton, moved).size() == 1);
  std::erase_if(moved.bones, [&](const Bone& each) { return each.id == hand.id; });
  CHECK(std::ranges::any_of(diff(skeleton, moved), [](const Difference& each) { return each.right.empty(); }));
}

TEST_CASE("a bone that the file calls the root by mistake hands that on to its parent") {
  Skeleton skeleton = sample("generic_male");
  REQUIRE(add_bone(skeleton, {.name = "P_Pouch", .parent = hash_of("Hips")}));
  skeleton.root = {bone(skeleton, "P_Pouch").id};
  REQUIRE(remove_bone(skeleton, hash_of("P_Pouch")));
  CHECK(skeleton.root.target == bone(skeleton, "Hips").id);
}

TEST_CASE("removing a bone moves its children up and mends every link to it") {
  Skeleton skeleton = sample("generic_male");
  const Transform before = global_rest(bone(skeleton, "LeftForeArm"));
  const std::size_t count = skeleton.bones.size();
  const auto notes = remove_bone(skeleton, hash_of("LeftArm"));
  REQUIRE(notes.has_value());
  CHECK(notes->size() > 3);
  CHECK(skeleton.bones.size() == count - 1);
  CHECK(bone(skeleton, "LeftForeArm").parent.target == bone(skeleton, "LeftClavicle").id);
  CHECK(bone(skeleton, "RightArm").mirror.target == bone(skeleton, "RightArm").id);
  CHECK(bone(skeleton, "R_LeftArmRoll_U").modifiers.empty());
  CHECK(global_rest(bone(skeleton, "LeftForeArm")) == before);
  const Findings findings = check(skeleton);
  CHECK_FALSE(has_errors(findings));
  CHECK_FALSE(has_code(findings, "W_GLOBAL_LOCAL"));
}

TEST_CASE("lists lose the target, and the modifier only with the last one") {
  Skeleton skeleton = sample("every_modifier");
  REQUIRE(remove_bone(skeleton, hash_of("LeftHand")));
  const auto& position = std::get<PositionConstraintModifier>(bone(skeleton, "Show_Position").modifiers.at(0).data);
  CHECK(position.targets.size() == 1);
  CHECK(position.weights == std::vector<float>{40.0f});
  CHECK(position.keep_initial_offset == std::vector<bool>{true});
  CHECK(bone(skeleton, "Show_Follow").modifiers.empty());
  CHECK(bone(skeleton, "Show_MaxLookAt").modifiers.empty());
  REQUIRE(remove_bone(skeleton, hash_of("RightHand")));
  CHECK(bone(skeleton, "Show_Position").modifiers.empty());
  CHECK_FALSE(has_errors(check(skeleton)));
}

TEST_CASE("an optional link becomes none") {
  Skeleton skeleton = sample("every_modifier");
  REQUIRE(remove_bone(skeleton, hash_of("Neck")));
  const auto& constraint =
      std::get<RotationConstraintModifier>(bone(skeleton, "Show_RotationConstraint").modifiers.at(0).data);
  CHECK(constraint.constraint_associated_bone.is_null());
}

TEST_CASE("a root goes only where it is clear what follows it") {
  Skeleton skeleton = sample("generic_male");
  REQUIRE(remove_bone(skeleton, hash_of("Reference")));
  CHECK(skeleton.root.target == bone(skeleton, "Hips").id);
  CHECK_FALSE(remove_bone(skeleton, hash_of("Hips")).has_value());
  REQUIRE(remove_bone(skeleton, hash_of("Hips"), {.promote = true}));
  const Findings findings = check(skeleton);
  CHECK_FALSE(has_errors(findings));
  CHECK_FALSE(has_code(findings, "W_GLOBAL_LOCAL"));
}

TEST_CASE("a bone cannot be hung on what hangs on it") {
  Skeleton skeleton = sample("generic_male");
  const Skeleton before = skeleton;
  CHECK_FALSE(reparent_bone(skeleton, hash_of("Spine"), hash_of("Head")).has_value());
  CHECK_FALSE(reparent_bone(skeleton, hash_of("Spine"), hash_of("Spine")).has_value());
  CHECK(skeleton == before);
  const Transform place = global_rest(bone(skeleton, "LeftHand"));
  REQUIRE(reparent_bone(skeleton, hash_of("LeftHand"), hash_of("Hips")));
  CHECK(global_rest(bone(skeleton, "LeftHand")) == place);
  CHECK_FALSE(has_code(check(skeleton), "W_GLOBAL_LOCAL"));
  REQUIRE(reparent_bone(skeleton, hash_of("LeftHand"), hash_of("LeftForeArm"), false));
  CHECK_FALSE(has_code(check(skeleton), "W_GLOBAL_LOCAL"));
}

TEST_CASE("a ring in a file can be opened with reparent") {
  Skeleton skeleton = sample("generic_male");
  bone(skeleton, "Spine").parent = {bone(skeleton, "Spine1").id};
  REQUIRE(has_code(check(skeleton), "E_CYCLE"));
  REQUIRE(reparent_bone(skeleton, hash_of("Spine"), hash_of("Hips")));
  CHECK_FALSE(has_code(check(skeleton), "E_CYCLE"));
}

TEST_CASE("a name is a hash of its exact case") {
  CHECK(hash_of("Hips") == 3738240529u);
  CHECK(hash_of("hips") != 3738240529u);
  CHECK(hash_of("x2BA0BB9F") == 0x2BA0BB9F);
  CHECK(hash_of("0x2BA0BB9F") == 0x2BA0BB9F);
  CHECK(unknown_name(0x2BA0BB9F) == "x2BA0BB9F");
  CHECK(NameTable::builtin().size() == 243);
  CHECK(NameTable::builtin().find(1751008950u) == "P_Dagger_Tag");
  for (NameTable more : {NameTable::builtin(), NameTable::beside_builtin(), NameTable()}) {
    const std::size_t before = more.size();
    more.add_lines("MyBone # mine\n\nOther\r\nP_Dagger_Tag\n");
    CHECK(more.find(hash_of("Other")) == "Other");
    CHECK(more.find(hash_of("P_Dagger_Tag")) == "P_Dagger_Tag");
    CHECK(more.size() == before + (before == 0 ? 3 : 2));
    CHECK(more.find(hash_of("Unheard")).empty());
  }
  CHECK(NameTable::beside_builtin().size() == 243);
  Skeleton skeleton = sample("addon_sword");
  REQUIRE(rename_bone(skeleton, hash_of("P_Sword_Tag"), "P_Saber_Tag"));
  CHECK(skeleton.bones[1].name == BoneName{hash_of("P_Saber_Tag"), "P_Saber_Tag"});
  CHECK_FALSE(rename_bone(skeleton, hash_of("P_Saber_Tag"), "Spine").has_value());
}

TEST_CASE("mirrors are pairs, and the other side can be made") {
  Skeleton skeleton = sample("generic_male");
  const Skeleton before = skeleton;
  CHECK(mirrored_name("LeftArm") == "RightArm");
  CHECK(mirrored_name("A_Pistol_R_Tag") == "A_Pistol_L_Tag");
  CHECK(mirrored_name("T_Pistol_Chest_R") == "T_Pistol_Chest_L");
  CHECK(mirrored_name("Spine").empty());
  // What the reflection gives is what the rig has: taking the right hand away and making it again restores it.
  REQUIRE(add_bone(skeleton,
                   {.name = "LeftPouch", .parent = hash_of("LeftHand"), .local = Transform{Vec3(0.1f, 0.02f, 0)}}));
  REQUIRE(add_mirrored_bone(skeleton, hash_of("LeftPouch")));
  const Bone& right = bone(skeleton, "RightPouch");
  CHECK(right.parent.target == bone(skeleton, "RightHand").id);
  CHECK(right.mirror.target == bone(skeleton, "LeftPouch").id);
  CHECK(right.global_position.x == -bone(skeleton, "LeftPouch").global_position.x);
  CHECK_FALSE(has_code(check(skeleton), "W_MIRROR_ASYM"));
  Skeleton hands = before;
  Skeleton reflected = before;
  REQUIRE(remove_bone(reflected, hash_of("RightHandThumb3")));
  REQUIRE(add_mirrored_bone(reflected, hash_of("LeftHandThumb3")));
  CHECK(angle_degrees(bone(reflected, "RightHandThumb3").global_rotation,
                      bone(hands, "RightHandThumb3").global_rotation) < 0.1f);
  REQUIRE(pair_mirrors(reflected, hash_of("LeftArm"), hash_of("LeftArm")));
  CHECK(bone(reflected, "RightArm").mirror.target == bone(reflected, "RightArm").id);
}

TEST_CASE("fields are set by name, on modifiers, bones and the skeleton") {
  Skeleton skeleton = sample("addon_sword");
  const std::vector<Assignment> hinge = {
      {"LagFactor", "0.7"}, {"Constraints[0].MaxAngle", "0.5"}, {"GravityAssociatedBone", "Spine"}};
  REQUIRE(set_modifier(skeleton, {.bone = hash_of("P_Sword_Tag"), .index = 1}, hinge));
  const auto& data = std::get<HingeModifier>(bone(skeleton, "P_Sword_Tag").modifiers[1].data);
  CHECK(data.lag_factor == 0.7f);
  CHECK(data.constraints[0].max_angle == 0.5f);
  CHECK(data.gravity_associated_bone.target == bone(skeleton, "Spine").id);
  CHECK_FALSE(set_modifier(skeleton, {.bone = hash_of("P_Sword_Tag"), .type = ModifierType::Hinge}, hinge).has_value());
  const Skeleton before = skeleton;
  const std::vector<Assignment> wrong = {{"LagFactor", "0.1"}, {"NoSuchField", "1"}};
  CHECK_FALSE(set_modifier(skeleton, {.bone = hash_of("P_Sword_Tag"), .index = 0}, wrong).has_value());
  CHECK(skeleton == before);
  REQUIRE(set_bone(skeleton, hash_of("P_Sword_Tag"),
                   std::vector<Assignment>{{"LocalPosition", "1, 0, 0, 0"}, {"SolvingPriority", "4"}}));
  CHECK(bone(skeleton, "P_LeftWaist_Tag").global_position.x == 1.0f);
  CHECK(bone(skeleton, "P_Sword_Tag").solving_priority == 4);
  REQUIRE(set_skeleton(skeleton, std::vector<Assignment>{{"SkeletonType", "SKELETONTYPE_BIPED"}}));
  CHECK(skeleton.type == 0);
}

TEST_CASE("modifiers are copied with their links, within a rig and from another") {
  const Skeleton hair = sample("addon_hair_strand");
  Skeleton skeleton = sample("generic_male");
  const auto source = std::ranges::find_if(hair.bones, [](const Bone& each) { return !each.modifiers.empty(); });
  const std::vector<CopyPair> pair = {{source->name.hash, hash_of("A_SmallWeapon_Tag")}};
  REQUIRE(copy_modifiers(hair, skeleton, pair));
  CHECK_FALSE(has_errors(check(skeleton)));
  const auto again = copy_modifiers(hair, skeleton, pair);
  CHECK(again->front().find("already") != std::string::npos);
  Skeleton addon = sample("addon_sword");
  const auto left_out =
      copy_modifiers(skeleton, addon, std::vector<CopyPair>{{hash_of("L_LeftUpLeg_Roll"), hash_of("P_Sword_Tag")}});
  CHECK(left_out->front().find("needs the bone") != std::string::npos);
}

TEST_CASE("porting renames the look-at there and back, and drops what a game cannot have") {
  Skeleton skeleton = sample("every_modifier");
  const Skeleton before = skeleton;
  const EditNotes notes = to_game(skeleton, Game::Ac2);
  CHECK(bone(skeleton, "Show_AnvilLookAt").modifiers.at(0).type() == ModifierType::LookAt);
  CHECK(bone(skeleton, "Show_BallJoint").modifiers.empty());
  CHECK(notes.size() > 8);
  CHECK_FALSE(has_code(check(skeleton, {.game = Game::Ac2}), "E_MODIFIER_UNAVAILABLE"));
  to_game(skeleton, Game::Rogue);
  Skeleton mirage = before;
  CHECK(bone(skeleton, "Show_AnvilLookAt").modifiers.at(0).data ==
        bone(mirage, "Show_AnvilLookAt").modifiers.at(0).data);
  CHECK(to_game(mirage, Game::Mirage).back().find("nothing will move") != std::string::npos);
}

TEST_CASE("addons that use a bone are reported") {
  const Skeleton blade = sample("addon_hidden_blade");
  CHECK(addon_use(blade, hash_of("Spine2")).find("E_ADDON_ROOT_MISSING") != std::string::npos);
  CHECK(addon_use(blade, hash_of("LeftArm")).find("E_HIERARCHY_MISMATCH") != std::string::npos);
  CHECK(addon_use(blade, hash_of("Head")).empty());
}

TEST_CASE("in the terms of the model links are indices and parents come first") {
  const auto rig = to_model(sample("generic_male"));
  REQUIRE(rig.has_value());
  CHECK(validate(rig->skeleton).has_value());
  CHECK(rig->skeleton.bones.size() == 84);
  CHECK(rig->modifiers.size() == 14);
  for (const marrow::Modifier& modifier : rig->modifiers) CHECK(modifier.owner.target < 84);
  Skeleton ring = sample("generic_male");
  bone(ring, "Spine").parent = {bone(ring, "Spine1").id};
  CHECK_FALSE(to_model(ring).has_value());
}

TEST_CASE("in the terms of the model a rig carries mirrors, mirroring types and wrinkles") {
  Skeleton skeleton = sample("generic_male");
  bone(skeleton, "Head").mirror = {};
  bone(skeleton, "Spine").mirror = {~std::uint64_t{1}};  // no bone has this id
  bone(skeleton, "LeftHand").mirroring_type = 2;
  bone(skeleton, "Head").wrinkle_category = 3;
  bone(skeleton, "Head").wrinkle_factor = 0.5f;
  const auto rig = to_model(skeleton);
  REQUIRE(rig.has_value());
  REQUIRE(rig->mirror.size() == rig->skeleton.bones.size());
  REQUIRE(rig->mirroring_types.size() == rig->skeleton.bones.size());
  const auto index = [&](std::string_view name) { return find_bone(rig->skeleton, name).value(); };
  const auto mirror = [&](std::string_view name) { return rig->mirror[static_cast<std::size_t>(index(name))]; };
  CHECK(mirror("LeftHand") == index("RightHand"));
  CHECK(mirror("RightHand") == index("LeftHand"));
  CHECK(mirror("Head") == kNoBone);
  CHECK(mirror("Spine") == index("Spine"));
  CHECK(rig->mirroring_types[static_cast<std::size_t>(index("LeftHand"))] == 2);
  CHECK(rig->wrinkles == std::vector<Wrinkle>{{index("Head"), 3, 0.5f}});
}

TEST_CASE("games are known by word, width and limit") {
  CHECK(find_game("unity", GameFamily::Anvil) == Game::Unity);
  CHECK(find_game("skyrim-se", GameFamily::Anvil) == std::nullopt);
  CHECK(find_game("Skyrim-SE") == Game::SkyrimSe);
  CHECK(bone_limit(Game::Rogue) == 255);
  CHECK(bone_limit(Game::Unity) == 65535);
  CHECK(games_of(GameFamily::Anvil).size() == 13);
  CHECK(availability(Game::Ac1, ModifierType::SpringBox) == Availability::Observed);
  CHECK(availability(Game::Ac3, ModifierType::LookAt) == Availability::Renamed);
  CHECK(availability(Game::Odyssey, ModifierType::Hinge) == Availability::Vestigial);
  CHECK(availability(Game::Mirage, ModifierType::Fx) == Availability::NoEffect);
}

}  // namespace marrow::anvil
