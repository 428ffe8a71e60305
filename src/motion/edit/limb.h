// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::motion {

/// A bone that turns along with a limb: with the twist of the end against the lower bone, or of the upper about itself.
struct TwistHelper {
  std::int32_t bone = kNoBone;
  bool of_end = true;  ///< else of the upper bone
  double share = 1.0;
};

/// The bones of an arm or a leg.
struct Limb {
  std::int32_t upper = kNoBone, lower = kNoBone, end = kNoBone;
  bool is_leg = false;
  std::vector<std::int32_t> above = {};  ///< of an arm: collarbone first, then the spine downwards
  std::int32_t hips = kNoBone;           ///< of a leg: the bone that moves with the whole body
  std::int32_t toe = kNoBone;
  std::vector<TwistHelper> helpers = {};
};

/// Returns the limb that ends with a bone: by the names of Skyrim and Fallout 4, else the two bones above it that have
/// a length. Fails with `NotFound` if there are none.
Result<Limb> find_limb(const Skeleton& skeleton, std::int32_t end);

/// Returns the legs of a skeleton, those that it has of left and right.
std::vector<Limb> find_legs(const Skeleton& skeleton);

}  // namespace marrow::motion
