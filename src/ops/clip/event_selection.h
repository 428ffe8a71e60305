// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/annotations.h"

namespace marrow {

/// Names the fields of a selection, which every operation on events has.
void describe_selection(FieldList& fields, EventSelection& selection);

/// Fails with `NoClip` if the document has no clip.
Result<void> need_events(const Document& document);

}  // namespace marrow
