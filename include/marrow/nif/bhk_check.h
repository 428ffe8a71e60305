// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "marrow/nif/nif_file.h"

namespace marrow::bhk {

/// Reports what is wrong with the collision blocks of a Skyrim NIF. docs/formats/bhk.md lists the codes. Safe on
/// untrusted bytes; works on files that cannot be read otherwise.
Findings check(const NifFile& file, const Limits& limits = {});

}  // namespace marrow::bhk
