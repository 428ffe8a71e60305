// SPDX-License-Identifier: MIT
#include "samples.h"

#include <functional>

#include "anvil/edit.h"
#include "anvil/xml.h"
#include "support/fields.h"

namespace marrow::anvil {
namespace {

Modifier& look_at(Skeleton& skeleton) { return bone(skeleton, "L_LeftUpLeg_Roll").modifiers.at(0); }
Hinge& sword_hinge(Skeleton& skeleton) {
  return std::get<HingeModifier>(bone(skeleton, "P_Sword_Tag").modifiers.at(0).data).constraints.at(0);
}

struct Defect {
  const char* code;
  const char* rig;
  std::function<void(Skeleton&)> make;
};

}  // namespace

TEST_CASE("what people write lies in the ranges of the fields") {
  for (const char* name : {"generic_male", "every_modifier", "every_modifier_ac1", "addon_hair_strand",
                           "addon_hidden_blade", "addon_neck_setup", "addon_quad_pistols", "addon_sword"})
    for (const Bone& each : sample(name).bones)
      for (const Modifier& modifier : each.modifiers) {
        CAPTURE(name);
        CAPTURE(class_name(modifier));
        CHECK(test::out_of_range(modifier) == std::vector<std::string>{});
      }
}

TEST_CASE("every defect is named by its code, and its absence is silence") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Defect defects[] = {
      {"E_NO_ROOT", "generic_male", [](Skeleton& s) { s.bones[0].parent = {s.bones[1].id}; }},
      {"E_MULTI_ROOT", "generic_male", [](Skeleton& s) { bone(s, "Spine").parent = {}; }},
      {"E_ROOT_PTR", "generic_male", [](Skeleton& s) { s.root = {bone(s, "Spine").id}; }},
      {"E_CYCLE", "generic_male", [](Skeleton& s) { bone(s, "Spine").parent = {bone(s, "Spine2").id}; }},
      {"E_DANGLING_LINK", "generic_male", [](Skeleton& s) { bone(s, "Head").parent = {999}; }},
      {"E_DANGLING_LINK", "generic_male",
       [](Skeleton& s) { std::get<MaxLookAtModifier>(look_at(s).data).look_at_bone = {999}; }},
      {"E_DUP_BONEID", "generic_male", [](Skeleton& s) { bone(s, "Head").name = bone(s, "Neck").name; }},
      {"E_DUP_OBJECTID", "generic_male", [](Skeleton& s) { look_at(s).id = s.bones[3].id; }},
      {"E_INDEX", "schema/addon_sword", [](Skeleton& s) { s.bones[1].index.stated = 2; }},
      {"E_CHILDCOUNT", "schema/addon_sword", [](Skeleton& s) { s.bones[0].child_bone_count.stated = 1; }},
      {"E_NAN", "generic_male", [nan](Skeleton& s) { bone(s, "Head").wrinkle_factor = nan; }},
      {"E_NAN", "addon_sword", [nan](Skeleton& s) { sword_hinge(s).max_angle = nan; }},
      {"E_ZERO_QUAT", "generic_male", [](Skeleton& s) { bone(s, "Head").local_rotation = make_quat(0, 0, 0, 0); }},
      {"E_OWNER", "generic_male", [](Skeleton& s) { look_at(s).owner = {s.bones[0].id}; }},
      {"E_AXIS_EQUAL", "generic_male",
       [](Skeleton& s) { std::get<MaxLookAtModifier>(look_at(s).data).up_used_axis = 3; }},
      {"E_AXIS_EQUAL", "addon_sword",
       [](Skeleton& s) { std::get<HingeModifier>(bone(s, "P_Sword_Tag").modifiers[0].data).axis_look_at_type = 0; }},
      {"E_SELF_TARGET", "generic_male",
       [](Skeleton& s) { std::get<MaxLookAtModifier>(look_at(s).data).look_at_bone = look_at(s).owner; }},
      {"W_UNKNOWN_CLASS", "generic_male", [](Skeleton& s) { look_at(s).data = UnknownModifier{"OddModifier"}; }},
      {"W_PARENT_AFTER_CHILD", "generic_male", [](Skeleton& s) { std::swap(s.bones[1], s.bones[0]); }},
      {"W_NOT_PREORDER", "generic_male",
       [](Skeleton& s) { std::rotate(s.bones.begin() + 2, s.bones.begin() + 3, s.bones.end()); }},
      {"W_QUAT_NORM", "generic_male", [](Skeleton& s) { bone(s, "Head").local_rotation *= 1.01f; }},
      {"W_GLOBAL_LOCAL", "generic_male", [](Skeleton& s) { bone(s, "Head").global_position.x += 0.01f; }},
      {"W_MIRROR_ASYM", "generic_male", [](Skeleton& s) { bone(s, "LeftArm").mirror = {bone(s, "Head").id}; }},
      {"W_MIRROR_DANGLING", "generic_male", [](Skeleton& s) { bone(s, "LeftArm").mirror = {999}; }},
      {"W_HASHNAME_CASE", "generic_male", [](Skeleton& s) { bone(s, "Head").name.text = "HEAD"; }},
      {"W_LIMIT_ORDER", "addon_sword", [](Skeleton& s) { sword_hinge(s).min_angle = 1.0f; }},
      {"W_BLEND_RANGE", "generic_male", [](Skeleton& s) { look_at(s).blend_weight = 2.0f; }},
      {"W_MODIFIER_INERT", "generic_male", [](Skeleton& s) { look_at(s).blend_weight = 0.0f; }},
      {"W_UNITS", "addon_sword", [](Skeleton& s) { sword_hinge(s).max_angle = 45.0f; }},
      {"W_UNITS", "addon_hair_strand",
       [](Skeleton& s) {
         for (Bone& each : s.bones)
           for (Modifier& modifier : each.modifiers)
             std::get<BallJointModifier>(modifier.data).constraint_angle = 0.26f;
       }},
      {"W_HINGE_SOFT", "addon_sword", [](Skeleton& s) { sword_hinge(s).delta_max_damping = 1.0f; }},
      {"W_STALE_READ", "generic_male",
       [](Skeleton& s) {
         bone(s, "LeftLeg").solving_priority = 9;
         bone(s, "LeftLeg").modifiers.push_back(anvil::make_modifier(ModifierType::Fx));
         bone(s, "LeftLeg").modifiers.back().owner = {bone(s, "LeftLeg").id};
       }},
      {"W_MODIFIER_CYCLE", "generic_male",
       [](Skeleton& s) {
         for (const auto& [of, reads] : {std::pair("Head", "Neck"), std::pair("Neck", "Head")}) {
           Modifier follow = anvil::make_modifier(ModifierType::Follow);
           follow.owner = {bone(s, of).id};
           std::get<FollowModifier>(follow.data).associated_bone = {bone(s, reads).id};
           bone(s, of).modifiers.push_back(std::move(follow));
         }
       }},
  };
  for (const Defect& defect : defects) {
    Skeleton skeleton = sample(defect.rig);
    CHECK_MESSAGE(!has_code(check(skeleton), defect.code), defect.code);
    defect.make(skeleton);
    const Findings found = check(skeleton);
    CHECK_MESSAGE(has_code(found, defect.code), defect.code);
    // What says that it is repaired without asking is.
    const auto is_automatic = [](const Finding& finding) { return finding.cure == automatic_cure(); };
    if (std::ranges::none_of(found, is_automatic)) continue;
    REQUIRE_FALSE(skeleton.bones.empty());
    mend(skeleton);
    const auto bytes = write_xml(skeleton);
    REQUIRE_MESSAGE(bytes, defect.code);
    const Findings left = check(read_xml(*bytes).value());
    CHECK_MESSAGE(std::ranges::none_of(left, is_automatic), defect.code);
  }
}

