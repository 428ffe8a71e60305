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

/// How a rotation is packed. The values are those in files and are never renumbered. Other values, and the two that
/// `is_supported` rejects, can be kept but not decoded.
enum class QuaternionEncoding : std::uint8_t {
  Polar32 = 0,       ///< w and the direction of the axis, in one 32-bit number
  ThreeComp40 = 1,   ///< the three smallest components in 12 bits each; used by the games
  ThreeComp48 = 2,   ///< the three smallest components in 15 bits each
  ThreeComp24 = 3,   ///< refused: no file and no description of it is known
  Straight16 = 4,    ///< refused for the same reason
  Uncompressed = 5,  ///< four floats
};

/// Returns the name for messages, e.g. `THREECOMP40`; `unknown` for any other value.
std::string_view to_string(QuaternionEncoding encoding);
/// True if this library can decode and encode it.
bool is_supported(QuaternionEncoding encoding);
/// Returns the bytes of one packed rotation; 0 for an unknown encoding.
std::size_t packed_bytes(QuaternionEncoding encoding);
/// Returns the alignment of a run of packed rotations, counted from the start of the block; 1 for an unknown encoding.
std::size_t packed_alignment(QuaternionEncoding encoding);
/// Returns the greatest angle, in degrees, between a unit quaternion and its decoded code. The .cpp file derives it.
double max_rotation_error_degrees(QuaternionEncoding encoding);

/// Unpacks one rotation. `encoding` must be supported and `packed` must hold at least `packed_bytes(encoding)`. The
/// result has unit length unless the three stored components alone are longer than 1.
Quaternion decode_quaternion(QuaternionEncoding encoding, std::span<const std::byte> packed);
/// Packs one rotation, rounding to nearest. `rotation` must be finite and is normalised first; zero becomes identity. q
/// and -q may give the same code, except in the three-component forms, which keep the sign.
void encode_quaternion(QuaternionEncoding encoding, const Quaternion& rotation, std::span<std::byte> packed);

/// The parts of a three-component code, for encoders that search among neighbouring codes.
struct ThreeComponentCode {
  std::array<std::int32_t, 3> parts{};  ///< signed; the stored number is this plus `limit`
  std::uint8_t omitted = 3;             ///< index of the omitted component, the largest one
  bool negative = false;                ///< sign of the omitted component

  bool operator==(const ThreeComponentCode&) const = default;
};

/// Returns the greatest absolute part: 2047 for 40 bits, 16383 for 48. All of these functions require one of those two
/// encodings.
std::int32_t three_component_limit(QuaternionEncoding encoding);
ThreeComponentCode quantise(QuaternionEncoding encoding, const Quaternion& rotation);
Quaternion dequantise(QuaternionEncoding encoding, const ThreeComponentCode& code);
ThreeComponentCode unpack_code(QuaternionEncoding encoding, std::span<const std::byte> packed);
void pack_code(QuaternionEncoding encoding, const ThreeComponentCode& code, std::span<std::byte> packed);

}  // namespace marrow::codec
