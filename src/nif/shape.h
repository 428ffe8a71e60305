// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/body.h"
#include "nif/nif_file.h"

namespace marrow {

struct ReadShapes {
  bool keep_faults = false;  ///< keep corners and bones that are not there, for a check to name them
  Limits limits = {};
};

/// Reads the shapes of a file in block order: NiTriShape, NiTriStrips, BSLODTriShape and BSSegmentedTriShape with their
/// data blocks, BSTriShape, BSDynamicTriShape, BSMeshLODTriShape and BSSubIndexTriShape, with skins, weights as they
/// are drawn, partitions or segments, and materials. Shapes whose geometry is in another file (precombined ones) have
/// no vertices. Safe on untrusted bytes: a block that is too short for what it says, or a corner past the last vertex,
/// is an error.
Result<std::vector<BodyShape>> read_shapes(const NifFile& file, const ReadShapes& options = {});

/// True if the block is a shape that `read_shapes` reads.
bool is_shape(const NifFile& file, std::int32_t block);

}  // namespace marrow
