// SPDX-License-Identifier: MIT
#include "marrow/motion/compiled_rig.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"
#include "core/try.h"
#include "model/modifiers_fields.h"
#include "motion/compiled_rig_data.h"
#include "motion/noise.h"

namespace marrow::motion {
namespace {

std::string place_of(const Rig& rig, const Modifier& modifier) {
  const auto owner = static_cast<std::size_t>(bone_index(modifier.owner));
  return rig.skeleton.bones[owner].name + "." + std::string(class_name(modifier));
}

// Checks that the numbers of a field are finite, whatever its type.
template <class T>
bool all_finite(const T& value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::isfinite(value);
  } else if constexpr (std::is_same_v<T, Vec4> || std::is_same_v<T, Quat>) {
    return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z) && std::isfinite(value.w);
  } else if constexpr (std::is_same_v<T, std::vector<float>>) {
    return std::ranges::all_of(value, [](float f) { return std::isfinite(f); });
  } else if constexpr (std::is_same_v<T, std::vector<Hinge>>) {
    return std::ranges::all_of(value, [](const Hinge& h) {
      return std::isfinite(h.min_angle + h.max_angle + h.delta_min_damping + h.delta_max_damping);
    });
  } else if constexpr (std::is_same_v<T, std::vector<RotationExpression>>) {
    return std::ranges::all_of(
        value, [](const RotationExpression& e) { return std::isfinite(e.gain + e.bias + e.min + e.max); });
  } else {
    return true;
  }
}

Result<void> check_modifier(const Rig& rig, const Modifier& modifier, std::size_t index) {
  const auto bones = rig.skeleton.bones.size();
  const std::string path = "modifiers[" + std::to_string(index) + "]";
  if (modifier.owner.is_null()) return fail(ErrorCode::Malformed, "the modifier has no owner", kNoOffset, path);
  std::string_view wrong_link, wrong_number;
  walk_links(modifier, [&](const Field& field, const BoneLink& link) {
    if (!link.is_null() && link.target >= bones) wrong_link = field.name;
  });
  if (!wrong_link.empty())
    return fail(ErrorCode::Malformed, std::string(wrong_link) + " refers to a bone outside the skeleton", kNoOffset,
                path);
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    if (!all_finite(value)) wrong_number = field.name;
  });
  if (!wrong_number.empty())
    return fail(ErrorCode::Malformed, std::string(wrong_number) + " is not finite", kNoOffset, place_of(rig, modifier));
  return {};
}

Result<void> check_collider(const Rig& rig, const Collider& each) {
  const auto bones = static_cast<std::int32_t>(rig.skeleton.bones.size());
  if (each.bone < 0 || each.bone >= bones || each.to_bone < kNoBone || each.to_bone >= bones)
    return fail(ErrorCode::Malformed, "a collider is on a bone outside the skeleton");
  if (!(each.radius > 0.0f) || !is_finite(DVec(each.from) + DVec(each.to) + DVec(each.radius)))
    return fail(ErrorCode::Malformed, "a collider needs a positive radius and finite ends", kNoOffset,
                rig.skeleton.bones[static_cast<std::size_t>(each.bone)].name);
  return {};
}

Result<RestPose> rest_pose(const Rig& rig) {
  RestPose rest;
  for (const Bone& bone : rig.skeleton.bones) {
    const auto index = static_cast<std::int32_t>(rest.parents.size());
    if (bone.parent < kNoBone || bone.parent >= index)
      return fail(ErrorCode::Malformed, "the parent does not come before its child", kNoOffset, bone.name);
    const Placement local = placement(bone.rest, rig.metres_per_unit);
    if (!is_finite(local.pos) || !is_finite(local.rot) || !is_finite(local.scale))
      return fail(ErrorCode::Malformed, "the rest pose is not finite", kNoOffset, bone.name);
    rest.parents.push_back(bone.parent);
    rest.local.push_back(local);
    rest.global.push_back(bone.parent == kNoBone ? local : rest.global[static_cast<std::size_t>(bone.parent)] * local);
  }
  return rest;
}

DQuat along_of(const Rig& rig, std::int32_t bone) {
  if (rig.along_bone.empty()) return DQuat(1, 0, 0, 0);
  const Quat& q = rig.along_bone[static_cast<std::size_t>(bone)];
  return unit(DQuat(q.w, q.x, q.y, q.z));
}

// Tells a modifier from those of other bones. Object ids are not part of it: an addon that is renumbered moves as
// before, and a sidecar as it will in the file. Nor is its place on the bone: one before it that does nothing may go.
std::uint64_t noise_id(const Rig& rig, const Modifier& modifier) {
  return Hash64().add(rig.skeleton.bones[modifier.owner.target].name).value();
}

