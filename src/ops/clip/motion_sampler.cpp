// SPDX-License-Identifier: MIT
#include "ops/clip/motion_sampler.h"

#include <vector>

#include "core/try.h"
#include "ops/document/spline_motion.h"

namespace marrow {

Result<MotionSampler> MotionSampler::open(const DocumentClip& clip, const Limits& limits, codec::CompiledForm form) {
  MotionSampler sampler;
  if (is_spline_current(clip, limits)) {
    MARROW_TRY(sampler.motion_, codec::compile_clip(clip.spline->view(), clip.clip.duration_seconds,
                                                    {.max_bytes = limits.max_expanded_bytes, .form = form}));
  } else if (clip.has_frames()) {
    sampler.motion_ = clip.clip;
  } else {
    return no_motion(clip);
  }
  return sampler;
}

std::int32_t MotionSampler::frame_count() const {
  if (const auto* clip = std::get_if<Clip>(&motion_)) return clip->frame_count;
  return static_cast<std::int32_t>(std::get<codec::CompiledClip>(motion_).frame_count());
}

std::int32_t MotionSampler::track_count() const {
  if (const auto* clip = std::get_if<Clip>(&motion_)) return clip->track_count;
  return static_cast<std::int32_t>(std::get<codec::CompiledClip>(motion_).track_count());
}

std::int32_t MotionSampler::float_track_count() const {
  if (const auto* clip = std::get_if<Clip>(&motion_)) return clip->float_track_count;
  return static_cast<std::int32_t>(std::get<codec::CompiledClip>(motion_).float_track_count());
}

void MotionSampler::sample_frame(double frame, std::span<Transform> pose) const {
  if (const auto* compiled = std::get_if<codec::CompiledClip>(&motion_))
    return codec::sample_frame(*compiled, frame, {reinterpret_cast<float*>(pose.data()), pose.size() * 10});
  marrow::sample_frame(std::get<Clip>(motion_), frame, pose);
}

void MotionSampler::sample_many(std::span<const Request> requests) {
  std::vector<codec::SampleRequest> compiled;
  compiled.reserve(requests.size());
  for (const Request& each : requests) {
    if (const auto* clip = std::get_if<codec::CompiledClip>(&each.sampler->motion_))
      compiled.push_back({clip, each.frame, {reinterpret_cast<float*>(each.pose.data()), each.pose.size() * 10}});
    else
      each.sampler->sample_frame(each.frame, each.pose);
  }
  codec::sample_many(compiled);
}

void MotionSampler::sample_floats(double frame, std::span<float> floats) const {
  if (const auto* compiled = std::get_if<codec::CompiledClip>(&motion_))
    return codec::sample_floats(*compiled, frame, floats);
  marrow::sample_floats(std::get<Clip>(motion_), frame, floats);
}

}  // namespace marrow
