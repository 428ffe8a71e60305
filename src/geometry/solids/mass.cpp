// SPDX-License-Identifier: MIT
#include "geometry/solids/mass.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <numbers>

#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

namespace {

glm::dmat3 inertia_from_covariance(const glm::dmat3& covariance) {
  return glm::dmat3(covariance[0][0] + covariance[1][1] + covariance[2][2]) - covariance;
}

/// Sums tetrahedra between an origin and triangles. For corners a, b, c and d = det(a, b, c): the volume is d / 6, the
/// first moment d / 24 * (a + b + c), the second d / 120 * (aa' + bb' + cc' + (a + b + c)(a + b + c)').
class TetrahedronSum {
 public:
  explicit TetrahedronSum(const DVec3& origin) : origin_(origin) {}

  void add(DVec3 a, DVec3 b, DVec3 c) {
    a -= origin_;
    b -= origin_;
    c -= origin_;
    const double determinant = glm::dot(a, glm::cross(b, c));
    const DVec3 sum = a + b + c;
    volume_ += determinant / 6.0;
    first_ += sum * (determinant / 24.0);
    second_ +=
        (glm::outerProduct(a, a) + glm::outerProduct(b, b) + glm::outerProduct(c, c) + glm::outerProduct(sum, sum)) *
        (determinant / 120.0);
  }

  MassProperties result() const {
    if (!(volume_ > 0.0)) return {};
    const DVec3 center = first_ / volume_;
    const glm::dmat3 covariance = second_ - glm::outerProduct(center, center) * volume_;
    return {volume_, origin_ + center, inertia_from_covariance(covariance)};
  }

 private:
  DVec3 origin_;
  double volume_ = 0.0;
  DVec3 first_{0.0};
  glm::dmat3 second_{0.0};
};

MassProperties box_mass(const DVec3& center, const DVec3& half) {
  const double volume = 8.0 * half.x * half.y * half.z;
  const DVec3 square = half * half * (volume / 3.0);
  MassProperties mass{volume, center, glm::dmat3(0.0)};
  mass.inertia[0][0] = square.y + square.z;
  mass.inertia[1][1] = square.z + square.x;
  mass.inertia[2][2] = square.x + square.y;
  return mass;
}

glm::dmat3 turned(const glm::dmat3& inertia, const glm::dquat& rotation) {
  const glm::dmat3 matrix = glm::mat3_cast(rotation);
  return matrix * inertia * glm::transpose(matrix);
}

/// Thinner than this part of its box, the solid of a hull is measured as the box.
constexpr double kThinVolume = 1e-6;

}  // namespace

MassProperties mass_of(const Hull& hull) {
  if (hull.vertices.empty()) return {};
  Aabb box = bounds_of(hull.vertices);
  box.min -= hull.convex_radius;
  box.max += hull.convex_radius;
  const MassProperties of_box = mass_of(box);

  std::vector<HalfSpace> planes;
  planes.reserve(hull.planes.size());
  for (const Plane& plane : hull.planes)
    planes.push_back({DVec3(plane.normal), static_cast<double>(plane.offset) - hull.convex_radius});
  const double reach = 4.0 * glm::length(DVec3(box.max) - DVec3(box.min));
  TetrahedronSum sum(of_box.center);
  for (const auto& face : intersection_faces(planes, of_box.center, reach))
    for (std::size_t i = 2; i < face.size(); ++i) sum.add(face[0], face[i - 1], face[i]);
  const MassProperties solid = sum.result();
  return solid.volume > kThinVolume * of_box.volume ? solid : of_box;
}

MassProperties mass_of(const Box& box) {
  const MassProperties straight = box_mass(DVec3(0.0), DVec3(box.half_extents));
  return transformed(straight, glm::dquat(box.rotation), DVec3(box.center));
}

MassProperties mass_of(const Aabb& box) {
  if (box.empty()) return {};
  return box_mass((DVec3(box.min) + DVec3(box.max)) * 0.5, (DVec3(box.max) - DVec3(box.min)) * 0.5);
}

MassProperties mass_of(const Sphere& sphere) {
  const double r = sphere.radius;
  const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  return {volume, DVec3(sphere.center), glm::dmat3(0.4 * volume * r * r)};
}

