// SPDX-License-Identifier: MIT
#include "motion/solvers/rod_tip.h"

#include <algorithm>

namespace marrow::motion {
namespace {

constexpr double kLoneLength = 0.2;  // metres, of a bone that has neither child nor parent
constexpr double kTouching = 1e-5;   // metres; less is not inside
constexpr int kMostPasses = 48;      // between solids that overlap
constexpr int kPushPasses = 6;       // after which two solids that push against each other are left sideways

// The direction of a rod that two solids push against each other: out of the wedge between them.
DVec out_of_wedge(const DVec& direction, double length, const Touch& one, const Touch& other) {
  const DVec both = one.out + other.out, level = both - direction * glm::dot(direction, both);
  const DVec aside = glm::cross(direction, one.out);
  const DVec way = unit(glm::dot(level, level) > 1e-4 ? level : aside, DVec(0.0));
  return unit(direction + way * (one.depth / (length * std::max(glm::dot(one.out, way), 0.1))), direction);
}

}  // namespace

RodTip RodTip::of(const RestPose& rest, std::int32_t bone, const DQuat& along, double radius) {
  const auto own = static_cast<std::size_t>(bone);
  RodTip tip{.place = {}, .radius = radius};
  for (std::size_t i = own + 1; i < rest.parents.size(); ++i)
    if (rest.parents[i] == bone && glm::length(rest.local[i].pos) > 1e-3) {
      tip.place = glm::conjugate(along) * rest.local[i].pos;
      return tip;
    }
  const double length = glm::length(rest.local[own].pos);
  tip.place = DVec(rest.parents[own] != kNoBone && length > 1e-3 ? length : kLoneLength, 0, 0);
  return tip;
}

bool RodTip::keep_out(SwingState& state, const Surroundings& around, const DQuat& frame, const DVec& anchor,
                      const DVec& anchor_velocity, double share) const {
  bool touches = false;
  const double long_as = length();
  Touch last;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const DVec arm = frame * swing_of(glm::conjugate(frame) * state.direction) * place;
    const Touch touch = around.deepest(anchor + arm, radius, share);
    if (touch.depth <= (touches ? kTouching : 0.0)) break;
    touches = true;
    const DVec before = arm * (1.0 / long_as);
    const DVec now =
        pass < kPushPasses ? turned_out(before, long_as, anchor, touch) : out_of_wedge(before, long_as, touch, last);
    if (pass < kPushPasses || glm::dot(touch.out, last.out) < 0.99) last = touch;
    state.direction = unit(least_rotation(before, now) * state.direction, state.direction);
    // Speed toward the solid ends; what slides along it stays.
    state.spin -= state.direction * glm::dot(state.direction, state.spin);
    const DVec out = unit(touch.out - now * glm::dot(now, touch.out), DVec(0.0));
    const double outward = glm::dot(anchor_velocity - touch.velocity + glm::cross(state.spin, now) * long_as, out);
    if (outward < 0.0) state.spin -= glm::cross(now, out) * (outward / long_as);
    state.spin -= state.direction * glm::dot(state.direction, state.spin);
  }
  return touches;
}

void RodTip::start_outside(SwingState& state, Solve& io, const DQuat& frame) const {
  if (!io.around || !keep_out(state, *io.around, frame, io.input.pos, DVec(0.0), 1.0)) return;
  state.spin = DVec(0.0);
  io.limit = LimitHit::Contact;
}

}  // namespace marrow::motion
