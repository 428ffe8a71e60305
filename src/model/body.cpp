// SPDX-License-Identifier: MIT
#include "marrow/model/body.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>

namespace marrow {

Mat4 matrix_of(const BindTransform& bind) {
  Mat4 matrix(1.0f);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      matrix[column][row] = bind.rotation[static_cast<std::size_t>(3 * row + column)] * bind.scale;
  matrix[3] = Vec4(bind.translation, 1.0f);
  return matrix;
}

Mat4 matrix_of(const Transform& transform) {
  const glm::mat3 rotation = glm::mat3_cast(transform.rotation);
  Mat4 matrix(1.0f);
  for (int column = 0; column < 3; ++column) matrix[column] = Vec4(rotation[column] * transform.scale[column], 0.0f);
  matrix[3] = Vec4(transform.translation, 1.0f);
  return matrix;
}

Result<void> validate(const BodyShape& shape) {
  for (std::size_t i = 0; i < shape.triangles.size(); ++i)
    for (const std::uint16_t corner : shape.triangles[i])
      if (corner >= shape.positions.size())
        return fail(ErrorCode::Malformed,
                    "triangle " + std::to_string(i) + " has vertex " + std::to_string(corner) + " of " +
                        std::to_string(shape.positions.size()),
                    kNoOffset, "shape '" + shape.name + "'");
  for (std::size_t i = 0; i < shape.weights.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k)
      if (shape.weights[i].weights[k] > 0.0f && shape.weights[i].bones[k] >= shape.bones.size())
        return fail(ErrorCode::Malformed,
                    "vertex " + std::to_string(i) + " has bone " + std::to_string(shape.weights[i].bones[k]) + " of " +
                        std::to_string(shape.bones.size()),
                    kNoOffset, "shape '" + shape.name + "'");
  return {};
}

Vec4 bounding_sphere(const std::vector<Vec3>& points) {
  if (points.empty()) return Vec4(0.0f);
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& point : points) low = glm::min(low, point), high = glm::max(high, point);
  const Vec3 centre = (low + high) * 0.5f;
  float radius = 0.0f;
  for (const Vec3& point : points) radius = std::max(radius, glm::distance(point, centre));
  return Vec4(centre, radius);
}

}  // namespace marrow
