// SPDX-License-Identifier: MIT
#include "codec/spline_encoder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "codec/fit_channel.h"
#include "codec/fit_source.h"
#include "codec/short_curve.h"

namespace marrow::codec {
namespace {

using fit::kSamplesPerFrame;
using fit::Point;
using fit::Space;
using fit::Target;

constexpr std::size_t kFloatsPerTransform = 10;
// Blocks take memory even if there is nothing in them.
constexpr std::uint32_t kMostEmptyFrames = 1u << 20;
// Bounds below these are beyond what the formats can represent, and would only make the search long.
constexpr double kLeastDegrees = 1e-4;
constexpr double kLeastDistance = 1e-7;
// Single-precision decoders round values of this magnitude; a few rounding steps are reserved for them.
constexpr double kDecoderRounding = 2.0 / (1 << 22);

// Returns a distance bound, minus what decoding in floats may add at this magnitude.
double usable_bound(double tolerance, const std::vector<Point>& samples) {
  double magnitude = 0;
  for (const Point& sample : samples)
    for (int axis = 0; axis < 3; ++axis) magnitude = std::max(magnitude, std::abs(sample[axis]));
  const double bound = std::max(tolerance, kLeastDistance);
  return std::max(fit::kBoundShare * bound - kDecoderRounding * magnitude, 0.1 * bound);
}

// Returns quarter frames of values that are linear from frame to frame, or given as quarter frames.
template <class At>
std::vector<Point> interpolate(std::uint32_t first_frame, int last_frame, std::uint32_t rows_per_frame, At at) {
  std::vector<Point> samples;
  samples.reserve(static_cast<std::size_t>(last_frame * kSamplesPerFrame + 1));
  if (rows_per_frame == kSamplesPerFrame) {
    for (int sample = 0; sample <= last_frame * kSamplesPerFrame; ++sample)
      samples.push_back(at(first_frame * kSamplesPerFrame + static_cast<std::uint32_t>(sample)));
    return samples;
  }
  for (int frame = 0; frame < last_frame; ++frame) {
    const Point from = at(first_frame + static_cast<std::uint32_t>(frame));
    Point to = at(first_frame + static_cast<std::uint32_t>(frame) + 1);
    for (int step = 0; step < kSamplesPerFrame; ++step)
      samples.push_back(from + (static_cast<double>(step) / kSamplesPerFrame) * (to - from));
  }
  samples.push_back(at(first_frame + static_cast<std::uint32_t>(last_frame)));
  return samples;
}

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

FloatTrack float_track_of(const VectorChannel& channel) {
  FloatTrack track;
  const bool spline = channel.is_spline(0);
  track.mask = static_cast<std::uint8_t>((spline ? 0x10 : 0x01) | static_cast<unsigned>(channel.encoding) << 1);
  track.shape = channel.shape;
  track.range = channel.range[0];
  track.codes = channel.codes;
  return track;
}

}  // namespace

struct SplineEncoder::State {
  EncodeOptions options;
  SplineBlob result;
  std::vector<SplineBlock> source;  // empty for raw frames
  std::size_t track_count = 0, float_count = 0;
  std::vector<float> transforms, floats;  // raw frames only
  std::uint32_t rows_per_frame = 1;
  fit::Scratch own_scratch;  // for tracks that are encoded one by one

  std::uint32_t first_frame(std::size_t block) const { return static_cast<std::uint32_t>(block) * result.stride(); }
  int last_frame(std::size_t block) const {
    const std::uint32_t frames =
        frames_in_block(result.frame_count, result.max_frames_per_block, static_cast<std::uint32_t>(block));
    return static_cast<int>(frames) - 1;
  }

