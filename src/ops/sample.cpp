// SPDX-License-Identifier: MIT
#include "marrow/ops/sample.h"

#include <cmath>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/model/pose.h"
#include "marrow/ops/paired.h"
#include "ops/csv.h"
#include "ops/formats.h"

namespace marrow {
namespace {

/// More poses than anyone reads are a slip of the keyboard.
constexpr double kMaxPoses = 1e7;

Result<std::vector<double>> frames_of(const SampleOptions& options, const Clip& clip) {
  if (!options.frames.empty()) return options.frames;
  const double last = clip.frame_count - 1;
  const double step =
      options.fps > 0.0 && clip.duration_seconds > 0.0f ? last / (clip.duration_seconds * options.fps) : 1.0;
  if (last / step > kMaxPoses) return fail(ErrorCode::LimitExceeded, "that would be more than ten million poses");
  std::vector<double> frames;
  // A duration is a float: a frame that it misses by a hair is that frame, and the last one is not lost.
  constexpr double kHair = 1e-4;
  for (std::size_t i = 0; static_cast<double>(i) * step <= last + kHair; ++i) {
    const double frame = static_cast<double>(i) * step, whole = std::round(frame);
    frames.push_back(std::abs(frame - whole) < kHair ? whole : frame);
  }
  return frames;
}

Result<Skeleton> first_skeleton(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = limits}));
  const auto found = havok::find_skeletons(file);
  if (found.empty()) return fail(ErrorCode::NotFound, "the file given as the skeleton holds none");
  MARROW_TRY(Skeleton skeleton, havok::read_skeleton(file, found.front()));
  MARROW_CHECK(validate(skeleton));
  return skeleton;
}

/// Bones of the tracks, -1 where the skeleton has none; and the tracks that have one.
std::vector<std::int32_t> bones_of(const Clip& clip, const Skeleton& skeleton) {
  std::vector<std::int32_t> bones(static_cast<std::size_t>(clip.track_count), kNoBone);
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t bone = clip.track_to_bone.empty()      ? static_cast<std::int32_t>(i)
                              : i < clip.track_to_bone.size() ? clip.track_to_bone[i]
                                                              : kNoBone;
    if (bone >= 0 && static_cast<std::size_t>(bone) < skeleton.bones.size()) bones[i] = bone;
  }
  return bones;
}

}  // namespace

Result<Sampled> sample(std::span<const std::byte> bytes, const SampleOptions& options) {
  const Format format = detect(bytes);
  if (format != Format::HavokPackfile && format != Format::HavokXml) return refuse_format(bytes, "sample");
  MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = options.limits}));
  const auto animations = havok::find_animations(file);
  if (options.clip >= animations.size())
    return fail(ErrorCode::NotFound, animations.empty() ? "the file holds no animation"
                                                        : "there is no clip " + std::to_string(options.clip) + " of " +
                                                              std::to_string(animations.size()) + ", counted from 0");
  MARROW_TRY(const Clip clip, havok::read_clip_header(file, animations[options.clip]));
  MARROW_TRY(const auto sampler, havok::MotionSampler::open(file, animations[options.clip], options.limits));
  MARROW_TRY(const std::vector<double> frames, frames_of(options, clip));
  const auto track_count = static_cast<std::size_t>(sampler.track_count());
  if (track_count > 0 && static_cast<double>(frames.size()) * static_cast<double>(track_count) > 10 * kMaxPoses)
    return fail(ErrorCode::LimitExceeded, "that would be too many poses for one output");

  Sampled sampled;
  Skeleton skeleton;
  std::vector<std::int32_t> bones;
  if (options.model_space) {
    if (options.skeleton.empty())
      return fail(ErrorCode::InvalidArgument, "model space needs the skeleton: give it with --skeleton");
    MARROW_TRY(skeleton, first_skeleton(options.skeleton, options.limits));
    skeleton = skeleton_for(clip, skeleton);
    bones = bones_of(clip, skeleton);
  }
  for (std::size_t i = 0; i < track_count; ++i) {
    if (options.model_space && bones[i] == kNoBone)
      sampled.notes.push_back(
          {"track " + std::to_string(i) + " has no bone in the skeleton and is left out", kNoOffset, {}});
    else
      sampled.tracks.push_back(static_cast<std::int32_t>(i));
  }
  std::vector<Transform> pose(track_count), model(skeleton.bones.size());
  for (const double frame : frames) {
    if (!(frame >= 0.0) || frame > sampler.frame_count() - 1)
      sampled.notes.push_back({"frame " + float_text(static_cast<float>(frame)) + " lies outside the clip, 0 to " +
                                   std::to_string(sampler.frame_count() - 1) + "; its end is shown",
                               kNoOffset,
                               {}});
    sampler.sample_frame(frame, pose);
    SampledPose out{frame, {}};
    if (options.model_space) {
      pose_from_frame(skeleton, clip, pose, model);
      local_to_model(skeleton, model, model);
    }
    for (const std::int32_t track : sampled.tracks) {
      const auto t = static_cast<std::size_t>(track);
      out.tracks.push_back(options.model_space ? model[static_cast<std::size_t>(bones[t])] : pose[t]);
    }
    sampled.poses.push_back(std::move(out));
  }
  return sampled;
}

std::string to_csv(const Sampled& sampled) {
  std::string out = std::string("frame,track,") + kTransformColumns + "\n";
  for (const SampledPose& pose : sampled.poses)
    for (std::size_t i = 0; i < pose.tracks.size(); ++i) {
      append_float(out, static_cast<float>(pose.frame));
      out += ',';
      append_int(out, sampled.tracks[i]);
      append_transform_row(out, pose.tracks[i]);
    }
  return out;
}

std::optional<std::filesystem::path> find_skeleton_beside(const std::filesystem::path& clip) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::absolute(clip, error).parent_path();
  // `meshes/actors/character/animations/mod/clip.hkx` is three folders below `meshes/actors/character/character
  // assets`.
  for (int up = 0; up < 5 && !folder.empty(); ++up) {
    for (const char* place : {"character assets/skeleton.hkx", "characterassets/skeleton.hkx", "skeleton.hkx"})
      if (const fs::path path = folder / place; fs::is_regular_file(path, error)) return path;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

}  // namespace marrow
