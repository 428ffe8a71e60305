// SPDX-License-Identifier: MIT
#include "marrow/motion/simulate.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "motion/rig_data.h"

namespace marrow::motion {
namespace {

constexpr double kMostFrames = 1e6;

struct ClipPlace {
  std::size_t frame0, frame1;
  double share;
};

ClipPlace place_of(std::size_t frames, double duration, double seconds) {
  if (frames < 2 || !(duration > 0.0)) return {0, 0, 0.0};
  double at = std::clamp(seconds / duration, 0.0, 1.0) * static_cast<double>(frames - 1);
  // On a frame but for rounding is on the frame: its values then pass through with their bits.
  if (const double whole = std::round(at); std::abs(at - whole) < 1e-5) at = whole;
  const auto low = std::min(static_cast<std::size_t>(at), frames - 2);
  return {low, low + 1, at - static_cast<double>(low)};
}

// The entity after `seconds` of a clip's root motion, whole rounds included.
Placement travelled(const Clip& clip, double seconds) {
  const RootMotion& motion = *clip.root_motion;
  if (motion.samples.empty()) return {};
  const double duration = motion.duration_seconds > 0.0f ? motion.duration_seconds : clip.duration_seconds;
  const auto at = [&](double time) {
    const ClipPlace place = place_of(motion.samples.size(), duration, time);
    const Vec4 &a = motion.samples[place.frame0], &b = motion.samples[place.frame1];
    const glm::dvec4 sample = glm::dvec4(a) + (glm::dvec4(b) - glm::dvec4(a)) * place.share;
    return Placement{DVec(sample), rotation_about(unit(DVec(motion.up), DVec(0, 0, 1)), sample.w), DVec(1.0)};
  };
  if (!(duration > 0.0)) return at(0.0);
  const double rounds = std::floor(seconds / duration + 1e-9);
  Placement placed;
  const Placement round = at(duration);
  for (double i = 0.0; i < rounds; ++i) placed = placed * round;
  return placed * at(std::max(0.0, seconds - rounds * duration));
}

class Run {
 public:
  Run(const RigDescription& description, const Rig& rig, const Clip* clip, const SimulateOptions& options)
      : description_(description), rig_(rig), clip_(clip), options_(options), state_(rig) {
    const std::size_t bones = rig.bone_count();
    input_.resize(bones);
    output_.resize(bones);
    stretch_.resize(bones);
  }

  Simulation run() {
    const auto frames = static_cast<std::int64_t>(std::llround(options_.seconds * options_.frames_a_second)) + 1;
    const std::size_t bones = rig_.bone_count();
    Simulation out;
    out.clip.frame_count = static_cast<std::int32_t>(frames);
    out.clip.duration_seconds = static_cast<float>(static_cast<double>(frames - 1) / options_.frames_a_second);
    out.clip.track_count = static_cast<std::int32_t>(bones);
    out.clip.skeleton_name = description_.skeleton.name;
    out.clip.transforms.reserve(static_cast<std::size_t>(frames) * bones);
    const double dt = 1.0 / options_.frames_a_second;
    const int cuts = static_cast<int>(std::clamp(std::ceil(dt / rig_.settings().reset_seconds - 1e-9), 1.0, 1e4));
    for (std::int64_t frame = 0; frame < frames; ++frame) {
      std::vector<Trace> trace;
      if (options_.trace_frame == frame) trace.resize(rig_.modifier_count());
      const double time = static_cast<double>(frame) / options_.frames_a_second;
      if (frame == 0) {
        step(0.0, 0.0, trace);
        output_ = input_;
      } else {
        for (int i = 1; i <= cuts; ++i) step(time - dt + dt * i / cuts, dt / cuts, i == cuts ? trace : no_trace_);
        apply_stretch();
      }
      out.clip.transforms.insert(out.clip.transforms.end(), output_.begin(), output_.end());
      if (options_.trace_frame == frame) out.trace = std::move(trace);
      if (options_.on_frame) options_.on_frame();
    }
    return out;
  }

 private:
  void step(double time, double dt, std::vector<Trace>& trace) {
    EvaluateJob job{.rig = &rig_,
                    .state = &state_,
                    .environment = options_.environment,
                    .delta_seconds = dt,
                    .input = input_,
                    .output = output_,
                    .stretch = stretch_,
                    .trace = trace};
    pose(time, job.environment);
    job.run();
  }

  void pose(double time, Environment& environment) {
    for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = description_.skeleton.bones[i].rest;
    if (clip_) {
      const double duration = clip_->duration_seconds;
      const double within = duration > 0.0 && time > duration + 1e-9 ? std::fmod(time, duration) : time;
      pose_at(description_.skeleton, *clip_, within, input_);
      if (clip_->root_motion) {
        const Placement moved = placement(environment.entity, 1.0) * travelled(*clip_, time);
        environment.entity.translation = Vec3(moved.pos);
        environment.entity.rotation = to_float(moved.rot);
      }
    }
    const double shake = options_.shake_metres * std::sin(2.0 * kPi * options_.shake_hertz * time);
    for (std::size_t i = 0; i < input_.size(); ++i)
      if (description_.skeleton.bones[i].parent == kNoBone)
        input_[i].translation.x += static_cast<float>(shake / description_.metres_per_unit);
  }

