// SPDX-License-Identifier: MIT
#include "marrow/motion/evaluate.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "motion/compiled_rig_data.h"
#include "motion/noise.h"

namespace marrow::motion {
namespace {

constexpr double kMostSubsteps = 100'000;

// Everything that a frame needs besides the current step.
class Frame {
 public:
  explicit Frame(const EvaluateJob& job)
      : job_(job), rig_(job.rig->data()), work_(job.state->workspace()), values_(job.state->values()) {
    start_clock();
    load_pose();
    if (!work_.balls.empty()) place_balls();
  }

  void run() {
    for (const Step& step : rig_.steps) {
      for (std::uint32_t i = step.refresh_begin; i < step.refresh_end; ++i) place(rig_.refresh[i]);
      if (step.reach > 0.0) place_solids(step);
      const double weight = weight_of(step);
      if (weight > 0.0)
        run_step(step, weight);
      else
        forget(step);
    }
    finish();
  }

 private:
  void start_clock() {
    const double dt = job_.delta_seconds > 0.0 ? job_.delta_seconds : 0.0;
    clock_.settings = &rig_.settings;
    clock_.dt = dt;
    // The slack makes a thirtieth of a second eight steps of 1/240, not nine.
    const double steps = std::ceil(dt / rig_.settings.substep_seconds - 1e-9);
    clock_.substeps = static_cast<int>(std::clamp(steps, 1.0, kMostSubsteps));
    clock_.h = dt / clock_.substeps;
    const double usual = rig_.settings.substep_seconds;
    clock_.usual_step = std::abs(clock_.h - usual) <= 1e-9 * usual;
    if (clock_.usual_step) clock_.h = usual;
    clock_.time0 = values_[kTimeIndex];
    clock_.time1 = clock_.time0 + dt;
    const Wind& wind = job_.environment.wind;
    clock_.wind0 = clock_.time0 == 0.0 ? wind.at(0.0)
                                       : DVec(values_[kWindIndex], values_[kWindIndex + 1], values_[kWindIndex + 2]);
    clock_.wind1 = wind.at(clock_.time1);
    clock_.gravity = DVec(job_.environment.gravity);
    entity_ = placement(job_.environment.entity, rig_.metres_per_unit);
    clock_.entity_position = entity_.pos;
  }

  void load_pose() {
    const auto is_scaled = [](const Placement& p) { return p.scale != DVec(1.0); };
    scaled_ = is_scaled(entity_);
    for (const std::int32_t bone : rig_.read) {
      const auto index = static_cast<std::size_t>(bone);
      work_.locals[index] = animated(index);
      scaled_ |= is_scaled(work_.locals[index]);
    }
    if (!scaled_ && work_.scaled)
      for (Placement& global : work_.globals) global.scale = DVec(1.0);
    work_.scaled = scaled_;
    for (const std::int32_t bone : rig_.owned) work_.touched[static_cast<std::size_t>(bone)] = 0;
  }

  Placement animated(std::size_t bone) const { return placement(job_.input[bone], rig_.metres_per_unit); }

  // Restores the last positions of the balls, for joints that are solved before others.
  void place_balls() {
    for (std::size_t i = 0; i < rig_.ball_steps.size(); ++i) {
      const Step& step = rig_.steps[rig_.ball_steps[i]];
      const double* state = values_.data() + step.state_begin;
      const auto anchor = load_state<AnchorState>(state);
      const auto swing = load_state<SwingState>(state + kStateDoubles<AnchorState>);
      const auto& joint = std::get<BallJointSolver>(step.solver);
      // A joint that has not started yet is far away.
      work_.balls[i] = {anchor.frames != 0.0 ? anchor.position + swing.direction * joint.swing.length : DVec(1e30),
                        joint.radius};
    }
  }

