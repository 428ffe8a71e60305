// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/model/skeleton.h"

namespace marrow::gltf {

/// A skinned mesh: one octahedron per bone, each vertex bound to its bone alone. In model space, in units of the
/// skeleton.
struct BoneMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;
  std::vector<std::uint16_t> bones;  ///< one per vertex
  std::vector<std::uint32_t> indices;
};

/// Makes octahedra as Blender draws bones: from the joint to its child, or to the middle of its children. A bone
/// without children continues in the direction of its parent.
BoneMesh make_bone_mesh(const Skeleton& skeleton);

}  // namespace marrow::gltf
