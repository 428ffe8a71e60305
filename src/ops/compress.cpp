// SPDX-License-Identifier: MIT
#include "marrow/ops/compress.h"

#include <limits>
#include <string>

#include "core/try.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/havok/xml.h"
#include "marrow/ops/detect.h"
#include "ops/formats.h"
#include "ops/model_bound.h"

namespace marrow {
namespace {

using namespace havok;

// The bounds that the user gave, and `others` in the place of those that he did not.
codec::Tolerance tolerance_of(const CompressOptions& options, const codec::Tolerance& others) {
  return {.rotation_degrees = options.max_rotation_degrees.value_or(others.rotation_degrees),
          .translation = options.max_translation.value_or(others.translation),
          .scale = options.max_scale.value_or(others.scale),
          .value = options.max_value.value_or(others.value)};
}

// No bound at all, for where one in model space holds instead.
constexpr codec::Tolerance kOpen{.rotation_degrees = 90.0,
                                 .translation = std::numeric_limits<double>::max(),
                                 .scale = std::numeric_limits<double>::max()};

std::span<const float> floats_of(const Clip& clip) {
  return {reinterpret_cast<const float*>(clip.transforms.data()), clip.transforms.size() * codec::kFloatsPerTrack};
}

class ClipCompressor {
 public:
  ClipCompressor(Packfile& file, ObjectId id, const CompressOptions& options, const Skeleton* skeleton, Notes& notes)
      : file_(file), id_(id), options_(options), skeleton_(skeleton), notes_(notes) {}

  Result<CompressedClip> run() {
    const bool is_spline = file_.at(id_).type->is_a("hkaSplineCompressedAnimation");
    if (options_.uncompressed) return store_frames();
    return is_spline ? compress_spline() : compress_frames();
  }

 private:
  Result<CompressedClip> store_frames() {
    MARROW_TRY(const Clip clip, read_clip(file_, id_, options_.limits));
    CompressedClip report = start(clip);
    report.motion_bytes_after = clip.transforms.size() * 48 + clip.floats.size() * 4;
    MARROW_CHECK(set_frames(file_, id_, clip));
    return report;
  }

  Result<CompressedClip> compress_spline() {
    MARROW_TRY(const Clip header, read_clip_header(file_, id_));
    MARROW_TRY(const codec::SplineBlobView view, spline_data(file_, id_));
    MARROW_TRY(codec::SplineBlob source, read_spline_blob(view, options_.limits));
    auto encoder = codec::SplineEncoder::from_blob(std::move(source), options_.encode);
    if (!options_.max_model_error) return encode(header, encoder, {});
    MARROW_TRY(const MotionSampler sampler, MotionSampler::open(file_, id_, options_.limits));
    return encode(header, encoder, [&](double frame, std::span<Transform> pose) { sampler.sample_frame(frame, pose); });
  }

  Result<CompressedClip> compress_frames() {
    MARROW_TRY(const Clip clip, read_clip(file_, id_, options_.limits));
    MARROW_TRY(auto encoder,
               codec::SplineEncoder::from_frames({.frame_count = static_cast<std::uint32_t>(clip.frame_count),
                                                  .track_count = static_cast<std::size_t>(clip.track_count),
                                                  .float_count = static_cast<std::size_t>(clip.float_track_count),
                                                  .transforms = floats_of(clip),
                                                  .floats = clip.floats},
                                                 options_.encode));
    return encode(clip, encoder, [&](double frame, std::span<Transform> pose) { sample_frame(clip, frame, pose); });
  }

  // `sampler` is asked only where the bound is in model space.
  Result<CompressedClip> encode(const Clip& clip, codec::SplineEncoder& encoder, const PoseSampler& sampler) {
    CompressedClip report = start(clip);
    const codec::Tolerance tolerance = tolerance_of(options_, {});
    if (options_.max_model_error) {
      const ModelBound bound{.skeleton = *skeleton_,
                             .clip = clip,
                             .max_error = *options_.max_model_error,
                             .shell_distance = options_.shell_distance,
                             .ceiling = tolerance_of(options_, kOpen),
                             .elsewhere = tolerance};
      MARROW_TRY(const ModelBoundResult result, encode_within(bound, sampler, encoder));
      report.errors = result.errors;
      report.model_error = result.model_error;
      if (result.model_error > *options_.max_model_error)
        note("the bound in model space is finer than the encodings reach; try --encodings all or a larger bound");
    } else {
      report.errors = encode_all(encoder, tolerance).errors;
      if (report.errors.channels_past_tolerance > 0)
        note(std::to_string(report.errors.channels_past_tolerance) +
             " channels are as near as the encodings reach and past the bound; try --encodings all or a larger bound");
    }
    MARROW_TRY(const codec::SplineBlobBytes bytes, write_spline_blob(encoder.blob()));
    report.motion_bytes_after = bytes.data.size();
    MARROW_CHECK(set_spline_motion(file_, id_, encoder.blob(), clip.duration_seconds));
    return report;
  }

  CompressedClip start(const Clip& clip) const {
    const FieldsView animation = file_.at(id_).fields();
    CompressedClip report;
    report.frames = static_cast<std::uint32_t>(clip.frame_count);
    report.tracks = static_cast<std::size_t>(clip.track_count);
    report.motion_bytes_before =
        animation.has("data") ? animation.array("data").size() : clip.transforms.size() * 48 + clip.floats.size() * 4;
    return report;
  }

  void note(std::string message) {
    notes_.push_back({std::move(message), kNoOffset, "objects[" + std::to_string(id_.index) + "]"});
  }

  Packfile& file_;
  ObjectId id_;
  const CompressOptions& options_;
  const Skeleton* skeleton_;
  Notes& notes_;
};

Result<Skeleton> first_skeleton(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const Packfile file, read_havok(bytes, {.limits = limits}));
  const std::vector<ObjectId> ids = find_skeletons(file);
  if (ids.empty()) return fail(ErrorCode::NotFound, "there is no skeleton in the file given with --skeleton");
  MARROW_TRY(Skeleton skeleton, read_skeleton(file, ids.front()));
  MARROW_CHECK(validate(skeleton));
  return skeleton;
}

}  // namespace

Result<Compressed> compress(std::span<const std::byte> bytes, const CompressOptions& options) {
  const Format format = detect(bytes);
  if (format != Format::HavokPackfile && format != Format::HavokXml) return refuse_format(bytes, "compress");
  MARROW_TRY(Packfile file, read_havok(bytes, {.limits = options.limits}));
  std::optional<Skeleton> skeleton;
  if (options.max_model_error) {
    if (options.skeleton.empty())
      return fail(ErrorCode::InvalidArgument, "a bound in model space needs the skeleton of the clip");
    MARROW_TRY(skeleton, first_skeleton(options.skeleton, options.limits));
  }
  const std::vector<ObjectId> animations = find_animations(file);
  if (animations.empty()) return fail(ErrorCode::NotFound, "there is no animation in it to compress");
  Compressed result;
  for (const ObjectId id : animations) {
    if (!file.at(id).type) continue;
    MARROW_TRY(auto report, ClipCompressor(file, id, options, skeleton ? &*skeleton : nullptr, result.notes).run());
    result.clips.push_back(std::move(report));
  }
  MARROW_TRY(result.bytes, format == Format::HavokXml ? write_xml(file) : write_packfile(file));
  return result;
}

}  // namespace marrow
