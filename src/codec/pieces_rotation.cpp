// SPDX-License-Identifier: MIT
// Rotations as pieces of curves, and back. A new control point is a mean of unit quaternions and shorter than 1, but
// files store unit ones. Dropping its length would bend the curve by up to 0.2 degrees, so new points are fitted to the
// exact curve and their codes searched; docs/formats/spline-animation.md, "Editing".
#include <algorithm>
#include <cmath>
#include <cstring>

#include "codec/fit_channel.h"
#include "codec/fit_source.h"
#include "codec/pieces.h"
#include "codec/quaternion_lattice.h"

namespace marrow::codec::edit {
namespace {

using fit::QuaternionLattice;
using fit::Spline;
using fit::Target;

constexpr double kSameDegrees = 0.01;
// Blocks of the games are up to 1.1 degrees apart, parts that were encoded up to two bounds.
constexpr double kSmallDegrees = 1.5;
constexpr double kNoGapDegrees = 1e-7;
// Just within 0.04 and 0.005 degrees, which the nearest codes of 40 and 48 bits can always hold.
constexpr double kBoundDegrees40 = 0.0397;
constexpr double kBoundDegrees48 = 0.00499;
constexpr int kMostExtraKnots = 12;

const QuaternionLattice* lattice_of(QuaternionEncoding encoding) {
  if (encoding == QuaternionEncoding::ThreeComp40) return &fit::kLattice40;
  if (encoding == QuaternionEncoding::ThreeComp48) return &fit::kLattice48;
  return nullptr;
}

ControlPoint decoded(QuaternionEncoding encoding, std::span<const std::byte> packed) {
  ControlPoint point{.is_stored = true};
  std::ranges::copy(packed, point.code.begin());
  if (const QuaternionLattice* lattice = lattice_of(encoding)) {
    point.value = lattice->decode(unpack_code(encoding, packed));
  } else {
    const Quaternion q = decode_quaternion(encoding, packed);
    point.value = Point(q[0], q[1], q[2], q[3]);
  }
  return point;
}

ControlPoint coded(const QuaternionLattice& lattice, const ThreeComponentCode& code) {
  ControlPoint point{.value = lattice.decode(code), .is_stored = true};
  pack_code(lattice.encoding, code, point.code);
  return point;
}

ControlPoint identity_point(QuaternionEncoding encoding) {
  ControlPoint point{.value = Point(0, 0, 0, 1), .is_stored = true};
  encode_quaternion(encoding, {0, 0, 0, 1}, point.code);
  return point;
}

// -q is the same rotation. Three components and floats have an exact code for it.
void negate(RotationPiece& piece) {
  piece.whole = nullptr;
  for (ControlPoint& point : piece.curve.points) {
    point.value = -1.0 * point.value;
    if (!point.is_stored) continue;
    if (const QuaternionLattice* lattice = lattice_of(piece.encoding)) {
      ThreeComponentCode code = unpack_code(piece.encoding, point.code);
      for (std::int32_t& part : code.parts) part = -part;
      code.negative = !code.negative;
      if (std::ranges::all_of(code.parts, [&](std::int32_t part) { return part >= -lattice->limit; }))
        pack_code(piece.encoding, code, point.code);
      else
        point.is_stored = false;  // the highest number that the bits can hold has no negative
    } else {
      encode_quaternion(piece.encoding,
                        {static_cast<float>(point.value[0]), static_cast<float>(point.value[1]),
                         static_cast<float>(point.value[2]), static_cast<float>(point.value[3])},
                        point.code);
    }
  }
}

double degrees_between(const Point& a, const Point& b) {
  const Point u = fit::normalised(a), v = fit::normalised(b);
  return fit::degrees_of_chord(std::sqrt(std::min(squared_length(u - v), squared_length(u + v))));
}

// The encoding that holds all pieces, and new points too if there are any.
QuaternionEncoding common_encoding(const std::vector<RotationPiece>& pieces, bool has_new, EncodingSet encodings) {
  QuaternionEncoding common = pieces.front().encoding;
  for (const RotationPiece& piece : pieces) {
    if (piece.encoding == common) continue;
    const bool is_exact =
        piece.encoding == QuaternionEncoding::Uncompressed || common == QuaternionEncoding::Uncompressed;
    common = is_exact ? QuaternionEncoding::Uncompressed : QuaternionEncoding::ThreeComp48;
  }
  if (!has_new) return common;
  const bool is_coarse = common == QuaternionEncoding::Polar32 ||
                         (common == QuaternionEncoding::ThreeComp40 && encodings == EncodingSet::All);
  return is_coarse ? QuaternionEncoding::ThreeComp48 : common;
}

std::uint8_t moving_flags(const std::vector<RotationPiece>& pieces) {
  if (pieces.size() == 1 && (pieces.front().flags & kSplineRotation)) return pieces.front().flags;
  unsigned flags = 0;
  for (const RotationPiece& piece : pieces) flags |= piece.flags | static_cast<unsigned>(piece.flags) << 4;
  flags &= kSplineRotation;
  return static_cast<std::uint8_t>(flags ? flags : kSplineRotation);
}

RotationChannel channel_of(const Curve& curve, QuaternionEncoding encoding, std::uint8_t flags) {
  RotationChannel channel{.flags = flags, .encoding = encoding};
  const std::size_t bytes = packed_bytes(encoding);
  for (const ControlPoint& point : curve.points)
    channel.codes.insert(channel.codes.end(), point.code.begin(),
                         point.code.begin() + static_cast<std::ptrdiff_t>(bytes));
  channel.shape.degree = static_cast<std::uint8_t>(curve.degree);
  for (const std::int32_t frame : curve.knots)
    channel.shape.knots.push_back(static_cast<std::uint8_t>(frame - curve.first()));
  return channel;
}

RotationChannel constant_channel(const RotationPiece& piece) {
  if (piece.whole) return *piece.whole;
  if (!(piece.flags & (kStaticRotation | kSplineRotation))) return {};
  const std::size_t bytes = packed_bytes(piece.encoding);
  const auto& code = piece.curve.points.front().code;
  unsigned flags = (piece.flags | static_cast<unsigned>(piece.flags) >> 4) & kStaticRotation;
  return {.flags = static_cast<std::uint8_t>(flags),
          .encoding = piece.encoding,
          .codes = {code.begin(), code.begin() + static_cast<std::ptrdiff_t>(bytes)}};
}

/// Gives every new point of a rotation curve a code, so that the decoded curve stays at the exact one.
class RotationSettler {
 public:
  RotationSettler(const QuaternionLattice& lattice, AssembleContext& context)
      : lattice_(lattice),
        context_(context),
        bound_degrees_(&lattice == &fit::kLattice40 ? kBoundDegrees40 : kBoundDegrees48) {}

