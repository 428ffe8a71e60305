// SPDX-License-Identifier: MIT
#include "marrow/motion/sampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "marrow/model/pose.h"

namespace marrow {
namespace {

/// Returns a movement made `count` times over.
Transform repeated(Transform step, std::uint64_t count) {
  Transform sum;
  for (; count > 0; count >>= 1) {
    if (count & 1) sum = sum * step;
    step = step * step;
    step.rotation = glm::normalize(step.rotation);
  }
  return sum;
}

/// How many whole rounds a time is from the start, and the rest of it.
struct Round {
  double number = 0.0;
  double seconds = 0.0;
};
Round round_of(double seconds, double duration) {
  if (!(duration > 0.0) || !std::isfinite(seconds)) return {};
  const double number = std::floor(seconds / duration);
  return {number, std::clamp(seconds - number * duration, 0.0, duration)};
}

constexpr double kMostRounds = 1e9;

}  // namespace

Result<Sampler> Sampler::about(const Clip& clip, const SamplerOptions& options) {
  Sampler sampler;
  Clip& own = sampler.clip_;
  own.frame_count = clip.frame_count;
  own.duration_seconds = clip.duration_seconds;
  own.track_count = clip.track_count;
  own.float_track_count = clip.float_track_count;
  own.track_to_bone = clip.track_to_bone;
  own.float_to_slot = clip.float_to_slot;
  own.root_motion = clip.root_motion;
  own.blend_hint = clip.blend_hint;
  sampler.loop_ = options.loop;
  if (!clip.track_to_bone.empty() && clip.track_to_bone.size() != sampler.track_count())
    return fail(ErrorCode::Malformed, "the track map has another length than the tracks");
  if (!(clip.duration_seconds >= 0.0f) || !std::isfinite(clip.duration_seconds))
    return fail(ErrorCode::Malformed, "the duration is not a length of time");
  if (options.skeleton) MARROW_CHECK(sampler.set_skeleton(*options.skeleton));
  return sampler;
}

Result<void> Sampler::set_skeleton(const Skeleton& skeleton) {
  MARROW_CHECK(validate(skeleton));
  std::vector<Transform> rest;
  std::vector<std::int32_t> parents;
  for (const Bone& bone : skeleton.bones) {
    rest.push_back(bone.rest);
    parents.push_back(bone.parent);
  }
  return set_bones(std::move(rest), std::move(parents));
}

Result<void> Sampler::set_bones(std::vector<Transform> rest, std::vector<std::int32_t> parents) {
  rest_ = std::move(rest);
  parents_ = std::move(parents);
  if (rest_.empty()) return {};
  tracks_are_bones_ = track_count() == rest_.size() && clip_.blend_hint == BlendHint::Normal;
  bool moves_any = false;
  for (std::size_t i = 0; i < track_count(); ++i) {
    const std::int32_t bone = bone_of_track(clip_, i);
    tracks_are_bones_ = tracks_are_bones_ && bone == static_cast<std::int32_t>(i);
    moves_any = moves_any || (bone >= 0 && static_cast<std::size_t>(bone) < rest_.size());
  }
  if (track_count() > 0 && !moves_any)
    return fail(ErrorCode::WrongSkeleton, "no track of the clip moves a bone of the skeleton");
  return {};
}

Result<Sampler> Sampler::open(const Clip& clip, const SamplerOptions& options) {
  MARROW_CHECK(validate(clip));
  MARROW_TRY(Sampler sampler, about(clip, options));
  sampler.clip_.transforms = clip.transforms;
  sampler.clip_.floats = clip.floats;
  return sampler;
}

Result<Sampler> Sampler::open(const codec::SplineBlobView& motion, const Clip& clip, const SamplerOptions& options) {
  MARROW_TRY(codec::CompiledClip compiled, codec::compile_clip(motion, static_cast<double>(clip.duration_seconds),
                                                               {.max_bytes = options.max_bytes, .form = options.form}));
  if (static_cast<std::int64_t>(compiled.track_count()) != clip.track_count ||
      static_cast<std::int64_t>(compiled.float_track_count()) != clip.float_track_count ||
      static_cast<std::int64_t>(compiled.frame_count()) != clip.frame_count)
    return fail(ErrorCode::Malformed, "the motion has other counts of frames or tracks than the clip");
  MARROW_TRY(Sampler sampler, about(clip, options));
  sampler.compiled_ = std::move(compiled);
  return sampler;
}

double Sampler::frame_at(double seconds) const {
  const double duration = duration_seconds();
  if (!(duration > 0.0)) return 0.0;
  const double inside = loop_ ? round_of(seconds, duration).seconds : std::clamp(seconds, 0.0, duration);
  return std::isnan(inside) ? 0.0 : inside / duration * std::max(0.0, static_cast<double>(clip_.frame_count) - 1.0);
}

void Sampler::sample_tracks(double frame, std::span<Transform> tracks) const {
  if (compiled_)
    codec::sample_frame(*compiled_, frame,
                        {reinterpret_cast<float*>(tracks.data()), tracks.size() * codec::kFloatsPerTrack});
  else
    sample_frame(clip_, frame, tracks);
}

void Sampler::pose(double seconds, std::span<Transform> local, Scratch& scratch) const {
  assert(local.size() == bone_count());
  const double frame = frame_at(seconds);
  if (tracks_are_bones_) return sample_tracks(frame, local);
  scratch.tracks.resize(track_count());
  sample_tracks(frame, scratch.tracks);
  std::ranges::copy(rest_, local.begin());
  const bool is_additive = clip_.blend_hint != BlendHint::Normal;
  for (std::size_t i = 0; i < scratch.tracks.size(); ++i) {
    const std::int32_t bone = bone_of_track(clip_, i);
    if (bone < 0 || static_cast<std::size_t>(bone) >= rest_.size()) continue;
    const auto at = static_cast<std::size_t>(bone);
    local[at] = is_additive ? rest_[at] * scratch.tracks[i] : scratch.tracks[i];
  }
}

void Sampler::pose(double seconds, std::span<Transform> local) const {
  Scratch scratch;
  pose(seconds, local, scratch);
}

void Sampler::model_pose(double seconds, std::span<Transform> model, Scratch& scratch) const {
  assert(!rest_.empty());
  pose(seconds, model, scratch);
  local_to_model(parents_, model, model);
}

void Sampler::model_pose(double seconds, std::span<Transform> model) const {
  Scratch scratch;
  model_pose(seconds, model, scratch);
}

void Sampler::matrices(double seconds, std::span<glm::mat4> matrices, std::span<Transform> model,
                       Scratch& scratch) const {
  assert(matrices.size() == bone_count());
  model_pose(seconds, model, scratch);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const Transform& at = model[i];
    const glm::mat3 turn = glm::mat3_cast(at.rotation);
    matrices[i] = glm::mat4(Vec4(turn[0] * at.scale.x, 0.0f), Vec4(turn[1] * at.scale.y, 0.0f),
                            Vec4(turn[2] * at.scale.z, 0.0f), Vec4(at.translation, 1.0f));
  }
}