  void apply_stretch() {
    for (std::size_t i = 0; i < output_.size(); ++i) {
      if (stretch_[i] != Vec3(1.0f)) output_[i].scale *= stretch_[i];
      const std::int32_t parent = description_.skeleton.bones[i].parent;
      if (!options_.compensate_stretch || parent == kNoBone) continue;
      const Vec3& above = stretch_[static_cast<std::size_t>(parent)];
      if (above == Vec3(1.0f)) continue;
      output_[i].translation /= above;
      output_[i].scale /= above;
    }
  }

  const RigDescription& description_;
  const Rig& rig_;
  const Clip* clip_;
  const SimulateOptions& options_;
  State state_;
  std::vector<Transform> input_, output_;
  std::vector<Vec3> stretch_;
  std::vector<Trace> no_trace_;
};

}  // namespace

void pose_at(const Skeleton& skeleton, const Clip& clip, double seconds, std::span<Transform> local) {
  const ClipPlace place =
      place_of(static_cast<std::size_t>(std::max(clip.frame_count, 0)), clip.duration_seconds, seconds);
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = skeleton.bones[i].rest;
  if (clip.frame_count < 1) return;
  const auto low = clip.frame(static_cast<std::int32_t>(place.frame0));
  const auto high = clip.frame(static_cast<std::int32_t>(place.frame1));
  const auto share = static_cast<float>(place.share);
  for (std::size_t t = 0; t < low.size(); ++t) {
    const std::int64_t bone = clip.track_to_bone.empty() ? static_cast<std::int64_t>(t) : clip.track_to_bone[t];
    if (bone < 0 || bone >= static_cast<std::int64_t>(local.size())) continue;
    Transform& out = local[static_cast<std::size_t>(bone)];
    out = low[t];
    if (share <= 0.0f) continue;
    const Transform& next = high[t];
    if (share >= 1.0f) {
      out = next;
      continue;
    }
    out.translation += (next.translation - out.translation) * share;
    out.scale += (next.scale - out.scale) * share;
    const Placement a = placement(low[t], 1.0), b = placement(next, 1.0);
    out.rotation = to_float(slerp(a.rot, b.rot, place.share));
  }
}

Result<Simulation> simulate(const RigDescription& description, const Rig& rig, const Clip* clip,
                            const SimulateOptions& options) {
  if (!(options.frames_a_second > 0.0) || !std::isfinite(options.frames_a_second))
    return fail(ErrorCode::InvalidArgument, "the frame rate has to be a positive number");
  if (!(options.seconds >= 0.0) || options.seconds * options.frames_a_second > kMostFrames)
    return fail(ErrorCode::InvalidArgument,
                "the length has to be a number of seconds that gives at most a million frames");
  if (!std::isfinite(options.shake_metres) || !std::isfinite(options.shake_hertz))
    return fail(ErrorCode::InvalidArgument, "the shake has to be finite");
  if (rig.bone_count() != description.skeleton.bones.size())
    return fail(ErrorCode::InvalidArgument, "the rig was not compiled from this description");
  if (clip) MARROW_CHECK(validate(*clip));
  return Run(description, rig, clip, options).run();
}

Clip bake(const Clip& original, const Clip& result, const RigDescription& description, const Rig& rig) {
  const std::size_t bones = description.skeleton.bones.size();
  std::vector<std::int16_t> tracks;
  std::vector<bool> has_track(bones, false);
  for (std::size_t t = 0; t < static_cast<std::size_t>(original.track_count); ++t) {
    const std::int16_t bone = original.track_to_bone.empty() ? static_cast<std::int16_t>(t) : original.track_to_bone[t];
    tracks.push_back(bone);
    if (bone >= 0 && static_cast<std::size_t>(bone) < bones) has_track[static_cast<std::size_t>(bone)] = true;
  }
  for (const Step& step : rig.data().steps) {
    const auto owner = static_cast<std::size_t>(step.owner);
    if (has_track[owner]) continue;
    has_track[owner] = true;
    tracks.push_back(static_cast<std::int16_t>(owner));
  }
  std::sort(tracks.begin() + original.track_count, tracks.end());

  Clip out = original;
  out.frame_count = result.frame_count;
  out.duration_seconds = result.duration_seconds;
  out.track_count = static_cast<std::int32_t>(tracks.size());
  bool identity = true;
  for (std::size_t t = 0; t < tracks.size(); ++t) identity &= tracks[t] == static_cast<std::int16_t>(t);
  out.track_to_bone = identity && original.track_to_bone.empty() ? std::vector<std::int16_t>{} : tracks;
  if (!out.annotation_tracks.empty()) out.annotation_tracks.resize(tracks.size());
  out.transforms.clear();
  for (std::int32_t frame = 0; frame < result.frame_count; ++frame) {
    const auto pose = result.frame(frame);
    for (const std::int16_t bone : tracks)
      out.transforms.push_back(
          bone >= 0 && static_cast<std::size_t>(bone) < bones ? pose[static_cast<std::size_t>(bone)] : Transform{});
  }
  const auto floats = static_cast<std::size_t>(original.float_track_count);
  out.floats.clear();
  for (std::int32_t frame = 0; floats > 0 && frame < result.frame_count; ++frame) {
    const double time =
        result.frame_count > 1 ? static_cast<double>(result.duration_seconds) * frame / (result.frame_count - 1) : 0.0;
    const ClipPlace place = place_of(static_cast<std::size_t>(original.frame_count), original.duration_seconds, time);
    for (std::size_t i = 0; i < floats; ++i) {
      const float a = original.floats[place.frame0 * floats + i], b = original.floats[place.frame1 * floats + i];
      out.floats.push_back(a + (b - a) * static_cast<float>(place.share));
    }
  }
  return out;
}

}  // namespace marrow::motion
