// SPDX-License-Identifier: MIT
// The local transform of an FBX node, made of nine vectors.
#pragma once

#include <array>
#include <cstddef>

#include <glm/gtc/quaternion.hpp>

#include "exchange/fbx/objects.h"
#include "marrow/model/transform.h"

namespace marrow::fbx {

using DQuat = glm::dquat;

/// The vectors of a node that can be animated.
enum Vector : std::size_t {
  kTranslation,
  kRotation,
  kScaling,
  kRotationOffset,
  kRotationPivot,
  kPreRotation,
  kPostRotation,
  kScalingOffset,
  kScalingPivot,
  kVectorCount
};
/// Returns their names in a file.
std::string_view name_of(Vector vector);

using Vectors = std::array<DVec3, kVectorCount>;

/// How the angles of a node are read.
struct RotationRule {
  std::size_t order = 0;  ///< 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX: the axis that is turned first comes first
  bool has_space = true;  ///< false: order, pre- and post-rotation are not used
};

/// Returns the vectors that an object itself states.
Vectors vectors_of(const Objects& objects, const Object& model);
RotationRule rotation_rule_of(const Objects& objects, const Object& model);

/// Converts angles in degrees to a rotation and back.
DQuat rotation_of(const DVec3& degrees, std::size_t order);
DVec3 angles_of(const DQuat& rotation, std::size_t order);

/// Translation, rotation and scale in double precision; as `Transform`.
struct Place {
  DVec3 translation{0.0};
  DQuat rotation{1, 0, 0, 0};
  DVec3 scale{1.0};
};
Place operator*(const Place& parent, const Place& child);
/// Returns `parent` inverse times `child`. The scale of the parent must not be 0.
Place relative(const Place& parent, const Place& child);
Transform to_transform(const Place& place);

Place place_of(const Vectors& vectors, const RotationRule& rule);
/// Takes a matrix of 16 numbers, column by column, apart.
Place place_of_matrix(const std::vector<double>& matrix);

}  // namespace marrow::fbx
