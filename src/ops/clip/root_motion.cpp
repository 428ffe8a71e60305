// SPDX-License-Identifier: MIT
#include "ops/clip/root_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "ops/clip/bound.h"
#include "ops/pair/paired.h"
#include "ops/table/csv.h"

namespace marrow {
namespace {

constexpr float kRadian = std::numbers::pi_v<float> / 180.0f;

Result<void> need_motion_clip(const Document& document) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  return {};
}

Transform motion_at_frame(const Clip& clip, std::int32_t frame) {
  if (!clip.root_motion) return {};
  return root_motion_at(*clip.root_motion,
                        clip.frame_count > 1 ? static_cast<double>(frame) / (clip.frame_count - 1) : 0.0);
}

/// A clip whose bones are moved in model space.
struct MovedClip {
  Clip& clip;
  Skeleton skeleton;
  std::vector<std::vector<Transform>> model;  // by frame, by bone
  std::vector<std::int32_t> tracks;           // those that are moved

  std::size_t bone(std::int32_t track) const {
    return static_cast<std::size_t>(bone_of_track(clip, static_cast<std::size_t>(track)));
  }
  // Puts a bone somewhere else in model space, in one frame.
  void put(std::int32_t frame, std::int32_t track, const Transform& place) {
    const auto f = static_cast<std::size_t>(frame);
    const std::int32_t parent = skeleton.bones[bone(track)].parent;
    Transform& local =
        clip.transforms[f * static_cast<std::size_t>(clip.track_count) + static_cast<std::size_t>(track)];
    local = parent == kNoBone ? place : inverse(model[f][static_cast<std::size_t>(parent)]) * place;
    local.rotation = glm::normalize(local.rotation);
  }
};

// The bones of a clip as its tracks name them, each without a parent: enough to move the root.
std::optional<Skeleton> named_bones(const Clip& clip) {
  if (!clip.track_to_bone.empty() || clip.annotation_tracks.size() != static_cast<std::size_t>(clip.track_count))
    return std::nullopt;
  Skeleton skeleton;
  for (const AnnotationTrack& track : clip.annotation_tracks)
    skeleton.bones.push_back({.name = track.name, .parent = kNoBone, .rest = {}});
  return skeleton;
}

Result<MovedClip> open_moved(const Document& document, DocumentClip& source, const std::string& name,
                             const Skeleton* given, Context& context) {
  MARROW_CHECK(decode_frames(source, context.limits));
  MARROW_CHECK(validate(source.clip));
  if (source.clip.blend_hint != BlendHint::Normal)
    return fail(ErrorCode::WrongKind, "an additive clip has no place in the world; its motion cannot be moved");
  MovedClip moved{.clip = source.clip, .skeleton = {}, .model = {}, .tracks = {}};
  const auto named = named_bones(source.clip);
  const bool is_first = named && !named->bones.empty() && (name.empty() || named->bones.front().name == name);
  bool is_only_first = false;
  if (const auto found = skeleton_for_clips(document, given, context)) {
    MARROW_CHECK(validate(**found));
    moved.skeleton = skeleton_for(source.clip, {*found});
  } else if (is_first) {
    moved.skeleton = *named;  // the first bone has no parent in any skeleton; of the others nothing is known
    is_only_first = true;
  } else {
    return std::unexpected(found.error());
  }
  for (std::int32_t track = 0; track < source.clip.track_count; ++track) {
    const std::int32_t bone = bone_of_track(source.clip, static_cast<std::size_t>(track));
    if (bone < 0 || static_cast<std::size_t>(bone) >= moved.skeleton.bones.size()) continue;
    const Bone& own = moved.skeleton.bones[static_cast<std::size_t>(bone)];
    if (name.empty() ? own.parent == kNoBone && (track == 0 || !is_only_first) : own.name == name)
      moved.tracks.push_back(track);
  }
  if (moved.tracks.empty()) {
    std::vector<std::string_view> names;
    for (const Bone& bone : moved.skeleton.bones) names.push_back(bone.name);
    return fail(ErrorCode::NotFound, name.empty()
                                         ? "no track moves a bone without a parent"
                                         : "no track moves a bone \"" + name + "\"" + did_you_mean(name, names));
  }
  for (std::int32_t frame = 0; frame < source.clip.frame_count; ++frame) {
    auto& pose = moved.model.emplace_back(moved.skeleton.bones.size());
    pose_from_frame(moved.skeleton, source.clip, source.clip.frame(frame), pose);
    local_to_model(moved.skeleton, pose, pose);
  }
  return moved;
}

// How far a bone has gone on the ground since the first frame.
Vec4 step_of(const Transform& first, const Transform& now, bool with_turn, bool with_height, float last_turn) {
  float turn = 0.0f;
  if (with_turn) {
    const Quat turned = now.rotation * glm::conjugate(first.rotation);
    turn = 2.0f * std::atan2(turned.z, turned.w);
    // Turns add up instead of starting anew after half a circle.
    turn = last_turn + std::remainder(turn - last_turn, 2.0f * std::numbers::pi_v<float>);
  }
  Vec3 way = now.translation - glm::angleAxis(turn, Vec3(0, 0, 1)) * first.translation;
  if (!with_height) way.z = 0.0f;
  return {way, turn};
}

// Reads `frame,x,y,z,turn` lines and returns one sample per frame.
Result<std::vector<Vec4>> read_table(std::string_view text, std::int32_t frame_count) {
  std::vector<std::pair<double, Vec4>> rows;
  MARROW_CHECK(for_each_row(text, 5, [&](std::span<const double> row, std::uint64_t offset) -> Result<void> {
    if (!is_frame(row[0])) return fail(ErrorCode::Malformed, "a frame must be a number from 0 to 2147483647", offset);
    if (!rows.empty() && row[0] <= rows.back().first) return fail(ErrorCode::Malformed, "frames must rise", offset);
    rows.emplace_back(row[0], Vec4(row[1], row[2], row[3], row[4]));
    return {};
  }));
  if (rows.empty()) return fail(ErrorCode::Malformed, "the table has no rows of frame,x,y,z,turn");
  std::vector<Vec4> samples;
  for (std::int32_t frame = 0; frame < frame_count; ++frame) {
    const auto next = std::ranges::lower_bound(rows, static_cast<double>(frame), {}, &std::pair<double, Vec4>::first);
    if (next == rows.end()) {
      samples.push_back(rows.back().second);
    } else if (next == rows.begin() || next->first == frame) {
      samples.push_back(next->second);
    } else {
      const auto& before = *(next - 1);
      const auto share = static_cast<float>((frame - before.first) / (next->first - before.first));
      samples.push_back(before.second + share * (next->second - before.second));
    }
  }
  return samples;
}

const FieldText kMotionSkeleton = {
    .help = "the skeleton that the clips are for", .placeholder = "FILE", .otherwise = "the one near the clip"};

}  // namespace

