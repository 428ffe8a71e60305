// SPDX-License-Identifier: MIT
// A frame of one character, or of several that share a rig, one per lane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "motion/compiled_rig_data.h"

namespace marrow::motion {

// Solves a step for one character, whose state of the step is `state`. Compiled once, for any processor, so that kernels
// for some processors may call it.
void solve_alone(const Step& step, Solve& solve, double* state, bool teleported);

// Calls the solver of a step. Returns the lanes that it leaves to `solve_alone`.
template <class T>
MaskOf<T> visit_solver(const Step& step, SolveOf<T>& solve) {
  return std::visit([&](const auto& solver) { return solver.template solve<T>(solve); }, step.solver);
}

inline constexpr double kMostSubsteps = 100'000;

// Who is in a frame, one character per lane.
template <class T>
struct Cast {
  static constexpr std::size_t kCount = kLaneCount<T>;
  const CompiledRigData* rig = nullptr;
  double delta_seconds = 0.0;
  std::array<const Environment*, kCount> environments = {};
  std::array<double*, kCount> values = {};  // of the states
  std::array<const Transform*, kCount> inputs = {};
  std::array<Transform*, kCount> outputs = {};
  std::array<const float*, kCount> weights = {};  // null: 1 each
  std::array<Vec3*, kCount> stretch = {};         // null: not wanted
  std::span<Trace> trace = {};                    // of one character only
};

// Working memory of a frame.
template <class T>
struct Desk {
  PlacementOf<T>* locals = nullptr;  // of the bones in CompiledRigData::read
  PlacementOf<T>* globals = nullptr;
  VecOf<T>* stretch = nullptr;
  Touched* touched = nullptr;
  bool* scaled = nullptr;  // scales of the globals are not all 1
  std::span<Ball> balls = {};
  Solids* solids = nullptr;
};

// Everything that a frame needs besides the current step.
template <class T>
class Frame {
 public:
  Frame(const Cast<T>& cast, const Desk<T>& desk) : cast_(cast), rig_(*cast.rig), desk_(desk) {
    start_clock();
    load_pose();
    if constexpr (kCount == 1)
      if (!desk_.balls.empty()) place_balls();
  }

  void run() {
    for (const Step& step : rig_.steps) {
      for (std::uint32_t i = step.refresh_begin; i < step.refresh_end; ++i) place(rig_.refresh[i]);
      if constexpr (kCount == 1)
        if (step.reach > 0.0) place_solids(step);
      const T weight = weight_of(step);
      const MaskOf<T> runs = weight > 0.0;
      if (any(runs)) run_step(step, weight, runs);
      if (!all(runs)) forget(step, bits_of(!runs));
    }
    finish();
  }

 private:
  static constexpr int kCount = kLaneCount<T>;
  static constexpr unsigned kAll = (1u << kCount) - 1;

  void start_clock() {
    const double dt = cast_.delta_seconds > 0.0 ? cast_.delta_seconds : 0.0;
    clock_.settings = &rig_.settings;
    clock_.dt = dt;
    // The slack makes a thirtieth of a second eight steps of 1/240, not nine.
    const double steps = std::ceil(dt / rig_.settings.substep_seconds - 1e-9);
    clock_.substeps = static_cast<int>(std::clamp(steps, 1.0, kMostSubsteps));
    clock_.h = dt / clock_.substeps;
    const double usual = rig_.settings.substep_seconds;
    clock_.usual_step = std::abs(clock_.h - usual) <= 1e-9 * usual;
    if (clock_.usual_step) clock_.h = usual;
    for (int i = 0; i < kCount; ++i) {
      const double* values = cast_.values[at(i)];
      const Environment& around = *cast_.environments[at(i)];
      const double time0 = values[kTimeIndex], time1 = time0 + dt;
      set_lane(clock_.time0, i, time0);
      set_lane(clock_.time1, i, time1);
      const DVec before(values[kWindIndex], values[kWindIndex + 1], values[kWindIndex + 2]);
      set_vec(clock_.wind0, i, time0 == 0.0 ? around.wind.at(0.0) : before);
      set_vec(clock_.wind1, i, around.wind.at(time1));
      set_vec(clock_.gravity, i, DVec(around.gravity));
      set_pose(entity_, i, around.entity);
    }
    adjust(entity_);
    clock_.entity_position = entity_.pos;
    jumps_ = dt <= 0.0 || dt > rig_.settings.reset_seconds ||
             std::ranges::any_of(cast_.environments, [](const Environment* each) { return each->teleported; });
  }

