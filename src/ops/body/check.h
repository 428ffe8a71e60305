// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "marrow/core/finding.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Checks the visible shapes of a NIF: what the game crashes on, draws wrongly or does not move. With `game`, by the
/// rules of that game; with `skeletons`, whether the bones of skins are in one of them.
Result<Findings> check_bodies(const NifFile& nif, std::optional<Game> game, std::span<const Skeleton* const> skeletons,
                              const Limits& limits);

/// Repairs what has one correct repair: bounds that do not hold their shape, weights that do not add up to one. Returns
/// what was done.
Result<Notes> mend_bodies(NifFile& nif, const Limits& limits);

}  // namespace marrow
