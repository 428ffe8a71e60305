// SPDX-License-Identifier: MIT
// Translations, scales and float tracks as pieces of curves, and back.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "codec/pieces.h"

namespace marrow::codec::edit {
namespace {

// Gaps up to so many times what counts as the same are bent away, not bridged.
constexpr double kSmallGaps = 150.0;

using Kind = AxisPiece::Kind;

std::uint16_t code_at(const ControlPoint& point, std::size_t axis) {
  std::uint16_t code = 0;
  std::memcpy(&code, point.code.data() + 2 * axis, 2);
  return code;
}

void set_code(ControlPoint& point, std::size_t axis, std::uint16_t code) {
  std::memcpy(point.code.data() + 2 * axis, &code, 2);
}

double exact_value(ScalarRange range, ScalarEncoding encoding, std::uint16_t code) {
  const double low = range.low;
  return low + (range.high - low) * code / code_limit(encoding);
}

// A code of 8 bits is the same value as one of 16 bits that is 257 times as large, since 65535 is 257 times 255.
void widen(VectorPiece& piece) {
  if (piece.encoding == ScalarEncoding::Bits16) return;
  piece.encoding = ScalarEncoding::Bits16;
  piece.whole = nullptr;
  for (ControlPoint& point : piece.curve.points)
    for (std::size_t axis = 0; axis < 3; ++axis)
      set_code(point, axis, static_cast<std::uint16_t>(code_at(point, axis) * 257));
}

double value_of(const AxisPiece& axis, const VectorPiece& piece, std::size_t lane) {
  return axis.kind == Kind::Spline ? 0.0 : piece.curve.points.front().value[static_cast<int>(lane)];
}

// How an axis is stored over all pieces: as in each if they agree, else as one range around all of them.
AxisPiece merged_axis(const std::vector<VectorPiece>& pieces, std::size_t lane) {
  const AxisPiece& first = pieces.front().axes[lane];
  bool is_constant = first.kind != Kind::Spline, is_identity = first.kind == Kind::Identity;
  const double value = value_of(first, pieces.front(), lane);
  std::optional<ScalarRange> range;
  for (const VectorPiece& piece : pieces) {
    const AxisPiece& axis = piece.axes[lane];
    is_constant = is_constant && axis.kind != Kind::Spline && value_of(axis, piece, lane) == value;
    is_identity = is_identity && axis.kind == Kind::Identity;
    const auto still = static_cast<float>(value_of(axis, piece, lane));
    const ScalarRange own = axis.kind == Kind::Spline ? axis.range : ScalarRange{still, still};
    if (!range) range = own;
    range = ScalarRange{std::min(range->low, own.low), std::max(range->high, own.high)};
  }
  if (is_identity) return {};
  if (is_constant) return {.kind = Kind::Static, .range = {static_cast<float>(value), static_cast<float>(value)}};
  return {.kind = Kind::Spline, .range = *range};
}

double distance(const Point& a, const Point& b) { return std::sqrt(squared_length(a - b)); }

bool has_same_axes(const VectorPiece& a, const VectorPiece& b) { return a.axes == b.axes && a.encoding == b.encoding; }

VectorChannel constant_channel(const VectorPiece& piece) {
  if (piece.whole) return *piece.whole;
  VectorChannel channel;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (piece.axes[axis].kind == Kind::Identity) continue;
    channel.flags |= static_cast<std::uint8_t>(kStaticAxis << axis);
    channel.range[axis] = piece.axes[axis].range;
  }
  return channel;
}

}  // namespace

