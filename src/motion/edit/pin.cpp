// SPDX-License-Identifier: MIT
#include "motion/edit/pin.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "motion/edit/posed_body.h"
#include "motion/edit/two_bone.h"

namespace marrow::motion {
namespace {

constexpr double kCollarLimit = 25.0 / kDegrees, kSpineLimit = 12.0 / kDegrees;
constexpr double kMiss = 0.01;

double twist(const Quatd& q, const Vec3d& axis) { return 2.0 * std::atan2(glm::dot(Vec3d(q.x, q.y, q.z), axis), q.w); }
double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

bool carries(const Skeleton& skeleton, std::int32_t above, std::int32_t bone) {
  if (bone != kNoBone) bone = skeleton.bones[at(bone)].parent;
  while (bone != kNoBone && bone != above) bone = skeleton.bones[at(bone)].parent;
  return bone != kNoBone;
}

// The limb with only those bones above it that do not carry the target.
Limb with_free_target(const Skeleton& skeleton, Limb limb, std::int32_t target) {
  if (target == kNoBone) return limb;
  std::erase_if(limb.above, [&](std::int32_t bone) { return carries(skeleton, bone, target); });
  if (limb.hips != kNoBone && carries(skeleton, limb.hips, target)) limb.hips = kNoBone;
  return limb;
}

// How far from its first joint the end of a limb may be: within soft reach, or where it is already. A leg that stands
// is stretched further than soft reach, and stays so.
double allowed(double distance, double reach, double own) {
  return std::max(soft_reach(distance, reach), std::min(distance, own));
}

double extent_of(const PosedBody& body, const Limb& limb) {
  return glm::length(body.place(limb.end) - body.place(limb.upper));
}

// Turns the bones above an arm until the goal is within soft reach, each as far as it may.
void lean(PosedBody& body, const Limb& limb, const Vec3d& goal) {
  const double reach = reach_of(body, limb), own = extent_of(body, limb);
  for (std::size_t i = 0; i < limb.above.size(); ++i) {
    const Vec3d joint = body.place(limb.above[i]), arm = body.place(limb.upper) - joint, way = goal - joint;
    const double distance = glm::length(goal - body.place(limb.upper)), wanted = allowed(distance, reach, own);
    if (distance - wanted < 1e-6) return;
    const double rho = glm::length(arm), far = glm::length(way);
    if (!(rho > 1e-6) || !(far > 1e-6)) continue;
    const double now = std::acos(std::clamp(glm::dot(arm, way) / (rho * far), -1.0, 1.0));
    const double cosine = (rho * rho + far * far - wanted * wanted) / (2.0 * rho * far);
    const double angle = now - std::acos(std::clamp(cosine, -1.0, 1.0));
    const Vec3d axis = glm::cross(arm, way);
    if (angle <= 0.0 || glm::length(axis) < 1e-9) continue;
    const double most = i == 0 ? kCollarLimit : kSpineLimit;
    const Quatd turn = glm::angleAxis(most * std::tanh(angle / most), glm::normalize(axis));
    body.set_rotation(limb.above[i], turn * body.rotation(limb.above[i]));
  }
}

// Moves the hips until a foot reaches its goal and the other one still reaches where it was.
Vec3d shift_hips(const PosedBody& body, const Limb& limb, const std::optional<Limb>& other, const Vec3d& goal) {
  Vec3d shift(0.0);
  const double reach = reach_of(body, limb), own = extent_of(body, limb);
  const double other_reach = other ? reach_of(body, *other) : 0.0, other_own = other ? extent_of(body, *other) : 0.0;
  for (int round = 0; round < 30; ++round) {
    const Vec3d way = goal - (body.place(limb.upper) + shift);
    const double missing = glm::length(way) - allowed(glm::length(way), reach, own);
    if (missing > 1e-5) shift += 0.6 * missing * glm::normalize(way);
    if (other) {
      const Vec3d back = body.place(other->end) - (body.place(other->upper) + shift);
      const double most = allowed(glm::length(back), other_reach, other_own);
      if (glm::length(back) > most) shift += 0.6 * (glm::length(back) - most) * glm::normalize(back);
    }
    if (missing <= 1e-5) break;
  }
  return shift;
}

std::optional<Limb> other_leg(const Skeleton& skeleton, const Limb& limb) {
  for (const Limb& leg : find_legs(skeleton))
    if (leg.end != limb.end && leg.hips == limb.hips) return leg;
  return std::nullopt;
}

/// The twists that helpers follow, before and after.
struct Twists {
  double end = 0, upper = 0;
};

Twists twists_of(const Skeleton& skeleton, const PosedBody& body, const Limb& limb) {
  const auto axis_of = [&](std::int32_t bone) {
    const Vec3d offset(skeleton.bones[at(bone)].rest.translation);
    return glm::length(offset) > 0.0 ? glm::normalize(offset) : Vec3d(1, 0, 0);
  };
  const Quatd rest_upper = wide(skeleton.bones[at(limb.upper)].rest.rotation);
  return {twist(glm::conjugate(body.rotation(limb.lower)) * body.rotation(limb.end), axis_of(limb.end)),
          twist(glm::conjugate(rest_upper) * wide(body.local(limb.upper).rotation), axis_of(limb.lower))};
}

// `turned` is how far both twists were from the source's at the frame before, and becomes that of this frame. A twist
// that passes half a turn goes on: helpers take a share of it, and would jump if it started over.
void turn_helpers(const Skeleton& skeleton, PosedBody& body, const Limb& limb, const Twists& before, Twists& turned) {
  const Twists after = twists_of(skeleton, body, limb);
  turned.end += wrapped(after.end - before.end - turned.end);
  turned.upper += wrapped(after.upper - before.upper - turned.upper);
  for (const TwistHelper& helper : limb.helpers) {
    const std::int32_t along = helper.of_end ? limb.end : limb.lower;
    const Vec3d offset(skeleton.bones[at(along)].rest.translation);
    if (!(glm::length(offset) > 0.0)) continue;
    const double angle = helper.share * (helper.of_end ? turned.end : turned.upper);
    Transform& local = body.local(helper.bone);
    local.rotation = narrow(glm::angleAxis(angle, glm::normalize(offset)) * wide(local.rotation));
  }
  body.update();
}

}  // namespace

std::vector<glm::dvec3> bone_path(const Skeleton& skeleton, const Clip& clip, std::int32_t bone) {
  PosedBody body(skeleton, clip);
  std::vector<glm::dvec3> path;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    path.push_back(body.place(bone));
  }
  return path;
}

