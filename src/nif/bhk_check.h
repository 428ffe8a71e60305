// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "nif/nif_file.h"

namespace marrow::bhk {

/// Reports what is wrong with the collision blocks of a Skyrim NIF. docs/formats/bhk.md lists the codes. Safe on
/// untrusted bytes; works on files that cannot be read otherwise.
Findings check(const NifFile& file, const Limits& limits = {});

/// Builds MOPP code anew that does not fit its shape. Returns how many codes were built.
std::size_t rebuild_codes(NifFile& file, const Limits& limits = {});

}  // namespace marrow::bhk
