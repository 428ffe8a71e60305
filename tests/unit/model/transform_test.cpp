// SPDX-License-Identifier: MIT
#include "marrow/model/transform.h"

#include <doctest/doctest.h>

#include <cmath>

#include "marrow/model/pose.h"

using namespace marrow;

namespace {

Transform turned(float degrees, Vec3 translation) {
  const float half = degrees * 3.14159265f / 360.0f;
  return {translation, make_quat(0, 0, std::sin(half), std::cos(half)), Vec3(1.0f)};
}

}  // namespace

TEST_CASE("a child is carried by its parent: scale, then rotation, then translation") {
  Transform parent = turned(90, {1, 0, 0});
  parent.scale = Vec3(2.0f);
  const Transform child = turned(0, {1, 0, 0});
  const Transform world = parent * child;
  CHECK(world.translation.x == doctest::Approx(1));
  CHECK(world.translation.y == doctest::Approx(2));
}

TEST_CASE("the angle between rotations is sign-free and exact for tiny turns") {
  const Quat a = turned(0, {}).rotation, b = turned(0.001f, {}).rotation;
  CHECK(angle_degrees(a, b) == doctest::Approx(0.001).epsilon(1e-3));
  CHECK(angle_degrees(a, -b) == doctest::Approx(0.001).epsilon(1e-3));
}

TEST_CASE("model space and back is the same pose") {
  Skeleton skeleton;
  skeleton.bones = {
      {"root", kNoBone, turned(30, {1, 2, 3})}, {"arm", 0, turned(45, {0, 1, 0})}, {"hand", 1, turned(-20, {0, 0, 2})}};
  REQUIRE(validate(skeleton));
  std::vector<Transform> local, model(3), back(3);
  for (const Bone& bone : skeleton.bones) local.push_back(bone.rest);
  local_to_model(skeleton, local, model);
  model_to_local(skeleton, model, back);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(angle_degrees(back[i].rotation, local[i].rotation) < 1e-4f);
    CHECK(glm::distance(back[i].translation, local[i].translation) < 1e-5f);
  }
}

TEST_CASE("a skeleton whose child comes before its parent is refused by name") {
  Skeleton skeleton;
  skeleton.bones = {{"arm", 1, {}}, {"root", kNoBone, {}}};
  const auto result = validate(skeleton);
  REQUIRE_FALSE(result);
  CHECK(result.error().path == "bones[0] \"arm\"");
}