  Point raw(std::uint32_t frame, std::size_t track, std::size_t lane, std::size_t lanes) const {
    const float* at = &transforms[(frame * track_count + track) * kFloatsPerTransform + lane];
    return {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]),
            lanes == 4 ? static_cast<double>(at[3]) : 0.0};
  }

  std::vector<Point> raw_rotations(std::size_t block, std::size_t track) const {
    const int last = last_frame(block);
    // Interpolation takes the shorter arc, so signs must agree before it, not after.
    std::vector<Point> rows;
    const std::uint32_t first = first_frame(block) * rows_per_frame;
    for (std::uint32_t row = 0; row <= static_cast<std::uint32_t>(last) * rows_per_frame; ++row)
      rows.push_back(raw(first + row, track, 3, 4));
    fit::make_continuous(rows);
    return interpolate(0, last, rows_per_frame, [&](std::uint32_t row) { return rows[row]; });
  }

  std::vector<Point> raw_vectors(std::size_t block, std::size_t track, std::size_t lane) const {
    return interpolate(first_frame(block), last_frame(block), rows_per_frame,
                       [&](std::uint32_t row) { return raw(row, track, lane, 3); });
  }

  // A curve that ends before its block is followed, and not kept.
  template <class Channel>
  static const Channel* kept(const Channel* stored, int last) {
    return stored && !is_short(stored->shape, static_cast<std::uint32_t>(last)) ? stored : nullptr;
  }

  void encode_rotation(std::size_t block, std::size_t track, double degrees, EncodeErrors& errors,
                       fit::Scratch& scratch) {
    const RotationChannel* stored = source.empty() ? nullptr : &source[block].transforms[track].rotation;
    const int last = last_frame(block);
    Target target{.space = Space::Rotation, .last_frame = last};
    target.samples = stored ? fit::sample_channel(*stored, last) : raw_rotations(block, track);
    fit::make_continuous(target.samples);
    const double bound = fit::chord_of_degrees(std::max(degrees, kLeastDegrees));
    target.bound = fit::kBoundShare * bound;
    RotationChannel& channel = result.blocks[block].transforms[track].rotation;
    channel = fit::fit_rotation(target, options, kept(stored, last), scratch);
    if (stored && channel == *stored) return;
    auto decoded = fit::sample_channel(channel, last);
    fit::make_continuous(decoded);
    if (dot(decoded.front(), target.samples.front()) < 0)
      for (Point& point : decoded) point = -1.0 * point;
    const double error = fit::decoded_error(target, decoded);
    errors.rotation_degrees = std::max(errors.rotation_degrees, fit::degrees_of_chord(error));
    errors.channels_past_tolerance += error > bound ? 1u : 0u;
  }

  void encode_vector(std::size_t block, std::size_t track, VectorChannel TransformTrack::* member, double identity,
                     std::size_t lane, double tolerance, double& worst, std::size_t& past, fit::Scratch& scratch) {
    const VectorChannel* stored = source.empty() ? nullptr : &(source[block].transforms[track].*member);
    const int last = last_frame(block);
    Target target{.space = Space::Vector, .last_frame = last};
    target.samples = stored ? fit::sample_channel(*stored, last, identity) : raw_vectors(block, track, lane);
    target.bound = usable_bound(tolerance, target.samples);
    VectorChannel& channel = result.blocks[block].transforms[track].*member;
    channel = fit::fit_vector(target, identity, 3, options, kept(stored, last), scratch);
    if (stored && channel == *stored) return;
    const double error = fit::decoded_error(target, fit::sample_channel(channel, last, identity));
    worst = std::max(worst, error);
    past += error > std::max(tolerance, kLeastDistance) ? 1u : 0u;
  }

  void encode_float(std::size_t block, std::size_t track, double tolerance, EncodeErrors& errors,
                    fit::Scratch& scratch) {
    const FloatTrack* stored = source.empty() ? nullptr : &source[block].floats[track];
    if (stored && !stored->is_spline()) return;
    const int last = last_frame(block);
    Target target{.space = Space::Vector, .last_frame = last};
    target.samples = stored ? fit::sample_channel(*stored, last)
                            : interpolate(first_frame(block), last, rows_per_frame, [&](std::uint32_t row) {
                                return Point(static_cast<double>(floats[row * float_count + track]), 0, 0, 0);
                              });
    target.bound = usable_bound(tolerance, target.samples);
    std::optional<VectorChannel> as_vector;
    if (kept(stored, last))
      as_vector = VectorChannel{.flags = kSplineAxis,
                                .encoding = stored->encoding(),
                                .shape = stored->shape,
                                .range = {stored->range},
                                .codes = stored->codes};
    const VectorChannel channel = fit::fit_vector(target, 0.0, 1, options, as_vector ? &*as_vector : nullptr, scratch);
    FloatTrack& track_out = result.blocks[block].floats[track];
    track_out = float_track_of(channel);
    const double error = fit::decoded_error(target, fit::sample_channel(track_out, last));
    errors.value = std::max(errors.value, error);
    errors.channels_past_tolerance += error > std::max(tolerance, kLeastDistance) ? 1u : 0u;
  }

  EncodeErrors encode_track(std::size_t track, const Tolerance& tolerance, fit::Scratch& scratch);
  EncodeErrors encode_float(std::size_t track, const Tolerance& tolerance, fit::Scratch& scratch);
};

void EncodeErrors::include(const EncodeErrors& other) {
  rotation_degrees = std::max(rotation_degrees, other.rotation_degrees);
  translation = std::max(translation, other.translation);
  scale = std::max(scale, other.scale);
  value = std::max(value, other.value);
  channels_past_tolerance += other.channels_past_tolerance;
}

SplineEncoder::SplineEncoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
SplineEncoder::SplineEncoder(SplineEncoder&&) noexcept = default;
SplineEncoder& SplineEncoder::operator=(SplineEncoder&&) noexcept = default;
SplineEncoder::~SplineEncoder() = default;

