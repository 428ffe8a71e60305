// SPDX-License-Identifier: MIT
#include "exchange/gltf/write_clip.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <glm/geometric.hpp>

namespace marrow::gltf {
namespace {

// Returns the bone that each track moves; none if the bone does not exist or a later track moves it too.
std::vector<std::optional<std::size_t>> bones_of_tracks(const Clip& clip, std::size_t bone_count) {
  std::vector<std::optional<std::size_t>> bones(static_cast<std::size_t>(clip.track_count));
  std::vector<bool> taken(bone_count, false);
  for (std::size_t track = bones.size(); track-- > 0;) {
    const std::int64_t bone = bone_of_track(clip, track);
    if (bone < 0 || bone >= static_cast<std::int64_t>(bone_count) || taken[static_cast<std::size_t>(bone)]) continue;
    bones[track] = static_cast<std::size_t>(bone);
    taken[static_cast<std::size_t>(bone)] = true;
  }
  return bones;
}

std::vector<Transform> track_values(const Clip& clip, std::size_t track) {
  std::vector<Transform> values;
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) values.push_back(clip.frame(frame)[track]);
  return values;
}

template <class Member>
bool is_constant(const std::vector<Transform>& values, Member member) {
  return std::ranges::all_of(values, [&](const Transform& t) { return t.*member == values.front().*member; });
}

class AnimationWriter {
 public:
  AnimationWriter(DocumentBuilder& document, const Clip& clip) : document_(document), clip_(clip) {}

  tinygltf::Animation animation;

  void add_channel(int node, const char* path, std::vector<float> values, int components) {
    const auto width = static_cast<std::size_t>(components);
    const auto frames = values.size() / width;
    bool constant = true;
    for (std::size_t i = width; i < values.size() && constant; ++i) constant = values[i] == values[i - width];
    if (constant && frames > 1) {
      // At least one channel spans the clip, so that players know its length.
      values.resize(spans_ ? width : 2 * width);
      if (spans_) return add(node, path, values, components, times(1));
      spans_ = true;
      return add(node, path, values, components, times(2));
    }
    spans_ = true;
    add(node, path, values, components, times(frames));
  }

 private:
  // Returns the key times at the frames; a count of two means the first and the last.
  int times(std::size_t count) {
    int& index = count == 1 ? one_ : count == 2 && clip_.frame_count != 2 ? two_ : all_;
    if (index >= 0) return index;
    std::vector<float> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(frame_time(clip_, static_cast<std::int32_t>(i)));
    if (&index == &two_) keys.back() = frame_time(clip_, clip_.frame_count - 1);
    index = document_.add_floats(keys, 1, true);
    return index;
  }

  void add(int node, const char* path, const std::vector<float>& values, int components, int input) {
    tinygltf::AnimationSampler sampler;
    sampler.input = input;
    sampler.output = document_.add_floats(values, components, false);
    sampler.interpolation = "LINEAR";
    animation.samplers.push_back(std::move(sampler));
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(std::move(channel));
  }

  DocumentBuilder& document_;
  const Clip& clip_;
  int one_ = -1, two_ = -1, all_ = -1;
  bool spans_ = false;
};

void add_bone(AnimationWriter& writer, int node, const std::vector<Transform>& values, const Transform& rest) {
  std::vector<float> translations, rotations, scales;
  bool scaled = false;
  Quat previous = values.front().rotation;
  for (const Transform& t : values) {
    const auto append = [](std::vector<float>& out, auto... v) { (out.push_back(v), ...); };
    append(translations, t.translation.x, t.translation.y, t.translation.z);
    // q and -q are the same rotation; players that blend key by key need neighbours in the same hemisphere.
    Quat q = std::abs(glm::length(t.rotation) - 1.0f) > 1e-5f ? glm::normalize(t.rotation) : t.rotation;
    if (glm::dot(q, previous) < 0.0f) q = -q;
    previous = q;
    append(rotations, q.x, q.y, q.z, q.w);
    append(scales, t.scale.x, t.scale.y, t.scale.z);
    scaled |= t.scale != rest.scale;
  }
  writer.add_channel(node, "translation", std::move(translations), 3);
  writer.add_channel(node, "rotation", std::move(rotations), 4);
  if (scaled) writer.add_channel(node, "scale", std::move(scales), 3);
}

}  // namespace

Transform additive_base(const Transform& rest) { return {rest.translation, glm::normalize(rest.rotation), rest.scale}; }

Transform motion_at(const Clip& clip, std::size_t frame) {
  if (!clip.root_motion) return {};
  return root_motion_at(*clip.root_motion,
                        clip.frame_count > 1 ? static_cast<double>(frame) / (clip.frame_count - 1) : 0.0);
}

float frame_time(const Clip& clip, std::int32_t frame) {
  if (clip.frame_count < 2) return 0.0f;
  // A clip without length would have all keys at one time; 30 frames per second are used instead, and the record keeps
  // the real value.
  const double step =
      clip.duration_seconds > 0.0f ? static_cast<double>(clip.duration_seconds) / (clip.frame_count - 1) : 1.0 / 30.0;
  return static_cast<float>(frame * step);
}

ClipRecord write_clip(DocumentBuilder& document, const Skeleton& skeleton, const NamedClip& named,
                      const ClipTarget& target) {
  const Clip& clip = named.clip;
  const auto as = clip.root_motion ? target.root_motion : RootMotionAs::None;
  ClipRecord record{.clip = clip,
                    .spline = named.spline,
                    .file = named.file,
                    .places = named.places,
                    .root_motion_as = as,
                    .constant = {},
                    .loose = {}};
  record.clip.transforms.clear();
  const auto bones = bones_of_tracks(clip, skeleton.bones.size());
  tinygltf::Animation& animation = document.model.animations[static_cast<std::size_t>(target.animation)];
  AnimationWriter writer(document, clip);
  writer.animation = std::move(animation);
  const std::size_t before = writer.animation.channels.size();
  for (std::size_t track = 0; track < bones.size(); ++track) {
    std::vector<Transform> values = track_values(clip, track);
    const int constant = (is_constant(values, &Transform::translation) ? 1 : 0) |
                         (is_constant(values, &Transform::rotation) ? 2 : 0) |
                         (is_constant(values, &Transform::scale) ? 4 : 0);
    record.constant += static_cast<char>('0' + constant);
    if (!bones[track]) {
      record.loose[static_cast<std::int32_t>(track)] = std::move(values);
      continue;
    }
    const Bone& bone = skeleton.bones[*bones[track]];
    // A difference is shown on the rest pose, where it looks as it does in the game.
    if (clip.blend_hint != BlendHint::Normal)
      for (Transform& value : values) value = additive_base(bone.rest) * value;
    if (as == RootMotionAs::Bake && bone.parent == kNoBone)
      for (std::size_t f = 0; f < values.size(); ++f) values[f] = motion_at(clip, f) * values[f];
    add_bone(writer, target.first_bone_node + static_cast<int>(*bones[track]), values, bone.rest);
  }
  if (as == RootMotionAs::Node) {
    std::vector<Transform> values;
    for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frame_count); ++f)
      values.push_back(target.root_place * motion_at(clip, f));
    add_bone(writer, target.root_node, values, target.root_place);
  }
  if (writer.animation.channels.size() == before)
    add_bone(writer, target.first_bone_node,
             std::vector<Transform>(static_cast<std::size_t>(clip.frame_count), skeleton.bones.front().rest),
             skeleton.bones.front().rest);
  document.model.animations[static_cast<std::size_t>(target.animation)] = std::move(writer.animation);
  return record;
}

}  // namespace marrow::gltf
