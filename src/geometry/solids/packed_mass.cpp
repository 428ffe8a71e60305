// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>

#include "geometry/solids/mass.h"

namespace marrow::geometry {

namespace {

constexpr float kQuatSteps = 30000.0f;
constexpr int kQuatZero = 0x8000;

}  // namespace

PackedVector3 pack_vector(const Vec3& value) {
  const float largest = std::max({std::abs(value.x), std::abs(value.y), std::abs(value.z)});
  if (!(largest > 0.0f)) return {};
  // With unit = 2^k, the largest mantissa lies in [2^14, 2^15). The stored scale is unit / 65536.
  int exponent = 0;
  std::frexp(largest, &exponent);
  exponent = std::clamp(exponent - 15, -126 + 16, 127 + 16);
  const double unit = std::ldexp(1.0, exponent);
  PackedVector3 packed;
  for (int axis = 0; axis < 3; ++axis) {
    const double mantissa = std::round(static_cast<double>(value[axis]) / unit);
    packed.mantissa[static_cast<std::size_t>(axis)] =
        static_cast<std::int16_t>(std::clamp(mantissa, -32768.0, 32767.0));
  }
  packed.scale = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(std::ldexp(1.0f, exponent - 16)) >> 16);
  return packed;
}

Vec3 unpack_vector(const PackedVector3& packed) {
  const float scale = std::bit_cast<float>(static_cast<std::uint32_t>(packed.scale) << 16);
  Vec3 value;
  for (int axis = 0; axis < 3; ++axis)
    value[axis] = static_cast<float>(packed.mantissa[static_cast<std::size_t>(axis)] * 65536) * scale;
  return value;
}

PackedQuat pack_quat(const Quat& unit) {
  const float components[4] = {unit.x, unit.y, unit.z, unit.w};
  PackedQuat packed;
  for (std::size_t i = 0; i < 4; ++i)
    packed.value[i] =
        static_cast<std::uint16_t>(kQuatZero + std::lround(std::clamp(components[i], -1.0f, 1.0f) * kQuatSteps));
  return packed;
}

Quat unpack_quat(const PackedQuat& packed) {
  float components[4];
  for (std::size_t i = 0; i < 4; ++i) components[i] = static_cast<float>(packed.value[i] - kQuatZero) / kQuatSteps;
  return {components[3], components[0], components[1], components[2]};
}

CompressedMassProperties compress(const MassProperties& mass) {
  const PrincipalInertia principal = principal_inertia(mass.inertia);
  CompressedMassProperties compressed;
  compressed.center_of_mass = pack_vector(Vec3(mass.center));
  compressed.inertia = pack_vector(Vec3(principal.moments * kStoredInertiaFactor));
  compressed.major_axis_space = pack_quat(Quat(principal.rotation));
  compressed.mass = static_cast<float>(mass.volume);
  compressed.volume = static_cast<float>(mass.volume);
  return compressed;
}

}  // namespace marrow::geometry
