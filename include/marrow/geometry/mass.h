// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "marrow/geometry/hull.h"
#include "marrow/geometry/shapes.h"

namespace marrow::geometry {

/// Volume, centre of mass and inertia of a solid of density 1. The inertia is the physical tensor about the centre.
struct MassProperties {
  double volume = 0.0;
  glm::dvec3 center{0.0};
  glm::dmat3 inertia{0.0};
};

/// A hull with its margin: every face plane is pushed out by the convex radius, and the solid that these planes bound
/// is measured exactly. Where it has no volume to speak of, the box around vertices and margin stands in.
MassProperties mass_of(const Hull& hull);
MassProperties mass_of(const Box& box);
/// The box along the axes, with which Fallout 4 measures compounds and meshes.
MassProperties mass_of(const Aabb& box);
MassProperties mass_of(const Sphere& sphere);
MassProperties mass_of(const Capsule& capsule);
/// A closed triangle surface, counter-clockwise seen from outside. A surface with holes gives what its cones from the
/// origin give: a number, not a solid's. Indices must be inside `vertices`.
MassProperties mass_of(const TriangleMesh& mesh);

/// Several solids as one body; overlaps count twice.
MassProperties combine(std::span<const MassProperties> parts);
/// The same solid, turned and then moved.
MassProperties transformed(const MassProperties& mass, const glm::dquat& rotation, const glm::dvec3& translation);
/// The same shape with all lengths multiplied by `factor`.
MassProperties scaled(const MassProperties& mass, double factor);

/// An inertia tensor turned until it is diagonal.
struct PrincipalInertia {
  glm::dvec3 moments{0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};  ///< from the principal axes to the tensor's own (GLM: w first)
};

/// Jacobi rotations, without sorting the moments: a tensor that is nearly diagonal has a rotation near identity.
PrincipalInertia principal_inertia(const glm::dmat3& inertia);

/// Fallout 4 stores one and a half times the physical inertia in shapes and in bodies, which makes them turn more
/// calmly. `compress` applies it; what reads or writes a body's inverse inertia must do the same.
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

/// What a dynamic body stores, for a body of `mass_kg` at rest at the shape's own place.
struct BodyInertia {
  float inverse_mass = 0.0f;
  float mass_factor = 0.0f;               ///< mass over volume
  Vec3 inverse_inertia{0.0f};             ///< of the principal moments times `kStoredInertiaFactor`
  Vec3 center_of_mass{0.0f};              ///< in the shape's space
  Quat rotation{1.0f, 0.0f, 0.0f, 0.0f};  ///< from principal axes to the shape's

  bool operator==(const BodyInertia&) const = default;
};

BodyInertia body_inertia(const MassProperties& mass, double mass_kg);

}  // namespace marrow::geometry