  // Brings the colliders to where their bones are now.
  void place_solids(const Step& step) {
    if (step.place_begin == step.place_end) return;
    for (std::uint32_t i = step.place_begin; i < step.place_end; ++i) {
      const Collider& each = rig_.colliders[rig_.placed[i]];
      const Placement& one = work_.globals[static_cast<std::size_t>(each.bone)];
      const Placement& two = each.to_bone == kNoBone ? one : work_.globals[static_cast<std::size_t>(each.to_bone)];
      Solid solid{.radius = each.radius};
      solid.a0 = solid.a1 = one.pos + one.rot * DVec(each.from);
      solid.b0 = solid.b1 = two.pos + two.rot * DVec(each.to);
      const auto before = load_state<ColliderState>(collider_state(rig_.placed[i]));
      if (goes_on(before, solid)) {
        solid.a0 = before.a;
        solid.b0 = before.b;
      }
      work_.solids.place(rig_.placed[i], solid);
    }
    work_.solids.sort();
  }
  double* collider_state(std::uint32_t index) const {
    return values_.data() + rig_.collider_state + index * kStateDoubles<ColliderState>;
  }
  // True if the collider came here from where it was; else it jumped.
  bool goes_on(const ColliderState& before, const Solid& now) const {
    if (before.is_known == 0.0 || job_.environment.teleported || clock_.dt <= 0.0) return false;
    const double far = rig_.settings.reset_distance;
    const DVec a = now.a1 - before.a, b = now.b1 - before.b;
    return clock_.dt <= rig_.settings.reset_seconds && std::max(glm::dot(a, a), glm::dot(b, b)) <= far * far;
  }
  void remember_solids() {
    for (std::uint32_t i = 0; i < work_.solids.size(); ++i) {
      const Solid& solid = work_.solids.all()[i];
      if (is_finite(solid.a1 + solid.b1)) store_state(collider_state(i), ColliderState{1.0, solid.a1, solid.b1});
    }
  }

  // What a step may run into while its anchor comes from where it was.
  Surroundings around(const Step& step, const Placement& input) {
    const auto anchor = load_state<AnchorState>(values_.data() + step.state_begin);
    double moved = anchor.frames != 0.0 ? glm::length(input.pos - anchor.position) : 0.0;
    if (!(moved <= rig_.settings.reset_distance)) moved = 0.0;  // it starts anew
    const std::span<const std::uint8_t> spared(rig_.spared.data() + step.spared, rig_.colliders.size());
    const bool is_low = rig_.ground && input.pos.z - step.reach - moved < *rig_.ground;
    return {.solids = work_.solids.all(),
            .near = work_.solids.within(input.pos, step.reach + moved, spared),
            .ground = is_low ? rig_.ground : std::nullopt,
            .seconds = clock_.dt};
  }

  const Placement& parent_of(std::int32_t bone) const {
    const std::int32_t parent = rig_.parents[static_cast<std::size_t>(bone)];
    return parent == kNoBone ? entity_ : work_.globals[static_cast<std::size_t>(parent)];
  }
  void place(std::int32_t bone) {
    const Placement &parent = parent_of(bone), &local = work_.locals[static_cast<std::size_t>(bone)];
    Placement& global = work_.globals[static_cast<std::size_t>(bone)];
    if (scaled_) {
      global = parent * local;
    } else {
      // The common case: the scales stay at 1.
      global.pos = parent.pos + parent.rot * local.pos;
      global.rot = parent.rot * local.rot;
    }
  }

  double weight_of(const Step& step) const {
    if (step.limit_lod >= 0 && job_.environment.lod > step.limit_lod) return 0.0;
    const double given = job_.weights.empty() ? 1.0 : static_cast<double>(job_.weights[step.modifier]);
    return std::clamp(step.blend_weight * given, 0.0, 1.0);
  }

  // The modifier has faded out: it will start from rest when it fades in again.
  void forget(const Step& step) { std::fill_n(values_.begin() + step.state_begin, step.state_size, 0.0); }

  Phase phase_of(const AnchorState& anchor, const DVec& position) const {
    if (anchor.frames == 0.0 || job_.environment.teleported) return Phase::Seed;
    if (clock_.dt <= 0.0) return Phase::Hold;
    const DVec moved = position - anchor.position;
    const double far = rig_.settings.reset_distance;
    if (clock_.dt > rig_.settings.reset_seconds || !(glm::dot(moved, moved) <= far * far)) return Phase::Seed;
    return Phase::Advance;
  }

