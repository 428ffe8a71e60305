// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/files/diff.h"

namespace marrow {

/// True if `diff_values` can compare two documents: both are values alone (glTF, OBJ, FBX, BVH), or one of them is and
/// the other is a packfile with motion.
bool can_diff_values(const Document& left, const Document& right);

/// Compares two documents by their values: clips and skeletons and, if neither is a packfile, meshes, bodies and the
/// record of collision. Clips of different encodings differ if their frames do.
Result<void> diff_values(Document left, Document right, Context& context, std::vector<Difference>& out);

/// Compares two animation caches line by line.
void diff_caches(const Document& left, const Document& right, std::vector<Difference>& out);

}  // namespace marrow
