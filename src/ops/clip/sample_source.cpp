// SPDX-License-Identifier: MIT
#include "ops/clip/sample_source.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

// Through parents and holders, in the units and axes of the file.
void to_model(const MotionSource& source, const SourcePose& pose, std::vector<Transform>& model) {
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    const std::int32_t parent = source.bones[i].parent;
    const Transform above = parent == kNoBone ? pose.holder[i] : model[static_cast<std::size_t>(parent)];
    model[i] = above * pose.local[i];
    if (source.bones[i].ignores_parent_scale) model[i].scale = pose.local[i].scale;
  }
}

}  // namespace

Result<SampleReport> sample_source(const MotionSource& source, const SampleOptions& options, Context& context) {
  std::vector<std::string> names;
  for (const SourceClip& clip : source.clips) names.push_back(clip.name);
  MARROW_TRY(const std::size_t chosen, options.clip.among(names));
  const SourceClip& clip = source.clips[chosen];
  const double last = clip.frame_count - 1;
  MARROW_TRY(const std::vector<double> frames,
             sampled_frames(options, last, clip.frames_per_second > 0.0 ? last / clip.frames_per_second : 0.0));
  MARROW_CHECK(refuse_too_many(frames.size(), source.bones.size()));
  SampleReport report{.has_floats = options.floats};
  if (options.floats) return report;
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    report.tracks.push_back(static_cast<std::int32_t>(i));
    report.names.push_back(source.bones[i].name);
  }
  SourcePose pose;
  for (const double frame : frames) {
    if (!(frame >= 0.0) || frame > last)
      context.note("frame " + float_text(static_cast<float>(frame)) + " is outside the clip, 0 to " +
                   std::to_string(clip.frame_count - 1) + "; what the curves have there is shown");
    // The last frame may be a fraction of a frame past the end: it is the end.
    double seconds = clip.start_seconds + frame / clip.frames_per_second;
    if (frame <= last) seconds = std::min(seconds, clip.end_seconds);
    source.evaluate(chosen, seconds, pose);
    SampledPose& out = report.poses.emplace_back(SampledPose{.frame = frame, .tracks = pose.local});
    if (options.space == Space::Model) to_model(source, pose, out.tracks);
  }
  return report;
}

}  // namespace marrow
