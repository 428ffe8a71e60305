// SPDX-License-Identifier: MIT
// Closes clips on their control points. A control point acts around its Greville time, the mean of its knots, so moving
// each by the correction of that time moves the curve by nearly the correction. The correction is a Hermite polynomial:
// half of the gap of values and half of the gap of velocities at either end, nothing at the inner border.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "codec/channel_lists.h"
#include "codec/rotation_math.h"
#include "codec/splice.h"

namespace marrow::codec {
namespace {

using namespace edit;

constexpr double kDegree = std::numbers::pi / 180.0;
// Ends that are this close get the same code and nothing else.
constexpr double kClosedAngle = 0.01 * kDegree, kClosedSpin = 0.02 * kDegree;
// From here on correcting a few control points is not correcting the curve; every frame gets a knot.
constexpr double kFarAngle = 45.0 * kDegree;

/// Both ends of a channel: what is missing from the last value to the first, and between the velocities there.
struct Gap {
  Point value, velocity;  ///< of a rotation in radians, left of the rotation

  double size() const { return std::sqrt(squared_length(value)); }
  double speed() const { return std::sqrt(squared_length(velocity)); }
};

struct Windows {
  std::int32_t last = 0;              ///< frame of the clip
  std::int32_t value = 1, speed = 1;  ///< frames at each end

  bool is_end(double frame) const { return frame > last / 2.0; }
  double inward(double frame) const { return is_end(frame) ? last - frame : frame; }

  /// Returns the change of value at a frame: half of the gap at the ends, without a speed of its own there.
  Point value_change(const Gap& gap, double frame) const {
    const double x = std::max(0.0, 1.0 - inward(frame) / value);
    return (is_end(frame) ? 0.5 : -0.5) * x * x * (3.0 - 2.0 * x) * gap.value;
  }
  /// Returns the change that has half of the gap of velocities as its speed at the ends, and no value there.
  Point speed_change(const Gap& gap, double frame) const {
    const double y = std::max(0.0, 1.0 - inward(frame) / speed);
    return 0.5 * speed * y * y * (y - 1.0) * gap.velocity;
  }
};

/// What differs between rotations and vectors.
struct Rotations {
  static Point apply(const Point& change, const Point& value) { return product(rotation_of(change), value); }
  static Point spin(const Point& value, const Point& slope) {
    const Point rate = (1.0 / squared_length(value)) * product(slope, conjugate(value));
    return {2.0 * rate[0], 2.0 * rate[1], 2.0 * rate[2], 0};
  }
  static Point difference(const Point& to, const Point& from) {
    return rotation_vector(product(fit::normalised(to), conjugate(fit::normalised(from))));
  }
  /// Returns the same rotation on the side of another: a curve must not go from q to -q.
  static Point on_side_of(const Point& value, const Point& near) { return dot(value, near) < 0 ? -1.0 * value : value; }
  /// Returns a velocity after the change of value that turns along with it.
  static Point carried(const Point& velocity, const Point& change) {
    const Point turn = rotation_of(change);
    return product(product(turn, velocity), conjugate(turn));
  }
  static bool is_closed(const Gap& gap) { return gap.size() < kClosedAngle && gap.speed() < kClosedSpin; }
  static bool is_far(const Gap& gap) { return gap.size() > kFarAngle; }
};

struct Vectors {
  static Point apply(const Point& change, const Point& value) { return value + change; }
  static Point spin(const Point&, const Point& slope) { return slope; }
  static Point difference(const Point& to, const Point& from) { return to - from; }
  static Point on_side_of(const Point& value, const Point&) { return value; }
  static Point carried(const Point& velocity, const Point&) { return velocity; }
  static bool is_closed(const Gap& gap) { return gap.size() < 1e-4 && gap.speed() < 1e-4; }
  static bool is_far(const Gap&) { return false; }
};

double greville(const Curve& curve, std::size_t point) {
  double sum = 0;
  for (int i = 1; i <= curve.degree; ++i) sum += curve.knots[point + static_cast<std::size_t>(i)];
  return sum / curve.degree;
}

template <class Space>
void correct(Curve& curve, const Gap& gap, const Windows& windows, bool needs_knots) {
  if (curve.degree == 0) curve = raised(std::move(curve), 3);
  if (needs_knots || curve.degree == 1)
    for (std::int32_t frame = curve.first() + 1; frame < curve.last(); ++frame) insert_knot(curve, frame);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    ControlPoint& point = curve.points[i];
    const double frame = greville(curve, i);
    point = {.value = Space::apply(windows.speed_change(gap, frame),
                                   Space::apply(windows.value_change(gap, frame), point.value))};
  }
}

// In degrees above 1 the second point alone decides the velocity at the first, and the last but one that at the last.
template <class Space>
void set_end_speeds(Curve& first, Curve& last, const Point& speed) {
  if (first.degree > 1) {
    const auto degree = static_cast<std::size_t>(first.degree);
    const double h = (first.knots[degree + 1] - first.knots[1]) / static_cast<double>(first.degree);
    first.points[1].value = Space::apply(h * speed, first.points[0].value);
  }
  if (last.degree > 1) {
    const std::size_t n = last.points.size(), degree = static_cast<std::size_t>(last.degree);
    const double h = (last.knots[n + degree - 1] - last.knots[n - 1]) / static_cast<double>(last.degree);
    last.points[n - 2].value = Space::apply(-h * speed, last.points[n - 1].value);
  }
}

// Returns the pieces with both ends moved to the middle between them.
template <class Space, class Piece>
std::vector<Piece> closed(std::vector<Piece> pieces, const Windows& windows) {
  const Curve &head = pieces.front().curve, &tail = pieces.back().curve;
  const Point start = head.points.front().value, end = tail.points.back().value;
  const Point missing = Space::difference(start, end);
  const Point first_speed = Space::carried(Space::spin(start, first_slope(head)), -0.5 * missing);
  const Point last_speed = Space::carried(Space::spin(end, last_slope(tail)), 0.5 * missing);
  const Gap gap{.value = missing, .velocity = first_speed - last_speed};
  const bool is_still = pieces.size() == 1 && head.is_constant();
  if (is_still || (gap.size() == 0.0 && gap.speed() == 0.0)) return pieces;
  if (Space::is_closed(gap)) {
    Piece& last = pieces.back();
    if (last.curve.is_constant() || gap.size() == 0.0) return pieces;
    last.whole = nullptr;
    last.curve.points.back() = {.value = Space::on_side_of(start, end)};
    return pieces;
  }
  std::vector<Piece> out = pieces_between(pieces, 0, windows.value);
  const std::size_t head_count = out.size();
  if (windows.value < windows.last - windows.value)
    std::ranges::move(pieces_between(pieces, windows.value, windows.last - windows.value), std::back_inserter(out));
  const std::size_t tail_begin = out.size();
  std::ranges::move(pieces_between(pieces, windows.last - windows.value, windows.last), std::back_inserter(out));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i >= head_count && i < tail_begin) continue;
    out[i].whole = nullptr;
    correct<Space>(out[i].curve, gap, windows, Space::is_far(gap));
  }
  // The value that both ends take is the same to the last bit, and so is its code.
  Point& close = out.back().curve.points.back().value;
  close = Space::on_side_of(out.front().curve.points.front().value, close);
  set_end_speeds<Space>(out.front().curve, out.back().curve, 0.5 * (first_speed + last_speed));
  return out;
}

