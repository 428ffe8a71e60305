// SPDX-License-Identifier: MIT
#include "ops/clip/sample.h"

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "ops/clip/motion_sampler.h"
#include "ops/clip/sample_source.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/pair/paired.h"
#include "ops/table/csv.h"

namespace marrow {
namespace {

/// More poses than anyone would read are a typing error.
constexpr double kMaxPoses = 1e7;

}  // namespace

Result<std::vector<double>> sampled_frames(const SampleOptions& options, double last, double duration_seconds) {
  if (!options.frames.empty() && options.fps)
    return fail(ErrorCode::BadOption, "cannot be used with frames; give one of the two", kNoOffset, "fps");
  if (!options.frames.empty()) return options.frames;
  const double step = options.fps && duration_seconds > 0.0 ? last / (duration_seconds * *options.fps) : 1.0;
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

Result<void> refuse_too_many(std::size_t frames, std::size_t width) {
  if (width > 0 && static_cast<double>(frames) * static_cast<double>(width) > 10 * kMaxPoses)
    return fail(ErrorCode::LimitExceeded, "that would be too many poses for one output");
  return {};
}

namespace {

std::vector<std::string_view> column_names(const SampleReport& report) {
  std::vector<std::string_view> names = {"frame", "track", "tx", "ty", "tz", "qx", "qy", "qz", "qw", "sx", "sy", "sz"};
  if (report.has_floats) names = {"frame", "slot", "value"};
  if (!report.names.empty()) names.push_back(report.has_floats ? "name" : "bone");
  return names;
}

Json rows_json(const SampleReport& report) {
  Json rows = Json::array();
  for (const SampledPose& pose : report.poses)
    for (std::size_t i = 0; i < report.tracks.size(); ++i) {
      Json::Array row = {pose.frame, report.tracks[i]};
      if (report.has_floats) {
        row.push_back(pose.floats[i]);
      } else {
        const Transform& t = pose.tracks[i];
        for (const float value : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                  t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z})
          row.push_back(value);
      }
      if (!report.names.empty()) row.push_back(report.names[i]);
      rows.push(std::move(row));
    }
  return rows;
}

// What is sampled: a clip, and the skeleton that it moves if one is given or needed.
struct Sampled {
  const Clip& clip;
  Skeleton skeleton = {};
  bool is_named = false;

  const Bone* bone(std::size_t track) const {
    const std::int32_t index = bone_of_track(clip, track);
    return index >= 0 && static_cast<std::size_t>(index) < skeleton.bones.size()
               ? &skeleton.bones[static_cast<std::size_t>(index)]
               : nullptr;
  }
  std::int32_t slot(std::size_t track) const {
    if (clip.float_to_slot.empty()) return static_cast<std::int32_t>(track);
    return track < clip.float_to_slot.size() ? clip.float_to_slot[track] : kNoBone;
  }
};

void list_floats(const Sampled& sampled, std::size_t count, SampleReport& report) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t slot = sampled.slot(i);
    report.tracks.push_back(slot);
    const auto& slots = sampled.skeleton.float_slots;
    if (sampled.is_named)
      report.names.push_back(
          slot >= 0 && static_cast<std::size_t>(slot) < slots.size() ? slots[static_cast<std::size_t>(slot)].name : "");
  }
}

void list_tracks(const Sampled& sampled, std::size_t count, bool in_model_space, SampleReport& report,
                 Context& context) {
  for (std::size_t i = 0; i < count; ++i) {
    const Bone* bone = sampled.bone(i);
    if (in_model_space && !bone) {
      context.note("track " + std::to_string(i) + " has no bone in the skeleton and is left out");
      continue;
    }
    report.tracks.push_back(static_cast<std::int32_t>(i));
    if (sampled.is_named) report.names.push_back(bone ? bone->name : "");
  }
}

}  // namespace

void describe(FieldList& fields, SampleOptions& options) {
  fields(
      "frames", options.frames,
      {.help = "frames, which may be fractional: 0,0.5,255", .placeholder = "LIST", .otherwise = "every whole frame"});
  fields("fps", options.fps, {.help = "poses per second instead", .placeholder = "N", .min = 0, .above_min = true});
  fields("space", options.space, {.help = "local to the parent bone, or model space", .placeholder = "SPACE"});
  fields("floats", options.floats, {.help = "print the float tracks instead: frame,slot,value"});
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton, for model space and names of bones; twice for the actors of a paired clip",
                .placeholder = "FILE",
                .otherwise = "the one near the clip"});
  fields("clip", options.clip,
         {.help = "which clip, if the file has several: its name, else its number, counted from 0",
          .placeholder = "CLIP"});
}

void describe(FieldList& fields, SampleReport& report) {
  report.columns = Json::array();
  for (const std::string_view name : column_names(report)) report.columns.push(name);
  report.rows = rows_json(report);
  fields("columns", report.columns);
  fields("rows", report.rows, {.help = "one list per pose and track"});
}

