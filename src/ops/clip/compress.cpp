// SPDX-License-Identifier: MIT
#include "ops/clip/compress.h"

#include <limits>
#include <string>

#include "core/try.h"
#include "havok/object/value.h"
#include "ops/clip/model_bound.h"
#include "ops/clip/motion_sampler.h"
#include "ops/document/spline_motion.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

// Returns the bounds that the user gave, with `others` for those that are not given.
codec::Tolerance tolerance_of(const CompressOptions& options, const codec::Tolerance& others) {
  return {.rotation_degrees = options.max_rotation_error.value_or(others.rotation_degrees),
          .translation = options.max_position_error.value_or(others.translation),
          .scale = options.max_scale_error.value_or(others.scale),
          .value = options.max_float_error.value_or(others.value)};
}

// No bound, for use with a bound in model space.
constexpr codec::Tolerance kOpen{.rotation_degrees = 90.0,
                                 .translation = std::numeric_limits<double>::max(),
                                 .scale = std::numeric_limits<double>::max()};

std::span<const float> floats_of(const Clip& clip) {
  return {reinterpret_cast<const float*>(clip.transforms.data()), clip.transforms.size() * codec::kFloatsPerTrack};
}

std::size_t bytes_of_frames(const Clip& clip) {
  return static_cast<std::size_t>(clip.frame_count) *
         (static_cast<std::size_t>(clip.track_count) * 48 + static_cast<std::size_t>(clip.float_track_count) * 4);
}

class ClipCompressor {
 public:
  ClipCompressor(DocumentClip& clip, const CompressOptions& options, const Skeleton* skeleton, Context& context)
      : clip_(clip), options_(options), skeleton_(skeleton), context_(context) {}

  Result<CompressedClip> run() {
    report_.frames = static_cast<std::uint32_t>(clip_.clip.frame_count);
    report_.tracks = static_cast<std::size_t>(clip_.clip.track_count);
    // Frames that have been changed are the motion now.
    if (!is_spline_current(clip_, context_.limits)) clip_.spline.reset();
    report_.motion_bytes_before = clip_.spline ? clip_.spline->data.size() : bytes_of_frames(clip_.clip);
    if (options_.uncompressed) {
      MARROW_CHECK(decode_frames(clip_, context_.limits));
      clip_.spline.reset();
      clip_.as_frames = true;
      report_.motion_bytes_after = bytes_of_frames(clip_.clip);
      return report_;
    }
    MARROW_TRY(codec::SplineEncoder encoder, open_encoder());
    MARROW_CHECK(options_.max_model_error ? encode_in_model_space(encoder) : encode_by_bone(encoder));
    MARROW_TRY(codec::StoredSpline encoded, codec::stored(encoder.blob()));
    if (clip_.spline && encoded.data.size() >= clip_.spline->data.size()) return kept();
    clip_.spline = std::move(encoded);
    clip_.clip.transforms.clear();
    clip_.clip.floats.clear();
    report_.motion_bytes_after = clip_.spline->data.size();
    return report_;
  }

 private:
  CompressedClip kept() {
    note("the motion would not become smaller, and is kept as it is");
    report_.is_kept = true;
    report_.motion_bytes_after = report_.motion_bytes_before;
    report_.errors = {};
    if (report_.model_error) report_.model_error = 0.0;
    return report_;
  }

  Result<codec::SplineEncoder> open_encoder() {
    const codec::EncodeOptions encode{
        .effort = options_.effort, .encodings = options_.encodings, .run_on_threads = context_.run_on_threads};
    if (clip_.spline) {
      MARROW_TRY(codec::SplineBlob source, codec::read_spline_blob(clip_.spline->view(), context_.limits));
      return codec::SplineEncoder::from_blob(std::move(source), encode);
    }
    if (!clip_.has_frames()) return no_motion(clip_);
    const Clip& clip = clip_.clip;
    return codec::SplineEncoder::from_frames({.frame_count = report_.frames,
                                              .track_count = report_.tracks,
                                              .float_count = static_cast<std::size_t>(clip.float_track_count),
                                              .transforms = floats_of(clip),
                                              .floats = clip.floats},
                                             encode);
  }

  Result<void> encode_in_model_space(codec::SplineEncoder& encoder) {
    MARROW_TRY(const MotionSampler sampler, MotionSampler::open(clip_, context_.limits));
    const ModelBound bound{.skeleton = *skeleton_,
                           .clip = clip_.clip,
                           .max_error = *options_.max_model_error,
                           .shell_distance = options_.shell,
                           .ceiling = tolerance_of(options_, kOpen),
                           .elsewhere = tolerance_of(options_, {})};
    MARROW_TRY(
        const ModelBoundResult result,
        encode_within(
            bound, [&](double frame, std::span<Transform> pose) { sampler.sample_frame(frame, pose); }, encoder));
    report_.errors = result.errors;
    report_.model_error = result.model_error;
    if (result.model_error > *options_.max_model_error)
      note("the encodings are too coarse for the bound in model space; allow all encodings or a larger bound");
    return {};
  }

