// SPDX-License-Identifier: MIT
#include "motion/frame_contacts.h"

#include <algorithm>

namespace marrow::motion {

void FrameContacts::place_balls(std::span<Ball> balls) const {
  for (std::size_t i = 0; i < rig_.ball_steps.size(); ++i) {
    const Step& step = rig_.steps[rig_.ball_steps[i]];
    double* state = values_ + step.state_begin;
    const auto anchor = load_state<AnchorState>(state);
    const auto swing = load_state<SwingState>(state + kStateDoubles<AnchorState>);
    const auto& joint = std::get<BallJointSolver>(step.solver);
    // A joint that has not started yet is far away.
    balls[i] = {anchor.frames != 0.0 ? anchor.position + swing.direction * joint.swing.length : DVec(1e30),
                joint.radius};
  }
}

void FrameContacts::place_solids(const Step& step, Solids& solids) const {
  if (step.place_begin == step.place_end) return;
  for (std::uint32_t i = step.place_begin; i < step.place_end; ++i) {
    const Collider& each = rig_.colliders[rig_.placed[i]];
    const Placement& one = globals_[each.bone];
    const Placement& two = each.to_bone == kNoBone ? one : globals_[each.to_bone];
    Solid solid{.radius = each.radius};
    solid.a0 = solid.a1 = one.pos + one.rot * DVec(each.from);
    solid.b0 = solid.b1 = two.pos + two.rot * DVec(each.to);
    const auto before = load_state<ColliderState>(state_of(rig_.placed[i]));
    if (goes_on(before, solid)) {
      solid.a0 = before.a;
      solid.b0 = before.b;
    }
    solids.place(rig_.placed[i], solid);
  }
  solids.sort();
}

void FrameContacts::remember_solids(const Solids& solids) const {
  for (std::uint32_t i = 0; i < solids.size(); ++i) {
    const Solid& solid = solids.all()[i];
    if (is_finite(solid.a1 + solid.b1)) store_state(state_of(i), ColliderState{1.0, solid.a1, solid.b1});
  }
}

Surroundings FrameContacts::around(const Step& step, const DVec& position, Solids& solids) const {
  const auto anchor = load_state<AnchorState>(values_ + step.state_begin);
  double moved = anchor.frames != 0.0 ? glm::length(position - anchor.position) : 0.0;
  if (!(moved <= rig_.settings.reset_distance)) moved = 0.0;  // it is reset
  const std::span<const std::uint8_t> spared(rig_.spared.data() + step.spared, rig_.colliders.size());
  const bool is_low = rig_.ground && position.z - step.reach - moved < *rig_.ground;
  return {.solids = solids.all(),
          .near = solids.within(position, step.reach + moved, spared),
          .ground = is_low ? rig_.ground : std::nullopt,
          .seconds = clock_.dt};
}

// True if the collider came here from where it was; else it jumped.
bool FrameContacts::goes_on(const ColliderState& before, const Solid& now) const {
  if (before.is_known == 0.0 || teleported_ || clock_.dt <= 0.0) return false;
  const double far = rig_.settings.reset_distance;
  const DVec a = now.a1 - before.a, b = now.b1 - before.b;
  return clock_.dt <= rig_.settings.reset_seconds && std::max(glm::dot(a, a), glm::dot(b, b)) <= far * far;
}

}  // namespace marrow::motion
