// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/mesh/compressed_mesh.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::havok {

/// Reads the compressed form of an hknpCompressedMeshShape, as it is stored.
Result<geometry::CompressedMesh> read_compressed_mesh(const Packfile& file, ObjectId shape);

/// Reports everything that is wrong with the compressed form of a mesh shape, with the tolerance that the game's own
/// meshes need. Empty if it is correct.
Notes verify_mesh(const geometry::CompressedMesh& mesh);

/// Stores a compressed mesh in an hknpCompressedMeshShape and its data object. Creates the data object if there is
/// none.
void write_compressed_mesh(const geometry::CompressedMesh& mesh, Packfile& file, ObjectId shape);

}  // namespace marrow::havok
