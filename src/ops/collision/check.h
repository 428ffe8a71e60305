// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/core/finding.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Reports what the game would not take, or would take otherwise than its author thinks: bounding trees, keys, property
/// keys, masses that do not fit the shape, missing impact events, degenerate hulls, alignment, body numbers. The rules
/// are those of packfiles in NIF files; a skeleton.hkx follows other habits, and only what is wrong there too is
/// reported. Needs `Parts::Collision`.
Findings check_collision(const Document& document);

}  // namespace marrow
