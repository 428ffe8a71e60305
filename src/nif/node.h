// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/transform.h"
#include "nif/nif_file.h"

namespace marrow {

namespace nif {
class Record;
}

/// A node of the scene, to which collision can be attached.
struct NifNode {
  std::int32_t block = kNoBlock;
  std::string name;
  Transform local;                           ///< to the parent node, in game units
  Transform world;                           ///< to the root's parent, in game units
  std::int32_t parent = kNoBlock;            ///< block of the parent node
  std::int32_t collision_object = kNoBlock;  ///< block of its bhkNPCollisionObject
  std::vector<std::int32_t> extra_data;
  std::vector<std::int32_t> children;
};

/// True if blocks of this type are nodes: NiNode and the types that start with the same fields.
bool is_node_type(std::string_view type);
bool is_node(const NifFile& file, std::int32_t block);

/// Returns the place of a node or shape in its parent. Rotations are made to be of unit length.
Transform transform_of(const nif::Record& object);

/// Returns every node of the file in block order, with its place in the scene. Fails if a block is too short for its
/// content. A cycle in the tree is cut, and its nodes keep their local place.
Result<std::vector<NifNode>> read_nodes(const NifFile& file);

/// Returns the node with exactly this name, else the only one that differs in case alone. Fails with NotFound and lists
/// the existing nodes.
Result<std::int32_t> find_node(const NifFile& file, std::string_view name);

/// Sets the collision object of a node.
Result<void> set_collision_object(NifFile& file, std::int32_t node, std::int32_t collision_object);
/// Appends a reference to the node's list of extra data.
Result<void> add_extra_data(NifFile& file, std::int32_t node, std::int32_t extra_data);

}  // namespace marrow
