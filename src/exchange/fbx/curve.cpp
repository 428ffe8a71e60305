// SPDX-License-Identifier: MIT
#include "exchange/fbx/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/try.h"

namespace marrow::fbx {
namespace {

constexpr std::uint32_t kConstant = 0x2, kLinear = 0x4, kCubic = 0x8, kNextValue = 0x100, kTcb = 0x200, kUser = 0x400,
                        kClamp = 0x1000, kTimeIndependent = 0x2000, kProgressive = 0x4000, kRightWeight = 0x1000000,
                        kNextLeftWeight = 0x2000000;
constexpr double kDefaultWeight = 0.333333;

// Finds the parameter at which a cubic Bezier curve from 0 to 1 has the value x; its inner points are in 0 to 1.
double bezier_parameter(double p1, double p2, double x) {
  double low = 0.0, high = 1.0, t = x;
  for (int round = 0; round < 64; ++round) {
    const double u = 1.0 - t;
    const double value = 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t - x;
    if (std::abs(value) <= 1e-15) break;
    (value > 0 ? high : low) = t;
    const double slope = 3 * u * u * p1 + 6 * u * t * (p2 - p1) + 3 * t * t * (1 - p2);
    const double next = slope > 0 ? t - value / slope : low - 1;
    t = next > low && next < high ? next : (low + high) / 2;
    if (high - low <= 1e-16) break;
  }
  return t;
}

double sign_of(double value) { return value < 0 ? -1.0 : 1.0; }

Result<Extrapolation> read_extrapolation(const Node* node) {
  Extrapolation rule;
  if (!node) return rule;
  if (const Node* type = node->find("Type")) {
    const std::string_view text = type->text(0);
    rule.type = text.empty() ? static_cast<char>(type->integer(0, 'C') & 0x7F) : text.front();
  }
  if (const Node* repetition = node->find("Repetition")) rule.repetitions = repetition->integer(0, -1);
  return rule;
}

std::vector<double> numbers_of(const Node& node, std::string_view name) {
  const Node* found = node.find(name);
  return found ? found->numbers() : std::vector<double>();
}

}  // namespace

Result<Curve> Curve::read(const Node& node, double ticks_per_second, bool has_float_bits_as_integers) {
  const auto wrong = [&](const char* message) {
    return fail(ErrorCode::Malformed, message, kNoOffset, "AnimationCurve " + std::to_string(node.integer(0)));
  };
  const Node* times = node.find("KeyTime");
  const std::vector<std::int64_t> ticks = times ? times->integers() : std::vector<std::int64_t>();
  const std::vector<double> values = numbers_of(node, "KeyValueFloat"), flags = numbers_of(node, "KeyAttrFlags"),
                            data = numbers_of(node, "KeyAttrDataFloat"), counts = numbers_of(node, "KeyAttrRefCount");
  if (values.size() != ticks.size()) return wrong("the keys have another number of values than times");
  if (flags.size() != counts.size() || data.size() != flags.size() * 4)
    return wrong("the tangents of the keys do not fit each other");
  const auto bits = [&](double stored) -> std::uint32_t {
    if (!has_float_bits_as_integers) return std::bit_cast<std::uint32_t>(static_cast<float>(stored));
    return std::abs(stored) < 4294967296.0 ? static_cast<std::uint32_t>(static_cast<std::int64_t>(stored)) : 0;
  };
  const auto as_float = [&](double stored) -> double { return std::bit_cast<float>(bits(stored)); };
  Curve curve;
  curve.keys_.reserve(ticks.size());
  std::size_t entry = 0;
  double left_of_entry = counts.empty() ? 0.0 : counts[0];
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    while (entry < counts.size() && left_of_entry < 1.0)
      if (++entry < counts.size()) left_of_entry = counts[entry];
    if (entry >= counts.size()) return wrong("there are fewer tangents than keys");
    left_of_entry -= 1.0;
    Key key{.time = static_cast<double>(ticks[i]) / ticks_per_second, .value = values[i]};
    if (!std::isfinite(key.value)) return wrong("a key is not a number");
    if (i > 0 && key.time < curve.keys_.back().time) return wrong("the times of the keys go back");
    key.flags =
        static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(flags[entry], -2147483648.0, 4294967295.0)));
    const double* four = data.data() + entry * 4;
    const auto finite = [](double value) { return std::isfinite(value) ? value : 0.0; };
    key.right = finite(as_float(four[0]));
    key.next_left = finite(as_float(four[1]));
    key.third = finite(as_float(four[2]));
    const std::uint32_t weights = bits(four[2]);
    const bool is_tcb = key.flags & kTcb;
    key.right_weight = !is_tcb && key.flags & kRightWeight ? (weights & 0xFFFF) * 0.0001 : kDefaultWeight;
    key.next_weight = !is_tcb && key.flags & kNextLeftWeight ? (weights >> 16) * 0.0001 : kDefaultWeight;
    curve.keys_.push_back(key);
  }
  MARROW_TRY(curve.before_, read_extrapolation(node.find("Pre-Extrapolation")));
  MARROW_TRY(curve.after_, read_extrapolation(node.find("Post-Extrapolation")));
  return curve;
}