  // Sets a lane to the numbers of a transform, as they are; `adjust` makes a placement of them.
  static void set_pose(PlacementOf<T>& p, int lane, const Transform& t) {
    for (int k = 0; k < 3; ++k) set_lane(p.pos[k], lane, static_cast<double>(t.translation[k]));
    set_lane(p.rot.w, lane, static_cast<double>(t.rotation.w));
    set_lane(p.rot.x, lane, static_cast<double>(t.rotation.x));
    set_lane(p.rot.y, lane, static_cast<double>(t.rotation.y));
    set_lane(p.rot.z, lane, static_cast<double>(t.rotation.z));
    for (int k = 0; k < 3; ++k) set_lane(p.scale[k], lane, static_cast<double>(t.scale[k]));
  }
  void adjust(PlacementOf<T>& p) const {
    p.pos = p.pos * rig_.metres_per_unit;
    p.rot = unit(p.rot);
  }
  static void set_vec(VecOf<T>& v, int lane, const DVec& value) {
    for (int k = 0; k < 3; ++k) set_lane(v[k], lane, value[k]);
  }
  static std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

  PlacementOf<T> animated(std::size_t bone) const {
    PlacementOf<T> p;
    for (int i = 0; i < kCount; ++i) set_pose(p, i, cast_.inputs[at(i)][bone]);
    adjust(p);
    return p;
  }

  void load_pose() {
    const auto is_scaled = [](const PlacementOf<T>& p) {
      return any((p.scale.x != 1.0) | (p.scale.y != 1.0) | (p.scale.z != 1.0));
    };
    scaled_ = is_scaled(entity_);
    for (const std::int32_t bone : rig_.read) {
      PlacementOf<T>& local = desk_.locals[bone];
      local = animated(static_cast<std::size_t>(bone));
      scaled_ |= is_scaled(local);
    }
    if (!scaled_ && *desk_.scaled)
      for (std::size_t i = 0; i < rig_.parents.size(); ++i) desk_.globals[i].scale = VecOf<T>(T(1.0));
    *desk_.scaled = scaled_;
    for (const std::int32_t bone : rig_.owned) desk_.touched[bone] = {};
  }

  // Colliders and balls: of one character only.
  // Restores the last positions of the balls, for joints that are solved before others.
  void place_balls() {
    for (std::size_t i = 0; i < rig_.ball_steps.size(); ++i) {
      const Step& step = rig_.steps[rig_.ball_steps[i]];
      double* state = cast_.values[0] + step.state_begin;
      const auto anchor = load_state<AnchorState>(StateAt<double>{state});
      const auto swing = load_state<SwingState>(StateAt<double>{state} + kStateDoubles<AnchorState>);
      const auto& joint = std::get<BallJointSolver>(step.solver);
      // A joint that has not started yet is far away.
      desk_.balls[i] = {anchor.frames != 0.0 ? anchor.position + swing.direction * joint.swing.length : DVec(1e30),
                        joint.radius};
    }
  }