  Result<void> encode_by_bone(codec::SplineEncoder& encoder) {
    report_.errors = encode_all(encoder, tolerance_of(options_, {})).errors;
    if (report_.errors.channels_past_tolerance > 0)
      note(std::to_string(report_.errors.channels_past_tolerance) +
           " channels exceed the bound because the encodings are too coarse; allow all encodings or a larger bound");
    return {};
  }

  void note(std::string message) {
    context_.note(std::move(message),
                  clip_.source.is_set() ? path_of(havok::ObjectId{clip_.source.value}) : clip_.name);
  }

  DocumentClip& clip_;
  const CompressOptions& options_;
  const Skeleton* skeleton_;
  Context& context_;
  CompressedClip report_;
};

}  // namespace

void describe(FieldList& fields, CompressOptions& options) {
  fields("max_rotation_error", options.max_rotation_error,
         {.help = "largest rotation error of any bone relative to its parent",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = 0,
          .otherwise = "0.05"});
  fields("max_position_error", options.max_position_error,
         {.help = "largest translation error of any bone relative to its parent",
          .unit = "units",
          .placeholder = "UNITS",
          .min = 0,
          .otherwise = "0.01"});
  fields("max_scale_error", options.max_scale_error,
         {.help = "largest scale error of any bone", .placeholder = "FACTOR", .min = 0, .otherwise = "0.0005"});
  fields("max_float_error", options.max_float_error,
         {.help = "largest error of any float track", .placeholder = "VALUE", .min = 0, .otherwise = "0.0005"});
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that the clips are for; twice for the actors of paired clips",
                .placeholder = "FILE",
                .otherwise = "the one near the clip"});
  fields("max_model_error", options.max_model_error,
         {.help =
              "largest error of any point of the shell around any bone, in model space; replaces the bounds above that "
              "are not given",
          .unit = "units",
          .placeholder = "UNITS",
          .min = 0});
  fields("shell", options.shell,
         {.help = "distance of the shell from its bone", .unit = "units", .placeholder = "UNITS", .min = 0});
  fields("effort", options.effort, {.help = "trades time for size", .placeholder = "EFFORT"});
  fields("encodings", options.encodings,
         {.help = "seen: those of the games' own files; all: 48-bit rotations, 8-bit values and degree 2 too",
          .placeholder = "WHICH"});
  fields("uncompressed", options.uncompressed, {.help = "store every frame uncompressed instead"});
}

void describe(FieldList& fields, CompressedClip& clip) {
  fields("frames", clip.frames);
  fields("tracks", clip.tracks);
  fields("motion_bytes_before", clip.motion_bytes_before, {.unit = "bytes"});
  fields("motion_bytes_after", clip.motion_bytes_after, {.unit = "bytes"});
  fields("kept", clip.is_kept, {.help = "true if the motion stays as it was"});
  fields("rotation_error_degrees", clip.errors.rotation_degrees, {.unit = "degrees"});
  fields("position_error", clip.errors.translation, {.unit = "units"});
  fields("scale_error", clip.errors.scale);
  fields("float_error", clip.errors.value);
  fields("channels_past_bound", clip.errors.channels_past_tolerance);
  fields("model_error", clip.model_error, {.unit = "units", .sparse = true});
}

void describe(FieldList& fields, CompressReport& report) {
  fields("bytes_before", report.bytes_before, {.unit = "bytes"});
  fields("bytes_after", report.bytes_after, {.unit = "bytes"});
  fields("uncompressed", report.uncompressed);
  fields("kept", report.is_kept, {.help = "true if the file stays as it was, since it would become larger"});
  fields("clips", report.clips);
}

void CompressReport::saved(const Document&, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files) bytes_after += file.bytes.size();
}

bool CompressReport::keeps_input(const Document& document, const std::vector<SavedFile>& files, Context& context) {
  const bool is_same_format =
      files.size() == 1 && is_havok(document.format) && files.front().extension == extension_of(document.format);
  if (uncompressed || !is_same_format || files.front().bytes.size() <= document.byte_count) return false;
  is_kept = true;
  for (CompressedClip& clip : clips) {
    clip.is_kept = true;
    clip.motion_bytes_after = clip.motion_bytes_before;
    clip.errors = {};
    if (clip.model_error) clip.model_error = 0.0;
  }
  context.note("the file would become larger, and is kept as it is");
  return true;
}

Result<CompressReport> compress(Document& document, const CompressOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no animation to compress");
  const Skeleton* skeleton = nullptr;
  if (options.max_model_error) {
    MARROW_TRY(skeleton, skeleton_for_clips(document, options.skeleton, context));
    MARROW_CHECK(validate(*skeleton));
  } else if (options.skeleton) {
    return fail(ErrorCode::BadOption, "is only used with a bound on the error in model space, which is measured on it",
                kNoOffset, "skeleton");
  }
  CompressReport report{.bytes_before = document.byte_count, .uncompressed = options.uncompressed};
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    MARROW_CHECK(context.report(static_cast<double>(i) / static_cast<double>(document.clips.size())));
    const Skeleton own =
        skeleton ? skeleton_for(document.clips[i].clip, {skeleton, options.second_skeleton}) : Skeleton{};
    MARROW_TRY(CompressedClip clip,
               ClipCompressor(document.clips[i], options, skeleton ? &own : nullptr, context).run());
    report.clips.push_back(std::move(clip));
  }
  return report;
}

}  // namespace marrow