double Curve::at(double seconds) const {
  if (keys_.size() == 1) return keys_.front().value;
  if (seconds < first_second()) return beyond(before_, true, seconds);
  if (seconds > last_second()) return beyond(after_, false, seconds);
  return inside(seconds);
}

double Curve::inside(double seconds) const {
  const auto after = std::ranges::upper_bound(keys_, seconds, {}, &Key::time);
  if (after == keys_.begin()) return keys_.front().value;
  if (after == keys_.end()) return keys_.back().value;
  return in_span(static_cast<std::size_t>(after - keys_.begin()) - 1, seconds);
}

double Curve::in_span(std::size_t i, double seconds) const {
  const Key &a = keys_[i], &b = keys_[i + 1];
  if (a.flags & kConstant) return a.flags & kNextValue ? b.value : a.value;
  const double span = b.time - a.time;
  if (seconds == a.time || span <= 0.0) return a.value;
  const double x = (seconds - a.time) / span;
  if (!(a.flags & kCubic)) return a.value + (b.value - a.value) * x;
  const Tangents from = tangents(i), to = tangents(i + 1);
  const double right = from.right_weight, left = to.left_weight;
  const double t = bezier_parameter(right, 1.0 - left, x), u = 1.0 - t;
  const double p1 = a.value + right * span * from.right_slope, p2 = b.value - left * span * to.left_slope;
  return u * u * u * a.value + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * b.value;
}

double Curve::chord(std::size_t i) const {
  const double span = keys_[i + 1].time - keys_[i].time;
  return span > 0.0 ? (keys_[i + 1].value - keys_[i].value) / span : 0.0;
}

Curve::Tangents Curve::tangents(std::size_t i) const {
  const Key& key = keys_[i];
  const bool has_before = i > 0, has_after = i + 1 < keys_.size();
  Tangents out;
  out.right_weight = key.right_weight;
  out.left_weight = has_before ? keys_[i - 1].next_weight : kDefaultWeight;
  // A TCB key stores its continuity where others store the left slope of the next key.
  const double stored_left = has_before && !(keys_[i - 1].flags & kTcb) ? keys_[i - 1].next_left : 0.0;
  if (!(key.flags & kCubic)) {
    out.right_slope = key.flags & kLinear && has_after ? chord(i) : 0.0;
    out.right_weight = kDefaultWeight;
    out.left_slope = stored_left;
    return out;
  }
  if (key.flags & kTcb) {
    const double before = has_before ? chord(i - 1) : 0.0, after = has_after ? chord(i) : 0.0;
    const double tension = key.right, continuity = key.next_left, bias = key.third;
    const double h = (1 - tension) * (has_before && has_after ? 0.5 : 1.0);
    out.left_slope = h * ((1 + bias) * (1 - continuity) * before + (1 - bias) * (1 + continuity) * after);
    out.right_slope = h * ((1 + bias) * (1 + continuity) * before + (1 - bias) * (1 - continuity) * after);
    out.left_weight = out.right_weight = kDefaultWeight;
    return out;
  }
  if (key.flags & kUser) {
    out.right_slope = key.right;
    out.left_slope = stored_left;
    return out;
  }
  const double right_bias = key.right, left_bias = -stored_left;
  out.right_slope = automatic_slope(i, right_bias, out);
  out.left_slope = std::abs(stored_left + key.right) <= 0.0001 ? out.right_slope : automatic_slope(i, left_bias, out);
  return out;
}

