// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"
#include "ops/files/check.h"

namespace marrow {

/// Checks the clips and skeletons of a packfile.
void check_animation(const Document& document, const CheckOptions& options, Context& context, Findings& findings);

/// Encodes the clips again whose curves end before their blocks. Clips that cannot be read stay as they are.
Result<void> mend_short_curves(havok::Packfile& file, Context& context);

}  // namespace marrow
