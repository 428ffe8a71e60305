// SPDX-License-Identifier: MIT
#include "model/skinning.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

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
