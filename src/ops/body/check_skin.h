// SPDX-License-Identifier: MIT
#pragma once

#include "nif/nif_file.h"
#include "ops/body/findings.h"

namespace marrow {

/// Checks the blocks of a shape's skin: bones, bind transforms, partitions.
void check_skin(const NifFile& nif, const BodyShape& shape, ShapeFindings& out);

}  // namespace marrow
