// SPDX-License-Identifier: MIT
#include <cmath>

#include "marrow/core/text.h"
#include "motion/compiled_rig_data.h"

namespace marrow::motion {
namespace {

constexpr double kInside = 1e-3;  // metres; a tip that rests deeper is reported

bool is_on(const std::vector<std::int32_t>& parents, std::int32_t bone, std::int32_t ancestor) {
  while (bone != kNoBone && bone != ancestor) bone = parents[static_cast<std::size_t>(bone)];
  return bone != kNoBone;
}

Solid resting(const Collider& each, const RestPose& rest) {
  const Placement& one = rest.global[static_cast<std::size_t>(each.bone)];
  const Placement& two = each.to_bone == kNoBone ? one : rest.global[static_cast<std::size_t>(each.to_bone)];
  Solid solid{.radius = each.radius};
  solid.a0 = solid.a1 = one.pos + one.rot * DVec(each.from);
  solid.b0 = solid.b1 = two.pos + two.rot * DVec(each.to);
  return solid;
}

}  // namespace

void plan_contacts(const Rig& rig, const RestPose& rest, CompiledRigData& data, Notes* notes) {
  data.colliders = rig.colliders;
  if (rig.ground) data.ground = static_cast<double>(*rig.ground);
  data.collider_state = data.state_size;
  data.state_size += data.colliders.size() * kStateDoubles<ColliderState>;
  std::vector<Solid> solids;
  for (const Collider& each : data.colliders) solids.push_back(resting(each, rest));

  for (Step& step : data.steps) {
    const auto owner = static_cast<std::size_t>(step.owner);
    const DQuat along = rig.along_bone.empty() ? DQuat(1, 0, 0, 0) : [&] {
      const Quat& q = rig.along_bone[owner];
      return unit(DQuat(q.w, q.x, q.y, q.z));
    }();
    RodTip* tip = nullptr;
    double radius = 0.0;
    if (auto* joint = std::get_if<BallJointSolver>(&step.solver)) {
      tip = &joint->tip;
      radius = joint->radius;
    } else if (auto* pendulum = std::get_if<PendulumSolver>(&step.solver)) {
      tip = &pendulum->tip;
    }
    if (!tip) continue;
    *tip = RodTip::of(rest, step.owner, along, radius);
    step.reach = tip->length() + radius;
    step.spared = static_cast<std::uint32_t>(data.spared.size());
    const DVec end = rest.global[owner].pos + rest.global[owner].rot * (along * tip->place);
    for (std::uint32_t i = 0; i < solids.size(); ++i) {
      const Collider& each = data.colliders[i];
      const bool is_own = is_on(data.parents, each.bone, step.owner) || is_on(data.parents, each.to_bone, step.owner);
      data.spared.push_back(is_own ? 1 : 0);
      const Touch touch = Surroundings{.solids = solids, .near = {&i, 1}}.deepest(end, radius, 1.0);
      if (!is_own && touch.depth > kInside && notes)
        notes->push_back({"its end rests " + float_text(static_cast<float>(std::round(1000.0 * touch.depth))) +
                              " mm inside the collider on '" +
                              rig.skeleton.bones[static_cast<std::size_t>(each.bone)].name + "' and is pushed out",
                          kNoOffset, rig.skeleton.bones[owner].name});
    }
  }
}

}  // namespace marrow::motion
