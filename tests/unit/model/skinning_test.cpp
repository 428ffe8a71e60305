// SPDX-License-Identifier: MIT
#include "marrow/model/skinning.h"

#include <doctest/doctest.h>

#include <random>

#include <glm/geometric.hpp>

#include "model/skinning_kernel.h"

using namespace marrow;

TEST_CASE("a vertex goes to the weighted mean of where its bones take it") {
  Mat4 lifted(1.0f), turned(1.0f);
  lifted[3] = Vec4(0, 0, 10, 1);
  turned[0] = Vec4(0, 1, 0, 0);  // a quarter turn about Z
  turned[1] = Vec4(-1, 0, 0, 0);
  const std::vector<Mat4> bones = {lifted, turned};
  const std::vector<Vec3> positions = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  const std::vector<Vec3> normals = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  const std::vector<VertexWeights> weights = {{{0, 0, 0, 0}, {1, 0, 0, 0}},
                                              {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                              {{0, 1, 0, 0}, {1, 1, 0, 0}},  // divided by their sum
                                              {{9, 9, 9, 9}, {0, 0, 0, 0}}};
  std::vector<Vec3> moved(4), turned_normals(4);
  const SkinningJob job{bones, positions, weights, moved, normals, turned_normals};
  REQUIRE(job.validate());
  job.run();
  CHECK(moved[0] == Vec3(1, 2, 13));
  CHECK(moved[1] == Vec3(-2, 1, 3));
  CHECK(moved[2] == Vec3(-0.5f, 1.5f, 8));
  CHECK(moved[3] == Vec3(1, 2, 3));
  CHECK(turned_normals[0] == Vec3(1, 0, 0));
  CHECK(turned_normals[1] == Vec3(0, 1, 0));
  CHECK(turned_normals[2] == Vec3(0.5f, 0.5f, 0));
}

TEST_CASE("every kernel gives the same bits, near to what double precision gives") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-50.0f, 50.0f), share(0.0f, 1.0f);
  std::vector<Mat4> bones(80);
  for (Mat4& bone : bones)
    for (int i = 0; i < 16; ++i) bone[i / 4][i % 4] = i % 4 == 3 ? (i == 15 ? 1.0f : 0.0f) : number(random) / 50.0f;
  const std::size_t count = 1003;
  std::vector<Vec3> positions(count), normals(count);
  std::vector<VertexWeights> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = {number(random), number(random), number(random)};
    normals[i] = {number(random), number(random), number(random)};
    for (std::size_t k = 0; k < 4; ++k) {
      weights[i].weights[k] = k <= i % 4 ? share(random) : 0.0f;
      // The bone of an unused weight need not be there.
      weights[i].bones[k] = weights[i].weights[k] > 0.0f ? static_cast<std::uint16_t>(random() % 80) : 60000;
    }
  }
  std::vector<Vec3> moved(count), turned(count), portable_moved(count), portable_turned(count);
  const SkinningJob job{bones, positions, weights, moved, normals, turned};
  REQUIRE(job.validate());
  job.run();
  skin_portable({reinterpret_cast<const float*>(bones.data()), reinterpret_cast<const float*>(positions.data()),
                 reinterpret_cast<const float*>(normals.data()), reinterpret_cast<const std::byte*>(weights.data()),
                 reinterpret_cast<float*>(portable_moved.data()), reinterpret_cast<float*>(portable_turned.data()),
                 count});
  CHECK(moved == portable_moved);
  CHECK(turned == portable_turned);
  double worst = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    glm::dvec3 sum(0.0), direction(0.0);
    double total = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(weights[i].weights[k] > 0.0f)) continue;
      const glm::dmat4 bone(bones[weights[i].bones[k]]);
      const double weight = static_cast<double>(weights[i].weights[k]);
      sum += weight * glm::dvec3(bone * glm::dvec4(glm::dvec3(positions[i]), 1.0));
      direction += weight * glm::dvec3(bone * glm::dvec4(glm::dvec3(normals[i]), 0.0));
      total += weight;
    }
    if (!(total > 0.0)) continue;
    worst = std::max({worst, glm::length(sum / total - glm::dvec3(moved[i])),
                      glm::length(direction / total - glm::dvec3(turned[i]))});
  }
  CHECK(worst < 1e-4);
}

TEST_CASE("a job with a bone that is not there, or with buffers that do not fit, is refused") {
  const std::vector<Mat4> bones(1, Mat4(1.0f));
  const std::vector<Vec3> positions(2);
  std::vector<VertexWeights> weights(2);
  std::vector<Vec3> moved(2);
  CHECK(SkinningJob{bones, positions, weights, moved}.validate());
  weights[1].bones[2] = 1;
  CHECK(SkinningJob{bones, positions, weights, moved}.validate());
  weights[1].weights[2] = 0.5f;
  CHECK_FALSE(SkinningJob{bones, positions, weights, moved}.validate());
  moved.pop_back();
  CHECK_FALSE(SkinningJob{bones, positions, weights, moved}.validate());
}

TEST_CASE("a sphere is centred in the box of its points") {
  CHECK(bounding_sphere({{0, 0, 0}, {4, 0, 0}, {4, 2, 0}}) == Vec4(2, 1, 0, glm::length(Vec2(2, 1))));
  CHECK(bounding_sphere({}) == Vec4(0.0f));
}