// The solver of a modifier; nothing, with the reason, if it cannot do anything.
std::optional<Solver> make_solver(const Modifier& modifier, const CompileContext& context, std::string& why) {
  return std::visit(
      [&]<class Data>(const Data& data) -> std::optional<Solver> {
        using SolverType = typename SolverOf<Data>::type;
        if constexpr (std::is_same_v<Data, UnknownModifier>) why = "a class that is not known here";
        if constexpr (!std::is_same_v<SolverType, NoSolver>)
          if (auto solver = SolverType::compile(data, context, why)) return Solver(std::move(*solver));
        return std::nullopt;
      },
      modifier.data);
}

Step make_step(const Modifier& modifier, std::uint32_t index, const RestPose& rest, Solver solver,
               CompiledRigData& data) {
  Step step;
  step.modifier = index;
  step.owner = bone_index(modifier.owner);
  step.parent = rest.parents[static_cast<std::size_t>(step.owner)];
  step.blend_weight = modifier.blend_weight;
  step.use_modified = modifier.use_modified_bone_matrix;
  step.limit_lod = modifier.limit_lod_level;
  std::size_t own = 0;
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.effect; })
          step.effect = s.effect;
        else
          step.effect = s.kEffect;
        step.anchored = s.kAnchored;
        own = s.state_size();
      },
      solver);
  step.state_begin = static_cast<std::uint32_t>(data.state_size);
  step.state_size = static_cast<std::uint32_t>(own + (step.anchored ? kStateDoubles<AnchorState> : 0));
  data.state_size += step.state_size;
  step.solver = std::move(solver);
  return step;
}

// Balls touch at the sum of their radii, or at their distance at rest if that is smaller: balls that overlap at rest
// must not move at rest.
void prepare_balls(const RestPose& rest, CompiledRigData& data) {
  struct Resting {
    std::uint32_t step;
    DVec center;
    double radius;
  };
  std::vector<Resting> balls;
  for (std::uint32_t i = 0; i < data.steps.size(); ++i)
    if (const auto* joint = std::get_if<BallJointSolver>(&data.steps[i].solver); joint && joint->radius > 0.0) {
      const Placement& bone = rest.global[static_cast<std::size_t>(data.steps[i].owner)];
      balls.push_back({i, bone.pos + bone.rot * joint->offset * DVec(joint->swing.length, 0, 0), joint->radius});
    }
  for (std::size_t i = 0; i < balls.size(); ++i) {
    auto& joint = std::get<BallJointSolver>(data.steps[balls[i].step].solver);
    joint.ball = static_cast<std::int32_t>(i);
    data.ball_steps.push_back(balls[i].step);
    for (std::size_t j = 0; j < balls.size(); ++j) {
      const double resting = glm::length(balls[i].center - balls[j].center) * (1.0 - 1e-6);
      joint.contact_distance.push_back(i == j ? 0.0 : std::min(balls[i].radius + balls[j].radius, resting));
    }
  }
}

}  // namespace

double RestPose::length(std::int32_t bone, double fallback) const {
  for (std::size_t i = static_cast<std::size_t>(bone) + 1; i < parents.size(); ++i)
    if (parents[i] == bone) {
      const double distance = glm::length(global[i].pos - global[static_cast<std::size_t>(bone)].pos);
      return distance > 1e-3 ? distance : fallback;
    }
  return fallback;
}

namespace {

std::vector<DQuat> rest_rotations(const Skeleton& skeleton) {
  std::vector<DQuat> model;
  for (const Bone& bone : skeleton.bones) {
    const DQuat local = placement(bone.rest, 1.0).rot;
    // Too large if there is none, or if the skeleton is broken.
    const auto parent = static_cast<std::size_t>(bone.parent);
    model.push_back(parent < model.size() ? model[parent] * local : local);
  }
  return model;
}

// Returns the rotation from X to a direction of the bone that puts Y across the body, or up if the bone itself points
// across. A rotation about Y then swings to the front and back on any skeleton, whatever the axes of its bones.
Quat turn_along(const DVec& direction, const DQuat& rest) {
  DVec across = glm::conjugate(rest) * DVec(1, 0, 0);
  if (std::abs(glm::dot(across, direction)) > 0.9) across = glm::conjugate(rest) * DVec(0, 0, 1);
  const DVec y = unit(across - direction * glm::dot(across, direction), DVec(0, 1, 0));
  return to_float(unit(glm::quat_cast(glm::dmat3(direction, y, glm::cross(direction, y)))));
}

}  // namespace

