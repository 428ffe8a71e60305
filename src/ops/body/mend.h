// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"

namespace marrow {

/// Repairs what has one correct repair in the visible shapes of a NIF: bounds that do not hold their shape, weights
/// that do not add up to one, sizes of data, partitions that lack bones or triangles or have too many bones, and paths
/// of textures that lead through a drive to a data folder. Returns what was done.
Result<Notes> mend_bodies(NifFile& nif, const Limits& limits);

}  // namespace marrow
