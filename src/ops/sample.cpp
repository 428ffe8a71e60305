// SPDX-License-Identifier: MIT
#include "marrow/ops/sample.h"

#include <cmath>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "marrow/ops/motion_sampler.h"
#include "marrow/ops/paired.h"
#include "ops/csv.h"

namespace marrow {
namespace {

/// More poses than anyone would read are a typing error.
constexpr double kMaxPoses = 1e7;

Result<std::vector<double>> frames_of(const SampleOptions& options, const Clip& clip) {
  if (!options.frames.empty() && options.fps)
    return fail(ErrorCode::BadOption, "cannot be used with frames; give one of the two", kNoOffset, "fps");
  if (!options.frames.empty()) return options.frames;
  const double last = clip.frame_count - 1;
  const double step =
      options.fps && clip.duration_seconds > 0.0f ? last / (clip.duration_seconds * *options.fps) : 1.0;
  if (last / step > kMaxPoses) return fail(ErrorCode::LimitExceeded, "that would be more than ten million poses");
  std::vector<double> frames;
  // A duration is a float: a frame that it misses by rounding still counts, so the last frame is not lost.
  constexpr double kHair = 1e-4;
  for (std::size_t i = 0; static_cast<double>(i) * step <= last + kHair; ++i) {
    const double frame = static_cast<double>(i) * step, whole = std::round(frame);
    frames.push_back(std::abs(frame - whole) < kHair ? whole : frame);
  }
  return frames;
}

Json rows_json(const SampleReport& report) {
  Json rows = Json::array();
  for (const SampledPose& pose : report.poses)
    for (std::size_t i = 0; i < pose.tracks.size(); ++i) {
      const Transform& t = pose.tracks[i];
      rows.push(Json::Array{pose.frame, report.tracks[i], t.translation.x, t.translation.y, t.translation.z,
                            t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z});
    }
  return rows;
}

Json column_names() {
  Json names = Json::array();
  for (const char* name : {"frame", "track", "tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz"}) names.push(name);
  return names;
}

}  // namespace

void describe(FieldList& fields, SampleOptions& options) {
  fields(
      "frames", options.frames,
      {.help = "frames, which may be fractional: 0,0.5,255", .placeholder = "LIST", .otherwise = "every whole frame"});
  fields("fps", options.fps, {.help = "poses per second instead", .placeholder = "N", .min = 0, .above_min = true});
  fields("space", options.space, {.help = "local to the parent bone, or model space", .placeholder = "SPACE"});
  fields.input("skeleton", options.skeleton,
               {.help = "the skeleton, for model space", .placeholder = "FILE", .otherwise = "the one near the clip"});
  fields("clip", options.clip, {.help = "which clip, if the file has several, counted from 0", .placeholder = "N"});
}

void describe(FieldList& fields, SampleReport& report) {
  report.columns = column_names();
  report.rows = rows_json(report);
  fields("columns", report.columns);
  fields("rows", report.rows, {.help = "one list of numbers per pose and track"});
}

SavedFile SampleReport::text() const {
  std::string out = std::string("frame,track,") + kTransformColumns + "\n";
  for (const SampledPose& pose : poses)
    for (std::size_t i = 0; i < pose.tracks.size(); ++i) {
      append_float(out, static_cast<float>(pose.frame));
      out += ',';
      append_int(out, tracks[i]);
      append_transform_columns(out, pose.tracks[i]);
      out += '\n';
    }
  const auto bytes = as_bytes(out);
  return {{}, ".csv", {bytes.begin(), bytes.end()}};
}

Result<SampleReport> sample(const Document& document, const SampleOptions& options, Context& context) {
  if (options.clip >= document.clips.size())
    return fail(ErrorCode::NoClip, document.clips.empty()
                                       ? "the file contains no animation"
                                       : "there is no clip " + std::to_string(options.clip) + " of " +
                                             std::to_string(document.clips.size()) + ", counted from 0");
  const DocumentClip& source = document.clips[options.clip];
  const Clip& clip = source.clip;
  MARROW_TRY(const MotionSampler sampler, MotionSampler::open(source, context.limits));
  MARROW_TRY(const std::vector<double> frames, frames_of(options, clip));
  const auto track_count = static_cast<std::size_t>(sampler.track_count());
  if (track_count > 0 && static_cast<double>(frames.size()) * static_cast<double>(track_count) > 10 * kMaxPoses)
    return fail(ErrorCode::LimitExceeded, "that would be too many poses for one output");

  SampleReport report;
  Skeleton skeleton;
  const bool in_model_space = options.space == Space::Model;
  if (in_model_space) {
    MARROW_TRY(const Skeleton* actor, skeleton_for_clips(document, options.skeleton, context));
    MARROW_CHECK(validate(*actor));
    skeleton = skeleton_for(clip, *actor);
  }
  const auto has_bone = [&](std::size_t track) {
    const std::int32_t bone = bone_of_track(clip, track);
    return bone >= 0 && static_cast<std::size_t>(bone) < skeleton.bones.size();
  };
  for (std::size_t i = 0; i < track_count; ++i) {
    if (in_model_space && !has_bone(i))
      context.note("track " + std::to_string(i) + " has no bone in the skeleton and is left out");
    else
      report.tracks.push_back(static_cast<std::int32_t>(i));
  }
  std::vector<Transform> pose(track_count), model(skeleton.bones.size());
  for (const double frame : frames) {
    if (!(frame >= 0.0) || frame > sampler.frame_count() - 1)
      context.note("frame " + float_text(static_cast<float>(frame)) + " is outside the clip, 0 to " +
                   std::to_string(sampler.frame_count() - 1) + "; its end is shown");
    sampler.sample_frame(frame, pose);
    SampledPose out{frame, {}};
    if (in_model_space) {
      pose_from_frame(skeleton, clip, pose, model);
      local_to_model(skeleton, model, model);
    }
    for (const std::int32_t track : report.tracks) {
      const auto t = static_cast<std::size_t>(track);
      out.tracks.push_back(in_model_space ? model[static_cast<std::size_t>(bone_of_track(clip, t))] : pose[t]);
    }
    report.poses.push_back(std::move(out));
  }
  return report;
}

}  // namespace marrow
