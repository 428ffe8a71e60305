// SPDX-License-Identifier: MIT
#include "ops/clip/skeleton_fit.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include <string_view>
#include <unordered_map>

#include "core/try.h"
#include "model/conform.h"
#include "ops/clip/motion_sampler.h"

namespace marrow {
namespace {

/// Shorter bones are helpers: their place says nothing about the body. Of small bodies, and of those of games whose
/// unit is a metre, that is a share of their size.
constexpr float kShortest = 0.5f, kShortestShare = 0.005f;
/// How far from its rest a bone may be, in parts of its length. Clips of the right skeleton have 80 % of their bones
/// within it and more; clips of other bodies 2 % and less.
constexpr float kSamePlace = 0.05f;

}  // namespace

SkeletonFit fit_of(const Clip& clip, const Skeleton& skeleton) {
  SkeletonFit fit;
  std::unordered_map<std::string_view, std::size_t> bones;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) bones.try_emplace(skeleton.bones[i].name, i);
  const float shortest = std::min(kShortest, kShortestShare * skeleton_size(skeleton));
  const bool has_places = clip.blend_hint == BlendHint::Normal && clip.frame_count > 0 && !clip.transforms.empty();
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip.track_count); ++t) {
    const std::int32_t index = bone_of_track(clip, t);
    if (index < 0) continue;
    if (static_cast<std::size_t>(index) >= skeleton.bones.size()) {
      ++fit.outside;
      continue;
    }
    const Bone& bone = skeleton.bones[static_cast<std::size_t>(index)];
    const std::string_view name =
        t < clip.annotation_tracks.size() ? std::string_view(clip.annotation_tracks[t].name) : std::string_view();
    if (const auto named = bones.find(name);
        !name.empty() && named != bones.end() && named->second != static_cast<std::size_t>(index)) {
      if (fit.misnamed++ == 0)
        fit.first_misnamed =
            "track " + std::to_string(t) + " is named " + std::string(name) + ", but moves " + bone.name;
    }
    const float length = glm::length(bone.rest.translation);
    if (!has_places || bone.parent < 0 || !(length > 0.0f && length >= shortest)) continue;
    ++fit.compared;
    fit.same += glm::length(clip.transforms[t].translation - bone.rest.translation) < kSamePlace * length;
  }
  return fit;
}

Result<SkeletonFit> fit_of(const DocumentClip& clip, const Skeleton& skeleton, const Limits& limits) {
  MARROW_TRY(const MotionSampler sampler, MotionSampler::open(clip, limits));
  Clip first;
  first.track_count = clip.clip.track_count;
  first.frame_count = 1;
  first.blend_hint = clip.clip.blend_hint;
  first.track_to_bone = clip.clip.track_to_bone;
  first.annotation_tracks = clip.clip.annotation_tracks;
  first.transforms.resize(static_cast<std::size_t>(sampler.track_count()));
  sampler.sample_frame(0.0, first.transforms);
  return fit_of(first, skeleton);
}

Result<SkeletonFit> fit_of(const DocumentClip& clip, const DocumentClip& other, const std::vector<bool>& skipped,
                           const Limits& limits) {
  std::vector<Transform> poses[2];
  const DocumentClip* const clips[] = {&clip, &other};
  for (std::size_t i = 0; i < 2; ++i) {
    MARROW_TRY(const MotionSampler sampler, MotionSampler::open(*clips[i], limits));
    poses[i].resize(static_cast<std::size_t>(sampler.track_count()));
    sampler.sample_frame(0.0, poses[i]);
  }
  SkeletonFit fit;
  for (std::size_t t = 0; t < std::min({poses[0].size(), poses[1].size(), skipped.size()}); ++t) {
    const float length = glm::length(poses[0][t].translation);
    if (skipped[t] || !(length >= kShortest)) continue;
    ++fit.compared;
    fit.same += glm::length(poses[0][t].translation - poses[1][t].translation) < kSamePlace * length;
  }
  return fit;
}

std::string additive_doubt(const Clip& clip, const Skeleton& skeleton) {
  if (clip.blend_hint == BlendHint::Normal) return {};
  std::size_t named = 0, unknown = 0;
  for (const AnnotationTrack& track : clip.annotation_tracks) {
    named += !track.name.empty();
    unknown += !track.name.empty() && !find_bone(skeleton, track.name);
  }
  if (unknown * 4 > named)
    return "the additive clip was made for another skeleton: " + std::to_string(unknown) + " of its " +
           std::to_string(named) + " named tracks have no bone in " + skeleton.name;
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  if (clip.track_to_bone.empty() && tracks != skeleton.bones.size())
    return "the additive clip was probably made for another skeleton: it has " + std::to_string(tracks) +
           " tracks, and " + skeleton.name + " has " + std::to_string(skeleton.bones.size()) + " bones";
  return {};
}

}  // namespace marrow
