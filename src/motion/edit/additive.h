// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"

namespace marrow::motion {

/// Returns the value of an additive track that makes `pose` of `reference`. `AdditiveDeprecated` is put before the pose
/// below it (`value * base`), `Additive` after it (`base * value`). Scales of `reference` must not be zero.
Transform additive_difference(BlendHint hint, const Transform& reference, const Transform& pose);
/// Puts a share of an additive value on a pose.
Transform with_additive(BlendHint hint, const Transform& base, const Transform& value, double weight);

}  // namespace marrow::motion
