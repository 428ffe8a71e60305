// SPDX-License-Identifier: MIT
// Finds the skeletons among the nodes of a document.
#pragma once

#include <optional>
#include <vector>

#include "exchange/gltf/extras.h"
#include "exchange/gltf/nodes.h"
#include "model/conform.h"

namespace marrow::gltf {

/// Marrow's records by node; empty for nodes without one.
using Records = std::vector<std::optional<Record>>;

/// A skeleton as in the file, and how to convert it to the returned skeleton.
struct FoundArmature {
  std::size_t root = kNoNode;                    ///< the node above the bones; kNoNode if there is none
  Skeleton in_file;                              ///< in the units and axes of the file
  std::vector<std::vector<std::size_t>> chains;  ///< by bone of `in_file`: the nodes from below its parent to its own
  const Record* record = nullptr;
  Armature result;  ///< the skeleton to return; clips are added later
  Conform conform;
};

/// Finds the armatures. Fails if there are more armatures or bones than any game has.
Result<std::vector<FoundArmature>> find_armatures(const tinygltf::Model& model, const NodeTree& tree,
                                                  const Records& records, const ReadOptions& options, Notes& notes);

}  // namespace marrow::gltf
