// SPDX-License-Identifier: MIT
#pragma once

#include "behavior/run.h"
#include "marrow/ops/document/load.h"
#include "ops/behavior/project_folder.h"

namespace marrow {

/// Blends the animations that a run plays into one clip on a rig, with their root motion and the events that the run
/// sent. An animation that is not at hand counts as the rest pose, as in the game. Fails with `NotFound` if none is at
/// hand, with `LimitExceeded` if the clip would not fit.
Result<Document> clip_of_run(const behavior::RunResult& run, double frames_per_second, const Document& rig,
                             ProjectFolder& folder, Context& context);

}  // namespace marrow
