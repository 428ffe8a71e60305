// SPDX-License-Identifier: MIT
/// Parts of documents are read when a function of the C ABI first needs them: a file with a damaged part still opens,
/// and what nobody asks for goes back as it was.
#pragma once

#include "c/objects.h"

namespace marrow::c {

/// The parts that the functions of the header stand on. The bones of a NIF are those that its bodies name, too. Frames
/// are decoded by the functions that need them.
inline constexpr Parts kSkeletonParts = Parts::Skeletons | Parts::Bodies;
inline constexpr Parts kClipParts = Parts::Clips;
inline constexpr Parts kCollisionParts = Parts::Collision;
inline constexpr Parts kMeshParts = Parts::Meshes | Parts::Shapes;
inline constexpr Parts kPartsOfC = kSkeletonParts | kClipParts | kCollisionParts | kMeshParts;

/// Holds a document that has `parts` as values: reads those that it lacks. Fails if one of them is damaged.
Outcome<Reading<DocumentObject>> reading_with(marrow_document document, Parts parts);
/// The same for a call that changes the document.
Outcome<Writing<DocumentObject>> writing_with(marrow_document document, Parts parts);
/// Holds a document with a clip of that index. Fails with `MARROW_NOT_FOUND` if it has none.
Outcome<Reading<DocumentObject>> with_clip(marrow_document document, std::uint32_t clip, Parts parts = kClipParts);
/// Holds a document that has all parts as values but those that are damaged; notes of the document name these.
Outcome<Reading<DocumentObject>> reading_with_all(marrow_document document);

}  // namespace marrow::c
