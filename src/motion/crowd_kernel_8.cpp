// SPDX-License-Identifier: MIT
#include "motion/crowd_kernel.h"
#include "motion/solve.h"

namespace marrow::motion {

void evaluate_lanes_8(const Cast<Lanes<8>>& cast, const CrowdScratch& scratch) { evaluate_lanes<8>(cast, scratch); }

}  // namespace marrow::motion
