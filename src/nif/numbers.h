// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"

namespace marrow::nif {

/// Checks every floating-point number of every described block: it must be finite (`E_NOT_FINITE`). Reports each field
/// of a block once. What the check of shapes, skins and Skyrim's collision looks at itself is left to it. Safe for
/// untrusted files; blocks that do not fit their description are skipped.
Findings check_numbers(const NifFile& file, const Limits& limits = {});

}  // namespace marrow::nif
