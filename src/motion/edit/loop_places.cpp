// SPDX-License-Identifier: MIT
#include "motion/edit/loop_places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "marrow/core/text.h"
#include "marrow/model/pose.h"

namespace marrow::motion {
namespace {

// A velocity of one unit per frame counts as much as a distance of five units.
constexpr float kVelocityWeight = 5.0f;
// All pairs of this many frames take seconds; longer clips are searched in steps.
constexpr std::int32_t kMostFrames = 3000;

bool is_body(std::string_view name) {
  const std::string lower = to_lower(name);
  for (const std::string_view word : {"camera", "weapon", "shield", "quiver", "magic", "animobject", "arrow", "helper"})
    if (lower.find(word) != std::string::npos) return false;
  return true;
}

// Places and velocities of the joints of every frame, without where the character stands.
std::vector<std::vector<float>> features_of(const Skeleton& skeleton, const Clip& clip) {
  std::vector<std::vector<Vec3>> joints;
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    pose_from_frame(skeleton, clip, clip.frame(f), pose);
    local_to_model(skeleton, pose, pose);
    auto& own = joints.emplace_back();
    Vec3 mean(0.0f);
    for (std::size_t b = 0; b < pose.size(); ++b)
      if (is_body(skeleton.bones[b].name)) {
        own.push_back(pose[b].translation);
        mean += pose[b].translation;
      }
    mean /= static_cast<float>(std::max<std::size_t>(own.size(), 1));
    for (Vec3& joint : own) joint -= Vec3(mean.x, mean.y, 0.0f);
  }
  std::vector<std::vector<float>> features;
  const auto count = static_cast<std::int32_t>(joints.size());
  for (std::int32_t f = 0; f < count; ++f) {
    const auto &now = joints[static_cast<std::size_t>(f)],
               &before = joints[static_cast<std::size_t>(std::max(f - 1, 0))],
               &after = joints[static_cast<std::size_t>(std::min(f + 1, count - 1))];
    const float span = static_cast<float>(std::min(f + 1, count - 1) - std::max(f - 1, 0));
    const float scale = 1.0f / std::sqrt(static_cast<float>(std::max<std::size_t>(now.size(), 1)));
    auto& own = features.emplace_back();
    for (std::size_t j = 0; j < now.size(); ++j) {
      const Vec3 place = now[j] * scale;
      const Vec3 velocity = (after[j] - before[j]) * (scale * kVelocityWeight / std::max(span, 1.0f));
      own.insert(own.end(), {place.x, place.y, place.z, velocity.x, velocity.y, velocity.z});
    }
  }
  return features;
}

}  // namespace

std::vector<AlikeFrames> find_loops(const Skeleton& skeleton, const Clip& clip, std::size_t count) {
  const auto features = features_of(skeleton, clip);
  const std::int32_t frames = clip.frame_count, least = std::max(8, frames / 3);
  const std::int32_t step = std::max(1, frames / kMostFrames);
  std::vector<AlikeFrames> all;
  for (std::int32_t i = 0; i + least < frames; i += step)
    for (std::int32_t j = i + least; j < frames; j += step) {
      const auto &a = features[static_cast<std::size_t>(i)], &b = features[static_cast<std::size_t>(j)];
      float sum = 0.0f;
      for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
      all.push_back({i, j, static_cast<double>(std::sqrt(sum))});
    }
  std::vector<AlikeFrames> best;
  while (best.size() < count && !all.empty()) {
    const AlikeFrames next = *std::ranges::min_element(all, {}, &AlikeFrames::distance);
    best.push_back(next);
    std::erase_if(all, [&](const AlikeFrames& each) {
      return std::abs(each.first - next.first) <= 8 && std::abs(each.last - next.last) <= 8;
    });
  }
  return best;
}

}  // namespace marrow::motion