  /// Returns the curve with a code for every point. `is_recoded` if codes of old points were of another encoding.
  Curve settle(const Curve& exact, bool is_recoded) {
    exact_ = moved(exact, -exact.first());
    Curve best;
    double least = INFINITY;
    for (int extra = 0; extra <= kMostExtraKnots; ++extra) {
      Curve settled = attempt(is_recoded);
      if (worst_.ratio < least) {
        least = worst_.ratio;
        best = std::move(settled);
      }
      if (least <= 1.0 || !refine()) break;
    }
    error_degrees_ = std::sqrt(least) * bound_degrees_;
    return moved(std::move(best), exact.first());
  }

  double error_degrees() const { return error_degrees_; }
  bool is_within() const { return error_degrees_ <= bound_degrees_; }

 private:
  // Codes the points on the curve first: both sides of a cut then get the same code. Then fits and codes the runs of
  // new points between them.
  Curve attempt(bool is_recoded) {
    spline_ = {.degree = exact_.degree};
    spline_.knots.assign(exact_.knots.begin(), exact_.knots.end());
    is_new_.assign(exact_.points.size(), false);
    for (std::size_t i = 0; i < exact_.points.size(); ++i) {
      const ControlPoint& point = exact_.points[i];
      is_new_[i] = !point.is_stored && !is_on_curve(exact_, i);
      const bool keeps = point.is_stored && !is_recoded;
      const ThreeComponentCode code =
          keeps ? unpack_code(lattice_.encoding, point.code) : lattice_.closest(fit::normalised(point.value));
      spline_.codes.push_back(code);
      spline_.points.push_back(is_new_[i] ? fit::normalised(point.value) : lattice_.decode(code));
    }
    make_target(is_recoded);
    const int count = spline_.point_count();
    for (int first = 0; first < count; ++first) {
      if (!is_new_[static_cast<std::size_t>(first)]) continue;
      int last = first;
      while (last < count && is_new_[static_cast<std::size_t>(last)]) ++last;
      fit::fit_points(target_, spline_, first, last, {.rounds = 6, .good_enough = 0.2, .give_up = INFINITY},
                      context_.scratch);
      fit::quantise_points(target_, lattice_, spline_, first, last, 4, context_.scratch);
      first = last;
    }
    worst_ = {};
    for (const fit::BasisRow& row : rows_) {
      const double ratio = fit::error_ratio(target_, fit::evaluate(spline_, row), row.sample);
      if (ratio > worst_.ratio) worst_ = {ratio, row.sample};
    }
    Curve curve = exact_;
    for (std::size_t i = 0; i < curve.points.size(); ++i) curve.points[i] = coded(lattice_, spline_.codes[i]);
    return curve;
  }