TEST_CASE("sound rigs raise nothing but information") {
  const Skeleton base = sample("generic_male");
  for (const char* name : {"addon_sword", "addon_quad_pistols", "addon_hair_strand", "addon_neck_setup",
                           "addon_hidden_blade", "every_modifier"})
    for (const Finding& finding : check(sample(name), {.base = &base}))
      CHECK_MESSAGE(finding.level == Level::Info, name, " ", finding.code, " ", finding.where, " ", finding.message);
  for (const Finding& finding : check(base)) CHECK_MESSAGE(finding.level == Level::Info, finding.code);
}

TEST_CASE("a hierarchy mismatch names its kind and shows both chains") {
  const Skeleton base = sample("generic_male");
  const auto message = [&](const std::function<void(Skeleton&)>& edit) {
    Skeleton addon = sample("addon_hidden_blade");
    edit(addon);
    for (const Finding& finding : check(addon, {.base = &base}))
      if (finding.code == "E_HIERARCHY_MISMATCH") return finding.message;
    return std::string();
  };
  const std::string inserted = message([](Skeleton& s) {
    REQUIRE(add_bone(s, {.name = "My_New_Bone", .parent = hash_of("LeftClavicle"), .adopt = {hash_of("LeftArm")}}));
  });
  CHECK(inserted.find("(inserted)") != std::string::npos);
  CHECK(inserted.find("There: Reference/Hips/Spine/Spine1/Spine2/LeftClavicle/LeftArm") != std::string::npos);
  CHECK(inserted.find("here: Spine2/LeftClavicle/My_New_Bone/LeftArm") != std::string::npos);
  CHECK(message([](Skeleton& s) { REQUIRE(remove_bone(s, hash_of("LeftArm"))); }).find("(skipped)") !=
        std::string::npos);
  CHECK(message([](Skeleton& s) {
          REQUIRE(reparent_bone(s, hash_of("LeftForeArm"), hash_of("RightArm")));
        }).find("(re-parented)") != std::string::npos);
}

