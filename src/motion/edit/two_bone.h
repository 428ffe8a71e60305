// SPDX-License-Identifier: MIT
#pragma once

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>

namespace marrow::motion {

/// Returns the shortest turn from one direction to another, of any length; none if one of them is zero.
glm::dquat shortest_turn(const glm::dvec3& from, const glm::dvec3& to);

/// Turns of the two bones of a limb in model space: the upper bone turns by `upper`, the lower one by `upper * lower`.
struct LimbTurns {
  glm::dquat upper{1, 0, 0, 0}, lower{1, 0, 0, 0};
};

/// Returns the turns that bring the end of a limb to `target`: joints `a` (hip, shoulder), `b` (knee, elbow) and `c`
/// (ankle, wrist) in model space. `axis` is the axis that the limb bends about, (b - a) x (c - b) as a rule: the limb
/// bends on the side where it was. Lengths stay. A target out of reach is approached. If the target is `c` nothing
/// turns.
LimbTurns solve_two_bones(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& target,
                          const glm::dvec3& axis);

/// Returns how far a limb reaches for a target at a distance: the distance itself up to 97 % of `reach`, then less and
/// less more, never all of `reach`. Keeps a limb from snapping straight.
double soft_reach(double distance, double reach);

}  // namespace marrow::motion
