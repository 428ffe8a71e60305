// SPDX-License-Identifier: MIT
// Turns and moves whole tracks. A curve is linear in its control points, so each of them is turned or moved.
#include <algorithm>
#include <array>

#include "codec/quaternion_lattice.h"
#include "codec/rotation_math.h"
#include "codec/splice.h"

namespace marrow::codec {
namespace {

using fit::Point;

void turn_code(QuaternionEncoding encoding, std::span<std::byte> packed, const Point& turn, TurnSpace space) {
  const Quaternion q = decode_quaternion(encoding, packed);
  const Point value(q[0], q[1], q[2], q[3]);
  const Point turned = space == TurnSpace::Parent ? edit::product(turn, value) : edit::product(value, turn);
  if (encoding == QuaternionEncoding::ThreeComp40 || encoding == QuaternionEncoding::ThreeComp48) {
    const fit::QuaternionLattice& lattice =
        encoding == QuaternionEncoding::ThreeComp40 ? fit::kLattice40 : fit::kLattice48;
    pack_code(encoding, lattice.closest(fit::normalised(turned)), packed);
    return;
  }
  encode_quaternion(encoding,
                    {static_cast<float>(turned[0]), static_cast<float>(turned[1]), static_cast<float>(turned[2]),
                     static_cast<float>(turned[3])},
                    packed);
}

}  // namespace

void turn_track(SplineBlob& blob, std::size_t track, const Quaternion& turn, TurnSpace space) {
  const Point by(turn[0], turn[1], turn[2], turn[3]);
  for (SplineBlock& block : blob.blocks) {
    RotationChannel& channel = block.transforms[track].rotation;
    if (channel.codes.empty()) {
      channel = {.flags = kStaticRotation, .codes = std::vector<std::byte>(5)};
      encode_quaternion(channel.encoding, {0, 0, 0, 1}, channel.codes);
    }
    const std::size_t bytes = packed_bytes(channel.encoding);
    for (std::size_t at = 0; at + bytes <= channel.codes.size(); at += bytes)
      turn_code(channel.encoding, std::span(channel.codes).subspan(at, bytes), by, space);
    // Components that were identity may not be any longer.
    channel.flags |= channel.shape.knots.empty() ? kStaticRotation : kSplineRotation;
  }
}

void move_track(SplineBlob& blob, std::size_t track, const std::array<float, 3>& way) {
  for (SplineBlock& block : blob.blocks) {
    VectorChannel& channel = block.transforms[track].translation;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (way[axis] == 0.0f) continue;
      if (!channel.is_spline(axis) && !channel.is_static(axis))
        channel.flags |= static_cast<std::uint8_t>(kStaticAxis << axis);
      channel.range[axis].low += way[axis];
      channel.range[axis].high += way[axis];
    }
  }
}

}  // namespace marrow::codec
