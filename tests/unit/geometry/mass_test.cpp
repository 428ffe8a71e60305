// SPDX-License-Identifier: MIT
#include "geometry/solids/mass.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <random>

using namespace marrow::geometry;

namespace {

void check_near(const glm::dmat3& a, const glm::dmat3& b, double tolerance) {
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) CHECK(std::abs(a[column][row] - b[column][row]) <= tolerance);
}

/// A ball or capsule as a fine mesh, to be measured by tetrahedra.
TriangleMesh capsule_mesh(double radius, double length, int rings, int sectors) {
  TriangleMesh mesh;
  for (int ring = 0; ring <= rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const double latitude = std::numbers::pi * ring / rings;
      const double longitude = 2.0 * std::numbers::pi * sector / sectors;
      const double lift = 2 * ring < rings ? 0.5 * length : -0.5 * length;
      mesh.vertices.emplace_back(radius * std::sin(latitude) * std::cos(longitude),
                                 radius * std::sin(latitude) * std::sin(longitude), radius * std::cos(latitude) + lift);
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const auto at = [&](int r, int s) { return static_cast<std::uint32_t>(r * sectors + s % sectors); };
      mesh.triangles.push_back({at(ring, sector), at(ring + 1, sector), at(ring + 1, sector + 1)});
      mesh.triangles.push_back({at(ring, sector), at(ring + 1, sector + 1), at(ring, sector + 1)});
    }
  return mesh;
}

}  // namespace

TEST_CASE("the mass of a box hull is that of the box, wherever it is and however it is turned") {
  const Box box{{5, -2, 7}, glm::normalize(Quat(0.9f, 0.3f, -0.2f, 0.1f)), {0.5f, 1.0f, 2.0f}};
  const MassProperties closed = mass_of(box);
  CHECK(closed.volume == doctest::Approx(8.0));
  for (float radius : {0.0f, 0.01f, 0.2f}) {
    const MassProperties measured = mass_of(box_hull(box, radius).value());
    CHECK(measured.volume == doctest::Approx(8.0).epsilon(1e-6));
    CHECK(glm::distance(measured.center, closed.center) < 1e-6);
    check_near(measured.inertia, closed.inertia, 2e-5);
  }
}

TEST_CASE("the closed forms of ball and capsule agree with fine meshes of tetrahedra") {
  for (double length : {0.0, 1.0, 3.0}) {
    const float half = static_cast<float>(length / 2);
    const MassProperties closed = mass_of(Capsule{{0, 0, -half}, {0, 0, half}, 0.75f});
    // An odd number of rings leaves a straight band between the half balls.
    const MassProperties mesh = mass_of(capsule_mesh(0.75, length, 301, 600));
    CHECK(mesh.volume == doctest::Approx(closed.volume).epsilon(2e-4));
    check_near(mesh.inertia, closed.inertia, 5e-4 * closed.inertia[0][0]);
  }
  const MassProperties ball = mass_of(Sphere{{1, 2, 3}, 2.0f});
  const MassProperties round = mass_of(Capsule{{1, 2, 3}, {1, 2, 3}, 2.0f});
  CHECK(ball.volume == doctest::Approx(round.volume));
  check_near(ball.inertia, round.inertia, 1e-9 * ball.inertia[0][0]);
}

TEST_CASE("a capsule's inertia follows its axis") {
  const MassProperties upright = mass_of(Capsule{{0, 0, -1}, {0, 0, 1}, 0.5f});
  const MassProperties lying = mass_of(Capsule{{3, 0, 0}, {5, 0, 0}, 0.5f});
  CHECK(lying.inertia[0][0] == doctest::Approx(upright.inertia[2][2]));
  CHECK(lying.inertia[2][2] == doctest::Approx(upright.inertia[0][0]));
  CHECK(lying.center.x == doctest::Approx(4.0));
}

TEST_CASE("two halves make a whole") {
  const MassProperties parts[] = {mass_of(Aabb{{0, 0, 0}, {1, 2, 3}}), mass_of(Aabb{{1, 0, 0}, {4, 2, 3}})};
  const MassProperties whole = mass_of(Aabb{{0, 0, 0}, {4, 2, 3}});
  const MassProperties sum = combine(parts);
  CHECK(sum.volume == doctest::Approx(whole.volume));
  CHECK(glm::distance(sum.center, whole.center) < 1e-12);
  check_near(sum.inertia, whole.inertia, 1e-9);
}