std::vector<Quat> directions_along_bones(const Skeleton& skeleton) {
  const std::vector<DQuat> model = rest_rotations(skeleton);
  std::vector<std::optional<DVec>> toward_child(skeleton.bones.size());
  const DVec x(1, 0, 0);
  for (const Bone& bone : skeleton.bones) {
    const DVec offset(bone.rest.translation);
    const auto parent = static_cast<std::size_t>(bone.parent);
    if (parent >= toward_child.size() || glm::dot(offset, offset) < 1e-12) continue;
    if (!toward_child[parent]) toward_child[parent] = unit(offset, x);
  }
  std::vector<Quat> along;
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    const Placement local = placement(skeleton.bones[i].rest, 1.0);
    const DVec onward = unit(glm::conjugate(local.rot) * local.pos, x);
    along.push_back(turn_along(toward_child[i].value_or(onward), model[i]));
  }
  return along;
}

std::vector<Quat> directions_down(const Skeleton& skeleton) {
  std::vector<Quat> along;
  for (const DQuat& rest : rest_rotations(skeleton)) {
    int lowest = 0;
    for (int axis = 1; axis < 6; ++axis)
      if ((rest * axis_of(axis)).z < (rest * axis_of(lowest)).z - 1e-6) lowest = axis;
    along.push_back(turn_along(axis_of(lowest), rest));
  }
  return along;
}

Result<CompiledRig> CompiledRig::compile(const Rig& rig, const Settings& settings, Notes* notes) {
  if (!std::isfinite(rig.metres_per_unit) || rig.metres_per_unit <= 0.0)
    return fail(ErrorCode::InvalidArgument, "metres_per_unit must be a positive number");
  if (!(settings.substep_seconds > 0.0) || !(settings.reference_rate > 0.0))
    return fail(ErrorCode::InvalidArgument, "the substep and the reference rate must be positive numbers");
  const auto& priority = rig.solving_priority;
  if (!priority.empty() && priority.size() != rig.skeleton.bones.size())
    return fail(ErrorCode::InvalidArgument, "solving_priority must have one entry per bone, or none");
  if (!rig.along_bone.empty() && rig.along_bone.size() != rig.skeleton.bones.size())
    return fail(ErrorCode::InvalidArgument, "along_bone must have one entry per bone, or none");
  MARROW_TRY(const RestPose rest, rest_pose(rig));
  const auto& modifiers = rig.modifiers;
  for (std::size_t i = 0; i < modifiers.size(); ++i) MARROW_CHECK(check_modifier(rig, modifiers[i], i));

  for (const Collider& each : rig.colliders) MARROW_CHECK(check_collider(rig, each));
  if (rig.ground && !std::isfinite(*rig.ground)) return fail(ErrorCode::Malformed, "the ground is not finite");

  auto data = std::make_shared<CompiledRigData>();
  data->settings = settings;
  data->metres_per_unit = rig.metres_per_unit;
  data->modifier_count = modifiers.size();
  data->parents = rest.parents;
  data->wrinkles = rig.wrinkles;
  data->state_size = kStateHeader;
  for (const std::uint32_t index : order_modifiers(rig)) {
    const Modifier& modifier = modifiers[index];
    if (modifier.type() == ModifierType::Fx) data->fx_bones.push_back(bone_index(modifier.owner));
    std::string why;
    const std::int32_t owner = bone_index(modifier.owner);
    const std::uint64_t id = noise_id(rig, modifier);
    const CompileContext context{.rest = rest,
                                 .settings = settings,
                                 .owner = owner,
                                 .along = along_of(rig, owner),
                                 .noise_id = mix_bits(id ^ mix_bits(settings.noise_seed))};
    if (auto solver = make_solver(modifier, context, why)) {
      data->steps.push_back(make_step(modifier, index, rest, std::move(*solver), *data));
      data->schedule.push_back(index);
    } else if (!why.empty()) {
      why = "it has no effect: " + why;
    }
    if (notes && !why.empty()) notes->push_back({std::move(why), kNoOffset, place_of(rig, modifier)});
  }
  std::ranges::sort(data->fx_bones);
  const auto repeated = std::ranges::unique(data->fx_bones);
  data->fx_bones.erase(repeated.begin(), repeated.end());
  if (!rig.colliders.empty() || rig.ground) plan_contacts(rig, rest, *data, notes);
  plan_refreshes(rig, *data);
  if (settings.self_collision) prepare_balls(rest, *data);
  return CompiledRig(std::move(data));
}

std::size_t CompiledRig::bone_count() const { return data_->parents.size(); }
std::size_t CompiledRig::modifier_count() const { return data_->modifier_count; }
std::span<const std::uint32_t> CompiledRig::schedule() const { return data_->schedule; }
std::span<const std::int32_t> CompiledRig::fx_bones() const { return data_->fx_bones; }
std::span<const Wrinkle> CompiledRig::wrinkles() const { return data_->wrinkles; }
const Settings& CompiledRig::settings() const { return data_->settings; }

}  // namespace marrow::motion