MassProperties mass_of(const Capsule& capsule) {
  const double r = capsule.radius;
  const DVec3 span = DVec3(capsule.b) - DVec3(capsule.a);
  const double length = glm::length(span);
  const double cylinder = std::numbers::pi * r * r * length;
  const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double along = r * r * (0.5 * cylinder + 0.4 * ball);
  // The half balls sit at the ends: their centres are 3/8 r beyond them.
  const double across = cylinder * (length * length / 12.0 + r * r / 4.0) +
                        ball * (0.4 * r * r + length * length / 4.0 + 0.375 * r * length);
  const DVec3 axis = length > 0.0 ? span / length : DVec3(0, 0, 1);
  const glm::dmat3 projection = glm::outerProduct(axis, axis);
  return {cylinder + ball, (DVec3(capsule.a) + DVec3(capsule.b)) * 0.5,
          projection * along + (glm::dmat3(1.0) - projection) * across};
}

MassProperties mass_of(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  const Aabb box = bounds_of(mesh.vertices);
  TetrahedronSum sum((DVec3(box.min) + DVec3(box.max)) * 0.5);
  for (const auto& [a, b, c] : mesh.triangles)
    sum.add(DVec3(mesh.vertices[a]), DVec3(mesh.vertices[b]), DVec3(mesh.vertices[c]));
  return sum.result();
}

MassProperties combine(std::span<const MassProperties> parts) {
  MassProperties whole;
  for (const MassProperties& part : parts) {
    whole.volume += part.volume;
    whole.center += part.center * part.volume;
  }
  if (!(whole.volume > 0.0)) return {};
  whole.center /= whole.volume;
  for (const MassProperties& part : parts) {
    const DVec3 arm = part.center - whole.center;
    whole.inertia += part.inertia + inertia_from_covariance(glm::outerProduct(arm, arm) * part.volume);
  }
  return whole;
}

MassProperties transformed(const MassProperties& mass, const glm::dquat& rotation, const DVec3& translation) {
  return {mass.volume, rotation * mass.center + translation, turned(mass.inertia, rotation)};
}

MassProperties scaled(const MassProperties& mass, double factor) {
  const double cube = factor * factor * factor;
  return {mass.volume * cube, mass.center * factor, mass.inertia * (cube * factor * factor)};
}

PrincipalInertia principal_inertia(const glm::dmat3& inertia) {
  glm::dmat3 matrix = inertia;
  glm::dmat3 axes(1.0);
  const double size = std::abs(matrix[0][0]) + std::abs(matrix[1][1]) + std::abs(matrix[2][2]);
  for (int sweep = 0; sweep < 32; ++sweep) {
    int p = 0;
    int q = 1;
    if (std::abs(matrix[2][0]) > std::abs(matrix[q][p])) q = 2;
    if (std::abs(matrix[2][1]) > std::abs(matrix[q][p])) p = 1, q = 2;
    if (!(std::abs(matrix[q][p]) > 1e-16 * size)) break;
    // The smaller of the two turns that clear the element, so that axes stay nearest to where they were.
    const double theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[q][p]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0);
    const double s = t * c;
    glm::dmat3 turn(1.0);
    turn[p][p] = c;
    turn[q][q] = c;
    turn[q][p] = s;
    turn[p][q] = -s;
    matrix = glm::transpose(turn) * matrix * turn;
    axes = axes * turn;
  }
  glm::dquat rotation = glm::normalize(glm::quat_cast(axes));
  if (rotation.w < 0.0) rotation = -rotation;
  return {DVec3(matrix[0][0], matrix[1][1], matrix[2][2]), rotation};
}

BodyInertia body_inertia(const MassProperties& mass, double mass_kg) {
  const PrincipalInertia principal = principal_inertia(mass.inertia);
  BodyInertia body;
  if (!(mass_kg > 0.0) || !(mass.volume > 0.0)) return body;
  const double density = mass_kg / mass.volume;
  body.inverse_mass = static_cast<float>(1.0 / mass_kg);
  body.mass_factor = static_cast<float>(density);
  body.inverse_inertia = Vec3(1.0 / (principal.moments * (kStoredInertiaFactor * density)));
  body.center_of_mass = Vec3(mass.center);
  body.rotation = Quat(principal.rotation);
  return body;
}

}  // namespace marrow::geometry
