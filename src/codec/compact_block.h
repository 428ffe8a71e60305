// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "codec/compiled_layout.h"
#include "codec/control_points.h"

// Writes the compact form of a block: control points in place of polynomials, those of lines packed.

namespace marrow::codec {

/// The moving channels of one block, by group.
using GroupedChannels = std::array<std::span<const MovingChannel>, kGroupCount>;

/// True if the compact form can hold the channel.
bool is_packable(Group group, const MovingChannel& channel);

/// Returns the bytes that a cubic adds to `CompiledClip::Block::curves`.
std::size_t curve_bytes(const MovingChannel& channel);

/// Fills channels, scales, points, knots and rows of a block whose pointers and counts are set. All channels must be
/// packable.
void write_compact(const GroupedChannels& channels, ControlPoints& unpacker, CompiledClip::Block& block);

}  // namespace marrow::codec
