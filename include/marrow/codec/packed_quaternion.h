// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace marrow::codec {

/// x, y, z, w.
using Quaternion = std::array<float, 4>;

/// How a rotation is packed; the values are those that files store, and are never renumbered.
/// Any other value, and the two that `is_supported` refuses, can be kept as it is but not decoded.
enum class QuaternionEncoding : std::uint8_t {
  Polar32 = 0,       ///< w and the direction of the axis, in one 32-bit number
  ThreeComp40 = 1,   ///< the three smallest components in 12 bits each: what the games use
  ThreeComp48 = 2,   ///< the three smallest components in 15 bits each
  ThreeComp24 = 3,   ///< refused: no file and no description of it is known
  Straight16 = 4,    ///< refused likewise
  Uncompressed = 5,  ///< four floats
};

/// The name that messages use, `THREECOMP40`; `unknown` for a value that is none of the above.
std::string_view to_string(QuaternionEncoding encoding);
/// Whether this library can decode and encode it.
bool is_supported(QuaternionEncoding encoding);
/// Bytes of one packed rotation; 0 for an unknown encoding.
std::size_t packed_bytes(QuaternionEncoding encoding);
/// Alignment of a run of packed rotations, counted from the start of the block; 1 for an unknown encoding.
std::size_t packed_alignment(QuaternionEncoding encoding);
/// The greatest angle, in degrees, between a unit quaternion and its decoded code. Where it is derived: the .cpp file.
double max_rotation_error_degrees(QuaternionEncoding encoding);

/// Unpacks one rotation. `encoding` must be supported and `packed` hold at least `packed_bytes(encoding)`.
/// The result has unit length as long as the code does: three stored components may claim more than a whole.
Quaternion decode_quaternion(QuaternionEncoding encoding, std::span<const std::byte> packed);
/// Packs one rotation, rounding to nearest. `rotation` is finite and normalised here; a zero one becomes identity.
/// q and -q may be packed alike except by the three-component forms, which keep the sign.
void encode_quaternion(QuaternionEncoding encoding, const Quaternion& rotation, std::span<std::byte> packed);

/// The three-component codes taken apart, for encoders that search among neighbouring codes.
struct ThreeComponentCode {
  std::array<std::int32_t, 3> parts{};  ///< signed, 0 is zero; the stored number is this plus `limit`
  std::uint8_t omitted = 3;             ///< index of the component that is left out, the largest one
  bool negative = false;                ///< sign of the omitted component

  bool operator==(const ThreeComponentCode&) const = default;
};

/// The greatest absolute part: 2047 for 40 bits, 16383 for 48. `encoding` is one of those two in all of these.
std::int32_t three_component_limit(QuaternionEncoding encoding);
ThreeComponentCode quantise(QuaternionEncoding encoding, const Quaternion& rotation);
Quaternion dequantise(QuaternionEncoding encoding, const ThreeComponentCode& code);
ThreeComponentCode unpack_code(QuaternionEncoding encoding, std::span<const std::byte> packed);
void pack_code(QuaternionEncoding encoding, const ThreeComponentCode& code, std::span<std::byte> packed);

}  // namespace marrow::codec