VectorPiece read_piece(const VectorChannel& channel, std::int32_t first, std::int32_t last, double identity) {
  VectorPiece piece{.encoding = channel.encoding, .whole = &channel};
  ControlPoint still{.value = Point(identity, identity, identity, 0), .is_stored = true};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (channel.is_spline(axis))
      piece.axes[axis] = {Kind::Spline, channel.range[axis]};
    else if (channel.is_static(axis)) {
      piece.axes[axis] = {Kind::Static, {channel.range[axis].low, channel.range[axis].low}};
      still.value.set(static_cast<int>(axis), static_cast<double>(channel.range[axis].low));
    }
  }
  const std::size_t count = channel.shape.control_count();
  std::vector<ControlPoint> points(std::max<std::size_t>(count, 1), still);
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!channel.is_spline(axis)) continue;
      const std::uint16_t code = channel.codes[next++];
      set_code(points[i], axis, code);
      points[i].value.set(static_cast<int>(axis), exact_value(channel.range[axis], channel.encoding, code));
    }
  if (count <= 1) {
    for (AxisPiece& axis : piece.axes)
      if (axis.kind == Kind::Spline) {
        const auto lane = static_cast<int>(&axis - piece.axes.data());
        const auto value = static_cast<float>(points.front().value[lane]);
        axis = {Kind::Static, {value, value}};
      }
    piece.curve = constant_curve(first, last, points.front());
    return piece;
  }
  piece.curve.degree = channel.shape.degree;
  piece.curve.points = std::move(points);
  for (const std::uint8_t knot : channel.shape.knots) piece.curve.knots.push_back(first + knot);
  const bool is_clamped = piece.curve.last() == last && piece.curve.knots[piece.curve.points.size()] == last;
  if (!is_clamped) piece.curve = window(std::move(piece.curve), first, last);
  return piece;
}

void heal(std::vector<VectorPiece>& pieces, double same, SpliceReport& report) {
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    VectorPiece &left = pieces[i - 1], &right = pieces[i];
    const ControlPoint& start = right.curve.points.front();
    const double gap = distance(left.curve.points.back().value, start.value);
    if (gap <= 1e-9) continue;
    report.gap_distance = std::max(report.gap_distance, gap);
    left.whole = nullptr;
    if (gap <= same && !left.curve.is_constant()) {
      left.curve.points.back() = has_same_axes(left, right) ? start : ControlPoint{.value = start.value};
    } else if (gap > same) {
      gap <= kSmallGaps* same ? bend_end(left.curve, start.value) : straighten_end(left.curve, start.value);
    } else {
      continue;
    }
    // An axis that stood still in the earlier piece moves now.
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double value = start.value[static_cast<int>(axis)];
      AxisPiece& own = left.axes[axis];
      const double before = value_of(own, left, axis);
      if (own.kind != Kind::Spline && value == before) continue;
      if (own.kind != Kind::Spline) own = {Kind::Spline, {static_cast<float>(before), static_cast<float>(before)}};
      own.range = {std::min(own.range.low, static_cast<float>(value)),
                   std::max(own.range.high, static_cast<float>(value))};
    }
  }
}

