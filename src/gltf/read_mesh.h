// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read_armature.h"

namespace marrow::gltf {

/// The triangles of every node that has some, but for the mesh that shows the bones. Under a root of Marrow's own they
/// keep their place; from elsewhere they are brought into the game's space.
Result<std::vector<Mesh>> read_meshes(const tinygltf::Model& model, const NodeTree& tree, const Records& records,
                                      const ReadOptions& options);

}  // namespace marrow::gltf
