// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/motion_source.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Adds the meshes of a source as bodies on the document's first skeleton, in the model's axes and units.
void add_bodies(const MotionSource& source, const SourceOptions& options, Document& document, Notes& notes);

}  // namespace marrow
