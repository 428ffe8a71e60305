// SPDX-License-Identifier: MIT
#include "support/clips.h"

#include <cmath>
#include <string>

namespace marrow::test {

Skeleton chain_skeleton(std::int32_t bones) {
  Skeleton skeleton;
  skeleton.name = "Bone 0";
  for (std::int32_t i = 0; i < bones; ++i)
    skeleton.bones.push_back({"Bone " + std::to_string(i), i - 1, {{0, 0, i == 0 ? 0.0f : 10.0f}}, false});
  skeleton.float_slots.push_back({"hkVis:Bone 0", 1.0f});
  return skeleton;
}

Clip waving_clip(std::int32_t bones, std::int32_t frames) {
  Clip clip;
  clip.skeleton_name = "Bone 0";
  clip.frame_count = frames;
  clip.duration_seconds = static_cast<float>(frames - 1) / 30.0f;
  clip.track_count = bones;
  clip.float_track_count = 1;
  clip.float_to_slot = {0};
  RootMotion motion;
  motion.duration_seconds = clip.duration_seconds;
  for (std::int32_t f = 0; f < frames; ++f) {
    for (std::int32_t b = 0; b < bones; ++b) {
      const float angle = 0.4f * std::sin(static_cast<float>(f) * 0.2f + static_cast<float>(b));
      clip.transforms.push_back(
          {{0, 0, b == 0 ? 0.0f : 10.0f}, make_quat(std::sin(angle / 2), 0, 0, std::cos(angle / 2)), {1, 1, 1}});
    }
    clip.floats.push_back(1.0f);
    motion.samples.push_back({0, static_cast<float>(f), 0, 0});
  }
  clip.root_motion = motion;
  clip.annotation_tracks.resize(static_cast<std::size_t>(bones));
  clip.annotation_tracks[0].annotations = {{0.1f, "FootLeft"}, {0.1f, "SoundPlay.Step"}, {0.3f, "FootRight"}};
  return clip;
}

}  // namespace marrow::test
