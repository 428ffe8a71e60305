// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Returns a clip of a document as one that moves a skeleton, alone in its document. With `is_named` the names of
/// skeletons mean something, and a note reports a clip that was made for another.
DocumentClip clip_on_skeleton(const Document& document, std::size_t clip, const Skeleton& skeleton, bool is_named,
                              Context& context);

/// Returns a document of a skeleton, to put clips into that move it.
Document document_of(const Skeleton& skeleton, const Document& origin);

}  // namespace marrow
