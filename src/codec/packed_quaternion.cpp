// SPDX-License-Identifier: MIT
#include "marrow/codec/packed_quaternion.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numbers>

namespace marrow::codec {
namespace {

using std::numbers::pi;
using Quaternion64 = std::array<double, 4>;

struct Encoding {
  std::string_view name;
  std::size_t bytes;
  std::size_t alignment;
  bool supported;
  double max_error_degrees;
};

// The bounds.
//
// Three components: each is off by at most e = half a step, which moves the omitted one, w, by (v.dv)/w. The quaternion
// moves furthest if dv lies along v and v is as long as possible relative to w, at |v|^2 = 3/4 and w = 1/2:
// |dq| = sqrt(3) e sqrt(1 + |v|^2/w^2) = 2 sqrt(3) e, and the rotation turns by twice that.
// 40 bits: e = sqrt(1/2)/2047/2, 0.0686 degrees. 48 bits: e = sqrt(1/2)/16383/2, 0.00857 degrees.
//
// Polar: w = 1 - r^2 with r off by 1/2046 moves the quaternion by 2 dr/sqrt(2 - r^2) <= 1/1023; the axis is off by half
// a step of phi, (pi/2)/511/2, and across it by half a step of theta times sin(phi), at most (pi/2)/511 * pi/8. The
// three are perpendicular: 0.00219 in total, and the rotation turns by twice that, 0.251 degrees.
constexpr std::array<Encoding, 6> kEncodings{{
    {"POLAR32", 4, 4, true, 0.252},
    {"THREECOMP40", 5, 1, true, 0.0687},
    {"THREECOMP48", 6, 2, true, 0.00858},
    {"THREECOMP24", 3, 1, false, 0.0},
    {"STRAIGHT16", 2, 2, false, 0.0},
    {"UNCOMPRESSED", 16, 4, true, 0.00002},
}};

const Encoding& find(QuaternionEncoding encoding) {
  static constexpr Encoding kUnknown{"unknown", 0, 1, false, 0.0};
  const auto index = static_cast<std::size_t>(encoding);
  return index < kEncodings.size() ? kEncodings[index] : kUnknown;
}

Quaternion64 normalised(const Quaternion& rotation) {
  Quaternion64 q{rotation[0], rotation[1], rotation[2], rotation[3]};
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(length > 0.0)) return {0, 0, 0, 1};
  for (double& component : q) component /= length;
  return q;
}

Quaternion to_float(const Quaternion64& q) {
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

// Bits of the polar form: 0-17 the direction, 18-27 the length r, 28-31 the signs of x, y, z, w.
constexpr std::uint32_t kDirectionBits = 18;
constexpr std::uint32_t kDirectionMask = (1u << kDirectionBits) - 1;
constexpr double kRadialSteps = 1023.0;
constexpr double kPhiSteps = 511.0;

Quaternion decode_polar(std::uint32_t code) {
  const double radial = ((code >> kDirectionBits) & 1023u) / kRadialSteps;
  const double w = 1.0 - radial * radial;
  const std::uint32_t direction = code & kDirectionMask;
  // An 18-bit number is exact as a double, and the correctly rounded root of a number below a square is below its root.
  const auto phi_step = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(direction)));
  const double phi = phi_step * (pi / 2) / kPhiSteps;
  const double theta = phi_step == 0 ? 0.0 : (pi / 4) * (direction - phi_step * phi_step) / phi_step;
  const double vector_length = std::sqrt(std::max(0.0, 1.0 - w * w));
  Quaternion64 q{std::sin(phi) * std::cos(theta) * vector_length, std::sin(phi) * std::sin(theta) * vector_length,
                 std::cos(phi) * vector_length, w};
  for (std::size_t i = 0; i < 4; ++i)
    if ((code >> (28 + i)) & 1u) q[i] = -q[i];
  return to_float(q);
}

std::uint32_t encode_polar(const Quaternion64& q) {
  const auto step = [](double value, double most) {
    return static_cast<std::uint32_t>(std::clamp(std::round(value), 0.0, most));
  };
  const double x = std::abs(q[0]), y = std::abs(q[1]), z = std::abs(q[2]), w = std::abs(q[3]);
  const std::uint32_t radial = step(std::sqrt(std::max(0.0, 1.0 - w)) * kRadialSteps, kRadialSteps);
  const std::uint32_t phi_step = step(std::atan2(std::hypot(x, y), z) / (pi / 2) * kPhiSteps, kPhiSteps);
  const std::uint32_t theta_step = step(std::atan2(y, x) * phi_step / (pi / 4), 2.0 * phi_step);
  std::uint32_t code = (radial << kDirectionBits) | (phi_step * phi_step + theta_step);
  for (std::size_t i = 0; i < 4; ++i)
    if (std::signbit(q[i])) code |= 1u << (28 + i);
  return code;
}

}  // namespace

std::string_view to_string(QuaternionEncoding encoding) { return find(encoding).name; }
bool is_supported(QuaternionEncoding encoding) { return find(encoding).supported; }
std::size_t packed_bytes(QuaternionEncoding encoding) { return find(encoding).bytes; }
std::size_t packed_alignment(QuaternionEncoding encoding) { return find(encoding).alignment; }
double max_rotation_error_degrees(QuaternionEncoding encoding) { return find(encoding).max_error_degrees; }

