// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "anvil/games.h"
#include "anvil/skeleton.h"
#include "marrow/core/error.h"
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

/// Fails with `InvalidArgument` on the first error of `after` that `before` does not have, so that an edit cannot write
/// what `check` would call an error. What was wrong before does not stand in the way.
Result<void> refuse_new_errors(const Skeleton& before, const Skeleton& after);

}  // namespace marrow::anvil