  // Brings the colliders to where their bones are now.
  void place_solids(const Step& step) {
    if (step.place_begin == step.place_end) return;
    for (std::uint32_t i = step.place_begin; i < step.place_end; ++i) {
      const Collider& each = rig_.colliders[rig_.placed[i]];
      const Placement& one = desk_.globals[each.bone];
      const Placement& two = each.to_bone == kNoBone ? one : desk_.globals[each.to_bone];
      Solid solid{.radius = each.radius};
      solid.a0 = solid.a1 = one.pos + one.rot * DVec(each.from);
      solid.b0 = solid.b1 = two.pos + two.rot * DVec(each.to);
      const auto before = load_state<ColliderState>(StateAt<double>{collider_state(rig_.placed[i])});
      if (goes_on(before, solid)) {
        solid.a0 = before.a;
        solid.b0 = before.b;
      }
      desk_.solids->place(rig_.placed[i], solid);
    }
    desk_.solids->sort();
  }
  double* collider_state(std::uint32_t index) const {
    return cast_.values[0] + rig_.collider_state + index * kStateDoubles<ColliderState>;
  }
  // True if the collider came here from where it was; else it jumped.
  bool goes_on(const ColliderState& before, const Solid& now) const {
    if (before.is_known == 0.0 || cast_.environments[0]->teleported || clock_.dt <= 0.0) return false;
    const double far = rig_.settings.reset_distance;
    const DVec a = now.a1 - before.a, b = now.b1 - before.b;
    return clock_.dt <= rig_.settings.reset_seconds && std::max(glm::dot(a, a), glm::dot(b, b)) <= far * far;
  }
  void remember_solids() {
    for (std::uint32_t i = 0; i < desk_.solids->size(); ++i) {
      const Solid& solid = desk_.solids->all()[i];
      if (is_finite(solid.a1 + solid.b1)) store_state(StateAt<double>{collider_state(i)}, ColliderState{1.0, solid.a1, solid.b1});
    }
  }

  // What a step may run into while its anchor comes from where it was.
  Surroundings around(const Step& step, const Placement& input) {
    const auto anchor = load_state<AnchorState>(state_at(step.state_begin));
    double moved = anchor.frames != 0.0 ? glm::length(input.pos - anchor.position) : 0.0;
    if (!(moved <= rig_.settings.reset_distance)) moved = 0.0;  // it starts anew
    const std::span<const std::uint8_t> spared(rig_.spared.data() + step.spared, rig_.colliders.size());
    const bool is_low = rig_.ground && input.pos.z - step.reach - moved < *rig_.ground;
    return {.solids = desk_.solids->all(),
            .near = desk_.solids->within(input.pos, step.reach + moved, spared),
            .ground = is_low ? rig_.ground : std::nullopt,
            .seconds = clock_.dt};
  }

  const PlacementOf<T>& parent_of(std::int32_t bone) const {
    const std::int32_t parent = rig_.parents[static_cast<std::size_t>(bone)];
    return parent == kNoBone ? entity_ : desk_.globals[parent];
  }
  void place(std::int32_t bone) {
    const PlacementOf<T>&parent = parent_of(bone), &local = desk_.locals[bone];
    PlacementOf<T>& global = desk_.globals[bone];
    if (scaled_) {
      global = parent * local;
    } else {
      // The common case: the scales stay at 1.
      global.pos = parent.pos + parent.rot * local.pos;
      global.rot = parent.rot * local.rot;
    }
  }

  T weight_of(const Step& step) const {
    T weight;
    for (int i = 0; i < kCount; ++i) {
      const bool is_off = step.limit_lod >= 0 && cast_.environments[at(i)]->lod > step.limit_lod;
      const float* weights = cast_.weights[at(i)];
      const double given = weights ? static_cast<double>(weights[step.modifier]) : 1.0;
      set_lane(weight, i, is_off ? 0.0 : std::clamp(step.blend_weight * given, 0.0, 1.0));
    }
    return weight;
  }

  // The modifier has faded out: it will start from rest when it fades in again.
  void forget(const Step& step, unsigned lanes) {
    for (int i = 0; i < kCount; ++i)
      if ((lanes >> i & 1u) != 0) std::fill_n(cast_.values[at(i)] + step.state_begin, step.state_size, 0.0);
  }

  StateAt<T> state_at(std::size_t offset) const {
    if constexpr (kCount == 1)
      return {cast_.values[0] + offset};
    else
      return {cast_.values.data(), offset};
  }

