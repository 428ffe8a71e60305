// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "model/blender_names.h"

using namespace marrow;

namespace {

using Names = std::vector<std::string>;

const Names kSkyrim{
    "NPC Root [Root]",       "NPC COM [COM ]",        "NPC Head [Head]",       "NPC L UpperArm [LUar]",
    "NPC R UpperArm [RUar]", "NPC L Pauldron",        "NPC R Pauldron",        "AnimObjectA",
    "AnimObjectL",           "AnimObjectR",           "SkirtLBone01",          "SkirtRBone01",
    "SkirtFBone01",          "NPC L Finger00 [LF00]", "NPC R Finger00 [RF00]", "NPC Head MagicNode [Hmag]"};
const Names kFallout{"Root",         "LArm_Hand",    "RArm_Hand",   "WeaponLeft",  "Weapon",
                     "AnimObjectL1", "AnimObjectR1", "L_RibHelper", "R_RibHelper", "RibHelper"};

}  // namespace

TEST_CASE("bones get the names that Blender mirrors by") {
  CHECK(blender_names(kSkyrim) == Names{"Root", "COM", "Head", "UpperArm.L", "UpperArm.R", "Pauldron.L", "Pauldron.R",
                                        "AnimObjectA", "AnimObject.L", "AnimObject.R", "SkirtBone01.L", "SkirtBone01.R",
                                        "SkirtFBone01", "Finger00.L", "Finger00.R", "Head MagicNode"});
  // WeaponLeft has no other side.
  CHECK(blender_names(kFallout) == Names{"Root", "Arm_Hand.L", "Arm_Hand.R", "WeaponLeft", "Weapon", "AnimObject1.L",
                                         "AnimObject1.R", "RibHelper.L", "RibHelper.R", "RibHelper"});
}

TEST_CASE("a side may stand between other words, or be written out") {
  const Names names{"NPC L Thigh [LThg]", "NPC R Thigh [RThg]", "CME L Thigh [LThg]", "CME R Thigh [RThg]",
                    "Bip01 L Toe0",       "Bip01 R Toe0",       "LeftCafe",           "RightCafe",
                    "LeftAnkle",          "Big L Shape"};
  const Names drawn{"Thigh.L",      "Thigh.R", "CME Thigh.L", "CME Thigh.R", "Bip01 Toe0.L",
                    "Bip01 Toe0.R", "Cafe.L",  "Cafe.R",      "LeftAnkle",   "Big L Shape"};
  CHECK(blender_names(names) == drawn);
  CHECK(match_bone_names(drawn, names) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("names that would be equal stay as they are") {
  CHECK(blender_names(Names{"NPC Neck [Neck]", "Neck", "NPC", "NPC Hand [LHnd]", "NPC Hand [RHnd]", "Head"}) ==
        Names{"NPC Neck [Neck]", "Neck", "NPC", "NPC Hand [LHnd]", "NPC Hand [RHnd]", "Head"});
  CHECK(blender_names(Names{}).empty());
  CHECK(blender_names(Names{"", "[", " []", "NPC ", ".L"}) == Names{"", "[", " []", "NPC ", ".L"});
}

TEST_CASE("renamed bones are found again, in any order") {
  for (const Names& names : {kSkyrim, kFallout}) {
    Names renamed = blender_names(names);
    std::reverse(renamed.begin(), renamed.end());
    const std::vector<std::int32_t> found = match_bone_names(renamed, names);
    for (std::size_t i = 0; i < names.size(); ++i) CHECK(found[i] == static_cast<std::int32_t>(names.size() - 1 - i));
  }
}

TEST_CASE("other programs write the same bones otherwise") {
  const Names written{"NPC UpperArm.L", "NPC UpperArm [Uar].R", "upperarm.l", "NPC Finger00.L", "NPC COM", "Camera"};
  CHECK(match_bone_names(Names{written[0], written[1], written[3], written[4], written[5]}, kSkyrim) ==
        std::vector<std::int32_t>{3, 4, 13, 1, -1});
  // Two names of one bone: which of them is it?
  CHECK(match_bone_names(Names{written[0], written[2]}, kSkyrim) == std::vector<std::int32_t>{-1, -1});
  // A copy that Blender numbered is another bone.
  CHECK(match_bone_names(Names{"UpperArm.L", "UpperArm.L.001"}, kSkyrim) == std::vector<std::int32_t>{3, -1});
  // The exact name wins.
  CHECK(match_bone_names(Names{"NPC L UpperArm [LUar]", "UpperArm.L"}, kSkyrim) == std::vector<std::int32_t>{3, -1});
  CHECK(match_bone_names(Names{"Neck"}, Names{"NPC Neck [Neck]", "NPC Neck [Nck2]"}) == std::vector<std::int32_t>{-1});
}