RootMotionReport root_motion_report(const Clip& clip, bool had_motion) {
  RootMotionReport report{.had_motion = had_motion, .has_motion = clip.root_motion.has_value()};
  if (!clip.root_motion || clip.root_motion->samples.empty()) return report;
  const Vec4 way = clip.root_motion->samples.back() - clip.root_motion->samples.front();
  report.moved = Vec3(way);
  report.turned_degrees = way.w / kRadian;
  return report;
}

void describe(FieldList&, RootMotionShowOptions&) {}
void describe(FieldList&, RootMotionRemoveOptions&) {}

void describe(FieldList& fields, RootMotionShown& report) {
  fields("frames", report.frames, {.help = "frames of the clip"});
  fields("samples", report.samples, {.help = "x, y, z in units, and the turn in radians"});
  fields("moved", report.moved, {.help = "from the first sample to the last", .unit = "units"});
  fields("turned_degrees", report.turned_degrees, {.unit = "degrees"});
}

void describe(FieldList& fields, RootMotionSetOptions& options) {
  fields.input("motion", options.motion,
               {.help = "a table frame,x,y,z,turn with the turn in radians", .placeholder = "FILE"});
  fields("move", options.move,
         {.help = "or an even motion: where the character is at the end", .unit = "units", .placeholder = "X,Y,Z"});
  fields("turn", options.turn, {.help = "and how far it has turned by then", .unit = "degrees", .placeholder = "DEG"});
}

