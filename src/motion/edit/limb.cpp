// SPDX-License-Identifier: MIT
#include "motion/edit/limb.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>
#include <string_view>

namespace marrow::motion {
namespace {

// The share of a twist that helpers take was measured on the games' own clips.
struct HelperRow {
  std::string_view name;
  bool of_end;
  double share;
};

struct LimbRow {
  std::string_view upper, lower, end;
  bool is_leg;
  std::string_view toe;
  std::string_view hips;
  std::vector<std::string_view> above;
  std::vector<HelperRow> helpers;
};

// `*` is the side, L or R.
std::span<const LimbRow> limb_rows() {
  static const auto& rows = *new std::vector<LimbRow>{
      {"NPC * UpperArm [*Uar]",
       "NPC * Forearm [*Lar]",
       "NPC * Hand [*Hnd]",
       false,
       {},
       {},
       {"NPC * Clavicle [*Clv]", "NPC Spine2 [Spn2]", "NPC Spine1 [Spn1]", "NPC Spine [Spn0]"},
       {{"NPC * ForearmTwist1 [*Lt1]", true, 1.0},
        {"NPC * ForearmTwist2 [*Lt2]", true, 0.5},
        {"NPC * UpperarmTwist1 [*Ut1]", false, -1.0}}},
      {"NPC * Thigh [*Thg]",
       "NPC * Calf [*Clf]",
       "NPC * Foot [*ft ]",
       true,
       "NPC * Toe0 [*Toe]",
       "NPC COM [COM ]",
       {},
       {}},
      {"*Arm_UpperArm",
       "*Arm_ForeArm1",
       "*Arm_Hand",
       false,
       {},
       {},
       {"*Arm_Collarbone", "Chest", "Spine2", "SPINE2", "Spine1", "SPINE1"},
       {{"*Arm_ForeArm2", true, 1.0 / 3.0},
        {"*Arm_ForeArm3", true, 1.0 / 3.0},
        {"*Arm_UpperTwist1", false, -1.0},
        {"*Arm_UpperTwist2", false, 0.5}}},
      {"*Leg_Thigh", "*Leg_Calf", "*Leg_Foot", true, "*Leg_Toe1", "COM", {}, {}},
  };
  return rows;
}

std::string with_side(std::string_view name, char side) {
  std::string out(name);
  std::ranges::replace(out, '*', side);
  return out;
}

std::int32_t bone_of(const Skeleton& skeleton, std::string_view prefix, std::string_view name, char side) {
  if (name.empty()) return kNoBone;
  return find_bone(skeleton, std::string(prefix) + with_side(name, side)).value_or(kNoBone);
}

std::optional<Limb> named_limb(const Skeleton& skeleton, const LimbRow& row, std::string_view prefix, char side) {
  Limb limb{.upper = bone_of(skeleton, prefix, row.upper, side),
            .lower = bone_of(skeleton, prefix, row.lower, side),
            .end = bone_of(skeleton, prefix, row.end, side),
            .is_leg = row.is_leg};
  if (limb.upper == kNoBone || limb.lower == kNoBone || limb.end == kNoBone) return std::nullopt;
  limb.toe = bone_of(skeleton, prefix, row.toe, side);
  limb.hips = bone_of(skeleton, prefix, row.hips, side);
  for (const std::string_view name : row.above)
    if (const std::int32_t bone = bone_of(skeleton, prefix, name, side); bone != kNoBone) limb.above.push_back(bone);
  for (const HelperRow& helper : row.helpers)
    if (const std::int32_t bone = bone_of(skeleton, prefix, helper.name, side); bone != kNoBone)
      limb.helpers.push_back({bone, helper.of_end, helper.share});
  return limb;
}

// The next bone upwards whose way to `bone` is not short.
std::int32_t next_joint(const Skeleton& skeleton, std::int32_t bone, float least) {
  float way = 0.0f;
  for (std::int32_t at = bone; at != kNoBone; at = skeleton.bones[static_cast<std::size_t>(at)].parent) {
    if (at != bone && way > least) return at;
    way += glm::length(skeleton.bones[static_cast<std::size_t>(at)].rest.translation);
  }
  return kNoBone;
}

}  // namespace

Result<Limb> find_limb(const Skeleton& skeleton, std::int32_t end) {
  for (const std::string_view prefix : {"", "2_"})
    for (const LimbRow& row : limb_rows())
      for (const char side : {'L', 'R'})
        if (auto limb = named_limb(skeleton, row, prefix, side); limb && limb->end == end) return *limb;
  Limb limb{.end = end};
  // A tenth of the way over the next three bones is enough for a bone of its own.
  float chain = 0.0f;
  std::int32_t at = end;
  for (int i = 0; i < 3 && at != kNoBone; ++i) {
    chain += glm::length(skeleton.bones[static_cast<std::size_t>(at)].rest.translation);
    at = skeleton.bones[static_cast<std::size_t>(at)].parent;
  }
  limb.lower = next_joint(skeleton, end, 0.1f * chain);
  if (limb.lower != kNoBone) limb.upper = next_joint(skeleton, limb.lower, 0.1f * chain);
  if (limb.upper == kNoBone)
    return fail(ErrorCode::NotFound, "bone '" + skeleton.bones[static_cast<std::size_t>(end)].name +
                                         "' is not the end of a limb: there are no two bones above it to bend");
  return limb;
}

std::vector<Limb> find_legs(const Skeleton& skeleton) {
  std::vector<Limb> legs;
  for (const std::string_view prefix : {"", "2_"})
    for (const LimbRow& row : limb_rows())
      for (const char side : {'L', 'R'})
        if (auto limb = row.is_leg ? named_limb(skeleton, row, prefix, side) : std::nullopt) legs.push_back(*limb);
  return legs;
}

}  // namespace marrow::motion
