// SPDX-License-Identifier: MIT
#include "ops/behavior/run_clip.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "motion/edit/root_path.h"
#include "ops/clip/motion_sampler.h"

namespace marrow {
namespace {

/// An animation that a clip generator of the run plays.
struct Played {
  const DocumentClip* clip = nullptr;  ///< null: the rest pose
  std::optional<MotionSampler> sampler = {};
};

Result<std::vector<Played>> animations_of(const behavior::RunResult& run, ProjectFolder& folder, Context& context) {
  std::vector<Played> all;
  bool is_any = false;
  for (const behavior::RunSource& source : run.sources) {
    Played& played = all.emplace_back();
    const auto document = folder.document(source.animation);
    if (!document || document->clips.empty()) {
      context.note("'" + source.animation + "' is not at hand: the rest pose stands in for it");
      continue;
    }
    const DocumentClip& clip = document->clips.front();
    if (clip.clip.blend_hint != BlendHint::Normal) {
      context.note("'" + source.animation + "' is additive, which is not evaluated: the rest pose stands in for it");
      continue;
    }
    MARROW_TRY(played.sampler, MotionSampler::open(clip, context.limits));
    played.clip = &clip;
    context.held.push_back(document);
    if (source.is_mirrored) context.note("clips that are mirrored: shown as they are");
    is_any = true;
  }
  if (!is_any)
    return fail(ErrorCode::NotFound, "none of the animations that the run plays is below the folder of the project");
  return all;
}

// Sums poses by weight. Rotations are laid on one side before, so that opposite quaternions do not cancel.
class PoseSum {
 public:
  explicit PoseSum(const Skeleton& skeleton) : rest_(skeleton.bones.size()), sum_(rest_.size()) {
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = skeleton.bones[i].rest;
  }

  void begin() {
    std::ranges::fill(sum_, Transform{Vec3(0.0f), Quat(0, 0, 0, 0), Vec3(0.0f)});
    weight_ = 0.0f;
  }

  void add(std::span<const Transform> pose, float weight) {
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      const float side = glm::dot(rest_[i].rotation, pose[i].rotation) < 0.0f ? -weight : weight;
      sum_[i].translation += weight * pose[i].translation;
      sum_[i].rotation = sum_[i].rotation + side * pose[i].rotation;
      sum_[i].scale += weight * pose[i].scale;
    }
    weight_ += weight;
  }

  void end(std::span<Transform> out) const {
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      const float length = glm::length(sum_[i].rotation);
      if (!(weight_ > 0.0f) || !(length > 0.0f)) {
        out[i] = rest_[i];
        continue;
      }
      out[i] = {sum_[i].translation / weight_, sum_[i].rotation / length, sum_[i].scale / weight_};
    }
  }

  std::span<const Transform> rest() const { return rest_; }

 private:
  std::vector<Transform> rest_, sum_;
  float weight_ = 0.0f;
};

// The way of an animation from one of its times to another, as the mover sees it. A time before `from` is in the next
// loop.
Vec4 way_between(const Clip& clip, double from, double to) {
  if (!clip.root_motion || clip.root_motion->samples.empty() || !(clip.duration_seconds > 0.0f)) return Vec4(0.0f);
  const RootMotion& motion = *clip.root_motion;
  const auto at = [&](double seconds) {
    const double last = static_cast<double>(motion.samples.size() - 1);
    const double place = std::clamp(seconds / static_cast<double>(clip.duration_seconds), 0.0, 1.0) * last;
    const auto i = static_cast<std::size_t>(place);
    const Vec4& next = motion.samples[std::min(i + 1, motion.samples.size() - 1)];
    return glm::mix(motion.samples[i], next, static_cast<float>(place - static_cast<double>(i)));
  };
  const auto step = [&](double a, double b) {
    return motion::step_between({.up = motion.up, .samples = {at(a), at(b)}}, 0);
  };
  if (to >= from) return step(from, to);
  const double end = static_cast<double>(clip.duration_seconds);
  return motion::step_on(step(from, end), step(0.0, to), motion.up);
}

/// One clip generator at one frame.
struct Playing {
  double seconds = 0.0;  ///< of the animation
  double weight = 0.0;
};
using PlayingNow = std::vector<std::pair<std::size_t, Playing>>;  ///< by source

