// SPDX-License-Identifier: MIT
// A frame of one character, or of several that share a rig, one per lane.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "motion/compiled_rig_data.h"
#include "motion/frame_contacts.h"

namespace marrow::motion {

// Calls the solver of a step.
template <class T>
void visit_solver(const Step& step, SolveOf<T>& solve) {
  std::visit([&](const auto& solver) MARROW_FLATTEN { solver.template solve<T>(solve); }, step.solver);
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
  MARROW_FLATTEN Frame(const Cast<T>& cast, const Desk<T>& desk) : cast_(cast), rig_(*cast.rig), desk_(desk) {
    start_clock();
    load_pose();
    if constexpr (kCount == 1)
      if (!desk_.balls.empty()) contacts().place_balls(desk_.balls);
  }

  MARROW_FLATTEN void run() {
    for (const Step& step : rig_.steps) {
      for (std::uint32_t i = step.refresh_begin; i < step.refresh_end; ++i) place(rig_.refresh[i]);
      if constexpr (kCount == 1)
        if (step.reach > 0.0) contacts().place_solids(step, *desk_.solids);
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
    for (int i = 0; i < kCount; ++i) start_lane(i, cast_.values[at(i)], *cast_.environments[at(i)]);
    entity_ = placed([&](int i) { return &cast_.environments[at(i)]->entity; });
    clock_.entity_position = entity_.pos;
  }
  void start_lane(int i, const double* values, const Environment& around) {
    const double time0 = values[kTimeIndex], time1 = time0 + clock_.dt;
    set_lane(clock_.time0, i, time0);
    set_lane(clock_.time1, i, time1);
    const DVec before(values[kWindIndex], values[kWindIndex + 1], values[kWindIndex + 2]);
    set_vec(clock_.wind0, i, time0 == 0.0 ? around.wind.at(0.0) : before);
    set_vec(clock_.wind1, i, around.wind.at(time1));
    set_vec(clock_.gravity, i, DVec(around.gravity));
    set_lane(lod_, i, around.lod);
    if (around.teleported) teleported_ = teleported_ | mask_of<T>(1u << i);
    weighted_ |= cast_.weights[at(i)] != nullptr;
  }
  static void set_vec(VecOf<T>& v, int lane, const DVec& value) {
    for (int k = 0; k < 3; ++k) set_lane(v[k], lane, value[k]);
  }
  static std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

  // The placement of the transform that each lane has.
  template <class TransformOf>
  PlacementOf<T> placed(TransformOf&& transform_of) const {
    if constexpr (kCount == 1) return placement(*transform_of(0), rig_.metres_per_unit);
    static_assert(sizeof(PlacementOf<T>) == 10 * sizeof(T) && offsetof(PlacementOf<T>, rot) == 3 * sizeof(T) &&
                  offsetof(Transform, rotation) == 3 * sizeof(float) && offsetof(DQuat, x) == offsetof(Quat, x));
    PlacementOf<T> p;
    read_rows<10>(reinterpret_cast<T*>(&p), [&](int i) { return &transform_of(i)->translation.x; });
    p.pos = p.pos * rig_.metres_per_unit;
    p.rot = unit(p.rot);
    return p;
  }
  PlacementOf<T> animated(std::size_t bone) const {
    return placed([&](int i) { return cast_.inputs[at(i)] + bone; });
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

  FrameContacts contacts() const
    requires(kCount == 1)
  {
    return {rig_, cast_.values[0], desk_.globals, clock_, teleported_};
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
    T given = T(1.0);
    if (weighted_)
      for (int i = 0; i < kCount; ++i)
        if (const float* weights = cast_.weights[at(i)])
          set_lane(given, i, static_cast<double>(weights[step.modifier]));
    const T weight = held<T>(static_cast<double>(step.blend_weight) * given, 0.0, 1.0);
    return step.limit_lod < 0 ? weight : select(lod_ > step.limit_lod, T(0.0), weight);
  }

  // The modifier has faded out: it will start from rest when it fades in again.
  [[gnu::noinline]] void forget(const Step& step, unsigned lanes) {
    for (int i = 0; i < kCount; ++i)
      if ((lanes >> i & 1u) != 0) std::fill_n(cast_.values[at(i)] + step.state_begin, step.state_size, 0.0);
  }

  StateAt<T> state_at(std::size_t offset) const {
    if constexpr (kCount == 1)
      return {cast_.values[0] + offset};
    else
      return {cast_.values.data(), offset};
  }

  // Solves a step for the lanes that are in a phase.
  void solve_phase(const Step& step, SolveOf<T>& solve, Phase phase, const MaskOf<T>& lanes) {
    if (!any(lanes)) return;
    solve.phase = phase;
    solve.lanes = lanes;
    if (all(lanes)) return visit_solver(step, solve);
    const auto others = solve.target;
    visit_solver(step, solve);
    solve.target.pos = select<T>(lanes, solve.target.pos, others.pos);
    solve.target.rot = select<T>(lanes, solve.target.rot, others.rot);
  }

  // Computes the anchor's motion, and stores its position.
  void solve_anchored(const Step& step, SolveOf<T>& solve, const MaskOf<T>& runs) {
    const StateAt<T> stored = solve.state;
    solve.state = stored + kStateDoubles<AnchorState>;
    const auto before = load_state<AnchorStateOf<T>>(stored);
    const PlacementOf<T>& now = solve.input;
    const VecOf<T> way = now.pos - before.position, none(T(0.0));
    const double far = rig_.settings.reset_distance;
    MaskOf<T> seeds = runs & (teleported_ | (before.frames == 0.0));
    if (clock_.dt > 0.0) seeds = seeds | (runs & !(glm::dot(way, way) <= far * far));
    if (clock_.dt > rig_.settings.reset_seconds) seeds = runs;
    const MaskOf<T> others = runs & !seeds, advances = clock_.dt > 0.0 ? others : MaskOf<T>{};
    AnchorStateOf<T> after{T(1.0), T(clock_.dt), now.pos, now.rot, none, none};
    if (clock_.dt <= 0.0) solve_phase(step, solve, Phase::Hold, others);
    if (any(advances)) {
      const AnchorOf<T> anchor{.pos0 = before.position,
                               .rot0 = before.rotation,
                               .pos1 = now.pos,
                               .rot1 = now.rot,
                               .velocity0 = before.velocity,
                               .velocity1 = way * (1.0 / clock_.dt),
                               .acceleration0 = before.acceleration,
                               .seconds0 = before.seconds,
                               .frame = before.frames};
      solve.anchor = &anchor;
      solve_phase(step, solve, Phase::Advance, advances);
      solve.anchor = nullptr;
      const VecOf<T> acceleration = anchor.acceleration(anchor.velocity1 - anchor.velocity0, clock_);
      after.frames = select(advances, least<T>(before.frames + 1.0, 3.0), T(1.0));
      after.velocity = select<T>(advances, anchor.velocity1, none);
      after.acceleration = select<T>(advances, acceleration, none);
    }
    solve_phase(step, solve, Phase::Seed, seeds);
    store_state(stored, after, seeds | advances);
  }

  void run_step(const Step& step, const T& weight, const MaskOf<T>& runs) {
    PlacementOf<T>& bone = desk_.globals[step.owner];
    const PlacementOf<T>& parent = parent_of(step.owner);
    PlacementOf<T> unmodified;
    const unsigned apart = step.use_modified ? 0u : desk_.touched[step.owner].any();
    if (apart != 0) unmodified = unmodified_input(step, parent, bone, apart);
    SolveOf<T> solve(clock_, desk_.globals, desk_.locals, apart != 0 ? unmodified : bone, parent);
    solve.balls = desk_.balls;
    solve.state = state_at(step.state_begin);
    solve.lanes = runs;
    Surroundings around;
    if constexpr (kCount == 1)
      if (step.reach > 0.0) {
        around = contacts().around(step, solve.input.pos, *desk_.solids);
        if (!around.empty()) solve.around = &around;
      }
    if (step.anchored)
      solve_anchored(step, solve, runs);
    else
      visit_solver(step, solve);
    MaskOf<T> finite = is_finite(solve.target.pos, solve.target.rot);
    if (step.effect.stretch) finite = finite & is_finite(solve.stretch);
    if (!all(finite)) start_anew(step, solve, finite, runs);
    if constexpr (kCount == 1)
      if (!cast_.trace.empty()) record_input(step, solve, weight);
    blend(step, solve, weight, runs, apart, bone, parent);
    if constexpr (kCount == 1)
      if (!cast_.trace.empty()) cast_.trace[step.modifier].result = transform(bone);
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
  [[gnu::noinline]] void start_anew(const Step& step, SolveOf<T>& solve, const MaskOf<T>& finite,
                                    const MaskOf<T>& runs) {
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
  [[gnu::noinline]] void record_input(const Step& step, const Solve& solve, double weight) {
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
      if (desk_.solids->size() > 0) contacts().remember_solids(*desk_.solids);
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
        for (int k = 0; k < 3; ++k) cast_.stretch[at(i)][bone][k] = static_cast<float>(lane(desk_.stretch[bone][k], i));
    }
  }

  const Cast<T>& cast_;
  const CompiledRigData& rig_;
  const Desk<T>& desk_;
  ClockOf<T> clock_;
  PlacementOf<T> entity_;
  bool scaled_ = false;        // true if any bone that is read is scaled
  bool weighted_ = false;      // true if any character has weights of its own
  MaskOf<T> teleported_ = {};  // lanes that were moved elsewhere
  T lod_ = T(0.0);
};

}  // namespace marrow::motion
