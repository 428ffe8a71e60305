// SPDX-License-Identifier: MIT
#include "motion/crowd_kernel.h"
#include "motion/solve.h"

namespace marrow::motion {

void evaluate_lanes_2(const Cast<Lanes<2>>& cast, const CrowdScratch& scratch) { evaluate_lanes<2>(cast, scratch); }

}  // namespace marrow::motion
