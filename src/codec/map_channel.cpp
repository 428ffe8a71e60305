// SPDX-License-Identifier: MIT
#include "codec/map_channel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace marrow::codec {
namespace {

Quaternion mapped(const QuaternionMap& map, const Quaternion& q) {
  Quaternion out{};
  for (std::size_t row = 0; row < 4; ++row) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) sum += map[row][i] * static_cast<double>(q[i]);
    out[row] = static_cast<float>(sum);
  }
  return out;
}

// The mask of a rotation: a high bit for each component that moves, a low one for each that stands away from identity.
std::uint8_t component_flags(std::span<const Quaternion> points, bool is_spline) {
  constexpr Quaternion kIdentity{0, 0, 0, 1};
  unsigned moving = 0, set = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [low, high] = std::ranges::minmax(points, {}, [&](const Quaternion& q) { return q[i]; });
    if (low[i] != high[i])
      moving |= 1u << i;
    else if (low[i] != kIdentity[i])
      set |= 1u << i;
  }
  if (is_spline && moving == 0) moving = 0xF;
  return static_cast<std::uint8_t>(is_spline ? moving << 4 | set : set);
}

using Vector = std::array<double, 3>;

// The control points of a vector channel; one if it does not move.
std::vector<Vector> control_points(const VectorChannel& channel, float identity) {
  std::vector<Vector> points(std::max<std::size_t>(1, channel.shape.control_count()));
  const std::size_t axes = channel.spline_axis_count();
  for (std::size_t axis = 0, spline_axis = 0; axis < 3; ++axis) {
    const bool moves = channel.is_spline(axis);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i][axis] =
          moves ? decode_scalar(channel.range[axis], channel.encoding, channel.codes[i * axes + spline_axis])
                : static_cast<double>(channel.is_static(axis) ? channel.range[axis].low : identity);
    spline_axis += moves;
  }
  return points;
}

Vector mapped(const VectorMap& map, const Vector& v) {
  Vector out = map.shift;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) out[row] += map.linear[row][i] * v[i];
  return out;
}

}  // namespace

RotationChannel mapped(const RotationChannel& channel, const QuaternionMap& map) {
  std::vector<Quaternion> points;
  const std::size_t size = packed_bytes(channel.encoding);
  for (std::size_t at = 0; at + size <= channel.codes.size() && size > 0; at += size)
    points.push_back(mapped(map, decode_quaternion(channel.encoding, std::span(channel.codes).subspan(at, size))));
  if (points.empty()) points.push_back(mapped(map, {0, 0, 0, 1}));
  RotationChannel out = channel;
  // A channel without codes is identity: it stays one if the map leaves that in place, to the precision of codes.
  constexpr float kSmall = 1e-5f;
  if (channel.codes.empty() && std::abs(std::abs(points[0][3]) - 1.0f) < kSmall) return out;
  if (!is_supported(out.encoding)) out.encoding = QuaternionEncoding::ThreeComp40;
  const std::size_t bytes = packed_bytes(out.encoding);
  out.codes.resize(points.size() * bytes);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto code = std::span(out.codes).subspan(i * bytes, bytes);
    encode_quaternion(out.encoding, points[i], code);
    points[i] = decode_quaternion(out.encoding, code);
  }
  out.flags = component_flags(points, !out.shape.knots.empty());
  if (out.flags == 0) out.codes.clear();
  return out;
}

VectorChannel mapped(const VectorChannel& channel, const VectorMap& map, float identity) {
  std::vector<Vector> points = control_points(channel, identity);
  for (Vector& point : points) point = mapped(map, point);
  VectorChannel out{.encoding = is_supported(channel.encoding) ? channel.encoding : ScalarEncoding::Bits16};
  std::array<bool, 3> moves{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float low = static_cast<float>(points[0][axis]), high = low;
    for (const Vector& point : points) {
      low = std::min(low, static_cast<float>(point[axis]));
      high = std::max(high, static_cast<float>(point[axis]));
    }
    moves[axis] = low < high;
    if (!moves[axis] && low == identity) continue;
    out.range[axis] = {low, high};
    out.flags |= static_cast<std::uint8_t>((moves[axis] ? kSplineAxis : kStaticAxis) << axis);
  }
  if ((out.flags & kSplineAxes) == 0) return out;
  out.shape = channel.shape;
  for (const Vector& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (moves[axis])
        out.codes.push_back(encode_scalar(out.range[axis], out.encoding, static_cast<float>(point[axis])));
  return out;
}

}  // namespace marrow::codec
