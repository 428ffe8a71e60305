// SPDX-License-Identifier: MIT
#include "ops/retarget/secondary.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"

namespace marrow {
namespace {

/// How much of the swing of a thigh a skirt takes: the cloth hangs from the hips.
constexpr float kSkirtShare = 0.5f;

bool is_below(const Skeleton& skeleton, std::size_t bone, std::size_t above) {
  std::int32_t up = skeleton.bones[bone].parent;
  while (up != kNoBone && up != static_cast<std::int32_t>(above))
    up = skeleton.bones[static_cast<std::size_t>(up)].parent;
  return up != kNoBone;
}

// The bones of a limb come in a row, as in Fallout 4 (`ForeArm1`, `ForeArm2`, `ForeArm3`, `Hand`), or hang beside the
// one that leads on, as in Skyrim (`ForearmTwist1` below `Forearm`).
bool is_twist_of(const Skeleton& to, std::size_t bone, std::size_t start, std::size_t end) {
  if (!is_below(to, bone, start) || bone == end || is_below(to, bone, end)) return false;
  return is_below(to, end, bone) || to_lower(to.bones[bone].name).find("twist") != std::string::npos;
}

// Where a bone lies between two joints, 0 to 1.
float share_of(const BodyPair& bodies, std::size_t bone, std::size_t start, std::size_t end) {
  const Vec3 from = bodies.to_rest[start].translation, way = bodies.to_rest[end].translation - from;
  const float square = glm::dot(way, way);
  return square > 0 ? std::clamp(glm::dot(bodies.to_rest[bone].translation - from, way) / square, 0.0f, 1.0f) : 0.0f;
}

// A twist bone that starts at the joint, as Skyrim's do, takes the roll of the middle of its limb.
float roll_share(const BodyPair& bodies, std::size_t bone, std::size_t start, std::size_t end) {
  const float share = share_of(bodies, bone, start, end);
  return share < 0.05f ? 0.5f : share;
}

// The turn of a bone from its rest, in model space.
Quat turned(const BodyPair& bodies, std::span<const Transform> model, std::size_t bone) {
  return model[bone].rotation * glm::conjugate(bodies.to_rest[bone].rotation);
}

// The part of a rotation about an axis, in radians, -pi to pi.
float roll_about(const Quat& rotation, const Vec3& axis) {
  const float along = glm::dot(Vec3(rotation.x, rotation.y, rotation.z), axis);
  float angle = 2.0f * std::atan2(along, rotation.w);
  constexpr float kHalf = 3.14159265f;
  if (angle > kHalf) angle -= 2.0f * kHalf;
  if (angle < -kHalf) angle += 2.0f * kHalf;
  return angle;
}

class SecondaryPoser {
 public:
  SecondaryPoser(const Skeleton& to, const BodyPair& bodies, std::span<Transform> local, std::span<Transform> model)
      : to_(to), bodies_(bodies), local_(local), model_(model), wanted_(model.begin(), model.end()) {}

  void run() {
    std::vector<bool> is_posed(model_.size());
    for (const Twist& twist : bodies_.twists) {
      wanted_[twist.bone].rotation = rolled(twist);
      is_posed[twist.bone] = true;
    }
    for (const Skirt& skirt : bodies_.skirts) {
      wanted_[skirt.bone].rotation = pushed(skirt);
      is_posed[skirt.bone] = true;
    }
    // Mapped bones keep their directions below bones that were turned; all others go along.
    for (std::size_t i = 0; i < model_.size(); ++i) {
      const std::int32_t parent = to_.bones[i].parent;
      const Transform above = parent == kNoBone ? Transform{} : model_[static_cast<std::size_t>(parent)];
      if (is_posed[i] || bodies_.links[i])
        local_[i].rotation = glm::normalize(glm::conjugate(above.rotation) * wanted_[i].rotation);
      model_[i] = above * local_[i];
    }
  }

 private:
  Quat rolled(const Twist& twist) const {
    const Quat start = turned(bodies_, wanted_, twist.start), end = turned(bodies_, wanted_, twist.end);
    const Vec3 way = bodies_.to_rest[twist.end].translation - bodies_.to_rest[twist.start].translation;
    if (!(glm::length(way) > 0)) return wanted_[twist.bone].rotation;
    const Vec3 axis = glm::normalize(way);
    // In the frame of the limb at rest, where the axis is that of the bones.
    const float roll = roll_about(glm::conjugate(start) * end, axis);
    return glm::normalize(start * glm::angleAxis(twist.share * roll, axis) * bodies_.to_rest[twist.bone].rotation);
  }

  Quat pushed(const Skirt& skirt) const {
    const std::int32_t parent = to_.bones[skirt.bone].parent;
    const Quat hips = turned(bodies_, wanted_, static_cast<std::size_t>(parent));
    const auto swing = [&](std::size_t thigh) { return glm::conjugate(hips) * turned(bodies_, wanted_, thigh); };
    const Quat both = glm::slerp(swing(skirt.right_thigh), swing(skirt.left_thigh), skirt.left);
    const Quat share = glm::slerp(make_quat(0, 0, 0, 1), both, kSkirtShare);
    return glm::normalize(hips * share * bodies_.to_rest[skirt.bone].rotation);
  }

  const Skeleton& to_;
  const BodyPair& bodies_;
  std::span<Transform> local_, model_;
  std::vector<Transform> wanted_;  // the pose before, with the bones that are turned
};

}  // namespace

void find_secondary_bones(const Skeleton& to, const BodyParts& parts, BodyPair& bodies) {
  const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::ranges::find(parts.parts, part_named(name));
    if (found == parts.parts.end()) return std::nullopt;
    const auto bone = static_cast<std::size_t>(found - parts.parts.begin());
    return bodies.links[bone] ? std::optional(bone) : std::nullopt;
  };
  for (const char* side : {"L", "R"})
    for (const auto& [from, until] : {std::pair("upperarm", "forearm"), std::pair("forearm", "hand"),
                                      std::pair("thigh", "calf"), std::pair("calf", "foot")}) {
      const auto start = find(std::string(from) + side), end = find(std::string(until) + side);
      for (std::size_t i = 0; start && end && i < to.bones.size(); ++i)
        if (!bodies.links[i] && is_twist_of(to, i, *start, *end))
          bodies.twists.push_back({i, *start, *end, roll_share(bodies, i, *start, *end)});
    }
  const auto left = find("thighL"), right = find("thighR");
  for (std::size_t i = 0; left && right && i < to.bones.size(); ++i) {
    const std::int32_t parent = to.bones[i].parent;
    const bool is_skirt = to_lower(to.bones[i].name).find("skirt") != std::string::npos;
    const bool is_first = parent != kNoBone &&
                          to_lower(to.bones[static_cast<std::size_t>(parent)].name).find("skirt") == std::string::npos;
    if (bodies.links[i] || !is_skirt || !is_first) continue;
    // Across the hips, from the right thigh to the left.
    bodies.skirts.push_back({i, *left, *right, share_of(bodies, i, *right, *left)});
  }
}

void pose_secondary_bones(const Skeleton& to, const BodyPair& bodies, std::span<Transform> local,
                          std::span<Transform> model) {
  if (!bodies.twists.empty() || !bodies.skirts.empty()) SecondaryPoser(to, bodies, local, model).run();
}

}  // namespace marrow
