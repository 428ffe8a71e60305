// SPDX-License-Identifier: MIT
// Values of the caches as the lines that mods change, and back.
#pragma once

#include <string>
#include <vector>

#include "behavior/cache.h"
#include "behavior/cache_entry.h"

namespace marrow::behavior {

/// Returns the lines of an entry as the file has them, with their counts.
std::vector<std::string> lines_of(const CacheClip& clip);
std::vector<std::string> lines_of(const CacheMotion& motion);
std::vector<std::string> lines_of(const DataProject& project);  ///< the head alone, without clips and motions
std::vector<std::string> lines_of(const AnimationSet& set);

/// Sets what the lines of an entry state. Names of projects and sets are not among them, and stay.
void fill(CacheClip& clip, EntryLines entry);
void fill(CacheMotion& motion, EntryLines entry);
void fill(DataProject& project, EntryLines entry);
void fill(AnimationSet& set, EntryLines entry);

}  // namespace marrow::behavior
