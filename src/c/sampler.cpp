// SPDX-License-Identifier: MIT
// Clips that are sampled.
#include <cmath>

#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"
#include "marrow/model/pose.h"

using namespace marrow;
using namespace marrow::c;

namespace {

Outcome<void> check_room(std::uint32_t has, std::size_t needs) {
  if (has >= needs) return {};
  return fail_with(MARROW_BAD_ARGUMENT, std::to_string(needs) + " floats are needed", "float_count");
}

Outcome<void> check_frame(double frame) {
  if (std::isfinite(frame)) return {};
  return fail_with(MARROW_BAD_ARGUMENT, "is not a number", "frame");
}

Outcome<void> check_space(marrow_space space) {
  const auto number = static_cast<std::uint32_t>(space);
  if (number <= MARROW_SPACE_MODEL) return {};
  return fail_with(MARROW_BAD_ARGUMENT, "is neither local (0) nor model (1)", "space");
}

/// Writes the pose of the skeleton at a frame. The sampler is held alone: its scratch memory is used.
Outcome<void> sample_on_skeleton(SamplerObject& from, double frame, marrow_space space, float* bones,
                                 std::uint32_t float_count) {
  const Skeleton& on = *from.skeleton;
  MARROW_CHECK(check_room(float_count, on.bones.size() * 10));
  from.sampler.sample_frame(frame, from.tracks);
  const std::span<Transform> pose = transforms_of(bones, on.bones.size());
  pose_from_frame(on, from.clip, from.tracks, pose);
  if (space == MARROW_SPACE_MODEL) local_to_model(on, pose, pose);
  return {};
}

}  // namespace

marrow_status marrow_open_sampler(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                                  std::uint32_t skeleton, const marrow_context* context, marrow_sampler* out) {
  return marrow_open_sampler_as(document, clip, skeleton_document, skeleton, MARROW_FORM_HOT, context, out);
}

marrow_status marrow_open_sampler_as(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                                     std::uint32_t skeleton, marrow_form form, const marrow_context* context,
                                     marrow_sampler* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    if (form != MARROW_FORM_HOT && form != MARROW_FORM_COMPACT)
      return fail_with(MARROW_BAD_ARGUMENT, "is neither hot nor compact", "form");
    CallContext called(context);
    std::optional<Skeleton> on;
    if (skeleton_document != 0) {
      MARROW_TRY(const auto holder, reading_with(skeleton_document, kSkeletonParts));
      MARROW_CHECK(in_range(skeleton, holder->document.skeletons.size(), "skeleton"));
      on = holder->document.skeletons[skeleton].skeleton;
      MARROW_CHECK(check_order(*on));
    }
    MARROW_TRY(const auto from, with_clip(document, clip));
    const DocumentClip& c = from->document.clips[clip];
    auto opened = MotionSampler::open(
        c, called->limits, form == MARROW_FORM_COMPACT ? codec::CompiledForm::Compact : codec::CompiledForm::Hot);
    if (!opened) return in_file(std::move(opened).error(), from->document.name);
    auto object = std::make_shared<SamplerObject>(std::move(*opened));
    object->clip.track_count = c.clip.track_count;
    object->clip.track_to_bone = c.clip.track_to_bone;
    object->clip.blend_hint = c.clip.blend_hint;
    object->clip.root_motion = c.clip.root_motion;
    object->clip.duration_seconds = c.clip.duration_seconds;
    object->skeleton = std::move(on);
    object->tracks.resize(static_cast<std::size_t>(object->sampler.track_count()));
    *out = open(SamplerObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_sample(marrow_sampler sampler, double frame, float* tracks, std::uint32_t float_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(tracks, "tracks"));
    MARROW_CHECK(check_frame(frame));
    MARROW_TRY(const auto from, reading<SamplerObject>(sampler));
    const auto count = static_cast<std::size_t>(from->sampler.track_count());
    MARROW_CHECK(check_room(float_count, count * 10));
    from->sampler.sample_frame(frame, transforms_of(tracks, count));
    return {};
  });
}

marrow_status marrow_sample_many(const marrow_sample_request* requests, std::uint32_t count) {
  return guarded([&]() -> Outcome<void> {
    if (count > 0) MARROW_CHECK(required(requests, "requests"));
    // Held without their locks, which guard the scratch memory of poses: the motion of a sampler never changes.
    std::vector<std::shared_ptr<const SamplerObject>> held;
    std::vector<MotionSampler::Request> list;
    for (const marrow_sample_request& each : std::span(requests, count)) {
      MARROW_CHECK(required(each.tracks, "requests.tracks"));
      MARROW_CHECK(check_frame(each.frame));
      MARROW_TRY(auto from, find<SamplerObject>(each.sampler));
      const auto tracks = static_cast<std::size_t>(from->sampler.track_count());
      MARROW_CHECK(check_room(each.float_count, tracks * 10));
      list.push_back({&from->sampler, each.frame, transforms_of(each.tracks, tracks)});
      held.push_back(std::move(from));
    }
    MotionSampler::sample_many(list);
    return {};
  });
}

