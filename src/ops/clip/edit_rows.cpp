// SPDX-License-Identifier: MIT
// Motion as rows, one per frame or one per quarter of a frame, and rows as curves again.
#include <algorithm>

#include "codec/spline_encoder.h"
#include "core/try.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/motion_sampler.h"

namespace marrow {
namespace {

std::span<const float> floats_of(const std::vector<Transform>& transforms) {
  return {reinterpret_cast<const float*>(transforms.data()), transforms.size() * 10};
}

}  // namespace

std::uint32_t quarters_of(const DocumentClip& clip) {
  constexpr std::uint32_t kQuarters = 4;
  return clip.spline && !clip.as_frames && clip.clip.frame_count > 1 ? kQuarters : 1;
}

Result<Clip> with_quarters(const DocumentClip& clip, const Limits& limits) {
  const auto per_frame = static_cast<std::int32_t>(quarters_of(clip));
  if (per_frame == 1) return with_frames(clip, limits);
  MARROW_TRY(const MotionSampler sampler, MotionSampler::open(clip, limits));
  Clip rows = clip.clip;
  rows.frame_count = (clip.clip.frame_count - 1) * per_frame + 1;
  const auto tracks = count_of(rows.track_count), floats = count_of(rows.float_track_count),
             count = count_of(rows.frame_count);
  rows.transforms.assign(count * tracks, {});
  rows.floats.assign(count * floats, 0.0f);
  for (std::size_t row = 0; row < count; ++row) {
    const double frame = static_cast<double>(row) / per_frame;
    sampler.sample_frame(frame, std::span(rows.transforms).subspan(row * tracks, tracks));
    sampler.sample_floats(frame, std::span(rows.floats).subspan(row * floats, floats));
  }
  return rows;
}

Result<codec::EncodedSpline> encode_frames(const Clip& clip, const ClipEditOptions& options, Context& context,
                                           std::uint32_t rows_per_frame) {
  const std::uint32_t frames = static_cast<std::uint32_t>(clip.frame_count - 1) / rows_per_frame + 1;
  return codec::encode_spline({.frame_count = frames,
                               .track_count = static_cast<std::size_t>(clip.track_count),
                               .float_count = static_cast<std::size_t>(clip.float_track_count),
                               .transforms = floats_of(clip.transforms),
                               .floats = clip.floats,
                               .rows_per_frame = rows_per_frame},
                              options.tolerance(),
                              {.encodings = options.encodings, .run_on_threads = context.run_on_threads});
}

Result<DocumentClip> made_between(const DocumentClip& a, const DocumentClip& b, std::int32_t frames,
                                  Clip (*make)(const Clip&, const Clip&, std::int32_t), const ClipEditOptions& options,
                                  EditedClip& report, Context& context) {
  MARROW_TRY(const Clip frames_a, with_frames(a, context.limits));
  MARROW_TRY(const Clip frames_b, with_frames(b, context.limits));
  Clip header = make(frames_a, frames_b, frames);
  const std::uint32_t per_frame = std::min(quarters_of(a), quarters_of(b));
  DocumentClip out = a;
  if (per_frame == 1) {
    MARROW_TRY(const auto curves, curves_of(a, context.limits));
    out.clip = std::move(header);
    out.spline.reset();
    if (!curves) return out;
    MARROW_TRY(const codec::EncodedSpline encoded, encode_frames(out.clip, options, context));
    report.take(encoded.errors, count_of(out.clip.track_count));
    MARROW_CHECK(set_curves(out, encoded.blob));
    return out;
  }
  MARROW_TRY(const Clip rows_a, with_quarters(a, context.limits));
  MARROW_TRY(const Clip rows_b, with_quarters(b, context.limits));
  Clip rows = make(rows_a, rows_b, frames * static_cast<std::int32_t>(per_frame));
  MARROW_CHECK(set_rows(out, std::move(header), std::move(rows), per_frame, options, report, context));
  return out;
}

Result<void> set_rows(DocumentClip& clip, Clip header, Clip rows, std::uint32_t rows_per_frame,
                      const ClipEditOptions& options, EditedClip& report, Context& context) {
  clip.clip = std::move(header);
  clip.spline.reset();
  rows.frame_count = (clip.clip.frame_count - 1) * static_cast<std::int32_t>(rows_per_frame) + 1;
  if (rows_per_frame == 1) {
    clip.clip.transforms = std::move(rows.transforms);
    clip.clip.floats = std::move(rows.floats);
    return {};
  }
  MARROW_TRY(const codec::EncodedSpline encoded, encode_frames(rows, options, context, rows_per_frame));
  report.take(encoded.errors, count_of(rows.track_count));
  return set_curves(clip, encoded.blob);
}

}  // namespace marrow
