// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/motion_source.h"
#include "ops/clip/sample.h"

namespace marrow {

/// Returns the frames that are asked for, of a clip from frame 0 to `last`.
Result<std::vector<double>> sampled_frames(const SampleOptions& options, double last, double duration_seconds);
/// Fails if so many frames of so many tracks are more than one output should hold.
Result<void> refuse_too_many(std::size_t frames, std::size_t width);

/// Samples motion of another program as its file has it: its own frames, units and axes, one row per bone.
Result<SampleReport> sample_source(const MotionSource& source, const SampleOptions& options, Context& context);

}  // namespace marrow
