// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/ops/check.h"

namespace marrow {

/// Checks the clips and skeletons of a packfile.
void check_animation(const Document& document, const CheckOptions& options, Context& context, Findings& findings);

}  // namespace marrow
