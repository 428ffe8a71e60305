// SPDX-License-Identifier: MIT
#include "marrow/motion/edit/pin.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "marrow/model/pose.h"
#include "marrow/motion/edit/two_bone.h"
#include "motion/edit/turns.h"

namespace marrow::motion {
namespace {

constexpr double kCollarLimit = 25.0 / kDegrees, kSpineLimit = 12.0 / kDegrees;
constexpr double kMiss = 0.01;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// A pose whose bones are turned in model space.
class PosedBody {
 public:
  PosedBody(const Skeleton& skeleton, const Clip& clip) : skeleton_(skeleton), clip_(clip) {
    local_.resize(skeleton.bones.size());
    model_.resize(skeleton.bones.size());
  }

  void pose(std::int32_t frame) {
    pose_from_frame(skeleton_, clip_, clip_.frame(frame), local_);
    update();
  }
  void update() { local_to_model(skeleton_, local_, model_); }

  Vec3d place(std::int32_t bone) const { return Vec3d(model_[at(bone)].translation); }
  Quatd rotation(std::int32_t bone) const { return wide(model_[at(bone)].rotation); }
  Quatd above(std::int32_t bone) const {
    const std::int32_t parent = skeleton_.bones[at(bone)].parent;
    return parent == kNoBone ? Quatd(1, 0, 0, 0) : rotation(parent);
  }
  const Transform& local(std::int32_t bone) const { return local_[at(bone)]; }
  Transform& local(std::int32_t bone) { return local_[at(bone)]; }

  void set_rotation(std::int32_t bone, const Quatd& wanted) {
    local_[at(bone)].rotation = narrow(glm::conjugate(above(bone)) * wanted);
    update();
  }
  void move(std::int32_t bone, const Vec3d& way) {
    const std::int32_t parent = skeleton_.bones[at(bone)].parent;
    const Vec3 scale = parent == kNoBone ? Vec3(1.0f) : model_[at(parent)].scale;
    local_[at(bone)].translation += Vec3(glm::conjugate(above(bone)) * way) / scale;
    update();
  }

