// SPDX-License-Identifier: MIT
/// Patches to the animation caches, in Nemesis' form (docs/formats/animation-cache.md).
#pragma once

#include <span>

#include "behavior/cache.h"
#include "behavior/patch.h"

namespace marrow::behavior {

/// Merges the patches of mods into a cache; what comes later wins. Files are named below `animationdatasinglefile` or
/// `animationsetdatasinglefile`. Clips and motions with an id `MOD$N` get free ids. Safe on untrusted patches: what
/// cannot be applied is noted. The result must not be used if an error was noted.
Cache merge_cache(const Cache& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits = {});

}  // namespace marrow::behavior
