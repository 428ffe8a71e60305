// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/clip.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/pair/paired.h"

namespace marrow {

/// Gives the clips of a document the skeleton that they move: the first actor's, or that of both actors if a clip is
/// paired. What the document had for skeletons, ragdolls excepted, gives way. A note reports a skeleton that may be the
/// wrong one.
void attach_skeleton(Document& document, const Actors& actors, Context& context);

/// Returns a clip of `from` as one that moves `target`. Bones of the same names in the same order leave it as it is;
/// otherwise tracks follow the names of their bones. A guessed skeleton may also have other units, axes and bone order
/// (`model/conform.h`); the result then has a track for every bone of `target`.
Clip fit_to_skeleton(const DocumentSkeleton& from, const Clip& clip, const Skeleton& target, Notes& notes);

}  // namespace marrow
