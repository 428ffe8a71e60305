// SPDX-License-Identifier: MIT
#include "support/rigs.h"

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"

namespace marrow::test {
namespace {

struct Joint {
  const char* name;
  const char* other_name;
  const char* parent;
  Vec3 place;       // in model space
  const char* aim;  // the child that the bone points at; empty: as its parent does
};

// One body, in game units: 128 tall, facing +Y, its left on -X.
const Joint kBody[] = {
    {"NPC Root [Root]", "Root", "", {0, 0, 0}, "NPC COM [COM ]"},
    {"NPC COM [COM ]", "COM", "NPC Root [Root]", {0, 0, 68.9f}, "NPC Pelvis [Pelv]"},
    {"NPC Pelvis [Pelv]", "Pelvis", "NPC COM [COM ]", {0, 0, 68.9f}, ""},
    {"NPC L Thigh [LThg]", "LLeg_Thigh", "NPC Pelvis [Pelv]", {-6.6f, 0.5f, 64.2f}, "NPC L Calf [LClf]"},
    {"NPC L Calf [LClf]", "LLeg_Calf", "NPC L Thigh [LThg]", {-8.1f, 0.0f, 36.0f}, "NPC L Foot [Lft ]"},
    {"NPC L Foot [Lft ]", "LLeg_Foot", "NPC L Calf [LClf]", {-9.0f, -3.0f, 6.5f}, "NPC L Toe0 [LToe]"},
    {"NPC L Toe0 [LToe]", "LLeg_Toe1", "NPC L Foot [Lft ]", {-9.6f, 6.0f, 1.4f}, ""},
    {"NPC R Thigh [RThg]", "RLeg_Thigh", "NPC Pelvis [Pelv]", {6.6f, 0.5f, 64.2f}, "NPC R Calf [RClf]"},
    {"NPC R Calf [RClf]", "RLeg_Calf", "NPC R Thigh [RThg]", {8.1f, 0.0f, 36.0f}, "NPC R Foot [Rft ]"},
    {"NPC R Foot [Rft ]", "RLeg_Foot", "NPC R Calf [RClf]", {9.0f, -3.0f, 6.5f}, "NPC R Toe0 [RToe]"},
    {"NPC R Toe0 [RToe]", "RLeg_Toe1", "NPC R Foot [Rft ]", {9.6f, 6.0f, 1.4f}, ""},
    {"NPC Spine [Spn0]", "SPINE1", "NPC Pelvis [Pelv]", {0, -1.0f, 73.0f}, "NPC Spine1 [Spn1]"},
    {"NPC Spine1 [Spn1]", "SPINE2", "NPC Spine [Spn0]", {0, -2.0f, 82.0f}, "NPC Spine2 [Spn2]"},
    {"NPC Spine2 [Spn2]", "Chest", "NPC Spine1 [Spn1]", {0, -2.5f, 92.0f}, "NPC Neck [Neck]"},
    {"NPC Neck [Neck]", "Neck", "NPC Spine2 [Spn2]", {0, -3.0f, 109.0f}, "NPC Head [Head]"},
    {"NPC Head [Head]", "HEAD", "NPC Neck [Neck]", {0, -1.0f, 116.0f}, ""},
    {"NPC L Clavicle [LClv]", "LArm_Collarbone", "NPC Spine2 [Spn2]", {-2.0f, -1.0f, 106.0f}, "NPC L UpperArm [LUar]"},
    {"NPC L UpperArm [LUar]",
     "LArm_UpperArm",
     "NPC L Clavicle [LClv]",
     {-12.0f, -4.0f, 104.0f},
     "NPC L Forearm [LLar]"},
    {"NPC L Forearm [LLar]", "LArm_ForeArm1", "NPC L UpperArm [LUar]", {-25.0f, -6.0f, 89.0f}, "NPC L Hand [LHnd]"},
    {"NPC L Hand [LHnd]", "LArm_Hand", "NPC L Forearm [LLar]", {-36.0f, 0.0f, 76.0f}, ""},
    {"NPC R Clavicle [RClv]", "RArm_Collarbone", "NPC Spine2 [Spn2]", {2.0f, -1.0f, 106.0f}, "NPC R UpperArm [RUar]"},
    {"NPC R UpperArm [RUar]", "RArm_UpperArm", "NPC R Clavicle [RClv]", {12.0f, -4.0f, 104.0f}, "NPC R Forearm [RLar]"},
    {"NPC R Forearm [RLar]", "RArm_ForeArm1", "NPC R UpperArm [RUar]", {25.0f, -6.0f, 89.0f}, "NPC R Hand [RHnd]"},
    {"NPC R Hand [RHnd]", "RArm_Hand", "NPC R Forearm [RLar]", {36.0f, 0.0f, 76.0f}, ""},
    {"WEAPON", "Weapon", "NPC R Hand [RHnd]", {37.0f, 4.0f, 74.0f}, ""},
};

// The rotation that takes `axis` to `direction` the short way.
Quat aim(const Vec3& axis, const Vec3& direction) {
  const Vec3 to = glm::normalize(direction);
  const float cosine = glm::dot(axis, to);
  if (cosine < -0.9999f) return make_quat(1, 0, 0, 0);
  const Vec3 side = glm::cross(axis, to);
  return glm::normalize(Quat(1.0f + cosine, side.x, side.y, side.z));
}

Skeleton build(bool other) {
  Skeleton skeleton;
  skeleton.name = other ? "Root" : "NPC Root [Root]";
  std::map<std::string, int> index;
  std::vector<Transform> model;
  for (const Joint& joint : kBody) {
    const int parent = *joint.parent ? index.at(joint.parent) : kNoBone;
    Vec3 along(0, 0, 1);
    if (*joint.aim)
      for (const Joint& child : kBody)
        if (std::string(child.name) == joint.aim && glm::length(child.place - joint.place) > 0.1f)
          along = child.place - joint.place;
    Quat turn = aim(other ? Vec3(1, 0, 0) : Vec3(0, 0, 1), along);
    if (!*joint.aim && parent != kNoBone) turn = model[static_cast<std::size_t>(parent)].rotation;
    // The other body is a little larger, and a little broader.
    const Vec3 place = other ? joint.place * Vec3(1.08f, 1.0f, 0.94f) : joint.place;
    model.push_back({place, turn, Vec3(1.0f)});
    const Transform rest =
        parent == kNoBone ? model.back() : inverse(model[static_cast<std::size_t>(parent)]) * model.back();
    index[joint.name] = static_cast<int>(skeleton.bones.size());
    skeleton.bones.push_back({other ? joint.other_name : joint.name, parent, rest, parent > 1});
  }
  return skeleton;
}

Quat about(const Vec3& axis, float degrees) {
  const float half = degrees * 3.14159265f / 360.0f;
  const Vec3 v = std::sin(half) * axis;
  return Quat(std::cos(half), v.x, v.y, v.z);
}

}  // namespace

Skeleton make_human() {
  Skeleton skeleton = build(false);
  skeleton.bones.back().rest.scale = Vec3(1.25f);
  skeleton.bones.back().lock_translation = false;
  skeleton.float_slots = {{"hkVis:Quiver", 1.0f}, {"hkFade:Head", 0.25f}};
  skeleton.partitions = {{"Body", 0, 16}, {"Arms", 16, 9}};
  // A half turn whose matrix gives the same bits back.
  skeleton.local_frames = {{"grip", 4, {{1.5f, -2.0f, 0.25f}, make_quat(0, 0, 1, 0), Vec3(1.0f)}}};
  return skeleton;
}

Skeleton make_other_human() { return build(true); }

Clip resting_clip(const Skeleton& skeleton, int frames) {
  Clip clip;
  clip.skeleton_name = skeleton.name;
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30.0f;
  clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  for (int f = 0; f < frames; ++f)
    for (const Bone& bone : skeleton.bones) clip.transforms.push_back(bone.rest);
  return clip;
}

namespace {

// Puts the end of a chain of two bones somewhere in model space; the middle joint goes towards `bent`.
void reach(const Skeleton& skeleton, std::span<Transform> local, const char* root, const char* mid, const char* end,
           const Vec3& goal, const Vec3& bent) {
  std::vector<Transform> model(local.size());
  const auto index = [&](const char* name) { return static_cast<std::size_t>(*find_bone(skeleton, name)); };
  const auto point = [&](std::size_t bone, std::size_t child, const Vec3& place) {
    local_to_model(skeleton, local, model);
    const Vec3 now = glm::normalize(model[child].translation - model[bone].translation);
    const Vec3 then = glm::normalize(place - model[bone].translation), axis = glm::cross(now, then);
    const Quat turn = glm::normalize(Quat(1.0f + glm::dot(now, then), axis.x, axis.y, axis.z));
    const auto parent = static_cast<std::size_t>(skeleton.bones[bone].parent);
    local[bone].rotation = glm::normalize(glm::conjugate(model[parent].rotation) * turn * model[bone].rotation);
  };
  local_to_model(skeleton, local, model);
  const Vec3 start = model[index(root)].translation;
  const float upper = glm::length(model[index(mid)].translation - start);
  const float lower = glm::length(model[index(end)].translation - model[index(mid)].translation);
  const float length = glm::length(goal - start);
  const Vec3 axis = (goal - start) / length;
  const Vec3 pole = glm::normalize(bent - glm::dot(bent, axis) * axis);
  const float along = (upper * upper - lower * lower + length * length) / (2.0f * length);
  const float aside = std::sqrt(upper * upper - along * along);
  point(index(root), index(mid), start + along * axis + aside * pole);
  point(index(mid), index(end), goal);
}

}  // namespace

Clip make_crouch(const Skeleton& skeleton, int frames) {
  Clip clip = resting_clip(skeleton, frames);
  const auto com = static_cast<std::size_t>(*find_bone(skeleton, "NPC COM [COM ]"));
  for (int f = 0; f < frames; ++f) {
    const auto local =
        std::span(clip.transforms).subspan(static_cast<std::size_t>(f) * skeleton.bones.size(), skeleton.bones.size());
    const float deep = 26.0f + 6.0f * std::sin(0.4f * static_cast<float>(f));
    std::vector<Transform> model(local.size());
    local_to_model(skeleton, local, model);
    const auto parent = static_cast<std::size_t>(skeleton.bones[com].parent);
    local[com].translation += glm::conjugate(model[parent].rotation) * Vec3(0, -4, -deep);
    reach(skeleton, local, "NPC L Thigh [LThg]", "NPC L Calf [LClf]", "NPC L Foot [Lft ]", {-10, 6, 6.5f},
          {-0.3f, 1, 0});
    reach(skeleton, local, "NPC R Thigh [RThg]", "NPC R Calf [RClf]", "NPC R Foot [Rft ]", {11, -12, 7}, {0.4f, 1, 0});
  }
  return clip;
}

Clip make_grip(const Skeleton& skeleton, int frames) {
  Clip clip = resting_clip(skeleton, frames);
  for (int f = 0; f < frames; ++f) {
    const auto local =
        std::span(clip.transforms).subspan(static_cast<std::size_t>(f) * skeleton.bones.size(), skeleton.bones.size());
    reach(skeleton, local, "NPC L UpperArm [LUar]", "NPC L Forearm [LLar]", "NPC L Hand [LHnd]", {-2, 22, 88},
          {-1, -0.5f, -1});
    reach(skeleton, local, "NPC R UpperArm [RUar]", "NPC R Forearm [RLar]", "NPC R Hand [RHnd]", {3, 22, 96},
          {1, -0.5f, -1});
  }
  return clip;
}

Clip make_walk(const Skeleton& skeleton, int frames) {
  Clip clip;
  clip.skeleton_name = skeleton.name;
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30.0f;
  clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  clip.float_track_count = 2;
  clip.float_to_slot = {0, 1};
  clip.partitions = {1, 0};
  RootMotion motion;
  motion.duration_seconds = clip.duration_seconds;
  const Vec3 across(1, 0, 0);
  std::vector<Transform> rest(skeleton.bones.size()), model(skeleton.bones.size()), local(skeleton.bones.size());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, rest, model);
  for (int frame = 0; frame < frames; ++frame) {
    const float phase = 6.2831853f * static_cast<float>(frame) / 30.0f;
    local = rest;
    // Turns about the model's X axis, whatever way the bone itself points.
    const auto swing = [&](const char* name, float degrees) {
      const auto bone = find_bone(skeleton, name);
      if (!bone) return;
      const auto i = static_cast<std::size_t>(*bone);
      const Vec3 axis = glm::conjugate(model[i].rotation) * across;
      local[i].rotation = glm::normalize(rest[i].rotation * about(axis, degrees));
    };
    swing("NPC L Thigh [LThg]", 25.0f * std::sin(phase));
    swing("NPC R Thigh [RThg]", -25.0f * std::sin(phase));
    swing("NPC L Calf [LClf]", -20.0f + 20.0f * std::sin(phase + 1.0f));
    swing("NPC R Calf [RClf]", -20.0f - 20.0f * std::sin(phase + 1.0f));
    swing("NPC L UpperArm [LUar]", -30.0f * std::sin(phase));
    swing("NPC R UpperArm [RUar]", 30.0f * std::sin(phase));
    swing("NPC Spine1 [Spn1]", 4.0f * std::sin(2 * phase));
    if (const auto com = find_bone(skeleton, "NPC COM [COM ]"))
      local[static_cast<std::size_t>(*com)].translation += Vec3(0, 0, 1.5f * std::sin(2 * phase));
    clip.transforms.insert(clip.transforms.end(), local.begin(), local.end());
    clip.floats.insert(clip.floats.end(), {1.0f, 0.5f + 0.5f * std::sin(phase)});
    motion.samples.emplace_back(0, 2.5f * static_cast<float>(frame), 0, 0.001f * static_cast<float>(frame));
  }
  clip.root_motion = motion;
  clip.annotation_tracks.resize(skeleton.bones.size());
  clip.annotation_tracks[0].annotations = {{0.1f, "FootLeft"}, {0.1f, "SoundPlay.\"Ärmel\""}, {0.6f, "FootRight"}};
  clip.annotation_tracks[3] = {"thigh", {{0.2f, "HitFrame"}}};
  return clip;
}

}  // namespace marrow::test
