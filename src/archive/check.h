// SPDX-License-Identifier: MIT
#pragma once

#include "archive/archive.h"
#include "marrow/core/finding.h"

namespace marrow::archive {

/// Looks for what would make the game lose files of an archive: order, hashes, names, sizes. Unpacks every file.
Findings check_archive(const Archive& archive, const Limits& limits = {});

}  // namespace marrow::archive
