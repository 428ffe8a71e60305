// SPDX-License-Identifier: MIT
#include "support/pairs.h"

#include <cmath>

namespace marrow::test {

Skeleton make_bear() {
  struct Joint {
    const char* name;
    int parent;
    Vec3 place;  // relative to the parent, in the model's axes
  };
  const Joint joints[] = {{"NPC Root [Root]", -1, {0, 0, 0}},        {"NPC COM [COM ]", 0, {0, -20, 60}},
                          {"NPC Spine [Spn0]", 1, {0, 20, 4}},       {"NPC Neck [Neck]", 2, {0, 25, 6}},
                          {"NPC Head [Head]", 3, {0, 15, 2}},        {"NPC Jaw", 4, {0, 6, -4}},
                          {"NPC L Thigh [LThg]", 1, {-9, 0, -2}},    {"NPC L Calf [LClf]", 6, {0, 2, -28}},
                          {"NPC R Thigh [RThg]", 1, {9, 0, -2}},     {"NPC R Calf [RClf]", 8, {0, 2, -28}},
                          {"NPC L FrontLeg [LFrt]", 2, {-9, 8, -4}}, {"NPC R FrontLeg [RFrt]", 2, {9, 8, -4}}};
  Skeleton bear;
  bear.name = joints[0].name;
  for (const Joint& joint : joints) bear.bones.push_back({joint.name, joint.parent, {joint.place}, false});
  bear.float_slots = {{"hkFade:Bear", 1.0f}};
  return bear;
}

Clip make_paired_clip(const Skeleton& first, const Skeleton& second, int frames) {
  Clip clip;
  clip.skeleton_name = "PairedRoot";
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30.0f;
  clip.annotation_tracks = {{"PairedRoot", {{0.1f, "PairedStart"}}}, {"NPC", {}}};
  for (const Bone& bone : first.bones) clip.annotation_tracks.push_back({bone.name, {}});
  clip.annotation_tracks.push_back({"2_", {{0.2f, "PairedHit"}}});
  for (const Bone& bone : second.bones) clip.annotation_tracks.push_back({"2_" + bone.name, {}});
  clip.track_count = static_cast<std::int32_t>(clip.annotation_tracks.size());

  const auto swayed = [](const Skeleton& skeleton, std::size_t bone, int frame, float phase) {
    Transform value = skeleton.bones[bone].rest;
    const float angle = 0.15f * std::sin(0.2f * static_cast<float>(frame) + static_cast<float>(bone) + phase);
    value.rotation = value.rotation * make_quat(std::sin(angle / 2), 0, 0, std::cos(angle / 2));
    return value;
  };
  for (int frame = 0; frame < frames; ++frame) {
    clip.transforms.push_back({});
    clip.transforms.push_back({});
    for (std::size_t i = 0; i < first.bones.size(); ++i) clip.transforms.push_back(swayed(first, i, frame, 0.0f));
    clip.transforms.push_back(
        {Vec3(0, 60.0f + 0.5f * static_cast<float>(frame), 0), make_quat(0, 0, 1, 0), Vec3(1.0f)});
    for (std::size_t i = 0; i < second.bones.size(); ++i) clip.transforms.push_back(swayed(second, i, frame, 1.0f));
  }
  return clip;
}

}  // namespace marrow::test