  // The exact curve at the samples that a point without a code touches.
  void make_target(bool is_recoded) {
    Spline exact = spline_;
    for (std::size_t i = 0; i < exact_.points.size(); ++i) exact.points[i] = exact_.points[i].value;
    rows_.clear();
    for (int i = 0; i < exact.point_count(); ++i)
      if (is_recoded || !exact_.points[static_cast<std::size_t>(i)].is_stored) append_new_rows(exact, i);
    target_ = {
        .space = fit::Space::Rotation, .last_frame = exact_.last(), .bound = fit::chord_of_degrees(bound_degrees_)};
    target_.samples.assign(static_cast<std::size_t>(exact_.last() * fit::kSamplesPerFrame + 1), Point(0, 0, 0, 1));
    for (const fit::BasisRow& row : rows_)
      target_.samples[static_cast<std::size_t>(row.sample)] = fit::normalised(fit::evaluate(exact, row));
  }

  // Rows come in order of sample, and neighbouring points share most of theirs.
  void append_new_rows(const Spline& spline, int point) {
    std::vector<fit::BasisRow>& more = context_.scratch.rows;
    more.clear();
    fit::append_rows(spline, point, point + 1, more);
    const int known = rows_.empty() ? -1 : rows_.back().sample;
    for (const fit::BasisRow& row : more)
      if (row.sample > known) rows_.push_back(row);
  }

  // Inserts a knot where the error is worst. False if there is no whole frame left for one.
  bool refine() {
    const int frame = worst_.sample / fit::kSamplesPerFrame;
    for (const int each : {frame, frame + 1, frame - 1}) {
      if (each <= 0 || each >= exact_.last()) continue;
      const std::size_t before = exact_.points.size();
      insert_knot(exact_, each);
      if (exact_.points.size() > before) return true;
    }
    return false;
  }

