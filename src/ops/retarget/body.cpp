// SPDX-License-Identifier: MIT
#include "ops/retarget/body.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"
#include "ops/retarget/secondary.h"

namespace marrow {
namespace {

std::vector<Transform> rest_in_model(const Skeleton& skeleton) {
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, pose, pose);
  return pose;
}

// Returns the shortest rotation from one direction to another.
Quat shortest_turn(const Vec3& from, const Vec3& to) {
  const float cosine = std::clamp(glm::dot(from, to), -1.0f, 1.0f);
  if (cosine > 0.999999f) return make_quat(0, 0, 0, 1);
  Vec3 axis = glm::cross(from, to);
  if (cosine < -0.999999f)
    axis = std::abs(from.x) < 0.9f ? glm::cross(from, Vec3(1, 0, 0)) : glm::cross(from, Vec3(0, 1, 0));
  if (cosine < -0.999999f) return glm::angleAxis(3.14159265f, glm::normalize(axis));
  return glm::normalize(Quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

class BodyMatcher {
 public:
  BodyMatcher(const Skeleton& from, const Skeleton& to, const BoneMap& map)
      : to_(to), from_parts_(find_parts(from)), to_parts_(find_parts(to)) {
    bodies_.from_rest = rest_in_model(from);
    bodies_.to_rest = rest_in_model(to);
    bodies_.links.resize(to.bones.size());
    for (const MappedBone& bone : map.bones) {
      const auto to_bone = static_cast<std::size_t>(bone.to), from_bone = static_cast<std::size_t>(bone.from);
      const auto part = to_parts_.parts[to_bone] ? to_parts_.parts[to_bone] : from_parts_.parts[from_bone];
      Role role = part ? role_of(*part) : Role::Limb;
      if (!part && is_helper_name(to.bones[to_bone].name)) role = Role::Prop;
      if (!part && to.bones[to_bone].parent == kNoBone) role = Role::Root;
      bodies_.links[to_bone] = Link{from_bone, role, make_quat(0, 0, 0, 1)};
    }
  }

  BodyPair make() {
    for (std::size_t i = 0; i < bodies_.links.size(); ++i)
      bodies_.aims.push_back(bodies_.links[i] ? aim_bone(i) : std::nullopt);
    bodies_.is_relative = spines_differ();
    find_limbs();
    count_limb_bones();
    bodies_.scale = find_scale();
    bodies_.lift = find_lift();
    for (std::size_t i = bodies_.links.size(); i-- > 0 && !legs().empty();)
      if (bodies_.links[i] && bodies_.links[i]->role == Role::Hips) bodies_.hips = i;
    bodies_.turn = find_turn();
    find_offsets();
    find_secondary_bones(to_, to_parts_, bodies_);
    return std::move(bodies_);
  }

 private:
  std::optional<std::size_t> linked_bone(const std::optional<Part>& part) const {
    for (std::size_t i = 0; part && i < bodies_.links.size(); ++i)
      if (bodies_.links[i] && (to_parts_.parts[i] == part || from_parts_.parts[bodies_.links[i]->from] == part))
        return i;
    return std::nullopt;
  }

  std::vector<Limb> legs() const {
    std::vector<Limb> legs;
    std::ranges::copy_if(bodies_.limbs, std::back_inserter(legs), &Limb::is_hind);
    return legs;
  }

  // True if a joint stands on the ground at rest.
  static bool is_low(const std::vector<Transform>& rest, std::size_t bone) {
    float low = rest[bone].translation.z, high = low;
    for (const Transform& each : rest) {
      low = std::min(low, each.translation.z);
      high = std::max(high, each.translation.z);
    }
    return rest[bone].translation.z < low + 0.12f * (high - low);
  }

  // Returns the direction of the spine at rest.
  static std::optional<Vec3> spine_of(const BodyParts& parts, const std::vector<Transform>& rest) {
    const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(parts.parts, part_named(name));
      if (found == parts.parts.end()) return std::nullopt;
      return static_cast<std::size_t>(found - parts.parts.begin());
    };
    const auto hips = find("hips"), chest = find("spine2");
    if (!hips || !chest) return std::nullopt;
    const Vec3 spine = rest[*chest].translation - rest[*hips].translation;
    return glm::length(spine) > 0 ? std::optional(glm::normalize(spine)) : std::nullopt;
  }

  // One body stands upright and the other on four legs.
  bool spines_differ() const {
    constexpr float kAlike = 0.64f;  // the cosine of 50 degrees
    const auto from = spine_of(from_parts_, bodies_.from_rest), to = spine_of(to_parts_, bodies_.to_rest);
    return from && to && std::abs(from->z - to->z) > kAlike;
  }

  void count_limb_bones() {
    for (std::size_t i = 0; i < bodies_.links.size(); ++i)
      if (to_parts_.parts[i] && is_limb_part(*to_parts_.parts[i])) {
        ++bodies_.limb_bones;
        bodies_.mapped_limb_bones += bodies_.links[i].has_value();
      }
    if (bodies_.limb_bones > 0) return;
    // A body in which no limbs are found has none to move: those of the source count.
    for (std::size_t i = 0; i < from_parts_.parts.size(); ++i)
      if (from_parts_.parts[i] && is_limb_part(*from_parts_.parts[i])) ++bodies_.limb_bones;
    for (const auto& link : bodies_.links)
      if (link && from_parts_.parts[link->from] && is_limb_part(*from_parts_.parts[link->from]))
        ++bodies_.mapped_limb_bones;
  }

  void find_limbs() {
    for (std::size_t root = 0; root < bodies_.links.size(); ++root) {
      if (!bodies_.links[root]) continue;
      const Role role = bodies_.links[root]->role;
      if (role != Role::Thigh && role != Role::UpperArm) continue;
      const auto mid = bodies_.aims[root];
      const auto end = mid ? bodies_.aims[*mid] : std::nullopt;
      if (!end || !is_below(*mid, root) || !is_below(*end, *mid)) continue;
      Limb limb{bodies_.links[root]->from, bodies_.links[*mid]->from, bodies_.links[*end]->from, root, *mid, *end};
      limb.is_hind = role == Role::Thigh;
      limb.is_leg = limb.is_hind || (is_low(bodies_.from_rest, limb.from_end) && is_low(bodies_.to_rest, limb.to_end));
      if (const auto toe = bodies_.aims[*end]; limb.is_leg && toe && is_below(*toe, *end)) {
        limb.to_toe = toe;
        limb.from_toe = bodies_.links[*toe]->from;
      }
      limb.from_length = distance(bodies_.from_rest, limb.from_root, limb.from_mid) +
                         distance(bodies_.from_rest, limb.from_mid, limb.from_end);
      limb.to_length =
          distance(bodies_.to_rest, limb.to_root, limb.to_mid) + distance(bodies_.to_rest, limb.to_mid, limb.to_end);
      if (limb.from_length > 0 && limb.to_length > 0) bodies_.limbs.push_back(limb);
    }
  }

  bool is_below(std::size_t bone, std::size_t above) const {
    std::int32_t up = to_.bones[bone].parent;
    while (up != kNoBone && up != static_cast<std::int32_t>(above)) up = to_.bones[static_cast<std::size_t>(up)].parent;
    return up != kNoBone;
  }

  // Returns the mapped bone that a bone points at: by its body part, else its only mapped child.
  std::optional<std::size_t> aim_bone(std::size_t bone) const {
    const auto part = to_parts_.parts[bone] ? to_parts_.parts[bone] : from_parts_.parts[bodies_.links[bone]->from];
    if (part) return linked_bone(aim_of(*part));
    std::optional<std::size_t> only;
    for (std::size_t i = 0; i < bodies_.links.size(); ++i) {
      if (!bodies_.links[i] || to_.bones[i].parent != static_cast<std::int32_t>(bone)) continue;
      if (only) return std::nullopt;
      only = i;
    }
    return only;
  }

  float distance(const std::vector<Transform>& rest, std::size_t a, std::size_t b) const {
    return glm::length(rest[a].translation - rest[b].translation);
  }

  // Returns the ratio of the leg lengths, which decide the steps; without legs, the ratio of the joint distances over
  // the whole body.
  float find_scale() const {
    float from_length = 0, to_length = 0;
    for (const Limb& leg : legs()) {
      from_length += leg.from_length;
      to_length += leg.to_length;
    }
    if (from_length == 0)
      for (std::size_t i = 0; i < bodies_.links.size(); ++i) {
        if (!bodies_.links[i] || to_.bones[i].parent == kNoBone) continue;
        const auto parent = static_cast<std::size_t>(to_.bones[i].parent);
        if (!bodies_.links[parent] || bodies_.links[i]->role != Role::Limb) continue;
        from_length += distance(bodies_.from_rest, bodies_.links[i]->from, bodies_.links[parent]->from);
        to_length += distance(bodies_.to_rest, i, parent);
      }
    return from_length > 0 && to_length > 0 ? to_length / from_length : 1.0f;
  }

  // Ankles of different bodies are at different heights; soles are on the ground in all.
  float find_lift() const {
    float lift = 0;
    const std::vector<Limb> all = legs();
    for (const Limb& leg : all)
      lift +=
          (bodies_.to_rest[leg.to_end].translation.z - bodies_.scale * bodies_.from_rest[leg.from_end].translation.z) /
          static_cast<float>(all.size());
    return lift;
  }

  // Bodies stand upright but may face different ways. Only quarter turns are used: how a body leans at rest is part of
  // its pose.
  Quat find_turn() const {
    const std::vector<Limb> all = legs();
    if (all.size() < 2) return make_quat(0, 0, 0, 1);
    const auto across = [](const std::vector<Transform>& rest, std::size_t a, std::size_t b) {
      const Vec3 d = rest[b].translation - rest[a].translation;
      return std::atan2(d.y, d.x);
    };
    const float angle = across(bodies_.to_rest, all[0].to_root, all[1].to_root) -
                        across(bodies_.from_rest, all[0].from_root, all[1].from_root);
    constexpr float kQuarter = 1.57079633f;
    return glm::angleAxis(std::round(angle / kQuarter) * kQuarter, Vec3(0, 0, 1));
  }

  // Rotates the target's rest pose until its limbs point where the source's do, parents first. The remaining offset
  // between a bone of one and of the other is kept in every frame.
  void find_offsets() {
    std::vector<Quat> aligned(bodies_.links.size(), make_quat(0, 0, 0, 1));
    for (std::size_t i = 0; i < bodies_.links.size(); ++i) {
      const std::int32_t parent = to_.bones[i].parent;
      if (parent != kNoBone) aligned[i] = aligned[static_cast<std::size_t>(parent)];
      if (!bodies_.links[i]) continue;
      Link& link = *bodies_.links[i];
      if (link.role == Role::Root || link.role == Role::Hips || link.role == Role::Prop)
        aligned[i] = make_quat(0, 0, 0, 1);
      if (const auto aim = bodies_.aims[i];
          aim && !bodies_.is_relative && link.role != Role::Root && link.role != Role::Hips) {
        const Vec3 ours = bodies_.to_rest[*aim].translation - bodies_.to_rest[i].translation;
        const Vec3 theirs =
            bodies_.from_rest[bodies_.links[*aim]->from].translation - bodies_.from_rest[link.from].translation;
        if (glm::length(ours) > 0 && glm::length(theirs) > 0)
          aligned[i] =
              shortest_turn(aligned[i] * glm::normalize(ours), bodies_.turn * glm::normalize(theirs)) * aligned[i];
      }
      link.offset = glm::normalize(glm::conjugate(bodies_.turn * bodies_.from_rest[link.from].rotation) * aligned[i] *
                                   bodies_.to_rest[i].rotation);
    }
  }

  const Skeleton& to_;
  BodyParts from_parts_, to_parts_;
  BodyPair bodies_;
};

}  // namespace

BodyPair pair_bodies(const Skeleton& from, const Skeleton& to, const BoneMap& map) {
  return BodyMatcher(from, to, map).make();
}

}  // namespace marrow
