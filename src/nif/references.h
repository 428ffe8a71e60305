// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nif/nif_file.h"

namespace marrow {

/// Returns where in a block's bytes references to other blocks lie, in order. Nothing if the type is not known, or if
/// the block does not have the form of its type or names a block that is not there.
std::optional<std::vector<std::size_t>> find_references(const NifFile& file, std::int32_t block);

/// Gives blocks new places: `order` lists the numbers of those that stay, each once. References to others become
/// `kNoBlock`. Fails as `remove_blocks` does.
Result<void> reorder_blocks(NifFile& file, std::span<const std::int32_t> order);

/// Takes blocks out of the file and renumbers all others; references to them become `kNoBlock`, and types that no block
/// has any more leave the table. Fails with `Unsupported`, naming the type, if the references of some block that stays
/// are not known: then the file does not change.
Result<void> remove_blocks(NifFile& file, std::span<const std::int32_t> blocks);

/// Returns the blocks that no root leads to. None if the references of some block are not known, since that one may
/// lead anywhere.
std::vector<std::int32_t> orphaned_blocks(const NifFile& file);

}  // namespace marrow
