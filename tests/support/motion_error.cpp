// SPDX-License-Identifier: MIT
#include "support/motion_error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"
#include "marrow/model/pose.h"

namespace marrow::test {
namespace {

std::vector<Transform> model_pose(const Skeleton& skeleton, const Clip& clip, std::int32_t frame) {
  std::vector<Transform> pose(skeleton.bones.size());
  pose_from_frame(skeleton, clip, clip.frame(frame), pose);
  local_to_model(skeleton, pose, pose);
  if (clip.root_motion && !clip.root_motion->samples.empty()) {
    const Vec4 at =
        clip.root_motion
            ->samples[std::min<std::size_t>(static_cast<std::size_t>(frame), clip.root_motion->samples.size() - 1)];
    for (Transform& joint : pose) joint.translation += Vec3(at);
  }
  return pose;
}

bool is_foot(const std::string& name) {
  const std::string lower = to_lower(name);
  return lower.find("foot") != std::string::npos && lower.find("thumb") == std::string::npos;
}

// Knees, ankles, elbows, wrists and heads: the way to them is motion. Where a thigh hangs on the hips or a thumb on a
// hand is a matter of the body.
bool ends_a_limb(const std::string& name) {
  const std::string lower = to_lower(name);
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (has("thumb") || has("roll") || has("twist") || has("upleg")) return false;
  return has("calf") || has("foot") || has("forearm") || has("hand [") || lower.ends_with("hand") ||
         lower.ends_with("leg") || has("head");
}

}  // namespace

MotionError motion_error(const Clip& source, const Skeleton& from, const Clip& target, const Skeleton& to,
                         const BoneMap& map, float turn_degrees) {
  MotionError error;
  const Quat turn = glm::angleAxis(turn_degrees * 3.14159265f / 180.0f, Vec3(0, 0, 1));
  double sum = 0;
  int count = 0;
  std::vector<Transform> theirs_before, ours_before;
  float leg_from = 0, leg_to = 0;
  for (std::int32_t frame = 0; frame < source.frame_count; ++frame) {
    const auto theirs = model_pose(from, source, frame), ours = model_pose(to, target, frame);
    for (const MappedBone& bone : map.bones) {
      const auto f = static_cast<std::size_t>(bone.from), t = static_cast<std::size_t>(bone.to);
      if (is_foot(to.bones[t].name)) {
        // Up the leg: foot, calf, thigh.
        const auto length = [](const Skeleton& skeleton, std::size_t foot) {
          const Bone& bone_of_foot = skeleton.bones[foot];
          return glm::length(bone_of_foot.rest.translation) +
                 glm::length(skeleton.bones[static_cast<std::size_t>(bone_of_foot.parent)].rest.translation);
        };
        leg_from = length(from, f);
        leg_to = length(to, t);
        if (frame > 0) {
          const Vec3 their_step = turn * (theirs[f].translation - theirs_before[f].translation) * (leg_to / leg_from);
          const Vec3 our_step = ours[t].translation - ours_before[t].translation;
          const float slide = glm::length(our_step - their_step) / leg_to;
          error.any_slide = std::max(error.any_slide, slide);
          if (glm::length(their_step) < 0.01f * leg_to) error.standing_slide = std::max(error.standing_slide, slide);
        }
      }
      // The direction to the joint: from its nearest mapped ancestor, in both.
      std::int32_t parent = to.bones[t].parent;
      while (parent != kNoBone && !map.from_of(parent)) parent = to.bones[static_cast<std::size_t>(parent)].parent;
      if (parent == kNoBone || bone.reason == MapReason::Guessed) continue;
      const auto pf = static_cast<std::size_t>(*map.from_of(parent)), pt = static_cast<std::size_t>(parent);
      if (from.bones[f].parent != static_cast<std::int32_t>(pf)) continue;
      if (!ends_a_limb(to.bones[t].name)) continue;
      const Vec3 a = turn * (theirs[f].translation - theirs[pf].translation),
                 b = ours[t].translation - ours[pt].translation;
      if (glm::length(a) < 1e-3f || glm::length(b) < 1e-3f) continue;
      const float degrees =
          std::acos(std::clamp(glm::dot(glm::normalize(a), glm::normalize(b)), -1.0f, 1.0f)) * 57.29578f;
      if (degrees > error.worst_degrees) {
        error.worst_degrees = degrees;
        error.worst_bone = to.bones[t].name;
      }
      sum += static_cast<double>(degrees);
      ++count;
    }
    theirs_before = theirs;
    ours_before = ours;
  }
  error.mean_degrees = count > 0 ? static_cast<float>(sum / count) : 0.0f;
  return error;
}

}  // namespace marrow::test