// Ranges grow where points went beyond them.
void widen_ranges(std::vector<VectorPiece>& pieces) {
  for (VectorPiece& piece : pieces)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      AxisPiece& own = piece.axes[axis];
      const double before = piece.curve.points.front().value[static_cast<int>(axis)];
      for (const ControlPoint& point : piece.curve.points) {
        const double value = point.value[static_cast<int>(axis)];
        if (own.kind != AxisPiece::Kind::Spline && value == before) continue;
        if (own.kind != AxisPiece::Kind::Spline)
          own = {AxisPiece::Kind::Spline, {static_cast<float>(before), static_cast<float>(before)}};
        own.range = {std::min(own.range.low, static_cast<float>(value)),
                     std::max(own.range.high, static_cast<float>(value))};
      }
      if (own.kind != AxisPiece::Kind::Spline && !piece.whole && own.kind == AxisPiece::Kind::Static)
        own.range = {static_cast<float>(before), static_cast<float>(before)};
    }
}

}  // namespace

Result<Spliced> close_loop(const SplineBlob& source, const LoopOptions& options) {
  if (source.blocks.empty() || source.frame_count < 3)
    return fail(ErrorCode::InvalidArgument, "a loop needs at least three frames");
  Spliced out;
  const auto last = static_cast<std::int32_t>(source.frame_count - 1);
  Windows windows{.last = last};
  windows.value = std::clamp(static_cast<std::int32_t>(std::min(options.window, source.frame_count)), 1, last / 2);
  windows.speed =
      std::clamp(static_cast<std::int32_t>(std::min(options.velocity_window, source.frame_count)), 1, windows.value);
  const SplineBlock& shape = source.blocks.front();
  BlobAssembler assembler(source.frame_count, shape.transforms.size(), shape.floats.size(), options.splice, out.report);
  const auto closed_vectors = [&](std::vector<VectorPiece> pieces) {
    std::vector<VectorPiece> all = closed<Vectors>(std::move(pieces), windows);
    widen_ranges(all);
    return all;
  };
  for (std::size_t t = 0; t < shape.transforms.size(); ++t) {
    assembler.put(t, closed<Rotations>(read_rotations(source, t), windows));
    for (const VectorMember& member : {kTranslation, kScale})
      assembler.put(t, member, closed_vectors(read_pieces(source, t, member)));
  }
  for (std::size_t t = 0; t < shape.floats.size(); ++t) {
    FloatStore store;
    assembler.put_float(t, closed_vectors(read_floats(source, t, store)));
  }
  out.blob = std::move(assembler).result();
  return out;
}

}  // namespace marrow::codec