  // Solves an anchored step for all lanes if all of them go on from the last frame. Returns those that are left.
  unsigned solve_anchored(const Step& step, SolveOf<T>& solve) {
    const auto before = load_state<AnchorStateOf<T>>(state_at(step.state_begin));
    const PlacementOf<T>& now = solve.input;
    const VecOf<T> way = now.pos - before.position;
    const double far = rig_.settings.reset_distance;
    const MaskOf<T> near = (glm::dot(way, way) <= far * far) & (before.frames != 0.0);
    if (jumps_ || !all(near)) return kAll;
    AnchorOf<T> anchor{.pos0 = before.position,
                       .rot0 = before.rotation,
                       .pos1 = now.pos,
                       .rot1 = now.rot,
                       .velocity0 = before.velocity,
                       .velocity1 = way * (1.0 / clock_.dt),
                       .acceleration0 = before.acceleration,
                       .seconds0 = before.seconds,
                       .frame = before.frames};
    if (!all(anchor.is_steady(clock_))) return kAll;
    solve.state = state_at(step.state_begin + kStateDoubles<AnchorState>);
    solve.phase = Phase::Advance;
    solve.anchor = &anchor;
    const MaskOf<T> left_over = visit_solver(step, solve);
    const VecOf<T> acceleration = anchor.acceleration(anchor.velocity1 - anchor.velocity0, clock_);
    const AnchorStateOf<T> after{least(before.frames + 1.0, T(3.0)), T(clock_.dt), now.pos, now.rot,
                                 anchor.velocity1, acceleration};
    store_state(state_at(step.state_begin), after, left_over);
    return bits_of(left_over);
  }

  void solve_step(const Step& step, SolveOf<T>& solve, unsigned runs) {
    if constexpr (kCount == 1) {
      if (step.reach > 0.0) solve.around = around(step, solve.input);
      solve_alone(step, solve, cast_.values[0] + step.state_begin, cast_.environments[0]->teleported);
    } else {
      unsigned alone = runs;
      if (runs == kAll) alone = step.anchored ? solve_anchored(step, solve) : bits_of(visit_solver(step, solve));
      for (int i = 0; alone != 0; ++i, alone >>= 1)
        if ((alone & 1u) != 0) solve_lane(step, solve, i);
    }
  }
  // Solves a step for one of several characters.
  void solve_lane(const Step& step, SolveOf<T>& all, int i) {
    const Clock clock = clock_of(i);
    const Placement input = lane_of(all.input, i), parent = lane_of(all.parent, i);
    Solve one{.clock = clock,
              .globals = {lanes_of(desk_.globals) + i, kCount},
              .locals = {lanes_of(desk_.locals) + i, kCount},
              .input = input,
              .parent = parent,
              .balls = {}};
    solve_alone(step, one, cast_.values[at(i)] + step.state_begin, cast_.environments[at(i)]->teleported);
    set_vec(all.target.pos, i, one.target.pos);
    set_vec(all.stretch, i, one.stretch);
    set_lane(all.target.rot.w, i, one.target.rot.w);
    set_lane(all.target.rot.x, i, one.target.rot.x);
    set_lane(all.target.rot.y, i, one.target.rot.y);
    set_lane(all.target.rot.z, i, one.target.rot.z);
  }
  static const double* lanes_of(const PlacementOf<T>* placements) { return reinterpret_cast<const double*>(placements); }
  static DVec lane_of(const VecOf<T>& v, int i) { return DVec(lane(v.x, i), lane(v.y, i), lane(v.z, i)); }
  static Placement lane_of(const PlacementOf<T>& p, int i) {
    return {lane_of(p.pos, i), DQuat(lane(p.rot.w, i), lane(p.rot.x, i), lane(p.rot.y, i), lane(p.rot.z, i)),
            lane_of(p.scale, i)};
  }
  Clock clock_of(int i) const {
    return {.dt = clock_.dt,
            .h = clock_.h,
            .substeps = clock_.substeps,
            .usual_step = clock_.usual_step,
            .time0 = lane(clock_.time0, i),
            .time1 = lane(clock_.time1, i),
            .wind0 = lane_of(clock_.wind0, i),
            .wind1 = lane_of(clock_.wind1, i),
            .gravity = lane_of(clock_.gravity, i),
            .entity_position = lane_of(clock_.entity_position, i),
            .settings = clock_.settings};
  }

