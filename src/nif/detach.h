// SPDX-License-Identifier: MIT
#pragma once

#include "nif/embedded.h"

namespace marrow {

/// `detach` with what it did to the BSXFlags apart: an edit of several steps reports them once, at its end.
Result<Detached> detach(NifFile& file, std::int32_t node, Notes& notes, Notes& about_flags, SystemProbe probe);

}  // namespace marrow
