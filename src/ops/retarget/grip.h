// SPDX-License-Identifier: MIT
// When two hands hold one thing: a rifle, a bow, a pistol that is cleaned.
#pragma once

#include <vector>

#include "marrow/model/clip.h"
#include "ops/retarget/body.h"

namespace marrow {

/// Two hands, and how much they hold one thing at each frame.
struct Grip {
  std::size_t first = 0, second = 0;  ///< of `BodyPair::limbs`
  std::vector<float> weight;          ///< by frame: 0 is two free hands, 1 keeps them as far apart as they are
};

/// Finds the hands that hold one thing, of each pair of arms that the bodies share. Three things tell: hands that
/// nearly touch; hands at work in front of the body, up to an arm's length apart; and, at any distance, hands that move
/// together as one rigid thing while the arms move.
std::vector<Grip> find_grips(const Clip& clip, const Skeleton& from, const BodyPair& bodies);

}  // namespace marrow