void describe(FieldList& fields, RootMotionExtractOptions& options) {
  fields("bone", options.bone,
         {.help = "the bone whose path becomes root motion", .placeholder = "BONE", .required = true});
  fields("vertical", options.vertical, {.help = "take the height too, not only the path on the ground"});
  fields("no_turn", options.no_turn, {.help = "leave the turn in the bone"});
  fields.input("skeleton", options.skeleton, kMotionSkeleton);
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, RootMotionBakeOptions& options) {
  fields("bone", options.bone,
         {.help = "the bone that is moved", .placeholder = "BONE", .otherwise = "every bone without a parent"});
  fields.input("skeleton", options.skeleton, kMotionSkeleton);
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, RootMotionScaleOptions& options) {
  fields("factor", options.factor,
         {.help = "distances are multiplied by this; turns stay", .placeholder = "F", .required = true});
}

void describe(FieldList& fields, RootMotionReport& report) {
  fields("had_motion", report.had_motion, {.help = "the clip had root motion"});
  fields("has_motion", report.has_motion, {.help = "it has some now"});
  fields("moved", report.moved, {.help = "from the first sample to the last", .unit = "units"});
  fields("turned_degrees", report.turned_degrees, {.unit = "degrees"});
}

SavedFile RootMotionShown::text() const {
  std::string out = "frame,x,y,z,turn\n";
  for (std::size_t i = 0; i < samples.size(); ++i) {
    append_float(out, static_cast<float>(at[i]));
    for (int axis = 0; axis < 4; ++axis) {
      out += ',';
      append_float(out, samples[i][axis]);
    }
    out += '\n';
  }
  const auto bytes = as_bytes(out);
  return {{}, ".csv", {bytes.begin(), bytes.end()}};
}

Result<RootMotionShown> show_root_motion(const Document& document, const RootMotionShowOptions&, Context& context) {
  MARROW_CHECK(need_motion_clip(document));
  const Clip& clip = document.clips.front().clip;
  RootMotionShown shown{.frames = clip.frame_count};
  if (!clip.root_motion) {
    context.note("the clip has no root motion");
    return shown;
  }
  shown.samples = clip.root_motion->samples;
  const double last = static_cast<double>(std::max<std::size_t>(shown.samples.size(), 2) - 1);
  for (std::size_t i = 0; i < shown.samples.size(); ++i)
    shown.at.push_back(static_cast<double>(i) * std::max(clip.frame_count - 1, 0) / last);
  const RootMotionReport report = root_motion_report(clip, true);
  shown.moved = report.moved;
  shown.turned_degrees = report.turned_degrees;
  return shown;
}

Result<RootMotionReport> set_root_motion(Document& document, const RootMotionSetOptions& options, Context&) {
  MARROW_CHECK(need_motion_clip(document));
  const bool is_even = options.move || options.turn;
  if (options.motion.empty() != is_even)
    return fail(ErrorCode::BadOption, "give a table, or an even motion", kNoOffset, is_even ? "motion" : "move");
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    Clip& clip = each.clip;
    const bool had = clip.root_motion.has_value();
    RootMotion motion = had ? *clip.root_motion : RootMotion{.samples = {}};
    motion.duration_seconds = clip.duration_seconds;
    motion.samples.clear();
    if (is_even) {
      const Vec4 end(options.move.value_or(Vec3(0.0f)), static_cast<float>(options.turn.value_or(0.0)) * kRadian);
      for (std::int32_t f = 0; f < clip.frame_count; ++f)
        motion.samples.push_back(end * (static_cast<float>(f) / static_cast<float>(std::max(clip.frame_count - 1, 1))));
    } else {
      auto samples = read_table(options.motion, clip.frame_count);
      if (!samples) {
        samples.error().file = "motion";
        return std::unexpected(std::move(samples.error()));
      }
      motion.samples = std::move(*samples);
    }
    clip.root_motion = std::move(motion);
    report = root_motion_report(clip, had);
  }
  return report;
}

