// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/transform.h"
#include "marrow/nif/nif_file.h"

namespace marrow {

/// A node of the scene: what collision hangs on.
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

/// Whether blocks of this type are nodes: NiNode and the types that begin like it.
bool is_node_type(std::string_view type);

/// Every node of the file in block order, with its place in the scene. A block that is too short for what it says is an
/// error; a loop in the tree is cut, and its nodes keep their local place.
Result<std::vector<NifNode>> read_nodes(const NifFile& file);

/// The node of that exact name, else the only one that differs in case alone. NotFound names the nodes there are.
Result<std::int32_t> find_node(const NifFile& file, std::string_view name);

/// Points a node at a collision object.
Result<void> set_collision_object(NifFile& file, std::int32_t node, std::int32_t collision_object);
/// Appends a reference to the node's list of extra data.
Result<void> add_extra_data(NifFile& file, std::int32_t node, std::int32_t extra_data);

}  // namespace marrow
