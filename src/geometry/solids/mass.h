// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "geometry/hull/hull.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// Volume, centre of mass and inertia of a solid of density 1. The inertia is the physical tensor about the centre.
struct MassProperties {
  double volume = 0.0;
  glm::dvec3 center{0.0};
  glm::dmat3 inertia{0.0};
};

/// Return the mass properties of a solid. A hull is measured exactly with its margin: every face plane is moved out by
/// the convex radius. If that solid has almost no volume, the box around vertices and margin is used instead.
MassProperties mass_of(const Hull& hull);
MassProperties mass_of(const Box& box);
/// Measures an axis-aligned box, as Fallout 4 does for compounds and meshes.
MassProperties mass_of(const Aabb& box);
MassProperties mass_of(const Sphere& sphere);
MassProperties mass_of(const Capsule& capsule);
/// Measures a closed triangle surface, counter-clockwise seen from outside. A surface with holes gives the sum of its
/// cones from the origin, which is not that of a solid. Indices must be inside `vertices`.
MassProperties mass_of(const TriangleMesh& mesh);

/// Returns the mass properties of several solids as one body; overlaps count twice.
MassProperties combine(std::span<const MassProperties> parts);
/// Returns those of the same solid, rotated and then moved.
MassProperties transformed(const MassProperties& mass, const glm::dquat& rotation, const glm::dvec3& translation);
/// Returns those of the same shape with all lengths multiplied by `factor`.
MassProperties scaled(const MassProperties& mass, double factor);

/// A diagonalised inertia tensor.
struct PrincipalInertia {
  glm::dvec3 moments{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};  ///< from the principal axes to the tensor's own (GLM: w first)
};

/// Diagonalises a tensor by Jacobi rotations, without sorting the moments: a nearly diagonal tensor has a rotation near
/// identity.
PrincipalInertia principal_inertia(const glm::dmat3& inertia);

/// Fallout 4 stores one and a half times the physical inertia in shapes and in bodies, which makes them rotate more
/// calmly. `compress` applies the factor; code that reads or writes the inverse inertia of a body must do the same.
inline constexpr double kStoredInertiaFactor = 1.5;

/// Three numbers in 8 bytes: 16-bit mantissas and a common power of two (the upper half of a float).
struct PackedVector3 {
  std::array<std::int16_t, 3> mantissa{};
  std::uint16_t scale = 0;

  bool operator==(const PackedVector3&) const = default;
};

/// The step is 2^-15 of the largest component, or half that. Components must be finite.
PackedVector3 pack_vector(const Vec3& value);
Vec3 unpack_vector(const PackedVector3& packed);

/// A unit quaternion as four 16-bit numbers, x y z w; the step is 1/30000.
struct PackedQuat {
  std::array<std::uint16_t, 4> value{};

  bool operator==(const PackedQuat&) const = default;
};

PackedQuat pack_quat(const Quat& unit);
Quat unpack_quat(const PackedQuat& packed);

/// Mass properties as a shape stores them. `mass` equals `volume`: density 1; bodies scale it.
struct CompressedMassProperties {
  PackedVector3 center_of_mass;
  PackedVector3 inertia;        ///< principal moments, times `kStoredInertiaFactor`
  PackedQuat major_axis_space;  ///< from principal axes to the shape's
  float mass = 0.0f;
  float volume = 0.0f;

  bool operator==(const CompressedMassProperties&) const = default;
};

CompressedMassProperties compress(const MassProperties& mass);

/// The values that a dynamic body of `mass_kg` stores, at rest at the origin of its shape.
struct BodyInertia {
  float inverse_mass = 0.0f;
  float mass_factor = 0.0f;               ///< mass divided by volume
  Vec3 inverse_inertia{0.0f};             ///< of the principal moments times `kStoredInertiaFactor`
  Vec3 center_of_mass{0.0f};              ///< in the shape's space
  Quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  ///< from principal axes to the shape's

  bool operator==(const BodyInertia&) const = default;
};

BodyInertia body_inertia(const MassProperties& mass, double mass_kg);

}  // namespace marrow::geometry
