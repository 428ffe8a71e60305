// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::havok {

/// Reads a binary tagfile (`TAG0`, Havok 2015 and later), which describes its classes itself: `Packfile::schema` is
/// made from them. `compendium` has the types of files that do not carry theirs; empty if there is none. Safe on
/// untrusted bytes: every section, type, item and reference is checked.
Result<Packfile> read_tagfile(std::span<const std::byte> bytes, std::span<const std::byte> compendium = {},
                              const ReadOptions& options = {});

/// Writes a tagfile with the types of the one it was read from, in the order of Havok's own writer: a file of 2015
/// comes back byte for byte. Fails for files that were not read from a tagfile: they have no types.
Result<std::vector<std::byte>> write_tagfile(const Packfile& file);

}  // namespace marrow::havok
