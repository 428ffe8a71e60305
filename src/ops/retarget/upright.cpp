// SPDX-License-Identifier: MIT
#include "ops/retarget/upright.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "ops/retarget/body_parts.h"

namespace marrow {
namespace {

constexpr std::array<std::string_view, 3> kHighest = {"head", "neck", "spine2"};

class RestingParts {
 public:
  explicit RestingParts(const Skeleton& skeleton) : parts_(find_parts(skeleton)), pose_(skeleton.bones.size()) {
    for (std::size_t i = 0; i < pose_.size(); ++i) pose_[i] = skeleton.bones[i].rest;
    local_to_model(skeleton, pose_, pose_);
  }

  /// Returns where a part is; nothing if no bone has its name.
  std::optional<Vec3> place(std::string_view name) const {
    const auto found = std::ranges::find(parts_.parts, part_named(name));
    if (found == parts_.parts.end()) return std::nullopt;
    const auto bone = static_cast<std::size_t>(found - parts_.parts.begin());
    return parts_.is_guessed[bone] ? std::nullopt : std::optional(pose_[bone].translation);
  }

 private:
  BodyParts parts_;
  std::vector<Transform> pose_;
};

// Returns the axis that a direction is nearest to; nothing if it is far from all.
std::optional<Vec3> axis_near(const Vec3& way) {
  constexpr float kNear = 0.8f;  // the cosine of 37 degrees: bodies lean
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 direction(0.0f);
    direction[axis] = way[axis] < 0.0f ? -1.0f : 1.0f;
    if (glm::dot(glm::normalize(way), direction) > kNear) return direction;
  }
  return std::nullopt;
}

Quat turn_to_z(const Vec3& up) {
  constexpr float kHalf = 3.14159265f;
  const float cosine = up.z;
  if (cosine > 0.5f) return make_quat(0, 0, 0, 1);
  if (cosine < -0.5f) return glm::angleAxis(kHalf, Vec3(1, 0, 0));
  return glm::angleAxis(kHalf / 2, glm::cross(up, Vec3(0, 0, 1)));
}

Transform reflected(const Transform& local) {
  Transform out = local;
  out.translation.x = -local.translation.x;
  out.rotation = make_quat(local.rotation.x, -local.rotation.y, -local.rotation.z, local.rotation.w);
  return out;
}

Transform standing_local(const Standing& standing, const Transform& local, bool is_root) {
  const Transform turned = is_root ? Transform{Vec3(0.0f), standing.turn, Vec3(1.0f)} * local : local;
  return standing.is_mirrored ? reflected(turned) : turned;
}

}  // namespace

Standing find_standing(const Skeleton& skeleton) {
  Standing standing;
  const RestingParts body(skeleton);
  const auto left = body.place("thighL"), right = body.place("thighR");
  const auto left_foot = body.place("footL"), right_foot = body.place("footR");
  std::optional<Vec3> top;
  for (const std::string_view part : kHighest)
    if (!top) top = body.place(part);
  if (!left || !right || !left_foot || !right_foot || !top) return standing;
  const Vec3 up = *top - 0.5f * (*left + *right), legs = *left_foot + *right_foot - *left - *right;
  if (!(glm::length(up) > 0.0f) || !(glm::length(legs) > 0.0f)) return standing;
  const Vec3 whole = glm::normalize(up) - glm::normalize(legs);
  constexpr float kUpright = 1.8f;  // of 2: the legs go the other way than the spine, not across it
  if (glm::length(whole) < kUpright) return standing;
  const auto axis = axis_near(whole);
  if (!axis) return standing;
  standing.turn = turn_to_z(*axis);
  const auto left_toe = body.place("toeL"), right_toe = body.place("toeR");
  if (!left_toe || !right_toe) return standing;
  // Left is up x forward.
  const Vec3 toes = *left_toe + *right_toe - *left_foot - *right_foot;
  const Vec3 forward = toes - glm::dot(toes, *axis) * *axis, across = *left - *right;
  constexpr float kClear = 0.5f;
  standing.is_mirrored =
      glm::dot(glm::cross(*axis, forward), across) < -kClear * glm::length(toes) * glm::length(across);
  return standing;
}

void stand_up(const Standing& standing, Skeleton& skeleton) {
  if (standing == Standing{}) return;
  for (Bone& bone : skeleton.bones) bone.rest = standing_local(standing, bone.rest, bone.parent == kNoBone);
}

void stand_up(const Standing& standing, const Skeleton& skeleton, Clip& clip) {
  if (standing == Standing{}) return;
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    const std::int64_t bone = bone_of_track(clip, i % tracks);
    const bool is_root = bone >= 0 && bone < static_cast<std::int64_t>(skeleton.bones.size()) &&
                         skeleton.bones[static_cast<std::size_t>(bone)].parent == kNoBone;
    // An additive clip is played on the rest pose, which is turned.
    clip.transforms[i] = standing_local(standing, clip.transforms[i], is_root && clip.blend_hint == BlendHint::Normal);
  }
  if (!clip.root_motion) return;
  const auto turned = [&](Vec4& value) {
    Vec3 way = standing.turn * Vec3(value);
    if (standing.is_mirrored) way.x = -way.x;
    value = Vec4(way, standing.is_mirrored ? -value.w : value.w);
  };
  turned(clip.root_motion->up);
  turned(clip.root_motion->forward);
  for (Vec4& sample : clip.root_motion->samples) turned(sample);
}

}  // namespace marrow