double Curve::automatic_slope(std::size_t i, double bias, const Tangents& weights) const {
  const Key& key = keys_[i];
  const bool has_before = i > 0, has_after = i + 1 < keys_.size();
  const bool clamps = key.flags & kClamp, is_progressive = key.flags & kProgressive,
             is_timed = !(key.flags & kTimeIndependent);
  const double v = key.value, w = std::abs(bias) / 100.0;
  const auto overshoot = [&] { return (w - 5) * (w - 5) * 40; };
  if (!has_before || !has_after) {
    if (keys_.size() == 1 || is_progressive) return 0.0;
    const std::size_t other = has_after ? i + 1 : i - 1;
    if (clamps && std::abs(keys_[other].value - v) <= 0.001) return 0.0;
    double slope = chord(has_after ? i : i - 1);
    if (is_timed && w > 5) slope += overshoot() * sign_of(bias);
    return slope;
  }
  const double p = keys_[i - 1].value, q = keys_[i + 1].value;
  const double a = key.time - keys_[i - 1].time, b = keys_[i + 1].time - key.time;
  if (clamps && std::min(std::abs(p - v), std::abs(q - v)) <= 0.001) return 0.0;
  if (a <= 0.0 || b <= 0.0) return 0.0;
  double slope = (q - p) / (a + b);
  if (is_timed) {
    const double before = (v - p) / a, after = (q - v) / b, share = a / (a + b);
    slope = slope / 2 + (before * (1 - share) + after * share) / 2;
    if (w > 0.0001) {
      const double target = bias > 0 ? after : before, delta = target - slope;
      slope = slope * (1 - w) + target * w;
      if (w > 5) slope += overshoot() * sign_of(std::abs(delta) > 1e-5 ? delta : bias);
    }
  }
  if (is_progressive) {
    const double s = sign_of(slope);
    const auto most = [](double rise, double run) { return run > 0.0 ? std::max(0.0, rise / run) : 0.0; };
    slope = s * std::min({std::abs(slope), most(s * (v - p), weights.left_weight * a),
                          most(s * (q - v), weights.right_weight * b)});
  }
  return slope;
}

double Curve::end_slope(bool is_before) const {
  if (is_before) {
    const Key& first = keys_.front();
    if (first.flags & kConstant) return 0.0;
    return first.flags & kCubic ? tangents(0).right_slope : chord(0);
  }
  const std::size_t last = keys_.size() - 1;
  const Key& span = keys_[last - 1];
  if (span.flags & kConstant) return 0.0;
  return span.flags & kCubic ? tangents(last).left_slope : chord(last - 1);
}

double Curve::beyond(const Extrapolation& rule, bool is_before, double seconds) const {
  const Key& end = is_before ? keys_.front() : keys_.back();
  const double span = last_second() - first_second();
  if (rule.type == 'K') return end.value + end_slope(is_before) * (seconds - end.time);
  if ((rule.type != 'R' && rule.type != 'M' && rule.type != 'A') || rule.repetitions == 0 || span <= 0.0)
    return end.value;
  const double distance = std::abs(seconds - end.time);
  double round = std::floor(distance / span), rest = distance - round * span;
  if (rule.repetitions > 0 && round >= static_cast<double>(rule.repetitions)) {
    round = static_cast<double>(rule.repetitions) - 1;
    rest = span;
  }
  if (rule.type == 'M' && std::fmod(round, 2.0) == 0.0) rest = span - rest;
  if (is_before) rest = span - rest;
  const double value = inside(first_second() + std::clamp(rest, 0.0, span));
  if (rule.type != 'A') return value;
  return value + (is_before ? -1.0 : 1.0) * (round + 1) * (keys_.back().value - keys_.front().value);
}

}  // namespace marrow::fbx
