// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Reads a packfile from the JSON that `dump_json` writes (docs/formats/packfile-json.md), whole: a file that went
/// through JSON is written with the same bytes. Members may be left out and have any order; unknown and missing ones
/// become findings with their place. Safe on untrusted bytes, and linear in their number.
Result<Packfile> read_json(std::span<const std::byte> bytes, const ReadOptions& options = {});

}  // namespace marrow::havok
