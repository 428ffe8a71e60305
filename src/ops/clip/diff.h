// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"
#include "ops/files/diff.h"

namespace marrow {

/// Compares two clips or skeletons by what they show. `name` is what differences call them. Clips have their frames.
void diff_clips(const std::string& name, const Clip& left, const Clip& right, std::vector<Difference>& differences);
void diff_skeletons(const std::string& name, const Skeleton& left, const Skeleton& right,
                    std::vector<Difference>& differences);

/// Compares the clips and skeletons of two packfiles by what they show.
Result<void> diff_animation(const havok::Packfile& left, const havok::Packfile& right, const Limits& limits,
                            std::vector<Difference>& differences);

}  // namespace marrow