Result<PinOutcome> pin_limb(const Skeleton& skeleton, const Limb& whole, std::span<const PinGoal> goals,
                            const PinOptions& options, Clip& clip) {
  const Limb limb = with_free_target(skeleton, whole, options.target);
  const std::vector<std::int32_t> track_of = tracks_by_bone(skeleton, clip);
  for (const std::int32_t bone : {limb.upper, limb.lower})
    if (track_of[at(bone)] < 0)
      return fail(ErrorCode::NotFound, "the clip has no track for bone '" + skeleton.bones[at(bone)].name + "'");
  const std::vector<Vec3d> axes = bending_axes(skeleton, limb, clip);
  const std::optional<Limb> other = limb.is_leg ? other_leg(skeleton, limb) : std::nullopt;
  const std::vector<Vec3d> other_axes = other ? bending_axes(skeleton, *other, clip) : std::vector<Vec3d>();
  const Clip source = clip;
  PosedBody body(skeleton, source);
  PinOutcome outcome;
  Twists turned;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    const PinGoal& pin = goals[at(f)];
    outcome.places.push_back(body.place(limb.end));
    if (pin.weight <= 0.0) {
      turned = {};
      continue;
    }
    const Vec3d goal = body.place(limb.end) + pin.weight * (pin.place - body.place(limb.end));
    const Quatd end_rotation = body.rotation(limb.end);
    const Twists before = twists_of(skeleton, body, limb);
    if (!limb.above.empty()) lean(body, limb, goal);
    if (limb.is_leg && limb.hips != kNoBone && track_of[at(limb.hips)] >= 0) {
      const Vec3d shift = shift_hips(body, limb, other, goal);
      if (glm::length(shift) > 1e-6) {
        outcome.hips_moved = std::max(outcome.hips_moved, glm::length(shift));
        const Vec3d stay = other ? body.place(other->end) : Vec3d(0.0);
        const Quatd stay_rotation = other ? body.rotation(other->end) : Quatd(1, 0, 0, 0);
        body.move(limb.hips, shift);
        if (other) {
          bend_limb(body, *other, stay, other_axes[at(f)]);
          body.set_rotation(other->end, stay_rotation);
        }
      }
    }
    bend_limb(body, limb, goal, axes[at(f)]);
    if (!options.free_end) body.set_rotation(limb.end, end_rotation);
    if (!limb.helpers.empty() && !options.free_end) {
      turn_helpers(skeleton, body, limb, before, turned);
      body.set_rotation(limb.end, end_rotation);
    }
    const double miss = glm::length(body.place(limb.end) - goal);
    outcome.places.back() = body.place(limb.end);
    if (miss > kMiss) outcome.missed.push_back(f);
    outcome.worst_miss = std::max(outcome.worst_miss, miss);
    put_pose(body, track_of, source, f, clip);
  }
  return outcome;
}

}  // namespace marrow::motion