SavedFile SampleReport::text() const {
  std::string out;
  for (const std::string_view name : column_names(*this)) (out += out.empty() ? "" : ",") += name;
  out += '\n';
  for (const SampledPose& pose : poses)
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      append_float(out, static_cast<float>(pose.frame));
      out += ',';
      append_int(out, tracks[i]);
      if (has_floats) {
        out += ',';
        append_float(out, pose.floats[i]);
      } else {
        append_transform_columns(out, pose.tracks[i]);
      }
      if (!names.empty()) {
        out += ',';
        append_csv_text(out, names[i]);
      }
      out += '\n';
    }
  const auto bytes = as_bytes(out);
  return {{}, ".csv", {bytes.begin(), bytes.end()}};
}

Result<std::size_t> ClipChoice::among(const std::vector<std::string>& names) const {
  if (names.empty()) return fail(ErrorCode::NoClip, "the file contains no animation");
  if (const auto found = std::ranges::find(names, text); found != names.end())
    return static_cast<std::size_t>(found - names.begin());
  if (const auto number = parse_uint(text); number && *number < names.size()) return static_cast<std::size_t>(*number);
  return fail(ErrorCode::NoClip,
              "there is no clip " + text + " of " + std::to_string(names.size()) + ", counted from 0");
}

Json described::Traits<ClipChoice>::get(const ClipChoice& clip) {
  const auto number = parse_uint(clip.text);
  return number ? Json(*number) : Json(clip.text);
}

Result<void> described::Traits<ClipChoice>::set(ClipChoice& clip, const Json& json, const FieldInfo& info) {
  if (json.is_text()) {
    clip.text = json.text();
    return {};
  }
  MARROW_TRY(const std::int64_t number, integer_of(json, info, 0, INT32_MAX));
  clip.text = std::to_string(number);
  return {};
}

Result<SampleReport> sample(const Document& document, const SampleOptions& options, Context& context) {
  if (const MotionSource* source = document.motion_source()) return sample_source(*source, options, context);
  std::vector<std::string> names;
  for (const DocumentClip& clip : document.clips) names.push_back(clip.name);
  MARROW_TRY(const std::size_t chosen, options.clip.among(names));
  const DocumentClip& source = document.clips[chosen];
  MARROW_TRY(const MotionSampler sampler, MotionSampler::open(source, context.limits));
  MARROW_TRY(const std::vector<double> frames,
             sampled_frames(options, source.clip.frame_count - 1, static_cast<double>(source.clip.duration_seconds)));
  if (sampler.frame_count() < 1) return fail(ErrorCode::Malformed, "the clip has no frames");
  const auto track_count = static_cast<std::size_t>(sampler.track_count());
  const auto float_count = static_cast<std::size_t>(sampler.float_track_count());
  const std::size_t width = options.floats ? float_count : track_count;
  MARROW_CHECK(refuse_too_many(frames.size(), width));

  SampleReport report{.has_floats = options.floats};
  Sampled sampled{.clip = source.clip, .is_named = options.skeleton != nullptr};
  const bool in_model_space = options.space == Space::Model && !options.floats;
  if (in_model_space || options.skeleton) {
    MARROW_TRY(const Skeleton* actor, skeleton_for_clips(document, options.skeleton, context));
    MARROW_CHECK(validate(*actor));
    if (options.second_skeleton) MARROW_CHECK(validate(*options.second_skeleton));
    sampled.skeleton = skeleton_for(source.clip, {actor, options.second_skeleton});
    if (std::string doubt = additive_doubt(source.clip, sampled.skeleton); !doubt.empty() && in_model_space)
      context.note(std::move(doubt));
  }
  if (options.floats)
    list_floats(sampled, float_count, report);
  else
    list_tracks(sampled, track_count, in_model_space, report, context);
  std::vector<Transform> pose(track_count), model(sampled.skeleton.bones.size());
  for (const double frame : frames) {
    if (!(frame >= 0.0) || frame > sampler.frame_count() - 1)
      context.note("frame " + float_text(static_cast<float>(frame)) + " is outside the clip, 0 to " +
                   std::to_string(sampler.frame_count() - 1) + "; its end is shown");
    SampledPose& out = report.poses.emplace_back(SampledPose{.frame = frame});
    if (options.floats) {
      out.floats.resize(float_count);
      sampler.sample_floats(frame, out.floats);
      continue;
    }
    sampler.sample_frame(frame, pose);
    if (in_model_space) {
      pose_from_frame(sampled.skeleton, source.clip, pose, model);
      local_to_model(sampled.skeleton, model, model);
    }
    for (const std::int32_t track : report.tracks) {
      const auto t = static_cast<std::size_t>(track);
      out.tracks.push_back(in_model_space ? model[static_cast<std::size_t>(bone_of_track(source.clip, t))] : pose[t]);
    }
  }
  return report;
}

}  // namespace marrow
