// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "havok/packfile/packfile.h"

// `floatBlockOffsets` of spline-compressed clips without float tracks: nothing reads it there, and tools write 0.

namespace marrow::havok {

struct WrongFloatOffsets {
  ObjectId animation;
  std::vector<std::uint32_t> right;  ///< one per block
};

/// Returns the clips without float tracks whose `floatBlockOffsets` is not what the games have. Clips that cannot be
/// decoded are skipped.
std::vector<WrongFloatOffsets> find_wrong_float_offsets(const Packfile& file);

/// Appends one W_FLOAT_BLOCK_OFFSETS per such clip.
void report_wrong_float_offsets(const Packfile& file, Findings& findings);

}  // namespace marrow::havok