 private:
  const Skeleton& skeleton_;
  const Clip& clip_;
  std::vector<Transform> local_, model_;
};

double twist(const Quatd& q, const Vec3d& axis) { return 2.0 * std::atan2(glm::dot(Vec3d(q.x, q.y, q.z), axis), q.w); }
double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

// The axis that a limb bends about, in the space of its upper bone. A straight limb takes it from the nearest frame at
// which it is bent.
std::vector<Vec3d> bending_axes(const Skeleton& skeleton, const Limb& limb, const Clip& clip) {
  PosedBody body(skeleton, clip);
  std::vector<std::optional<Vec3d>> axes;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    const Vec3d upper = body.place(limb.lower) - body.place(limb.upper),
                lower = body.place(limb.end) - body.place(limb.lower);
    const Vec3d axis = glm::cross(upper, lower);
    const bool is_bent = glm::length(axis) >= 0.02 * glm::length(upper) * glm::length(lower);
    axes.push_back(is_bent ? std::optional(glm::conjugate(body.rotation(limb.upper)) * axis) : std::nullopt);
  }
  std::vector<Vec3d> out;
  const auto count = static_cast<std::int32_t>(axes.size());
  for (std::int32_t f = 0; f < count; ++f) {
    std::optional<Vec3d> found;
    for (std::int32_t away = 0; away < count && !found; ++away) {
      if (f - away >= 0) found = axes[at(f - away)];
      if (!found && f + away < count) found = axes[at(f + away)];
    }
    out.push_back(found.value_or(Vec3d(0, 0, 1)));
  }
  return out;
}

void solve(PosedBody& body, const Limb& limb, const Vec3d& goal, const Vec3d& axis) {
  const Vec3d a = body.place(limb.upper), b = body.place(limb.lower), c = body.place(limb.end);
  const LimbTurns turns = solve_two_bones(a, b, c, goal, body.rotation(limb.upper) * axis);
  const Quatd upper = turns.upper * body.rotation(limb.upper);
  const Quatd lower = turns.upper * turns.lower * body.rotation(limb.lower);
  body.set_rotation(limb.upper, upper);
  body.set_rotation(limb.lower, lower);
}

double reach_of(const PosedBody& body, const Limb& limb) {
  return glm::length(body.place(limb.lower) - body.place(limb.upper)) +
         glm::length(body.place(limb.end) - body.place(limb.lower));
}

// Turns the bones above an arm until the goal is within soft reach, each as far as it may.
void lean(PosedBody& body, const Limb& limb, const Vec3d& goal) {
  const double reach = reach_of(body, limb);
  for (std::size_t i = 0; i < limb.above.size(); ++i) {
    const Vec3d joint = body.place(limb.above[i]), arm = body.place(limb.upper) - joint, way = goal - joint;
    const double distance = glm::length(goal - body.place(limb.upper)), wanted = soft_reach(distance, reach);
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
  const double reach = reach_of(body, limb);
  const double other_reach = other ? reach_of(body, *other) : 0.0;
  for (int round = 0; round < 30; ++round) {
    const Vec3d way = goal - (body.place(limb.upper) + shift);
    const double missing = glm::length(way) - soft_reach(glm::length(way), reach);
    if (missing > 1e-5) shift += 0.6 * missing * glm::normalize(way);
    if (other) {
      const Vec3d stay = body.place(other->end), hip = body.place(other->upper);
      const Vec3d back = stay - (hip + shift);
      const double most = std::max(glm::length(stay - hip), soft_reach(glm::length(back), other_reach));
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

void turn_helpers(const Skeleton& skeleton, PosedBody& body, const Limb& limb, const Twists& before) {
  const Twists after = twists_of(skeleton, body, limb);
  for (const TwistHelper& helper : limb.helpers) {
    const std::int32_t along = helper.of_end ? limb.end : limb.lower;
    const Vec3d offset(skeleton.bones[at(along)].rest.translation);
    if (!(glm::length(offset) > 0.0)) continue;
    const double angle =
        helper.share * (helper.of_end ? wrapped(after.end - before.end) : wrapped(after.upper - before.upper));
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

Result<PinOutcome> pin_limb(const Skeleton& skeleton, const Limb& limb, std::span<const PinGoal> goals,
                            const PinOptions& options, Clip& clip) {
  std::vector<std::int32_t> track_of(skeleton.bones.size(), -1);
  for (std::size_t t = 0; t < at(clip.track_count); ++t)
    if (const std::int32_t bone = bone_of_track(clip, t); bone >= 0 && at(bone) < track_of.size())
      track_of[at(bone)] = static_cast<std::int32_t>(t);
  for (const std::int32_t bone : {limb.upper, limb.lower})
    if (track_of[at(bone)] < 0)
      return fail(ErrorCode::NotFound, "the clip has no track for bone '" + skeleton.bones[at(bone)].name + "'");
  const std::vector<Vec3d> axes = bending_axes(skeleton, limb, clip);
  const std::optional<Limb> other = limb.is_leg ? other_leg(skeleton, limb) : std::nullopt;
  const std::vector<Vec3d> other_axes = other ? bending_axes(skeleton, *other, clip) : std::vector<Vec3d>();
  const Clip source = clip;
  PosedBody body(skeleton, source);
  PinOutcome outcome;
  for (std::int32_t f = 0; f < clip.frame_count; ++f) {
    body.pose(f);
    const PinGoal& pin = goals[at(f)];
    outcome.places.push_back(body.place(limb.end));
    if (pin.weight <= 0.0) continue;
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
          solve(body, *other, stay, other_axes[at(f)]);
          body.set_rotation(other->end, stay_rotation);
        }
      }
    }
    solve(body, limb, goal, axes[at(f)]);
    if (!options.free_end) body.set_rotation(limb.end, end_rotation);
    if (!limb.helpers.empty() && !options.free_end) {
      turn_helpers(skeleton, body, limb, before);
      body.set_rotation(limb.end, end_rotation);
    }
    const double miss = glm::length(body.place(limb.end) - goal);
    outcome.places.back() = body.place(limb.end);
    if (miss > kMiss) outcome.missed.push_back(f);
    outcome.worst_miss = std::max(outcome.worst_miss, miss);
    for (std::size_t b = 0; b < track_of.size(); ++b) {
      if (track_of[b] < 0) continue;
      Transform& into = clip.transforms[at(f) * at(clip.track_count) + at(track_of[b])];
      const Transform& from = body.local(static_cast<std::int32_t>(b));
      // Bones that were not touched keep their bits.
      if (!(from == source.frame(f)[at(track_of[b])])) into = from;
    }
  }
  return outcome;
}

}  // namespace marrow::motion
