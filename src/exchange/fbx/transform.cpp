// SPDX-License-Identifier: MIT
#include "exchange/fbx/transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace marrow::fbx {
namespace {

constexpr std::array<std::array<int, 3>, 6> kOrders = {
    {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
constexpr double kRadians = std::numbers::pi / 180.0;

DQuat about(int axis, double degrees) {
  DVec3 direction(0.0);
  direction[axis] = 1.0;
  return glm::angleAxis(degrees * kRadians, direction);
}

}  // namespace

std::string_view name_of(Vector vector) {
  constexpr std::array<std::string_view, kVectorCount> kNames = {"Lcl Translation", "Lcl Rotation",  "Lcl Scaling",
                                                                 "RotationOffset",  "RotationPivot", "PreRotation",
                                                                 "PostRotation",    "ScalingOffset", "ScalingPivot"};
  return kNames[vector];
}

Vectors vectors_of(const Objects& objects, const Object& model) {
  Vectors vectors;
  for (std::size_t i = 0; i < kVectorCount; ++i)
    vectors[i] = objects.vector(model, name_of(static_cast<Vector>(i)), DVec3(i == kScaling ? 1.0 : 0.0));
  return vectors;
}

RotationRule rotation_rule_of(const Objects& objects, const Object& model) {
  const std::int64_t order = objects.integer(model, "RotationOrder", 0);
  return {.order = order >= 0 && order < 6 ? static_cast<std::size_t>(order) : 0,  // 6, spheric, is read as XYZ
          .has_space = objects.integer(model, "RotationActive", 1) != 0 &&
                       objects.integer(model, "RotationSpaceForLimitOnly", 0) != 1};
}

DQuat rotation_of(const DVec3& degrees, std::size_t order) {
  const auto [first, second, third] = kOrders[order];
  return about(third, degrees[third]) * about(second, degrees[second]) * about(first, degrees[first]);
}

// R = R_k(c) R_j(b) R_i(a), where i is turned first. With e = 1 for an even order of the axes and -1 for an odd one,
// m[k][i] = -e sin b, m[k][j] = e sin a cos b, m[k][k] = cos a cos b, m[j][i] = e sin c cos b, m[i][i] = cos c cos b.
DVec3 angles_of(const DQuat& rotation, std::size_t order) {
  const auto [i, j, k] = kOrders[order];
  const double e = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  const glm::dmat3 columns = glm::mat3_cast(glm::normalize(rotation));
  const auto m = [&](int row, int column) { return columns[column][row]; };
  DVec3 angles;
  const double sine = std::clamp(-e * m(k, i), -1.0, 1.0);
  angles[j] = std::asin(sine);
  if (std::abs(sine) > 1.0 - 1e-9) {  // two axes are one: the third angle is taken as 0
    angles[i] = std::atan2(-e * m(j, k), m(j, j));
    angles[k] = 0.0;
  } else {
    angles[i] = std::atan2(e * m(k, j), m(k, k));
    angles[k] = std::atan2(e * m(j, i), m(i, i));
  }
  return angles / kRadians;
}

Place operator*(const Place& parent, const Place& child) {
  return {.translation = parent.translation + parent.rotation * (parent.scale * child.translation),
          .rotation = parent.rotation * child.rotation,
          .scale = parent.scale * child.scale};
}

Place relative(const Place& parent, const Place& child) {
  const DQuat back = glm::conjugate(parent.rotation);
  return {.translation = (back * (child.translation - parent.translation)) / parent.scale,
          .rotation = back * child.rotation,
          .scale = child.scale / parent.scale};
}

Transform to_transform(const Place& place) {
  return {.translation = Vec3(place.translation),
          .rotation = Quat(glm::normalize(place.rotation)),
          .scale = Vec3(place.scale)};
}

// M = T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1, which has no shear.
Place place_of(const Vectors& v, const RotationRule& rule) {
  Place place;
  place.rotation = rule.has_space ? rotation_of(v[kPreRotation], 0) * rotation_of(v[kRotation], rule.order) *
                                        glm::conjugate(rotation_of(v[kPostRotation], 0))
                                  : rotation_of(v[kRotation], 0);
  place.scale = v[kScaling];
  place.translation =
      v[kTranslation] + v[kRotationOffset] + v[kRotationPivot] +
      place.rotation * (v[kScalingOffset] + v[kScalingPivot] - v[kRotationPivot] - v[kScaling] * v[kScalingPivot]);
  return place;
}

Place place_of_matrix(const std::vector<double>& matrix) {
  Place place;
  if (matrix.size() != 16 || !std::ranges::all_of(matrix, [](double each) { return std::isfinite(each); }))
    return place;
  glm::dmat3 turn;
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) turn[column][row] = matrix[static_cast<std::size_t>(column * 4 + row)];
    place.scale[column] = glm::length(turn[column]);
    if (place.scale[column] > 0.0) turn[column] /= place.scale[column];
  }
  if (glm::determinant(turn) < 0.0) {  // a mirrored matrix has a negative scale
    place.scale = -place.scale;
    turn = -turn;
  }
  place.rotation = glm::normalize(glm::quat_cast(turn));
  place.translation = {matrix[12], matrix[13], matrix[14]};
  return place;
}

}  // namespace marrow::fbx