  const QuaternionLattice& lattice_;
  AssembleContext& context_;
  double bound_degrees_;
  double error_degrees_ = 0;
  Curve exact_;
  Spline spline_;
  std::vector<bool> is_new_;
  std::vector<fit::BasisRow> rows_;
  Target target_;
  fit::Worst worst_;
};

// Joins the curves of pieces that meet.
Curve joined(const std::vector<RotationPiece>& pieces) {
  Curve curve = pieces.front().curve;
  for (std::size_t i = 1; i < pieces.size(); ++i) append(curve, pieces[i].curve);
  return curve;
}

// Gives the ends the codes that neighbours and the other end of a loop have there too.
void take_end_codes(RotationChannel& channel, const Curve& settled, QuaternionEncoding encoding) {
  if (channel.shape.knots.empty() || channel.encoding != encoding) return;
  const std::size_t bytes = packed_bytes(encoding);
  const std::span<std::byte> codes = channel.codes;
  const auto value = [&](std::size_t at) {
    const Quaternion q = decode_quaternion(encoding, codes.subspan(at, bytes));
    return Point(q[0], q[1], q[2], q[3]);
  };
  // A code of the other side of the sphere would turn the curve around.
  if (dot(value(0), settled.points.front().value) > 0.0)
    std::copy_n(settled.points.front().code.begin(), bytes, codes.begin());
  if (dot(value(codes.size() - bytes), settled.points.back().value) > 0.0)
    std::copy_n(settled.points.back().code.begin(), bytes, codes.end() - static_cast<std::ptrdiff_t>(bytes));
}

/// A channel that was encoded anew, and its largest error.
struct Encoded {
  RotationChannel channel;
  double error_degrees = 0;
};

// Encodes the exact curve anew. Used if its own knots cannot hold the bound.
Encoded encoded(const Curve& exact, const Curve& settled, QuaternionEncoding encoding, AssembleContext& context) {
  const Curve curve = moved(exact, -exact.first());
  Target target{.space = fit::Space::Rotation,
                .last_frame = curve.last(),
                .bound = fit::kBoundShare * fit::chord_of_degrees(context.options.tolerance.rotation_degrees)};
  for (int sample = 0; sample <= curve.last() * fit::kSamplesPerFrame; ++sample)
    target.samples.push_back(evaluate(curve, static_cast<double>(sample) / fit::kSamplesPerFrame));
  fit::make_continuous(target.samples);
  Encoded out{fit::fit_rotation(target, {.encodings = context.options.encodings}, nullptr, context.scratch)};
  take_end_codes(out.channel, settled, encoding);
  std::vector<Point> decoded = fit::sample_channel(out.channel, target.last_frame);
  fit::make_continuous(decoded);
  if (dot(decoded.front(), target.samples.front()) < 0)
    for (Point& point : decoded) point = -1.0 * point;
  out.error_degrees = fit::degrees_of_chord(fit::decoded_error(target, decoded));
  return out;
}

RotationChannel settled(const std::vector<RotationPiece>& pieces, AssembleContext& context) {
  Curve exact = joined(pieces);
  const auto is_new = [](const ControlPoint& point) { return !point.is_stored; };
  const auto new_points = static_cast<std::size_t>(std::ranges::count_if(exact.points, is_new));
  const QuaternionEncoding encoding = common_encoding(pieces, new_points > 0, context.options.encodings);
  const bool is_recoded =
      std::ranges::any_of(pieces, [&](const RotationPiece& piece) { return piece.encoding != encoding; });
  context.report.new_points += is_recoded ? exact.points.size() : new_points;
  if (new_points == 0 && !is_recoded) return channel_of(exact, encoding, moving_flags(pieces));
  const QuaternionLattice* lattice = lattice_of(encoding);
  if (!lattice) {  // four floats hold any point, of any length
    for (ControlPoint& point : exact.points) {
      const std::array<float, 4> q = {static_cast<float>(point.value[0]), static_cast<float>(point.value[1]),
                                      static_cast<float>(point.value[2]), static_cast<float>(point.value[3])};
      std::memcpy(point.code.data(), q.data(), sizeof q);
    }
    return channel_of(exact, encoding, moving_flags(pieces));
  }
  RotationSettler settler(*lattice, context);
  const Curve curve = settler.settle(exact, is_recoded);
  if (!settler.is_within() && settler.error_degrees() > context.options.tolerance.rotation_degrees)
    if (Encoded anew = encoded(exact, curve, encoding, context); anew.error_degrees < settler.error_degrees()) {
      ++context.report.encoded_channels;
      context.report.rotation_degrees = std::max(context.report.rotation_degrees, anew.error_degrees);
      context.report.past_bound += anew.error_degrees > context.options.tolerance.rotation_degrees ? 1u : 0u;
      return std::move(anew.channel);
    }
  context.report.rotation_degrees = std::max(context.report.rotation_degrees, settler.error_degrees());
  context.report.past_bound += settler.is_within() ? 0u : 1u;
  return channel_of(curve, encoding, moving_flags(pieces));
}

}  // namespace

RotationPiece read_piece(const RotationChannel& channel, std::int32_t first, std::int32_t last) {
  RotationPiece piece{.encoding = channel.encoding, .flags = channel.flags, .whole = &channel};
  const std::size_t bytes = packed_bytes(channel.encoding);
  if (channel.codes.empty() || !is_supported(channel.encoding)) {
    piece.encoding = QuaternionEncoding::ThreeComp40;
    piece.flags = 0;
    piece.curve = constant_curve(first, last, identity_point(piece.encoding));
    return piece;
  }
  std::vector<ControlPoint> points;
  for (std::size_t at = 0; at + bytes <= channel.codes.size(); at += bytes)
    points.push_back(decoded(channel.encoding, std::span(channel.codes).subspan(at, bytes)));
  if (channel.shape.knots.empty()) {
    piece.curve = constant_curve(first, last, points.front());
    return piece;
  }
  piece.curve.degree = channel.shape.degree;
  piece.curve.points = std::move(points);
  for (const std::uint8_t knot : channel.shape.knots) piece.curve.knots.push_back(first + knot);
  // Some curves go on past their block.
  const bool is_clamped = piece.curve.last() == last && piece.curve.knots[piece.curve.points.size()] == last;
  if (!is_clamped) piece.curve = window(std::move(piece.curve), first, last);
  return piece;
}

void heal(std::vector<RotationPiece>& pieces, SpliceReport& report) {
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    RotationPiece &left = pieces[i - 1], &right = pieces[i];
    Point end = left.curve.points.back().value;
    if (dot(end, right.curve.points.front().value) < 0) negate(right);
    const ControlPoint& start = right.curve.points.front();
    const double gap = degrees_between(end, start.value);
    if (gap <= kNoGapDegrees && left.encoding == right.encoding) continue;
    report.gap_degrees = std::max(report.gap_degrees, gap);
    if (gap <= kSameDegrees && left.curve.is_constant() && right.curve.is_constant()) continue;  // one of them stays
    left.whole = nullptr;
    if (gap <= kSameDegrees && !left.curve.is_constant())
      left.curve.points.back() = left.encoding == right.encoding ? start : ControlPoint{.value = start.value};
    else if (gap > kSameDegrees)
      gap <= kSmallDegrees ? bend_end(left.curve, start.value) : straighten_end(left.curve, start.value);
  }
}