Result<RootMotionReport> extract_root_motion(Document& document, const RootMotionExtractOptions& options,
                                             Context& context) {
  MARROW_CHECK(need_motion_clip(document));
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    MARROW_TRY(MovedClip moved, open_moved(document, each, options.bone, options.skeleton, context));
    Clip& clip = each.clip;
    const bool had = clip.root_motion.has_value();
    const std::int32_t track = moved.tracks.front();
    const std::size_t bone = moved.bone(track);
    RootMotion motion = had ? *clip.root_motion : RootMotion{.samples = {}};
    motion.duration_seconds = clip.duration_seconds;
    motion.samples.clear();
    float last_turn = 0.0f, total_turn = 0.0f;
    for (std::int32_t f = 0; f < clip.frame_count; ++f) {
      const Transform& place = moved.model[static_cast<std::size_t>(f)][bone];
      const Vec4 step = step_of(moved.model.front()[bone], place, !options.no_turn, options.vertical, last_turn);
      last_turn = step.w;
      const Transform way{Vec3(step), glm::angleAxis(step.w, Vec3(0, 0, 1)), Vec3(1.0f)};
      // What the clip had before moves the character first.
      const Transform total = motion_at_frame(clip, f) * way;
      const float turn = 2.0f * std::atan2(total.rotation.z, total.rotation.w);
      total_turn += std::remainder(turn - total_turn, 2.0f * std::numbers::pi_v<float>);
      motion.samples.emplace_back(total.translation, total_turn);
      moved.put(f, track, inverse(way) * place);
    }
    clip.root_motion = std::move(motion);
    report = root_motion_report(clip, had);
  }
  return report;
}

Result<RootMotionReport> bake_root_motion(Document& document, const RootMotionBakeOptions& options, Context& context) {
  MARROW_CHECK(need_motion_clip(document));
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    if (!each.clip.root_motion) {
      context.note("the clip has no root motion; nothing changes");
      continue;
    }
    MARROW_TRY(MovedClip moved, open_moved(document, each, options.bone, options.skeleton, context));
    report = root_motion_report(each.clip, true);
    for (std::int32_t f = 0; f < each.clip.frame_count; ++f)
      for (const std::int32_t track : moved.tracks)
        moved.put(f, track,
                  motion_at_frame(each.clip, f) * moved.model[static_cast<std::size_t>(f)][moved.bone(track)]);
    each.clip.root_motion.reset();
    report.has_motion = false;
  }
  return report;
}

Result<RootMotionReport> scale_root_motion(Document& document, const RootMotionScaleOptions& options,
                                           Context& context) {
  MARROW_CHECK(need_motion_clip(document));
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    const bool had = each.clip.root_motion.has_value();
    if (!had) context.note("the clip has no root motion; nothing changes");
    if (had)
      for (Vec4& sample : each.clip.root_motion->samples)
        sample = Vec4(static_cast<float>(options.factor) * Vec3(sample), sample.w);
    report = root_motion_report(each.clip, had);
  }
  return report;
}

Result<RootMotionReport> remove_root_motion(Document& document, const RootMotionRemoveOptions&, Context& context) {
  MARROW_CHECK(need_motion_clip(document));
  RootMotionReport report;
  for (DocumentClip& each : document.clips) {
    const bool had = each.clip.root_motion.has_value();
    if (!had) context.note("the clip has no root motion; nothing changes");
    each.clip.root_motion.reset();
    report = root_motion_report(each.clip, had);
  }
  return report;
}

}  // namespace marrow