marrow_status marrow_sample_floats(marrow_sampler sampler, double frame, float* floats, std::uint32_t float_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(floats, "floats"));
    MARROW_CHECK(check_frame(frame));
    MARROW_TRY(const auto from, reading<SamplerObject>(sampler));
    const auto count = static_cast<std::size_t>(from->sampler.float_track_count());
    MARROW_CHECK(check_room(float_count, count));
    from->sampler.sample_floats(frame, std::span(floats, count));
    return {};
  });
}

marrow_status marrow_sample_pose(marrow_sampler sampler, double frame, marrow_space space, float* bones,
                                 std::uint32_t float_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(bones, "bones"));
    MARROW_CHECK(check_frame(frame));
    MARROW_CHECK(check_space(space));
    MARROW_TRY(const auto from, writing<SamplerObject>(sampler));
    if (!from->skeleton) return fail(ErrorCode::NeedsSkeleton, "the sampler was opened without a skeleton");
    return sample_on_skeleton(*from, frame, space, bones, float_count);
  });
}

marrow_status marrow_sample_seconds(marrow_sampler sampler, double seconds, std::uint32_t loop, marrow_space space,
                                    float* out, std::uint32_t float_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    if (!std::isfinite(seconds)) return fail_with(MARROW_BAD_ARGUMENT, "is not a number", "seconds");
    if (loop > 1) return fail_with(MARROW_BAD_ARGUMENT, "is neither 0 nor 1", "loop");
    MARROW_CHECK(check_space(space));
    MARROW_TRY(const auto from, writing<SamplerObject>(sampler));
    const double length = static_cast<double>(from->clip.duration_seconds);
    const int last = from->sampler.frame_count() - 1;
    double frame = 0.0;
    if (length > 0.0 && last > 0) {
      double time = loop == 1 ? std::fmod(seconds, length) : seconds;
      if (loop == 1 && time < 0.0) time += length;
      frame = time / length * last;
    }
    if (from->skeleton) return sample_on_skeleton(*from, frame, space, out, float_count);
    if (space != MARROW_SPACE_LOCAL) return fail(ErrorCode::NeedsSkeleton, "the sampler was opened without a skeleton");
    const auto count = static_cast<std::size_t>(from->sampler.track_count());
    MARROW_CHECK(check_room(float_count, count * 10));
    from->sampler.sample_frame(frame, transforms_of(out, count));
    return {};
  });
}

marrow_status marrow_sample_frames(marrow_document document, std::uint32_t clip, marrow_document skeleton_document,
                                   std::uint32_t skeleton, double frame, marrow_space space, float* bones,
                                   std::uint32_t float_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(bones, "bones"));
    MARROW_CHECK(check_frame(frame));
    MARROW_CHECK(check_space(space));
    const bool is_own = skeleton_document == document;
    MARROW_TRY(const auto from, with_clip(document, clip, is_own ? kClipParts | kSkeletonParts : kClipParts));
    const DocumentClip& c = from->document.clips[clip];
    const auto tracks = static_cast<std::size_t>(c.clip.track_count);
    if (c.clip.transforms.empty()) return fail_with(MARROW_BAD_ARGUMENT, "has no frames in memory", "clip");
    if (skeleton_document == 0) {
      MARROW_CHECK(check_room(float_count, tracks * 10));
      sample_frame(c.clip, frame, transforms_of(bones, tracks));
      return {};
    }
    // The lock of a document is not taken twice by one thread.
    std::optional<Reading<DocumentObject>> other;
    if (!is_own) {
      MARROW_TRY(auto held, reading_with(skeleton_document, kSkeletonParts));
      other.emplace(std::move(held));
    }
    const Document& holder = other ? (*other)->document : from->document;
    MARROW_CHECK(in_range(skeleton, holder.skeletons.size(), "skeleton"));
    const Skeleton& on = holder.skeletons[skeleton].skeleton;
    MARROW_CHECK(check_order(on));
    MARROW_CHECK(check_room(float_count, on.bones.size() * 10));
    std::vector<Transform> sampled(tracks);
    sample_frame(c.clip, frame, sampled);
    const std::span<Transform> pose = transforms_of(bones, on.bones.size());
    pose_from_frame(on, c.clip, sampled, pose);
    if (space == MARROW_SPACE_MODEL) local_to_model(on, pose, pose);
    return {};
  });
}
