// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "motion/frame.h"

namespace marrow::motion {

// Doubles of scratch memory that a bone takes per lane: two placements and a stretch.
inline constexpr std::size_t kDeskDoubles = 23;

// A frame of as many characters as there are lanes. `scratch` has room for all bones and is aligned to a register.
struct CrowdScratch {
  double* numbers;
  Touched* touched;
  bool* scaled;
};
void evaluate_lanes_8(const Cast<Lanes<8>>& cast, const CrowdScratch& scratch);  // AVX-512
void evaluate_lanes_4(const Cast<Lanes<4>>& cast, const CrowdScratch& scratch);  // AVX2
void evaluate_lanes_2(const Cast<Lanes<2>>& cast, const CrowdScratch& scratch);

template <int N>
void evaluate_lanes(const Cast<Lanes<N>>& cast, const CrowdScratch& scratch) {
  using T = Lanes<N>;
  const std::size_t bones = cast.rig->parents.size();
  auto* placements = reinterpret_cast<PlacementOf<T>*>(scratch.numbers);
  const Desk<T> desk{.locals = placements,
                     .globals = placements + bones,
                     .stretch = reinterpret_cast<VecOf<T>*>(placements + 2 * bones),
                     .touched = scratch.touched,
                     .scaled = scratch.scaled};
  Frame<T>(cast, desk).run();
}

}  // namespace marrow::motion