  void run_step(const Step& step, const T& weight, const MaskOf<T>& runs) {
    PlacementOf<T>& bone = desk_.globals[step.owner];
    const PlacementOf<T>& parent = parent_of(step.owner);
    PlacementOf<T> unmodified;
    const unsigned apart = step.use_modified ? 0u : desk_.touched[step.owner].any();
    if (apart != 0) unmodified = unmodified_input(step, parent, bone, apart);
    SolveOf<T> solve{.clock = clock_,
                     .globals = bones(desk_.globals),
                     .locals = bones(desk_.locals),
                     .input = apart != 0 ? unmodified : bone,
                     .parent = parent,
                     .balls = desk_.balls,
                     .around = {},
                     .state = state_at(step.state_begin)};
    solve_step(step, solve, bits_of(runs));
    MaskOf<T> finite = is_finite(solve.target.pos, solve.target.rot);
    if (step.effect.stretch) finite = finite & is_finite(solve.stretch);
    if (!all(finite)) start_anew(step, solve, finite, runs);
    if constexpr (kCount == 1)
      if (!cast_.trace.empty()) record_input(step, solve, weight);
    blend(step, solve, weight, runs, apart, bone, parent);
    if constexpr (kCount == 1)
      if (!cast_.trace.empty()) cast_.trace[step.modifier].result = transform(bone);
  }
  static BonesOf<T> bones(const PlacementOf<T>* first) {
    if constexpr (kCount == 1)
      return {&first->pos.x, 1};
    else
      return {first};
  }
  // The animated bone, for the lanes in which other modifiers have changed it.
  PlacementOf<T> unmodified_input(const Step& step, const PlacementOf<T>& parent, const PlacementOf<T>& bone,
                                  unsigned apart) const {
    const PlacementOf<T> animated_bone = parent * animated(static_cast<std::size_t>(step.owner));
    if (apart == kAll) return animated_bone;
    const MaskOf<T> lanes = mask_of<T>(apart);
    return {select<T>(lanes, animated_bone.pos, bone.pos), select<T>(lanes, animated_bone.rot, bone.rot),
            select<T>(lanes, animated_bone.scale, bone.scale)};
  }
  // Resets a modifier whose result is not finite.
  void start_anew(const Step& step, SolveOf<T>& solve, const MaskOf<T>& finite, const MaskOf<T>& runs) {
    forget(step, bits_of((!finite) & runs));
    solve.target.pos = select<T>(finite, solve.target.pos, solve.input.pos);
    solve.target.rot = select<T>(finite, solve.target.rot, solve.input.rot);
    solve.stretch = select<T>(finite, solve.stretch, VecOf<T>(T(1.0)));
  }

  void blend(const Step& step, const SolveOf<T>& solve, const T& weight, const MaskOf<T>& runs, unsigned apart,
             PlacementOf<T>& bone, const PlacementOf<T>& parent) {
    PlacementOf<T>& local = desk_.locals[step.owner];
    Touched& touched = desk_.touched[step.owner];
    const auto lanes = static_cast<std::uint8_t>(bits_of(runs));
    // A change is added to the result of other modifiers; a bone that is its own input goes to the target itself.
    const MaskOf<T> carried = mask_of<T>(step.effect.delta ? apart : 0u);
    if (step.effect.rotation) {
      QuatOf<T> goal = solve.target.rot;
      if (any(carried))
        goal = select<T>(carried, bone.rot * (glm::conjugate(solve.input.rot) * solve.target.rot), goal);
      const QuatOf<T> turned = short_arc(bone.rot, goal, weight), turned_local = glm::conjugate(parent.rot) * turned;
      bone.rot = select<T>(runs, turned, bone.rot);
      local.rot = select<T>(runs, turned_local, local.rot);
      touched.rotation |= lanes;
    }
    if (step.effect.position) {
      const VecOf<T> from = select<T>(carried, solve.input.pos, bone.pos);
      const VecOf<T> moved = bone.pos + (solve.target.pos - from) * weight;
      bone.pos = select<T>(runs, moved, bone.pos);
      const VecOf<T> moved_local = (glm::conjugate(parent.rot) * (bone.pos - parent.pos)) / parent.scale;
      local.pos = select<T>(runs, moved_local, local.pos);
      touched.position |= lanes;
    }
    if (step.effect.stretch) {
      VecOf<T>& stretch = desk_.stretch[step.owner];
      const VecOf<T> before = select<T>(mask_of<T>(touched.scale), stretch, VecOf<T>(T(1.0)));
      stretch = select<T>(runs, before + (solve.stretch - before) * weight, before);
      touched.scale |= lanes;
    }
  }

