// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/collision_file.h"
#include "marrow/ops/collision_mesh.h"
#include "marrow/ops/convert.h"

namespace marrow {

struct CollisionExportOptions {
  OutputFormat format = OutputFormat::Obj;  ///< Obj, Glb or Gltf
  std::optional<std::int32_t> block = {};   ///< one system of a NIF; by default all of them
  Units units = Units::Metre;               ///< of glTF; .obj is in game units and Z up
  std::string mtl_name = {};                ///< the .mtl that an .obj names; none where empty
  CollisionMeshOptions mesh = {};
};

/// The surfaces of the shapes of a file, or of one block of it. Fails where there is nothing to show.
Result<std::vector<CollisionMesh>> meshes_of(const CollisionFile& file, const CollisionExportOptions& options,
                                             Notes& notes);

/// One object a shape, coloured by material, in the places of the nodes.
Result<std::vector<std::byte>> export_collision(const CollisionFile& file, const CollisionExportOptions& options,
                                                Notes& notes);

/// The text of an .obj, and of the .mtl that it names.
std::string collision_obj(std::span<const CollisionMesh> meshes, std::string_view mtl_name);
std::string collision_mtl(std::span<const CollisionMesh> meshes);

}  // namespace marrow
