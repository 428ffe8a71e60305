// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "marrow/core/error.h"
#include "nif/nif_file.h"

namespace marrow {

/// Takes blocks out of the file. If its blocks cannot be renumbered, those at its end are cut off, and others stay as
/// an empty NiIntegerExtraData that nothing refers to, which `notes` reports.
void discard_blocks(NifFile& file, std::vector<std::int32_t> blocks, Notes& notes);

}  // namespace marrow
