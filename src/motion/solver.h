// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "marrow/model/modifiers.h"
#include "marrow/motion/evaluate.h"
#include "motion/contacts.h"
#include "motion/math.h"

// What every solver of a modifier is given and gives back. A solver is a small struct of constants, made once from the
// modifier and the rest pose:
//   static constexpr Effect kEffect     how its result is blended into the bone, and which channels it owns; or a
//                                       member `effect`, where that is the modifier's choice
//   std::size_t state_size() const      doubles it remembers beyond the anchor; 0 for a stateless one
//   static constexpr bool kAnchored     whether it wants the motion of its anchor, and to be reset with it
//   void solve(SolveOf<T>&) const       reads `input`, writes `target`
namespace marrow::motion {

struct Effect {
  bool delta;     // the change from input to target is added to the bone; else the bone is set to the target
  bool rotation;  // channels that the modifier owns
  bool position;
  bool stretch = false;
};

// The rest pose in model space and metres, for what follows from it.
struct RestPose {
  std::vector<std::int32_t> parents;
  std::vector<Placement> local;
  std::vector<Placement> global;

  DQuat parent_rotation(std::int32_t bone) const {
    const std::int32_t parent = parents[static_cast<std::size_t>(bone)];
    return parent == kNoBone ? DQuat(1, 0, 0, 0) : global[static_cast<std::size_t>(parent)].rot;
  }
  // Distance to the first child; `fallback` if there is none, or it is in the same place.
  double length(std::int32_t bone, double fallback) const;
};

// What making a solver may need beside the modifier itself.
struct CompileContext {
  const RestPose& rest;
  const Settings& settings;
  std::int32_t owner;
  DQuat along;             // from X to the direction along the bone
  std::uint64_t noise_id;  // tells this modifier's share of random wind from others'
};

// An empty optional with the reason in `why` is a modifier that cannot do anything. With a solver, `why` may say what
// its user should know.
template <class Solver>
using Compiled = std::optional<Solver>;

// Time and weather of a frame. All characters of a frame are stepped alike; what they have lived through differs.
template <class T>
struct ClockOf {
  double dt = 0.0;  // of the frame
  double h = 0.0;   // of a substep
  int substeps = 0;
  bool usual_step = false;  // h is the settings' own: what follows from it was computed beforehand
  T time0 = T(0.0), time1 = T(0.0);
  VecOf<T> wind0{T(0.0)}, wind1{T(0.0)};
  VecOf<T> gravity{T(0.0)};
  VecOf<T> entity_position{T(0.0)};
  const Settings* settings = nullptr;
};
using Clock = ClockOf<double>;

enum class Phase : std::uint8_t {
  Seed,     // state from the pose, no velocity
  Hold,     // no time passed: the last result again
  Advance,  // substeps from the last frame to this one
};

// What is remembered of an anchor from frame to frame. Stands before the solver's own state.
template <class T>
struct AnchorStateOf {
  T frames;   // since it was seeded, which counts as one; at most 3
  T seconds;  // that the last frame took
  VecOf<T> position;
  QuatOf<T> rotation;
  VecOf<T> velocity;      // mean of the last frame
  VecOf<T> acceleration;  // at its start
};
using AnchorState = AnchorStateOf<double>;

// How the motion of a support reaches what hangs on it, whose speed is kept relative to the support's mean velocity of
// the last frame: `first` is taken off it before the frame, an acceleration acts through it, and `last` is added after.
template <class T>
struct SupportChange {
  VecOf<T> first, start, end, last;  // accelerations at the start and the end of the frame between

  // A support that stood and moves now: all at once.
  static SupportChange at_once(const VecOf<T>& change) {
    const VecOf<T> none(T(0.0));
    return {change, none, none, none};
  }
  // Means of two frames give the acceleration at their border; from there it goes on to grow, by so much in the frame.
  // The ends are such that the mean of the frame comes out: the seam between two frames is of the third order in their
  // length, so that a spring of any stiffness, and a rod that is pressed against a stop or leaves it, sees none.
  static SupportChange smooth(const VecOf<T>& change, double dt, const VecOf<T>& acceleration, const VecOf<T>& growth) {
    const VecOf<T> last = (acceleration * 0.5 + growth * (1.0 / 3.0)) * dt;
    return {change - last + growth * (dt / 6.0), acceleration, acceleration + growth, last};
  }
};

template <class T>
SupportChange<T> select(const MaskOf<T>& mask, const SupportChange<T>& yes, const SupportChange<T>& no) {
  return {select<T>(mask, yes.first, no.first), select<T>(mask, yes.start, no.start), select<T>(mask, yes.end, no.end),
          select<T>(mask, yes.last, no.last)};
}

// How the bone's input frame went from the last frame to this one: in a straight line, turning evenly.
template <class T>
struct AnchorOf {
  const VecOf<T>& pos0;
  const QuatOf<T>& rot0;
  const VecOf<T>& pos1;
  const QuatOf<T>& rot1;
  VecOf<T> velocity0, velocity1;  // mean ones, of the last frame and of this one
  VecOf<T> acceleration0;         // at the start of the last frame
  T seconds0;                     // that the last frame took
  T frame;                        // 1: it has stood so far; 2: nothing is known of how it accelerated