TEST_CASE("an addon without a place is named, and so is one of the wrong type") {
  const Skeleton base = sample("generic_male");
  Skeleton addon = sample("addon_sword");
  REQUIRE(rename_bone(addon, hash_of("Spine"), "NoSuchBone"));
  addon.type = 0;
  const Findings findings = check(addon, {.base = &base});
  CHECK(has_code(findings, "E_ADDON_ROOT_MISSING"));
  CHECK(has_code(findings, "W_TYPE_NOT_CUSTOM"));
}

TEST_CASE("what a game lacks is an error there, what it was seen with a warning, what it ignores is said") {
  Skeleton skeleton = sample("every_modifier");
  CHECK(has_code(check(skeleton, {.game = Game::Ac1}), "E_MODIFIER_UNAVAILABLE"));
  CHECK(has_code(check(skeleton, {.game = Game::Ac1}), "W_MODIFIER_OBSERVED"));
  CHECK(has_code(check(skeleton, {.game = Game::Mirage}), "W_MODIFIER_INERT"));
  CHECK(has_code(check(skeleton, {.game = Game::Valhalla}), "I_MODIFIER_VESTIGIAL"));
  CHECK(has_code(check(skeleton, {.game = Game::Ac4}), "I_MODIFIER_UNCERTAIN"));
  const Findings rogue = check(sample("generic_male"), {.game = Game::Rogue});
  CHECK_FALSE(has_errors(rogue));
}

TEST_CASE("findings carry the line of the file and the cure") {
  Skeleton skeleton = sample("generic_male");
  bone(skeleton, "Head").parent = {999};
  for (const Finding& finding : check(skeleton))
    if (finding.code == "E_DANGLING_LINK") {
      CHECK(finding.where.find("line 1076") != std::string::npos);
      CHECK(finding.cure == Cure{"rig reparent", {{"bone", "Head"}}});
    }
}

TEST_CASE("mending corrects what follows from the rest") {
  Skeleton skeleton = sample("generic_male");
  const Skeleton before = skeleton;
  bone(skeleton, "Head").global_position.x += 0.5f;
  bone(skeleton, "Neck").mirror = {999};
  skeleton.root = {};
  CHECK(mend(skeleton).size() >= 3);
  CHECK_FALSE(has_errors(check(skeleton)));
  CHECK(std::abs(bone(skeleton, "Head").global_position.x - before.bones[20].global_position.x) < 1.0f);
}

}  // namespace marrow::anvil