  // Solves an anchored step: computes the anchor's motion and stores its position.
  void solve_anchored(const Step& step, Solve& solve) {
    double* at = values_.data() + step.state_begin;
    const auto before = load_state<AnchorState>(at);
    solve.state = at + kStateDoubles<AnchorState>;
    const Placement& now = solve.input;
    solve.phase = phase_of(before, now.pos);
    Anchor anchor{.pos0 = before.position,
                  .rot0 = before.rotation,
                  .pos1 = now.pos,
                  .rot1 = now.rot,
                  .velocity0 = before.velocity,
                  .velocity1 = DVec(0.0),
                  .acceleration0 = before.acceleration,
                  .seconds0 = before.seconds,
                  .frame = static_cast<int>(before.frames)};
    DVec acceleration(0.0);
    if (solve.phase == Phase::Advance) {
      anchor.velocity1 = (now.pos - before.position) * (1.0 / clock_.dt);
      acceleration = anchor.acceleration(anchor.velocity1 - anchor.velocity0, clock_);
      solve.anchor = &anchor;
    }
    const double frames = solve.phase == Phase::Seed ? 1.0 : std::min(before.frames + 1.0, 3.0);
    if (solve.phase != Phase::Hold)
      store_state(at, AnchorState{frames, clock_.dt, now.pos, now.rot, anchor.velocity1, acceleration});
    visit_solver(step, solve);
  }

  static void visit_solver(const Step& step, Solve& solve) {
    std::visit([&](const auto& solver) { solver.solve(solve); }, step.solver);
  }

  void run_step(const Step& step, double weight) {
    const auto owner = static_cast<std::size_t>(step.owner);
    Placement& bone = work_.globals[owner];
    const Placement& parent = parent_of(step.owner);
    Placement unmodified;
    const bool apart = !step.use_modified && work_.touched[owner] != 0;
    if (apart) unmodified = parent * animated(owner);
    Solve solve{.clock = clock_,
                .globals = work_.globals.data(),
                .locals = work_.locals.data(),
                .input = apart ? unmodified : bone,
                .parent = parent,
                .balls = work_.balls,
                .around = {},
                .state = values_.data() + step.state_begin};
    if (step.reach > 0.0) solve.around = around(step, solve.input);
    if (step.anchored)
      solve_anchored(step, solve);
    else
      visit_solver(step, solve);
    if (!is_finite(solve.target.pos, solve.target.rot) || (step.effect.stretch && !is_finite(solve.stretch))) {
      forget(step);
      solve.target = {solve.input.pos, solve.input.rot};
      solve.stretch = DVec(1.0);
    }
    if (!job_.trace.empty()) record_input(step, solve, weight);
    blend(step, solve, weight, bone, parent);
    if (!job_.trace.empty()) job_.trace[step.modifier].result = transform(bone);
  }

  void blend(const Step& step, const Solve& solve, double weight, Placement& bone, const Placement& parent) {
    const auto owner = static_cast<std::size_t>(step.owner);
    Placement& local = work_.locals[owner];
    // A change is added to the result of other modifiers; a bone that is its own input goes to the target itself.
    const bool carried = step.effect.delta && &solve.input != &bone;
    if (step.effect.rotation) {
      const DQuat goal = carried ? bone.rot * (glm::conjugate(solve.input.rot) * solve.target.rot) : solve.target.rot;
      bone.rot = slerp(bone.rot, goal, weight);
      local.rot = glm::conjugate(parent.rot) * bone.rot;
      work_.touched[owner] |= kRotationChannel;
    }
    if (step.effect.position) {
      bone.pos += (solve.target.pos - (carried ? solve.input.pos : bone.pos)) * weight;
      local.pos = (glm::conjugate(parent.rot) * (bone.pos - parent.pos)) / parent.scale;
      work_.touched[owner] |= kPositionChannel;
    }
    if (step.effect.stretch) {
      if ((work_.touched[owner] & kScaleChannel) == 0) work_.stretch[owner] = DVec(1.0);
      work_.stretch[owner] += (solve.stretch - work_.stretch[owner]) * weight;
      work_.touched[owner] |= kScaleChannel;
    }
  }

  static Transform transform(const Placement& p) { return {Vec3(p.pos), to_float(p.rot), Vec3(p.scale)}; }