std::int32_t three_component_limit(QuaternionEncoding encoding) {
  assert(encoding == QuaternionEncoding::ThreeComp40 || encoding == QuaternionEncoding::ThreeComp48);
  return encoding == QuaternionEncoding::ThreeComp40 ? 2047 : 16383;
}

ThreeComponentCode quantise(QuaternionEncoding encoding, const Quaternion& rotation) {
  const double limit = three_component_limit(encoding);
  const Quaternion64 q = normalised(rotation);
  ThreeComponentCode code;
  // Of equal components the last is omitted, so that identity omits w.
  for (std::uint8_t i = 0; i < 4; ++i)
    if (std::abs(q[i]) >= std::abs(q[code.omitted])) code.omitted = i;
  code.negative = std::signbit(q[code.omitted]);
  for (std::size_t i = 0, part = 0; i < 4; ++i)
    if (i != code.omitted)
      code.parts[part++] =
          static_cast<std::int32_t>(std::clamp(std::round(q[i] * limit * std::numbers::sqrt2), -limit, limit));
  return code;
}

Quaternion dequantise(QuaternionEncoding encoding, const ThreeComponentCode& code) {
  const double step = 1.0 / (std::numbers::sqrt2 * three_component_limit(encoding));
  Quaternion64 q{};
  double rest = 1.0;
  for (std::size_t i = 0, part = 0; i < 4; ++i) {
    if (i == code.omitted) continue;
    q[i] = code.parts[part++] * step;
    rest -= q[i] * q[i];
  }
  const double omitted = std::sqrt(std::max(0.0, rest));
  q[code.omitted] = code.negative ? -omitted : omitted;
  return to_float(q);
}

ThreeComponentCode unpack_code(QuaternionEncoding encoding, std::span<const std::byte> packed) {
  assert(packed.size() >= packed_bytes(encoding));
  const std::int32_t limit = three_component_limit(encoding);
  ThreeComponentCode code;
  if (encoding == QuaternionEncoding::ThreeComp40) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, packed.data(), 5);
    for (std::size_t i = 0; i < 3; ++i) code.parts[i] = static_cast<std::int32_t>((bits >> (12 * i)) & 0xFFF) - limit;
    code.omitted = static_cast<std::uint8_t>((bits >> 36) & 3);
    code.negative = ((bits >> 38) & 1) != 0;
    return code;
  }
  std::array<std::uint16_t, 3> words;
  std::memcpy(words.data(), packed.data(), 6);
  for (std::size_t i = 0; i < 3; ++i) code.parts[i] = (words[i] & 0x7FFF) - limit;
  code.omitted = static_cast<std::uint8_t>((words[0] >> 15) | ((words[1] >> 15) << 1));
  code.negative = (words[2] >> 15) != 0;
  return code;
}

void pack_code(QuaternionEncoding encoding, const ThreeComponentCode& code, std::span<std::byte> packed) {
  assert(packed.size() >= packed_bytes(encoding) && code.omitted < 4);
  const std::int32_t limit = three_component_limit(encoding);
  if (encoding == QuaternionEncoding::ThreeComp40) {
    std::uint64_t bits = (std::uint64_t{code.omitted} << 36) | (std::uint64_t{code.negative} << 38);
    for (std::size_t i = 0; i < 3; ++i) bits |= static_cast<std::uint64_t>(code.parts[i] + limit) << (12 * i);
    std::memcpy(packed.data(), &bits, 5);
    return;
  }
  const std::uint32_t omitted = code.omitted;
  const std::array<std::uint32_t, 3> high{omitted & 1, omitted >> 1, code.negative};
  std::array<std::uint16_t, 3> words;
  for (std::size_t i = 0; i < 3; ++i)
    words[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(code.parts[i] + limit) | (high[i] << 15));
  std::memcpy(packed.data(), words.data(), 6);
}

Quaternion decode_quaternion(QuaternionEncoding encoding, std::span<const std::byte> packed) {
  assert(is_supported(encoding) && packed.size() >= packed_bytes(encoding));
  switch (encoding) {
    case QuaternionEncoding::Polar32: {
      std::uint32_t code;
      std::memcpy(&code, packed.data(), 4);
      return decode_polar(code);
    }
    case QuaternionEncoding::Uncompressed: {
      Quaternion q;
      std::memcpy(q.data(), packed.data(), 16);
      return q;
    }
    default: return dequantise(encoding, unpack_code(encoding, packed));
  }
}

void encode_quaternion(QuaternionEncoding encoding, const Quaternion& rotation, std::span<std::byte> packed) {
  assert(is_supported(encoding) && packed.size() >= packed_bytes(encoding));
  switch (encoding) {
    case QuaternionEncoding::Polar32: {
      const std::uint32_t code = encode_polar(normalised(rotation));
      std::memcpy(packed.data(), &code, 4);
      return;
    }
    case QuaternionEncoding::Uncompressed: {
      const Quaternion q = to_float(normalised(rotation));
      std::memcpy(packed.data(), q.data(), 16);
      return;
    }
    default: pack_code(encoding, quantise(encoding, rotation), packed);
  }
}

}  // namespace marrow::codec
