// SPDX-License-Identifier: MIT
// The float tracks of a paired clip: the slots of the second actor follow those of the first.
#pragma once

#include <cstdint>
#include <optional>

#include "marrow/model/skeleton.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Returns the first slot of the second actor: by the first's skeleton, else if both have tracks for the same slots.
std::optional<std::int32_t> slot_border(const Clip& clip, const Skeleton* first);

/// Leaves the float tracks of one actor; if nothing tells them apart, all are the first's.
void split_floats(DocumentClip& clip, const Skeleton* first, bool of_second);

/// Exchanges the slots of the actors.
void swap_slots(Clip& clip, const Skeleton* first, const Skeleton* second, Context& context);

}  // namespace marrow