// The rows of each frame of the run.
std::vector<PlayingNow> by_frame(const behavior::RunResult& run, double frames_per_second, std::size_t frames) {
  std::vector<PlayingNow> all(frames);
  for (const behavior::RunRow& row : run.rows) {
    const auto frame = static_cast<std::size_t>(std::lround(row.seconds * frames_per_second));
    if (frame < frames && row.weight > 0.0 && row.source != behavior::RunRow::kNoSource)
      all[frame].emplace_back(row.source,
                              Playing{row.clip_seconds + run.sources[row.source].crop_start_seconds, row.weight});
  }
  return all;
}

Vec4 way_of_frame(const PlayingNow& before, const PlayingNow& now, std::span<const Played> animations) {
  Vec4 way(0.0f);
  double sum = 0.0;
  for (const auto& [source, playing] : now) {
    sum += playing.weight;
    const auto old = std::ranges::find(before, source, [](const auto& each) { return each.first; });
    if (old == before.end() || !animations[source].clip) continue;
    way += static_cast<float>(playing.weight) *
           way_between(animations[source].clip->clip, old->second.seconds, playing.seconds);
  }
  return sum > 0.0 ? way / static_cast<float>(sum) : way;
}

}  // namespace

Result<Document> clip_of_run(const behavior::RunResult& run, double frames_per_second, const Document& rig,
                             ProjectFolder& folder, Context& context) {
  MARROW_TRY(const DocumentSkeleton* main, main_skeleton(rig));
  const Skeleton& skeleton = main->skeleton;
  MARROW_TRY(const std::vector<Played> animations, animations_of(run, folder, context));
  const auto frames = static_cast<std::size_t>(std::floor(run.seconds * frames_per_second + 1e-9)) + 1;
  const std::size_t bones = skeleton.bones.size();
  if (frames > context.limits.max_expanded_bytes / sizeof(Transform) / std::max<std::size_t>(bones, 1))
    return fail(ErrorCode::LimitExceeded,
                "the clip would have " + std::to_string(frames) + " frames; make the run shorter");

  Clip clip;
  clip.skeleton_name = skeleton.name;
  clip.frame_count = static_cast<std::int32_t>(frames);
  clip.duration_seconds = static_cast<float>(static_cast<double>(frames - 1) / frames_per_second);
  clip.track_count = static_cast<std::int32_t>(bones);
  clip.transforms.resize(frames * bones);
  RootMotion path{.duration_seconds = clip.duration_seconds, .samples = {Vec4(0.0f)}};
  const std::vector<PlayingNow> playing = by_frame(run, frames_per_second, frames);
  PoseSum sum(skeleton);
  std::vector<Transform> tracks, pose(bones);
  bool moves = false;
  for (std::size_t k = 0; k < frames; ++k) {
    sum.begin();
    for (const auto& [source, now] : playing[k]) {
      const Played& played = animations[source];
      if (!played.clip) {
        sum.add(sum.rest(), static_cast<float>(now.weight));
        continue;
      }
      const Clip& from = played.clip->clip;
      const double share =
          from.duration_seconds > 0.0f ? now.seconds / static_cast<double>(from.duration_seconds) : 0.0;
      tracks.resize(static_cast<std::size_t>(played.sampler->track_count()));
      played.sampler->sample_frame(share * (played.sampler->frame_count() - 1), tracks);
      pose_from_frame(skeleton, from, tracks, pose);
      sum.add(pose, static_cast<float>(now.weight));
      moves |= from.root_motion.has_value();
    }
    sum.end(std::span(clip.transforms).subspan(k * bones, bones));
    if (k > 0)
      path.samples.push_back(
          motion::step_on(path.samples.back(), way_of_frame(playing[k - 1], playing[k], animations), path.up));
  }
  if (moves) clip.root_motion = std::move(path);
  clip.annotation_tracks.resize(bones);
  for (const behavior::RunSent& sent : run.sent)
    if (bones > 0 && static_cast<float>(sent.seconds) <= clip.duration_seconds)
      clip.annotation_tracks.front().annotations.push_back({static_cast<float>(sent.seconds), sent.event});
  Document document{.name = rig.name, .format = Format::Hkx, .game = rig.game};
  document.skeletons.push_back({
      .skeleton = skeleton,
  });
  document.clips.push_back({.name = "run", .clip = std::move(clip), .skeleton = 0});
  return document;
}

}  // namespace marrow