  // Records everything in a trace except the result.
  void record_input(const Step& step, const Solve& solve, double weight) {
    Placement target = solve.input;
    target.pos = solve.target.pos;
    target.rot = solve.target.rot;
    target.scale = solve.stretch;
    job_.trace[step.modifier] = {.ran = true,
                                 .reset = step.anchored && solve.phase == Phase::Seed,
                                 .weight = static_cast<float>(weight),
                                 .input = transform(solve.input),
                                 .target = transform(target),
                                 .result = {},
                                 .limit = solve.limit};
  }

  void finish() {
    if (job_.output.data() != job_.input.data()) std::ranges::copy(job_.input, job_.output.begin());
    if (!job_.stretch.empty()) std::ranges::fill(job_.stretch, Vec3(1.0f));
    for (const std::int32_t bone : rig_.owned) {
      const auto index = static_cast<std::size_t>(bone);
      const std::uint8_t touched = work_.touched[index];
      const Placement& local = work_.locals[index];
      Transform& out = job_.output[index];
      if ((touched & kRotationChannel) != 0 && is_finite(local.rot)) out.rotation = to_float(local.rot);
      if ((touched & kPositionChannel) != 0) {
        const Vec3 translation(local.pos * (1.0 / rig_.metres_per_unit));
        if (is_finite(DVec(translation))) out.translation = translation;
      }
      if ((touched & kScaleChannel) != 0 && !job_.stretch.empty()) job_.stretch[index] = Vec3(work_.stretch[index]);
    }
    if (work_.solids.size() > 0) remember_solids();
    if (clock_.dt > 0.0) {
      values_[kTimeIndex] = clock_.time1;
      for (int i = 0; i < 3; ++i) values_[kWindIndex + static_cast<std::size_t>(i)] = clock_.wind1[i];
    }
  }

  const EvaluateJob& job_;
  const CompiledRigData& rig_;
  Workspace& work_;
  std::span<double> values_;
  Clock clock_;
  Placement entity_;
  bool scaled_ = false;  // true if any bone that is read is scaled
};

bool finite(const Transform& t) {
  return std::isfinite(t.translation.x + t.translation.y + t.translation.z) &&
         std::isfinite(t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w) &&
         std::isfinite(t.scale.x + t.scale.y + t.scale.z);
}

}  // namespace

DVec Wind::at(double seconds) const {
  if (gust_share == 0.0f) return DVec(velocity);
  return DVec(velocity) * (1.0 + gust_share * value_noise(mix_bits(gust_seed), seconds * gusts_a_second));
}

std::string_view to_string(LimitHit hit) {
  constexpr std::array<std::string_view, 8> kWords = {"none", "lower", "upper", "cone",
                                                        "box",  "angle", "scale", "contact"};
  return kWords[static_cast<std::size_t>(hit)];
}

Result<void> EvaluateJob::validate() const {
  if (!rig || !state) return fail(ErrorCode::InvalidArgument, "a job needs a rig and a state");
  const std::size_t bones = rig->bone_count(), modifiers = rig->modifier_count();
  if (state->values().size() != rig->data().state_size)
    return fail(ErrorCode::InvalidArgument, "the state was made for another rig");
  if (input.size() != bones || output.size() != bones || (!stretch.empty() && stretch.size() != bones))
    return fail(ErrorCode::InvalidArgument, "poses must have one transform per bone");
  if ((!weights.empty() && weights.size() != modifiers) || (!trace.empty() && trace.size() != modifiers))
    return fail(ErrorCode::InvalidArgument, "weights and traces must have one entry per modifier");
  if (!std::isfinite(delta_seconds)) return fail(ErrorCode::InvalidArgument, "the time step is not finite");
  const Vec3 &g = environment.gravity, &w = environment.wind.velocity;
  const Wind& wind = environment.wind;
  if (!std::isfinite(g.x + g.y + g.z + w.x + w.y + w.z + wind.gust_share + wind.gusts_a_second) ||
      !finite(environment.entity))
    return fail(ErrorCode::InvalidArgument, "gravity, wind or entity is not finite");
  if (!std::ranges::all_of(input, finite)) return fail(ErrorCode::InvalidArgument, "the pose is not finite");
  if (!std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); }))
    return fail(ErrorCode::InvalidArgument, "a weight is not finite");
  return {};
}

void EvaluateJob::run() const {
  assert(validate());
  for (Trace& entry : trace) entry = {};
  Frame(*this).run();
}

}  // namespace marrow::motion