  static Transform transform(const Placement& p) { return {Vec3(p.pos), to_float(p.rot), Vec3(p.scale)}; }

  // Records everything in a trace except the result.
  void record_input(const Step& step, const Solve& solve, double weight) {
    Placement target = solve.input;
    target.pos = solve.target.pos;
    target.rot = solve.target.rot;
    target.scale = solve.stretch;
    cast_.trace[step.modifier] = {.ran = true,
                                 .reset = step.anchored && solve.phase == Phase::Seed,
                                 .weight = static_cast<float>(weight),
                                 .input = transform(solve.input),
                                 .target = transform(target),
                                 .result = {},
                                 .limit = solve.limit};
  }

  void finish() {
    for (int i = 0; i < kCount; ++i) {
      const Transform* input = cast_.inputs[at(i)];
      Transform* output = cast_.outputs[at(i)];
      if (output != input) std::copy_n(input, rig_.parents.size(), output);
      if (cast_.stretch[at(i)]) std::fill_n(cast_.stretch[at(i)], rig_.parents.size(), Vec3(1.0f));
    }
    for (const std::int32_t bone : rig_.owned) write(bone);
    if constexpr (kCount == 1)
      if (desk_.solids->size() > 0) remember_solids();
    if (clock_.dt <= 0.0) return;
    for (int i = 0; i < kCount; ++i) {
      double* values = cast_.values[at(i)];
      values[kTimeIndex] = lane(clock_.time1, i);
      for (int k = 0; k < 3; ++k) values[kWindIndex + at(k)] = lane(clock_.wind1[k], i);
    }
  }
  // Writes what modifiers have changed of a bone.
  void write(std::int32_t bone) {
    const Touched touched = desk_.touched[bone];
    const PlacementOf<T>& local = desk_.locals[bone];
    const unsigned turned = touched.rotation & bits_of(is_finite(local.rot));
    const VecOf<T> moved = local.pos * (1.0 / rig_.metres_per_unit);
    for (int i = 0; i < kCount; ++i) {
      Transform& out = cast_.outputs[at(i)][bone];
      if ((turned >> i & 1u) != 0) {
        out.rotation.x = static_cast<float>(lane(local.rot.x, i));
        out.rotation.y = static_cast<float>(lane(local.rot.y, i));
        out.rotation.z = static_cast<float>(lane(local.rot.z, i));
        out.rotation.w = static_cast<float>(lane(local.rot.w, i));
      }
      if ((touched.position >> i & 1) != 0) {
        const Vec3 translation(static_cast<float>(lane(moved.x, i)), static_cast<float>(lane(moved.y, i)),
                               static_cast<float>(lane(moved.z, i)));
        const double sum = static_cast<double>(translation.x) + static_cast<double>(translation.y) +
                           static_cast<double>(translation.z);
        if (std::isfinite(sum)) out.translation = translation;
      }
      if ((touched.scale >> i & 1) != 0 && cast_.stretch[at(i)])
        for (int k = 0; k < 3; ++k)
          cast_.stretch[at(i)][bone][k] = static_cast<float>(lane(desk_.stretch[bone][k], i));
    }
  }

  const Cast<T>& cast_;
  const CompiledRigData& rig_;
  const Desk<T>& desk_;
  ClockOf<T> clock_;
  PlacementOf<T> entity_;
  bool scaled_ = false;  // true if any bone that is read is scaled
  bool jumps_ = false;   // true if any character starts anew, or no time passes
};

}  // namespace marrow::motion