void Sampler::floats(double seconds, std::span<float> values) const {
  assert(values.size() == float_count());
  const double frame = frame_at(seconds);
  if (compiled_)
    codec::sample_floats(*compiled_, frame, values);
  else
    sample_floats(clip_, frame, values);
}

std::int32_t Sampler::slot_of_float(std::size_t track) const {
  if (clip_.float_to_slot.empty()) return static_cast<std::int32_t>(track);
  return track < clip_.float_to_slot.size() ? clip_.float_to_slot[track] : -1;
}

Transform Sampler::root_motion(double seconds) const {
  const double duration = duration_seconds();
  if (!clip_.root_motion || !(duration > 0.0)) return {};
  if (!loop_) return root_motion_at(*clip_.root_motion, seconds / duration);
  const Round round = round_of(seconds, duration);
  const Transform whole = root_motion_at(*clip_.root_motion, 1.0);
  const auto count = static_cast<std::uint64_t>(std::min(std::abs(round.number), kMostRounds));
  return repeated(round.number < 0.0 ? inverse(whole) : whole, count) *
         root_motion_at(*clip_.root_motion, round.seconds / duration);
}

Transform Sampler::root_motion(double from_seconds, double to_seconds) const {
  return inverse(root_motion(from_seconds)) * root_motion(to_seconds);
}

}  // namespace marrow
