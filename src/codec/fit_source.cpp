// SPDX-License-Identifier: MIT
#include "codec/fit_source.h"

#include "codec/bspline.h"
#include "codec/quaternion_lattice.h"

namespace marrow::codec::fit {
namespace {

const QuaternionLattice* lattice_of(QuaternionEncoding encoding) {
  if (encoding == QuaternionEncoding::ThreeComp40) return &kLattice40;
  if (encoding == QuaternionEncoding::ThreeComp48) return &kLattice48;
  return nullptr;
}

std::vector<Point> control_points(const RotationChannel& channel) {
  const std::size_t bytes = packed_bytes(channel.encoding);
  const QuaternionLattice* lattice = lattice_of(channel.encoding);
  std::vector<Point> points;
  if (!is_supported(channel.encoding)) return points;  // identity: nothing else can be read with such an encoding
  for (std::size_t at = 0; at + bytes <= channel.codes.size(); at += bytes) {
    const auto packed = std::span(channel.codes).subspan(at, bytes);
    if (lattice) {
      points.push_back(lattice->decode(unpack_code(channel.encoding, packed)));
    } else {
      const Quaternion q = decode_quaternion(channel.encoding, packed);
      points.emplace_back(q[0], q[1], q[2], q[3]);
    }
  }
  return points;
}

double decode_exactly(ScalarRange range, ScalarEncoding encoding, std::uint16_t code) {
  const double low = range.low;
  return low + (range.high - low) * code / code_limit(encoding);
}

std::vector<Point> control_points(const VectorChannel& channel, double identity) {
  Point still(identity, identity, identity, 0);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (channel.is_static(axis)) still.set(static_cast<int>(axis), static_cast<double>(channel.range[axis].low));
  const std::size_t count = channel.shape.control_count();
  if (count == 0) return {still};
  std::vector<Point> points(count, still);
  std::size_t next = 0;
  for (Point& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (channel.is_spline(axis))
        point.set(static_cast<int>(axis), decode_exactly(channel.range[axis], channel.encoding, channel.codes[next++]));
  return points;
}

std::vector<Point> sample(const SplineShape& shape, const std::vector<Point>& points, int last_frame) {
  std::vector<Point> samples(static_cast<std::size_t>(last_frame * kSamplesPerFrame + 1),
                             points.empty() ? Point(0, 0, 0, 1) : points.front());
  if (shape.knots.empty() || shape.knots[shape.control_count()] == 0) return samples;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double frame = static_cast<double>(s) / kSamplesPerFrame;
    const std::size_t span = find_span(shape.knots, shape.degree, frame);
    const auto weight = basis(shape.knots, shape.degree, span, frame);
    Point sum;
    for (std::size_t i = 0; i <= shape.degree; ++i) sum += weight[i] * points[span - shape.degree + i];
    samples[s] = sum;
  }
  return samples;
}

// Only clamped splines that end with the block can be edited; others can still be kept.
std::optional<Spline> editable(const SplineShape& shape, std::vector<Point> points, int last_frame) {
  if (shape.knots.empty() || shape.degree < 1 || points.size() != shape.control_count()) return std::nullopt;
  if (shape.knots[shape.control_count()] != last_frame || shape.knots.back() != last_frame) return std::nullopt;
  Spline spline{.degree = shape.degree, .points = std::move(points)};
  spline.knots.assign(shape.knots.begin(), shape.knots.end());
  return spline;
}

constexpr int align4(std::size_t bytes) { return static_cast<int>((bytes + 3) & ~std::size_t{3}); }

}  // namespace

std::vector<Point> sample_channel(const RotationChannel& channel, int last_frame) {
  return sample(channel.shape, control_points(channel), last_frame);
}

std::vector<Point> sample_channel(const VectorChannel& channel, int last_frame, double identity) {
  return sample(channel.shape, control_points(channel, identity), last_frame);
}

std::vector<Point> sample_channel(const FloatTrack& track, int last_frame) {
  std::vector<Point> points;
  for (const std::uint16_t code : track.codes)
    points.emplace_back(decode_exactly(track.range, track.encoding(), code), 0, 0, 0);
  if (points.empty()) points.emplace_back(track.is_static() ? static_cast<double>(track.range.low) : 0.0, 0, 0, 0);
  return sample(track.shape, points, last_frame);
}

std::optional<Spline> spline_of(const RotationChannel& channel, int last_frame) {
  const QuaternionLattice* lattice = lattice_of(channel.encoding);
  if (!lattice) return std::nullopt;
  std::optional<Spline> spline = editable(channel.shape, control_points(channel), last_frame);
  if (!spline) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(lattice->bytes);
  for (std::size_t i = 0; i < spline->points.size(); ++i)
    spline->codes.push_back(unpack_code(channel.encoding, std::span(channel.codes).subspan(i * bytes, bytes)));
  return spline;
}

std::optional<Spline> spline_of(const VectorChannel& channel, int last_frame, double identity) {
  return editable(channel.shape, control_points(channel, identity), last_frame);
}

int channel_bytes(const RotationChannel& channel) {
  if (channel.shape.knots.empty()) return align4(channel.codes.size());
  const std::size_t alignment = packed_alignment(channel.encoding);
  const std::size_t head = (3 + channel.shape.knots.size() + alignment - 1) / alignment * alignment;
  return align4(head + channel.codes.size());
}

int channel_bytes(const VectorChannel& channel) {
  int axes = 0, statics = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    axes += channel.is_spline(axis);
    statics += channel.is_static(axis);
  }
  return vector_bytes(channel.shape.degree, static_cast<int>(channel.shape.control_count()), axes, statics,
                      static_cast<int>(code_bytes(channel.encoding)));
}

}  // namespace marrow::codec::fit
