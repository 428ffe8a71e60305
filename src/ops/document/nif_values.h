// SPDX-License-Identifier: MIT
// The values of a document laid over the shapes of the NIF that it was read from.
#pragma once

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/nif_file.h"

namespace marrow {

/// Lays `Document::bodies` over the shapes of a NIF: what has changed of positions, normals, tangents, UVs, colours and
/// weights of vertices. Bounds and partitions follow; a shape that nobody changed keeps its bytes. Fails with
/// `Unrepresentable`, naming the shape, if anything else of it has changed, and if shapes were added or removed.
Result<void> lay_shapes_over(NifFile& nif, const Document& document, const Limits& limits);

/// Fails with `Unrepresentable` if a document has other bones or other systems of collision than its NIF.
Result<void> refuse_other_parts(const Document& document);

}  // namespace marrow
