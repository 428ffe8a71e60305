// SPDX-License-Identifier: MIT
#include "ops/retarget/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "ops/retarget/body_parts.h"

namespace marrow {
namespace {

// Shares of the leg, within which a foot is as high as another.
constexpr float kAlike = 0.35f;

std::vector<Transform> resting(const Skeleton& skeleton) {
  std::vector<Transform> pose;
  for (const Bone& bone : skeleton.bones) pose.push_back(bone.rest);
  local_to_model(skeleton, pose, pose);
  return pose;
}

class Legs {
 public:
  explicit Legs(const Skeleton& skeleton) : parts_(find_parts(skeleton)) {
    const std::vector<Transform> rest = resting(skeleton);
    for (const std::string_view name : {"footL", "footR", "toeL", "toeR"})
      if (const auto bone = find(name)) feet_.push_back(*bone);
    const auto thigh = find("thighL"), calf = find("calfL"), foot = find("footL");
    if (!thigh || !calf || !foot || !find("footR") || !find("hips")) return;
    length_ = glm::length(rest[*thigh].translation - rest[*calf].translation) +
              glm::length(rest[*calf].translation - rest[*foot].translation);
  }

  bool are_found() const { return length_ > 0.0f; }
  float length() const { return length_; }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::ranges::find(parts_.parts, part_named(name));
    if (found == parts_.parts.end()) return std::nullopt;
    return static_cast<std::size_t>(found - parts_.parts.begin());
  }
  /// Returns how high the lowest joint of the feet is.
  float lowest(const std::vector<Transform>& pose) const {
    float low = std::numeric_limits<float>::max();
    for (const std::size_t bone : feet_) low = std::min(low, pose[bone].translation.z);
    return low;
  }

 private:
  BodyParts parts_;
  std::vector<std::size_t> feet_;
  float length_ = 0.0f;
};

// Returns how high the feet are when they stand: a tenth of the frames have them lower, so that noise does not count.
float standing_height(const Legs& legs, const Skeleton& skeleton, const Clip& clip) {
  std::vector<float> lows;
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    pose_from_frame(skeleton, clip, clip.frame(frame), pose);
    local_to_model(skeleton, pose, pose);
    lows.push_back(legs.lowest(pose));
  }
  const auto tenth = lows.begin() + static_cast<std::ptrdiff_t>(lows.size() / 10);
  std::ranges::nth_element(lows, tenth);
  return *tenth;
}

// Returns how far a body is turned to the left of its rest, in quarters. What is twisted by less than three of them
// eighths stands as people do.
int quarters_from_ahead(const Quat& rest, const Quat& now) {
  const Quat turn = now * glm::conjugate(rest);
  if ((turn * Vec3(0, 0, 1)).z < 0.5f) return 0;  // it lies
  constexpr float kHalf = std::numbers::pi_v<float>, kQuarter = kHalf / 2, kClear = 0.75f * kQuarter;
  const float angle = std::remainder(2.0f * std::atan2(turn.z, turn.w), 2.0f * kHalf);
  if (std::abs(angle) < kClear) return 0;
  return (static_cast<int>(std::lround(angle / kQuarter)) + 4) % 4;
}

bool is_same(const Transform& a, const Transform& b) {
  return glm::length(a.translation - b.translation) < 1e-4f && std::abs(glm::dot(a.rotation, b.rotation)) > 0.9999999f;
}

}  // namespace

float rise_to_ground(const Skeleton& skeleton, const Clip& clip) {
  const Legs legs(skeleton);
  if (!legs.are_found() || clip.frame_count < 1 || clip.blend_hint != BlendHint::Normal) return 0.0f;
  const float near = kAlike * legs.length(), rest = legs.lowest(resting(skeleton));
  if (std::abs(rest) <= near) return 0.0f;
  const float stands = standing_height(legs, skeleton, clip);
  if (!std::isfinite(stands) || std::abs(stands - rest) <= near) return 0.0f;
  // A body that hangs or flies does so over the ground at 0.
  return stands > near ? -rest : stands - rest;
}

Skeleton raised(const Skeleton& skeleton, float rise) {
  const auto hips = Legs(skeleton).find("hips");
  Skeleton out = skeleton;
  if (rise == 0.0f || !hips) return out;
  const std::vector<Transform> rest = resting(skeleton);
  Bone& bone = out.bones[*hips];
  const Transform above = bone.parent == kNoBone ? Transform{} : rest[static_cast<std::size_t>(bone.parent)];
  bone.rest.translation += (glm::conjugate(above.rotation) * Vec3(0.0f, 0.0f, rise)) / above.scale;
  return out;
}

int start_over_root(Clip& clip, const Skeleton& skeleton, std::size_t hips) {
  const std::size_t bones = skeleton.bones.size(), tracks = static_cast<std::size_t>(clip.track_count);
  std::vector<bool> is_above(bones), is_moved(bones);
  for (std::int32_t up = skeleton.bones[hips].parent; up != kNoBone;
       up = skeleton.bones[static_cast<std::size_t>(up)].parent)
    is_above[static_cast<std::size_t>(up)] = true;
  std::vector<std::size_t> bone_of(tracks, bones);
  for (std::size_t track = 0; track < tracks; ++track) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone >= 0 && static_cast<std::size_t>(bone) < bones) bone_of[track] = static_cast<std::size_t>(bone);
  }
  const auto frames = static_cast<std::size_t>(clip.frame_count);
  // Things that the body carries along beside its hips go with it; what is at rest stays there.
  for (std::size_t i = 0; i < clip.transforms.size(); ++i)
    if (const std::size_t bone = bone_of[i % tracks]; bone < bones && !is_above[bone]) {
      const std::int32_t parent = skeleton.bones[bone].parent;
      const bool hangs_there = parent == kNoBone || is_above[static_cast<std::size_t>(parent)];
      if (hangs_there && !is_same(clip.transforms[i], skeleton.bones[bone].rest)) is_moved[bone] = true;
    }
  if (frames == 0 || std::ranges::find(bone_of, hips) == bone_of.end()) return 0;
  is_moved[hips] = true;

  const std::vector<Transform> rest = resting(skeleton);
  std::vector<Transform> pose(bones);
  Vec3 start(0.0f);
  Quat turn = make_quat(0, 0, 0, 1);
  int quarters = 0;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    pose_from_frame(skeleton, clip, clip.frame(static_cast<std::int32_t>(frame)), pose);
    local_to_model(skeleton, pose, pose);
    if (frame == 0) {
      quarters = quarters_from_ahead(rest[hips].rotation, pose[hips].rotation);
      turn = glm::angleAxis(-std::numbers::pi_v<float> / 2 * static_cast<float>(quarters), Vec3(0, 0, 1));
      start = Vec3(pose[hips].translation.x, pose[hips].translation.y, 0.0f);
    }
    const Vec3 home(rest[hips].translation.x, rest[hips].translation.y, 0.0f);
    for (std::size_t track = 0; track < tracks; ++track) {
      const std::size_t bone = bone_of[track];
      if (bone == bones) continue;
      Transform& local = clip.transforms[frame * tracks + track];
      if (is_above[bone]) local = skeleton.bones[bone].rest;
      if (!is_moved[bone]) continue;
      Transform place = pose[bone];
      place.translation = turn * (place.translation - start) + home;
      place.rotation = glm::normalize(turn * place.rotation);
      const std::int32_t parent = skeleton.bones[bone].parent;
      local = parent == kNoBone ? place : inverse(rest[static_cast<std::size_t>(parent)]) * place;
    }
  }
  return (4 - quarters) % 4;
}

}  // namespace marrow
