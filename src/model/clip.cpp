// SPDX-License-Identifier: MIT
#include "marrow/model/clip.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include <glm/geometric.hpp>

namespace marrow {
namespace {

struct Place {
  std::size_t frame, next;
  float fraction;
};

Place locate(const Clip& clip, double frame) {
  const double last = clip.frame_count - 1;
  const double inside = frame > 0.0 ? std::min(frame, last) : 0.0;  // NaN becomes 0
  const auto whole = static_cast<std::size_t>(inside);
  return {whole, std::min(whole + 1, static_cast<std::size_t>(clip.frame_count - 1)),
          static_cast<float>(inside - static_cast<double>(whole))};
}

}  // namespace

void sample_frame(const Clip& clip, double frame, std::span<Transform> pose) {
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  if (clip.frame_count < 1) {
    std::fill_n(pose.begin(), tracks, Transform{});
    return;
  }
  const Place place = locate(clip, frame);
  for (std::size_t i = 0; i < tracks; ++i) {
    const Transform& from = clip.transforms[place.frame * tracks + i];
    const Transform& to = clip.transforms[place.next * tracks + i];
    pose[i] = from;
    if (place.fraction == 0.0f) continue;
    pose[i].translation = glm::mix(from.translation, to.translation, place.fraction);
    pose[i].scale = glm::mix(from.scale, to.scale, place.fraction);
    const Quat near = glm::dot(from.rotation, to.rotation) < 0.0f ? -to.rotation : to.rotation;
    pose[i].rotation = glm::normalize(from.rotation * (1.0f - place.fraction) + near * place.fraction);
  }
}

Transform root_motion_at(const RootMotion& motion, double share) {
  if (motion.samples.empty()) return {};
  const double last = static_cast<double>(motion.samples.size() - 1);
  const double at = share > 0.0 ? std::min(share, 1.0) * last : 0.0;
  const auto index = static_cast<std::size_t>(at);
  const Vec4& from = motion.samples[index];
  const Vec4& to = motion.samples[std::min(index + 1, motion.samples.size() - 1)];
  const auto fraction = static_cast<float>(at - static_cast<double>(index));
  const Vec4 sample = fraction == 0.0f ? from : glm::mix(from, to, fraction);
  const float length = glm::length(Vec3(motion.up));
  const Vec3 up = length > 0.0f ? Vec3(motion.up) / length : Vec3(0, 0, 1);
  return {Vec3(sample), glm::angleAxis(sample.w, up), Vec3(1.0f)};
}

void sample_floats(const Clip& clip, double frame, std::span<float> floats) {
  const auto tracks = static_cast<std::size_t>(clip.float_track_count);
  if (clip.frame_count < 1) {
    std::fill_n(floats.begin(), tracks, 0.0f);
    return;
  }
  const Place place = locate(clip, frame);
  for (std::size_t i = 0; i < tracks; ++i)
    floats[i] = glm::mix(clip.floats[place.frame * tracks + i], clip.floats[place.next * tracks + i], place.fraction);
}

Result<void> validate(const Clip& clip) {
  const auto refuse = [](std::string why, std::string path = {}) {
    return fail(ErrorCode::Malformed, std::move(why), kNoOffset, std::move(path));
  };
  if (clip.frame_count < 1) return refuse("a clip has at least one frame");
  if (clip.track_count < 0 || clip.float_track_count < 0) return refuse("a track count is negative");
  const auto frames = static_cast<std::size_t>(clip.frame_count);
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  if (clip.transforms.size() != frames * tracks) return refuse("transforms do not match frames and tracks");
  if (clip.floats.size() != frames * static_cast<std::size_t>(clip.float_track_count))
    return refuse("floats do not match frames and float tracks");
  if (!clip.track_to_bone.empty() && clip.track_to_bone.size() != tracks)
    return refuse("the track map has another length than the tracks");
  if (!(clip.duration_seconds >= 0.0f) || !std::isfinite(clip.duration_seconds))
    return refuse("the duration is not a length of time");
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    const Transform& t = clip.transforms[i];
    const float length = glm::length(t.rotation);
    const float sum = t.translation.x + t.translation.y + t.translation.z + t.scale.x + t.scale.y + t.scale.z;
    if (!std::isfinite(sum) || !(std::abs(length - 1.0f) < 1e-2f))
      return refuse("a transform is not finite or its rotation not of unit length",
                    "frame " + std::to_string(i / tracks) + ", track " + std::to_string(i % tracks));
  }
  return {};
}

}  // namespace marrow
