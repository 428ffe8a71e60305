// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "codec/fit_spline.h"
#include "marrow/codec/spline_blob.h"

namespace marrow::codec::fit {

/// Samples a stored channel at every quarter of a frame, from its codes. This is what it decodes to, and what an
/// encoder must follow if it is the source. Static and identity channels give the same point throughout.
std::vector<Point> sample_channel(const RotationChannel& channel, int last_frame);
std::vector<Point> sample_channel(const VectorChannel& channel, int last_frame, double identity);
std::vector<Point> sample_channel(const FloatTrack& track, int last_frame);

/// Returns the stored spline as a state to start refining from; nothing if the channel is not a spline, or not of a
/// form that the encoder writes.
std::optional<Spline> spline_of(const RotationChannel& channel, int last_frame);
std::optional<Spline> spline_of(const VectorChannel& channel, int last_frame, double identity);

/// Returns the bytes of a stored channel in the file.
int channel_bytes(const RotationChannel& channel);
int channel_bytes(const VectorChannel& channel);

}  // namespace marrow::codec::fit