RotationChannel assemble(std::vector<RotationPiece> pieces, AssembleContext& context) {
  if (pieces.size() == 1 && pieces.front().whole) return *pieces.front().whole;
  // Constants that differ by nothing one could see become one, that of the longer part.
  for (std::size_t i = 1; i < pieces.size();) {
    RotationPiece &left = pieces[i - 1], &right = pieces[i];
    const bool are_same =
        left.curve.is_constant() && right.curve.is_constant() &&
        degrees_between(left.curve.points.front().value, right.curve.points.front().value) <= kSameDegrees;
    if (!are_same) {
      ++i;
      continue;
    }
    const bool takes_right = right.curve.last() - right.curve.first() > left.curve.last() - left.curve.first();
    RotationPiece one = takes_right ? right : left;
    one.curve.knots = {left.curve.first(), right.curve.last()};
    left = std::move(one);
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (pieces.size() == 1 && pieces.front().curve.is_constant()) return constant_channel(pieces.front());
  int degree = pieces.size() > 1 ? 1 : 0;
  for (const RotationPiece& piece : pieces) degree = std::max(degree, piece.curve.degree);
  for (RotationPiece& piece : pieces) piece.curve = raised(std::move(piece.curve), degree);
  heal(pieces, context.report);
  return settled(pieces, context);
}

}  // namespace marrow::codec::edit
