// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/mix.h"

namespace marrow {

/// Returns for each track whether its bone is chosen. Fails with `BadOption` if nothing says which, and with `NotFound`
/// if a bone that is named does not exist.
Result<std::vector<bool>> chosen_tracks(const Document& document, const DocumentClip& clip, const BoneChoice& choice,
                                        Context& context);

}  // namespace marrow
