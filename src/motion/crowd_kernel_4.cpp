// SPDX-License-Identifier: MIT
#include "motion/crowd_kernel.h"
#include "motion/solve.h"

namespace marrow::motion {

void evaluate_lanes_4(const Cast<Lanes<4>>& cast, const CrowdScratch& scratch) { evaluate_lanes<4>(cast, scratch); }

}  // namespace marrow::motion
