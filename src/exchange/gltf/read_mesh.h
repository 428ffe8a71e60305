// SPDX-License-Identifier: MIT
#pragma once

#include "exchange/gltf/read_armature.h"

namespace marrow::gltf {

/// Returns the triangles of every node that has some, except the mesh that shows the bones. Meshes under a root written
/// by Marrow keep their place; others are converted to the game's space.
Result<std::vector<Mesh>> read_meshes(const tinygltf::Model& model, const NodeTree& tree, const Records& records,
                                      const ReadOptions& options);

}  // namespace marrow::gltf