Result<SplineEncoder> SplineEncoder::from_frames(const MotionFrames& frames, const EncodeOptions& options) {
  if (frames.frame_count == 0) return fail(ErrorCode::InvalidArgument, "a clip needs at least one frame");
  if ((frames.rows_per_frame != 1 && frames.rows_per_frame != kSamplesPerFrame) ||
      frames.transforms.size() != frames.row_count() * frames.track_count * kFloatsPerTransform ||
      frames.floats.size() != frames.row_count() * frames.float_count)
    return fail(ErrorCode::InvalidArgument, "the counts of frames and tracks do not match the values given");
  if (frames.track_count == 0 && frames.float_count == 0 && frames.frame_count > kMostEmptyFrames)
    return fail(ErrorCode::LimitExceeded, std::to_string(frames.frame_count) + " frames without a track");
  if (!all_finite(frames.transforms) || !all_finite(frames.floats))
    return fail(ErrorCode::InvalidArgument, "a value of the motion is not finite");
  auto state = std::make_unique<State>();
  state->options = options;
  state->rows_per_frame = frames.rows_per_frame;
  state->track_count = frames.track_count;
  state->float_count = frames.float_count;
  state->transforms.assign(frames.transforms.begin(), frames.transforms.end());
  state->floats.assign(frames.floats.begin(), frames.floats.end());
  state->result.frame_count = frames.frame_count;
  const std::uint32_t blocks = block_count_for(frames.frame_count, state->result.max_frames_per_block);
  const SplineBlock empty{std::vector<TransformTrack>(frames.track_count), std::vector<FloatTrack>(frames.float_count)};
  state->result.blocks.assign(blocks, empty);
  return SplineEncoder(std::move(state));
}

SplineEncoder SplineEncoder::from_blob(SplineBlob blob, const EncodeOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  state->track_count = blob.blocks.empty() ? 0 : blob.blocks.front().transforms.size();
  state->float_count = blob.blocks.empty() ? 0 : blob.blocks.front().floats.size();
  state->source = blob.blocks;
  state->result = std::move(blob);
  return SplineEncoder(std::move(state));
}

std::size_t SplineEncoder::track_count() const { return state_->track_count; }
std::size_t SplineEncoder::float_count() const { return state_->float_count; }
const SplineBlob& SplineEncoder::blob() const { return state_->result; }

EncodeErrors SplineEncoder::State::encode_track(std::size_t track, const Tolerance& tolerance, fit::Scratch& scratch) {
  EncodeErrors errors;
  for (std::size_t block = 0; block < result.blocks.size(); ++block) {
    encode_vector(block, track, &TransformTrack::translation, 0.0, 0, tolerance.translation, errors.translation,
                  errors.channels_past_tolerance, scratch);
    encode_rotation(block, track, tolerance.rotation_degrees, errors, scratch);
    encode_vector(block, track, &TransformTrack::scale, 1.0, 7, tolerance.scale, errors.scale,
                  errors.channels_past_tolerance, scratch);
  }
  return errors;
}

EncodeErrors SplineEncoder::State::encode_float(std::size_t track, const Tolerance& tolerance, fit::Scratch& scratch) {
  EncodeErrors errors;
  for (std::size_t block = 0; block < result.blocks.size(); ++block)
    encode_float(block, track, tolerance.value, errors, scratch);
  return errors;
}

EncodeErrors SplineEncoder::encode_track(std::size_t track, const Tolerance& tolerance) {
  return state_->encode_track(track, tolerance, state_->own_scratch);
}

EncodeErrors SplineEncoder::encode_float(std::size_t track, const Tolerance& tolerance) {
  return state_->encode_float(track, tolerance, state_->own_scratch);
}

EncodeErrors SplineEncoder::encode_tracks(const Tolerance& tolerance) {
  // Tracks are independent, so any thread may take the next one. Errors are joined in the order of the tracks.
  const std::size_t count = track_count() + float_count();
  std::vector<EncodeErrors> errors(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    fit::Scratch scratch;
    for (std::size_t i = next++; i < count; i = next++)
      errors[i] = i < track_count() ? state_->encode_track(i, tolerance, scratch)
                                    : state_->encode_float(i - track_count(), tolerance, scratch);
  };
  if (state_->options.run_on_threads)
    state_->options.run_on_threads(work);
  else
    work();
  EncodeErrors all;
  for (const EncodeErrors& each : errors) all.include(each);
  return all;
}

EncodedSpline encode_all(SplineEncoder& encoder, const Tolerance& tolerance) {
  const EncodeErrors errors = encoder.encode_tracks(tolerance);
  return {encoder.blob(), errors};
}

Result<EncodedSpline> encode_spline(const MotionFrames& frames, const Tolerance& tolerance,
                                    const EncodeOptions& options) {
  auto encoder = SplineEncoder::from_frames(frames, options);
  if (!encoder) return std::unexpected(encoder.error());
  return encode_all(*encoder, tolerance);
}

EncodedSpline reencode_spline(const SplineBlob& source, const Tolerance& tolerance, const EncodeOptions& options) {
  SplineEncoder encoder = SplineEncoder::from_blob(source, options);
  return encode_all(encoder, tolerance);
}

}  // namespace marrow::codec
