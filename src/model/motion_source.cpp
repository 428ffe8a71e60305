// SPDX-License-Identifier: MIT
#include "marrow/model/motion_source.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/unused_names.h"

namespace marrow {
namespace {

// A holder scales what hangs below it; only its size is kept, since bones of the games do not shear.
float uniform_scale(const Transform& holder) {
  return std::cbrt(std::abs(holder.scale.x * holder.scale.y * holder.scale.z));
}

// The scale of the holder above each bone; a child has its root's.
std::vector<float> holder_scales(const MotionSource& source, std::span<const Transform> holders) {
  std::vector<float> scales(source.bones.size(), 1.0f);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const std::int32_t parent = source.bones[i].parent;
    scales[i] = parent == kNoBone ? uniform_scale(holders[i]) : scales[static_cast<std::size_t>(parent)];
  }
  return scales;
}

// The rest pose of a root already has its holder in it, with the holder's scale.
void rest_from_bind(const MotionSource& source, const SourcePose& held, double k, std::span<Transform> rest) {
  const std::vector<float> scales = holder_scales(source, held.holder);
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    const SourceBone& bone = source.bones[i];
    Transform bind = bone.bind;
    const bool is_root = bone.parent == kNoBone;
    if (is_root && !bone.has_bind) bind = held.holder[i] * bind;
    const float scale = static_cast<float>(k) * (is_root ? 1.0f : scales[i]);
    rest[i].translation = scale * (is_root ? source.space.turn * bind.translation : bind.translation);
    rest[i].rotation = glm::normalize(is_root ? source.space.turn * bind.rotation : bind.rotation);
    rest[i].scale = is_root && scales[i] > 0.0f ? bind.scale / scales[i] : bind.scale;
  }
}

std::string numbered(const std::string& name, int number) {
  char text[16];
  std::snprintf(text, sizeof text, ".%03d", number);
  return name + text;
}

}  // namespace

double units_per_source_unit(const MotionSource& source, const SourceOptions& options) {
  return options.scale.value_or(source.space.centimetres_per_unit * options.units_per_centimetre);
}

std::size_t SourceMesh::triangle_count() const {
  std::size_t count = 0;
  for (const auto& polygon : polygons) count += polygon.size() > 2 ? polygon.size() - 2 : 0;
  return count;
}

std::int32_t frames_at(const SourceClip& clip, double frames_per_second) {
  const double frames = std::floor(clip.duration_seconds() * frames_per_second + 0.5) + 1.0;
  return static_cast<std::int32_t>(std::clamp(frames, 1.0, 2147483647.0));
}

void pose_from(const MotionSource& source, const SourcePose& pose, const SourceOptions& options,
               std::span<Transform> local) {
  const auto k = static_cast<float>(units_per_source_unit(source, options));
  const std::vector<float> scales = holder_scales(source, pose.holder);
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    local[i] = pose.local[i];
    if (source.bones[i].parent != kNoBone) {
      local[i].translation *= k * scales[i];
      continue;
    }
    const Transform& holder = pose.holder[i];
    local[i].translation =
        k * (source.space.turn * (holder.translation + scales[i] * (holder.rotation * pose.local[i].translation)));
    local[i].rotation = glm::normalize(source.space.turn * holder.rotation * pose.local[i].rotation);
  }
}

Skeleton skeleton_from(const MotionSource& source, const SourceOptions& options, Notes& notes) {
  Skeleton skeleton;
  skeleton.name = source.name;
  std::vector<Transform> rest(source.bones.size());
  SourcePose pose;
  const bool has_clip = !source.clips.empty();
  source.evaluate(0, has_clip ? source.clips.front().start_seconds : 0.0, pose);
  if (options.rest == SourceRest::FirstFrame && has_clip) {
    pose_from(source, pose, options, rest);
  } else if (options.rest == SourceRest::Bind || options.rest == SourceRest::FirstFrame) {
    rest_from_bind(source, pose, units_per_source_unit(source, options), rest);
  } else {
    for (std::size_t i = 0; i < source.bones.size(); ++i) pose.local[i] = source.bones[i].local;
    pose_from(source, pose, options, rest);
  }
  UnusedNames names;
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    std::string name = names.add(source.bones[i].name, numbered);
    if (name != source.bones[i].name)
      notes.push_back({"the name '" + source.bones[i].name + "' is used by several bones; one is now '" + name + "'"});
    skeleton.bones.push_back({.name = std::move(name), .parent = source.bones[i].parent, .rest = rest[i]});
  }
  return skeleton;
}

Result<Clip> clip_from(const MotionSource& source, std::size_t clip, double frames_per_second,
                       const SourceOptions& options, const Limits& limits) {
  const SourceClip& from = source.clips[clip];
  const std::size_t bones = source.bones.size();
  const std::int32_t frames = frames_at(from, frames_per_second);
  // Clips may share their curves: all frames together are charged.
  if (!limits.charge(static_cast<std::uint64_t>(frames) * bones, sizeof(Transform)))
    return fail(ErrorCode::LimitExceeded, "the frames of clip '" + from.name + "' would take more memory than allowed");
  Clip out;
  out.skeleton_name = source.name;
  out.frame_count = frames;
  out.duration_seconds = static_cast<float>((frames - 1) / frames_per_second);
  out.track_count = static_cast<std::int32_t>(bones);
  out.transforms.resize(static_cast<std::size_t>(frames) * bones);
  SourcePose pose;
  for (std::int32_t f = 0; f < frames; ++f) {
    source.evaluate(clip, std::min(from.start_seconds + f / frames_per_second, from.end_seconds), pose);
    const std::span<Transform> frame = std::span(out.transforms).subspan(static_cast<std::size_t>(f) * bones, bones);
    pose_from(source, pose, options, frame);
    // Neighbours on one side of the sphere, so that what is fitted through them does not turn the long way round.
    for (std::size_t b = 0; f > 0 && b < bones; ++b)
      if (const Quat& before = out.transforms[static_cast<std::size_t>(f - 1) * bones + b].rotation;
          glm::dot(before, frame[b].rotation) < 0.0f)
        frame[b].rotation = -frame[b].rotation;
  }
  return out;
}

}  // namespace marrow
