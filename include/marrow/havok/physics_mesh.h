// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/error.h"
#include "marrow/geometry/compressed_mesh.h"
#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// The compressed form of an hknpCompressedMeshShape, as it is stored.
Result<geometry::CompressedMesh> read_compressed_mesh(const Packfile& file, ObjectId shape);

/// Stores a compressed mesh in an hknpCompressedMeshShape and its data object, which is made where there is none.
void write_compressed_mesh(const geometry::CompressedMesh& mesh, Packfile& file, ObjectId shape);

}  // namespace marrow::havok