  // True if enough is known to go on from: what a short frame tells is not enough for a long one.
  MaskOf<T> is_steady(const ClockOf<T>& clock) const { return (frame > 2.0) & (clock.dt <= 2.0 * seconds0); }

  // Radians a second, world.
  VecOf<T> spin(const ClockOf<T>& clock) const { return log_map(rot1 * glm::conjugate(rot0)) * (1.0 / clock.dt); }

  // At the border of the two frames, by the change of a velocity from the mean of one to that of the other.
  VecOf<T> acceleration(const VecOf<T>& change, const ClockOf<T>& clock) const {
    return select<T>(frame == 1.0, VecOf<T>(T(0.0)), change * (2.0 / (seconds0 + clock.dt)));
  }
  // Of such a velocity, by its acceleration at the start of the last frame.
  SupportChange<T> support(const VecOf<T>& change, const VecOf<T>& before, const ClockOf<T>& clock) const {
    const VecOf<T> now = acceleration(change, clock);
    const VecOf<T> growth = select<T>(is_steady(clock), (now - before) * (clock.dt / seconds0), VecOf<T>(T(0.0)));
    const auto smooth = SupportChange<T>::smooth(change, clock.dt, now, growth);
    const MaskOf<T> stood = frame == 1.0;
    return any(stood) ? select<T>(stood, SupportChange<T>::at_once(change), smooth) : smooth;
  }
  SupportChange<T> support(const ClockOf<T>& clock) const {
    return support(velocity1 - velocity0, acceleration0, clock);
  }
};
using Anchor = AnchorOf<double>;

// A ball of a ball joint, for self-collision.
struct Ball {
  DVec center{0.0};
  double radius = 0.0;
};

// States are structs of doubles in one array per character, so that saving is copying. In lanes, several arrays.
template <class T>
struct StateAt {
  double* const* arrays = nullptr;
  std::size_t offset = 0;

  StateAt operator+(std::size_t more) const { return {arrays, offset + more}; }
  double* operator()(int lane) const { return arrays[lane] + offset; }
};
template <>
struct StateAt<double> {
  double* first = nullptr;

  StateAt() = default;
  StateAt(double* at) : first(at) {}
  StateAt operator+(std::size_t more) const { return {first + more}; }
  double* operator()(int) const { return first; }
};

template <class State, class T>
State load_state(const StateAt<T>& from) {
  static_assert(std::is_trivially_copyable_v<State> && sizeof(State) % sizeof(T) == 0);
  State value;
  read_rows<sizeof(State) / sizeof(T)>(reinterpret_cast<T*>(&value), from);
  return value;
}
template <class State>
State load_state(double* from) {
  return load_state<State>(StateAt<double>(from));
}
// Stores the states of the characters in `where`.
template <class State, class T>
void store_state(const StateAt<T>& to, const State& value, const std::type_identity_t<MaskOf<T>>& where) {
  write_rows<sizeof(State) / sizeof(T)>(reinterpret_cast<const T*>(&value), to, where);
}
template <class State>
void store_state(const StateAt<double>& to, const State& value) {
  store_state(to, value, true);
}

template <class T>
struct SolveOf {
  const ClockOf<T>& clock;
  const PlacementOf<T>* globals;  // of all bones, as they are now
  const PlacementOf<T>* locals;
  const PlacementOf<T>& input;   // what the modifier starts from
  const PlacementOf<T>& parent;  // of the owner; the entity for a root
  std::span<Ball> balls = {};
  const Surroundings* around = nullptr;  // solids in reach; null: none
  StateAt<T> state = {};
  MaskOf<T> lanes = every_lane<T>();  // that are in the phase: only their states are stored
  Phase phase = Phase::Seed;
  const AnchorOf<T>* anchor = nullptr;  // while advancing

  LimitHit limit = LimitHit::None;  // not for lanes
  struct Target {
    VecOf<T> pos;
    QuatOf<T> rot;
  } target;
  VecOf<T> stretch = VecOf<T>(T(1.0));

  // Not an aggregate: g++ would clear all of it first.
  SolveOf(const ClockOf<T>& now, const PlacementOf<T>* all_globals, const PlacementOf<T>* all_locals,
          const PlacementOf<T>& from, const PlacementOf<T>& parent_of_owner)
      : clock(now),
        globals(all_globals),
        locals(all_locals),
        input(from),
        parent(parent_of_owner),
        target{from.pos, from.rot} {}

  const PlacementOf<T>& bone(std::int32_t index) const { return globals[index]; }
  const PlacementOf<T>& local(std::int32_t index) const { return locals[index]; }
};
using Solve = SolveOf<double>;

template <class T>
inline constexpr std::size_t kStateDoubles = sizeof(T) / sizeof(double);

inline std::int32_t bone_index(const BoneLink& link) {
  return link.is_null() ? kNoBone : static_cast<std::int32_t>(link.target);
}

}  // namespace marrow::motion