TEST_CASE("scaling and turning a solid do to its mass what they do to the solid") {
  const MassProperties small = mass_of(Box{{1, 0, 0}, Quat(1, 0, 0, 0), {1, 2, 3}});
  const MassProperties large = mass_of(Box{{2, 0, 0}, Quat(1, 0, 0, 0), {2, 4, 6}});
  check_near(scaled(small, 2.0).inertia, large.inertia, 1e-9);
  CHECK(scaled(small, 2.0).volume == doctest::Approx(large.volume));
}

TEST_CASE("a hull as thin as paper is measured as its box") {
  Hull hull;
  hull.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  hull.convex_radius = 0.1f;
  const MassProperties mass = mass_of(hull);
  CHECK(mass.volume == doctest::Approx(1.2 * 1.2 * 0.2));
}

TEST_CASE("principal axes turn a tensor diagonal without changing their order") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    const glm::dvec3 moments(3.0 + uniform(random), 2.0 + uniform(random), 4.0 + uniform(random));
    const glm::dquat turn =
        glm::normalize(glm::dquat(uniform(random), uniform(random), uniform(random), uniform(random) + 1.5));
    const glm::dmat3 axes = glm::mat3_cast(turn);
    const glm::dmat3 tensor =
        axes * glm::dmat3(moments.x, 0, 0, 0, moments.y, 0, 0, 0, moments.z) * glm::transpose(axes);
    const PrincipalInertia found = principal_inertia(tensor);
    const glm::dmat3 back = glm::mat3_cast(found.rotation);
    check_near(
        back * glm::dmat3(found.moments.x, 0, 0, 0, found.moments.y, 0, 0, 0, found.moments.z) * glm::transpose(back),
        tensor, 1e-12);
  }
  glm::dmat3 almost(0.0);
  almost[0][0] = 3.0, almost[1][1] = 1.0, almost[2][2] = 2.0;
  almost[1][0] = almost[0][1] = 1e-4;
  const PrincipalInertia near = principal_inertia(almost);
  CHECK(near.moments.x == doctest::Approx(3.0));
  CHECK(near.moments.y == doctest::Approx(1.0));
  CHECK(near.rotation.w > 0.999);
}

TEST_CASE("packed vectors keep fifteen bits of the largest component") {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> exponent(-20.0f, 20.0f);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 value = Vec3(uniform(random), uniform(random), uniform(random)) * std::exp2(exponent(random));
    const Vec3 back = unpack_vector(pack_vector(value));
    const float largest = std::max({std::abs(value.x), std::abs(value.y), std::abs(value.z)});
    for (int axis = 0; axis < 3; ++axis) CHECK(std::abs(back[axis] - value[axis]) <= largest / 16384.0f);
    CHECK(pack_vector(back) == pack_vector(unpack_vector(pack_vector(back))));
  }
  CHECK(unpack_vector(pack_vector(Vec3(0.0f))) == Vec3(0.0f));
  const PackedVector3 one = pack_vector({1.0f, -0.5f, 0.25f});
  CHECK(one.mantissa == std::array<std::int16_t, 3>{16384, -8192, 4096});
  CHECK(unpack_vector(one) == Vec3(1.0f, -0.5f, 0.25f));
}

TEST_CASE("packed quaternions come back within a step") {
  const Quat turn = glm::normalize(Quat(0.8f, 0.1f, -0.3f, 0.5f));
  const Quat back = unpack_quat(pack_quat(turn));
  CHECK(std::abs(back.x - turn.x) <= 1.0f / 60000.0f + 1e-7f);
  CHECK(std::abs(back.w - turn.w) <= 1.0f / 60000.0f + 1e-7f);
  CHECK(pack_quat(Quat(1, 0, 0, 0)).value == std::array<std::uint16_t, 4>{0x8000, 0x8000, 0x8000, 0x8000 + 30000});
}

TEST_CASE("what shapes and bodies store is one and a half times the inertia") {
  const MassProperties mass = mass_of(Aabb{{-1, -1, -1}, {1, 1, 1}});
  const Vec3 stored = unpack_vector(compress(mass).inertia);
  CHECK(stored.x == doctest::Approx(1.5 * mass.inertia[0][0]).epsilon(1e-4));
  const BodyInertia body = body_inertia(mass, 16.0);
  CHECK(body.mass_factor == doctest::Approx(2.0));
  CHECK(body.inverse_mass == doctest::Approx(1.0 / 16.0));
  CHECK(body.inverse_inertia.x == doctest::Approx(1.0 / (1.5 * 2.0 * mass.inertia[0][0])));
}
