// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace marrow::codec {

/// How many bits a scalar code has. The values are those in files. Others are kept, and refused in a spline.
enum class ScalarEncoding : std::uint8_t { Bits8 = 0, Bits16 = 1 };

/// True if this library can decode and encode it.
constexpr bool is_supported(ScalarEncoding encoding) {
  return encoding == ScalarEncoding::Bits8 || encoding == ScalarEncoding::Bits16;
}
constexpr std::size_t code_bytes(ScalarEncoding encoding) { return encoding == ScalarEncoding::Bits8 ? 1 : 2; }
/// Returns the code for the top of the range.
constexpr std::uint16_t code_limit(ScalarEncoding encoding) { return encoding == ScalarEncoding::Bits8 ? 255 : 65535; }

/// The interval that the codes divide evenly. A constant has `low == high`.
struct ScalarRange {
  float low = 0.0f;
  float high = 0.0f;

  bool operator==(const ScalarRange&) const = default;
};

/// Returns low + (high - low) * code / limit. The error is at most half a step, (high - low) / limit / 2, plus
/// rounding.
inline float decode_scalar(ScalarRange range, ScalarEncoding encoding, std::uint16_t code) {
  const double low = range.low;
  return static_cast<float>(low + (range.high - low) * code / code_limit(encoding));
}

/// Returns the nearest code. Values outside the range give its ends; an empty range gives 0. `value` must be finite.
inline std::uint16_t encode_scalar(ScalarRange range, ScalarEncoding encoding, float value) {
  const double width = static_cast<double>(range.high) - range.low;
  if (!(width > 0.0)) return 0;
  const double limit = code_limit(encoding);
  const double code = std::round((static_cast<double>(value) - range.low) / width * limit);
  return static_cast<std::uint16_t>(std::clamp(code, 0.0, limit));
}

}  // namespace marrow::codec
