// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "marrow/anvil/games.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

struct CheckOptions {
  std::optional<Game> game = {};   ///< unset: the rules that all games share
  const Skeleton* base = nullptr;  ///< the skeleton that an addon extends
};

/// Returns everything that would crash a game, would move differently from what the author expects, or can be repaired.
/// The codes are stable; `docs/formats/anvil-skeleton.md` lists them. Linear in the size of the skeleton.
Findings check(const Skeleton& skeleton, const CheckOptions& options = {});

bool has_errors(const Findings& findings);

}  // namespace marrow::anvil
