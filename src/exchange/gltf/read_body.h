// SPDX-License-Identifier: MIT
#pragma once

#include "exchange/gltf/read_armature.h"

namespace marrow::gltf {

/// Reads every mesh with its attributes and skin. Joints and places are brought into game space: the turn and the scale
/// of Marrow's root are undone, or, if another program moved it, of the space that the record states. Primitives of one
/// mesh that share their vertices are one shape. Of more than four weights on a vertex the strongest stay, with a note.
Result<std::vector<Body>> read_bodies(const tinygltf::Model& model, const NodeTree& tree, const Records& records,
                                      const ReadOptions& options, Notes& notes);

}  // namespace marrow::gltf
