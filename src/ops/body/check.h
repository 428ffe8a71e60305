// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "marrow/core/finding.h"
#include "marrow/model/body.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// By which rules a shape is checked.
struct ShapeRules {
  std::optional<Game> game = {};  ///< by default that of the file
  bool has_skinned = false;       ///< another shape of the file is skinned
};
/// Checks one shape of a NIF, read with its faults.
void check_shape(const NifFile& nif, const BodyShape& shape, const ShapeRules& rules, Findings& findings);

/// Checks the visible shapes of a NIF: what the game crashes on, draws wrongly or does not move. With `game`, by the
/// rules of that game; with `skeletons`, whether the bones of skins are in one of them.
Result<Findings> check_bodies(const NifFile& nif, std::optional<Game> game, std::span<const Skeleton* const> skeletons,
                              const Limits& limits);

}  // namespace marrow
