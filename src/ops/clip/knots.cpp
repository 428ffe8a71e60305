// SPDX-License-Identifier: MIT
#include "ops/clip/knots.h"

#include <array>

#include "core/try.h"
#include "marrow/codec/spline_blob.h"
#include "ops/document/spline_motion.h"

namespace marrow {
namespace {

constexpr std::array<std::string_view, 3> kAxes = {".x", ".y", ".z"};

// Adds the knots of a block, in frames of the clip. Neighbouring blocks share a frame, and the ends of a spline repeat
// their knots.
void add_knots(const codec::SplineShape& shape, std::uint32_t first_frame, std::vector<double>& knots) {
  for (const std::uint8_t knot : shape.knots)
    if (const double frame = first_frame + knot; knots.empty() || frame > knots.back()) knots.push_back(frame);
}

void add_vector(const codec::VectorChannel& channel, std::uint32_t first_frame, std::span<KnotsChannel> axes) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    KnotsChannel& out = axes[axis];
    if (channel.is_spline(axis)) {
      out.stored = "spline";
      out.degree = channel.shape.degree;
      add_knots(channel.shape, first_frame, out.knots);
    } else if (channel.is_static(axis) && out.stored != "spline") {
      out.stored = "constant";
    }
  }
}

void add_rotation(const codec::RotationChannel& channel, std::uint32_t first_frame, KnotsChannel& out) {
  if ((channel.flags & codec::kSplineRotation) != 0) {
    out.stored = "spline";
    out.degree = channel.shape.degree;
    add_knots(channel.shape, first_frame, out.knots);
  } else if ((channel.flags & codec::kStaticRotation) != 0 && out.stored != "spline") {
    out.stored = "constant";
  }
}

KnotsTrack empty_track(std::int64_t index) {
  KnotsTrack track{.track = index};
  const auto add = [&](std::string name) { track.channels.push_back({.name = std::move(name), .stored = "identity"}); };
  for (const std::string_view axis : kAxes) add("translation" + std::string(axis));
  add("rotation");
  for (const std::string_view axis : kAxes) add("scale" + std::string(axis));
  return track;
}

KnotsTrack track_of(const codec::SplineBlob& blob, std::size_t index) {
  KnotsTrack track = empty_track(static_cast<std::int64_t>(index));
  for (std::uint32_t block = 0; block < blob.blocks.size(); ++block) {
    const codec::TransformTrack& stored = blob.blocks[block].transforms[index];
    const std::uint32_t first = block * blob.stride();
    add_vector(stored.translation, first, std::span(track.channels).subspan(0, 3));
    add_rotation(stored.rotation, first, track.channels[3]);
    add_vector(stored.scale, first, std::span(track.channels).subspan(4, 3));
  }
  return track;
}

KnotsFloat float_of(const codec::SplineBlob& blob, std::size_t index) {
  KnotsFloat out{.slot = static_cast<std::int64_t>(index), .stored = "constant"};
  for (std::uint32_t block = 0; block < blob.blocks.size(); ++block) {
    const codec::FloatTrack& stored = blob.blocks[block].floats[index];
    if (!stored.is_spline()) continue;
    out.stored = "spline";
    add_knots(stored.shape, block * blob.stride(), out.knots);
  }
  return out;
}

}  // namespace

Result<KnotsReport> list_knots(const Document& document, const KnotsOptions& options, Context& context) {
  if (options.clip >= document.clips.size())
    return fail(ErrorCode::NoClip, document.clips.empty() ? "has no clip" : "has no such clip");
  const DocumentClip& clip = document.clips[options.clip];
  KnotsReport report{.compressed = clip.spline.has_value(), .frames = clip.clip.frame_count};
  if (options.track && *options.track >= clip.clip.track_count)
    return fail(ErrorCode::InvalidArgument, "the clip has " + std::to_string(clip.clip.track_count) + " tracks",
                kNoOffset, "track");
  if (!clip.spline) return report;
  MARROW_TRY(const codec::SplineBlob blob, spline_of(clip, context.limits));
  const std::size_t tracks = blob.blocks.empty() ? 0 : blob.blocks.front().transforms.size();
  const std::size_t floats = blob.blocks.empty() ? 0 : blob.blocks.front().floats.size();
  for (std::size_t i = 0; i < tracks; ++i)
    if (!options.track || std::cmp_equal(*options.track, i)) report.tracks.push_back(track_of(blob, i));
  for (std::size_t i = 0; i < floats; ++i) report.floats.push_back(float_of(blob, i));
  return report;
}

void describe(FieldList& fields, KnotsOptions& options) {
  fields("clip", options.clip, {.help = "number of the clip, if there are several", .placeholder = "N", .min = 0});
  fields("track", options.track, {.help = "only this track", .placeholder = "N", .min = 0, .otherwise = "all"});
}
void describe(FieldList& fields, KnotsChannel& channel) {
  fields("name", channel.name);
  fields("stored", channel.stored);
  fields("degree", channel.degree);
  fields("knots", channel.knots);
}
void describe(FieldList& fields, KnotsTrack& track) {
  fields("track", track.track);
  fields("channels", track.channels);
}
void describe(FieldList& fields, KnotsFloat& track) {
  fields("slot", track.slot);
  fields("stored", track.stored);
  fields("knots", track.knots);
}
void describe(FieldList& fields, KnotsReport& report) {
  fields("compressed", report.compressed);
  fields("frames", report.frames);
  fields("tracks", report.tracks);
  fields("floats", report.floats);
}

}  // namespace marrow
