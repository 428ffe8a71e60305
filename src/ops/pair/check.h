// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "marrow/core/finding.h"
#include "ops/pair/paired.h"

namespace marrow {

/// Reports what is wrong between a paired clip and its actors: bones that an actor does not have, bones out of the
/// order of its skeleton, missing places. Tracks without names are not checked.
void check_paired(const Clip& clip, const Actors& actors, const std::string& where, Findings& findings);

}  // namespace marrow
