// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"
#include "ops/files/diff.h"

namespace marrow {

/// Compares the clips and skeletons of two packfiles by what they show.
Result<void> diff_animation(const havok::Packfile& left, const havok::Packfile& right, const Limits& limits,
                            std::vector<Difference>& differences);

}  // namespace marrow