VectorChannel assemble(std::vector<VectorPiece> pieces, double same, AssembleContext& context) {
  if (pieces.size() == 1 && pieces.front().whole) return *pieces.front().whole;
  for (std::size_t i = 1; i < pieces.size();) {
    VectorPiece &left = pieces[i - 1], &right = pieces[i];
    if (!left.curve.is_constant() || !right.curve.is_constant() ||
        distance(left.curve.points.front().value, right.curve.points.front().value) > same) {
      ++i;
      continue;
    }
    const bool takes_right = right.curve.last() - right.curve.first() > left.curve.last() - left.curve.first();
    VectorPiece one = takes_right ? right : left;
    one.curve.knots = {left.curve.first(), right.curve.last()};
    left = std::move(one);
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (pieces.size() == 1 && pieces.front().curve.is_constant()) return constant_channel(pieces.front());
  int degree = pieces.size() > 1 ? 1 : 0;
  for (const VectorPiece& piece : pieces) degree = std::max(degree, piece.curve.degree);
  for (VectorPiece& piece : pieces) piece.curve = raised(std::move(piece.curve), degree);
  std::vector<ScalarRange> before;
  for (const VectorPiece& piece : pieces)
    for (const AxisPiece& axis : piece.axes) before.push_back(axis.range);
  heal(pieces, same, context.report);

  const auto is_new = [](const ControlPoint& point) { return !point.is_stored; };
  const bool has_new = std::ranges::any_of(
      pieces, [&](const VectorPiece& piece) { return std::ranges::any_of(piece.curve.points, is_new); });
  const bool is_mixed =
      std::ranges::any_of(pieces, [&](const VectorPiece& piece) { return piece.encoding != pieces.front().encoding; });
  if (has_new || is_mixed)
    for (VectorPiece& piece : pieces) widen(piece);
  std::array<AxisPiece, 3> axes;
  for (std::size_t lane = 0; lane < 3; ++lane) axes[lane] = merged_axis(pieces, lane);
  // Codes of an axis stay if its range does.
  Curve curve = pieces.front().curve;
  std::vector<std::array<bool, 3>> keeps(curve.points.size());
  const auto keep_codes = [&](const VectorPiece& piece, std::size_t index, std::size_t from) {
    for (std::size_t lane = 0; lane < 3; ++lane)
      for (std::size_t i = from; i < piece.curve.points.size(); ++i)
        keeps[keeps.size() - piece.curve.points.size() + i][lane] = piece.curve.points[i].is_stored &&
                                                                    piece.axes[lane] == axes[lane] &&
                                                                    before[index * 3 + lane] == axes[lane].range;
  };
  keep_codes(pieces.front(), 0, 0);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    append(curve, pieces[i].curve);
    keeps.resize(curve.points.size());
    keep_codes(pieces[i], i, 1);
  }
  VectorChannel channel{.encoding = pieces.front().encoding};
  for (std::size_t lane = 0; lane < 3; ++lane) {
    channel.range[lane] = axes[lane].range;
    if (axes[lane].kind == Kind::Static) channel.flags |= static_cast<std::uint8_t>(kStaticAxis << lane);
    if (axes[lane].kind == Kind::Spline) channel.flags |= static_cast<std::uint8_t>(kSplineAxis << lane);
  }
  if (!(channel.flags & kSplineAxes)) return channel;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    double square = 0.0;
    for (std::size_t lane = 0; lane < 3; ++lane) {
      if (axes[lane].kind != Kind::Spline) continue;
      const double want = curve.points[i].value[static_cast<int>(lane)];
      const std::uint16_t code = keeps[i][lane]
                                     ? code_at(curve.points[i], lane)
                                     : encode_scalar(axes[lane].range, channel.encoding, static_cast<float>(want));
      if (!keeps[i][lane]) square += std::pow(exact_value(axes[lane].range, channel.encoding, code) - want, 2);
      channel.codes.push_back(code);
    }
    context.report.distance = std::max(context.report.distance, std::sqrt(square));
    context.report.new_points += is_new(curve.points[i]) ? 1u : 0u;
  }
  channel.shape.degree = static_cast<std::uint8_t>(curve.degree);
  for (const std::int32_t frame : curve.knots)
    channel.shape.knots.push_back(static_cast<std::uint8_t>(frame - curve.first()));
  return channel;
}

VectorChannel as_vector(const FloatTrack& track) {
  VectorChannel channel{
      .encoding = track.encoding(), .shape = track.shape, .range = {track.range}, .codes = track.codes};
  channel.flags = track.is_spline() ? kSplineAxis : track.is_static() ? kStaticAxis : std::uint8_t{0};
  return channel;
}

FloatTrack as_float_track(const VectorChannel& channel) {
  const unsigned kind = channel.is_spline(0) ? 0x10 : channel.is_static(0) ? 0x01 : 0x00;
  return {.mask = static_cast<std::uint8_t>(kind | static_cast<unsigned>(channel.encoding) << 1),
          .shape = channel.shape,
          .range = channel.range[0],
          .codes = channel.codes};
}

}  // namespace marrow::codec::edit
