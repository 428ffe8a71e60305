// SPDX-License-Identifier: MIT
// Which nodes of an FBX file are bones, and their rest pose.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "exchange/fbx/transform.h"
#include "marrow/model/motion_source.h"

namespace marrow::fbx {

/// The nodes of a file, parents before children.
struct Nodes {
  std::vector<const Object*> models;
  std::vector<std::int32_t> parents;  ///< into `models`; kNoBone at the top
  std::unordered_map<std::int64_t, std::int32_t> by_id;
};
/// Circles of parents are cut.
Nodes nodes_of(const Objects& objects);

/// The nodes that are bones, in the order of the file, a parent before its children.
struct BoneNodes {
  std::vector<std::int32_t> nodes;    ///< node of each bone
  std::vector<std::int32_t> bone_of;  ///< bone of each node, or kNoBone
};
BoneNodes bones_of(const Objects& objects, const Nodes& nodes);

/// Returns where each node was when the mesh was bound to it, in the space of the scene, as far as the file says.
std::vector<std::optional<Place>> bind_places(const Objects& objects, const Nodes& nodes);

/// Reads the meshes, with the bones that bend them. `own` are the places of the nodes outside of any clip.
std::vector<SourceMesh> meshes_of(const Objects& objects, const Nodes& nodes, const BoneNodes& bones,
                                  const std::vector<Place>& own, Notes& notes);

}  // namespace marrow::fbx
