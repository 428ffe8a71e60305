// SPDX-License-Identifier: MIT
#pragma once

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
//   void solve(Solve&) const            reads `input`, writes `target`
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
  // Distance to the first child; `fallback` where there is none, or it sits in the same place.
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

// An empty optional with the reason in `why` is a modifier that cannot do anything.
template <class Solver>
using Compiled = std::optional<Solver>;

// Time and weather of a frame.
struct Clock {
  double dt = 0.0;  // of the frame
  double h = 0.0;   // of a substep
  int substeps = 0;
  bool usual_step = false;  // h is the settings' own: what follows from it was computed beforehand
  double time0 = 0.0, time1 = 0.0;
  DVec wind0{0.0}, wind1{0.0};
  DVec gravity{0.0};
  DVec entity_position{0.0};
  const Settings* settings = nullptr;
};

enum class Phase : std::uint8_t {
  Seed,     // state from the pose, no velocity
  Hold,     // no time passed: the last result again
  Advance,  // substeps from the last frame to this one
};

// What is remembered of an anchor from frame to frame. Stands before the solver's own state.
struct AnchorState {
  double frames;   // since it was seeded, which counts as one; at most 3
  double seconds;  // that the last frame took
  DVec position;
  DQuat rotation;
  DVec velocity;      // mean of the last frame
  DVec acceleration;  // at its start
};

// How the motion of a support reaches what hangs on it, whose speed is kept relative to the support's mean velocity of
// the last frame: `first` is taken off it before the frame, an acceleration acts through it, and `last` is added after.
struct SupportChange {
  DVec first, start, end, last;  // accelerations at the start and the end of the frame between

  // A support that stood and moves now: all at once.
  static SupportChange at_once(const DVec& change) { return {change, DVec(0.0), DVec(0.0), DVec(0.0)}; }
  // Means of two frames give the acceleration at their border; from there it goes on to grow, by so much in the frame.
  // The ends are such that the mean of the frame comes out: the seam between two frames is of the third order in their
  // length, so that a spring of any stiffness, and a rod that is pressed against a stop or leaves it, sees none.
  static SupportChange smooth(const DVec& change, double dt, const DVec& acceleration, const DVec& growth) {
    const DVec last = (acceleration * 0.5 + growth * (1.0 / 3.0)) * dt;
    return {change - last + growth * (dt / 6.0), acceleration, acceleration + growth, last};
  }
};

// How the bone's input frame went from the last frame to this one: in a straight line, turning evenly.
struct Anchor {
  const DVec& pos0;
  const DQuat& rot0;
  const DVec& pos1;
  const DQuat& rot1;
  DVec velocity0, velocity1;  // mean ones, of the last frame and of this one
  DVec acceleration0;         // at the start of the last frame
  double seconds0;            // that the last frame took
  int frame;                  // 1: it has stood so far; 2: nothing is known of how it accelerated

  // Radians a second, world.
  DVec spin(const Clock& clock) const { return log_map(rot1 * glm::conjugate(rot0)) * (1.0 / clock.dt); }

  // At the border of the two frames, by the change of a velocity from the mean of one to that of the other.
  DVec acceleration(const DVec& change, const Clock& clock) const {
    return frame == 1 ? DVec(0.0) : change * (2.0 / (seconds0 + clock.dt));
  }
  // Of such a velocity, by its acceleration at the start of the last frame.
  SupportChange support(const DVec& change, const DVec& before, const Clock& clock) const {
    if (frame == 1) return SupportChange::at_once(change);
    const DVec now = acceleration(change, clock);
    // What a short frame tells is not enough to go on for a long one.
    const bool known = frame > 2 && clock.dt <= 2.0 * seconds0;
    return SupportChange::smooth(change, clock.dt, now, known ? (now - before) * (clock.dt / seconds0) : DVec(0.0));
  }
  SupportChange support(const Clock& clock) const { return support(velocity1 - velocity0, acceleration0, clock); }
};

// A ball of a ball joint, for self-collision.
struct Ball {
  DVec center{0.0};
  double radius = 0.0;
};

struct Solve {
  const Clock& clock;
  const Placement* globals;  // of all bones, as they are now
  const Placement* locals;
  const Placement& input;   // what the modifier starts from
  const Placement& parent;  // of the owner; the entity for a root
  std::span<Ball> balls;
  Surroundings around = {};  // of a step that collides
  double* state = nullptr;
  Phase phase = Phase::Seed;
  const Anchor* anchor = nullptr;  // while advancing

  LimitHit limit = LimitHit::None;
  struct {
    DVec pos;
    DQuat rot;
  } target = {input.pos, input.rot};
  DVec stretch{1.0};

  const Placement& bone(std::int32_t index) const { return globals[index]; }
  const Placement& local(std::int32_t index) const { return locals[index]; }
};

// States are structs of doubles in one array a character, so that saving is copying.
template <class T>
T load_state(const double* from) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}
template <class T>
void store_state(double* to, const T& value) {
  std::memcpy(to, static_cast<const void*>(&value), sizeof(T));
}
template <class T>
inline constexpr std::size_t kStateDoubles = sizeof(T) / sizeof(double);

inline std::int32_t bone_index(const BoneLink& link) {
  return link.is_null() ? kNoBone : static_cast<std::int32_t>(link.target);
}

}  // namespace marrow::motion
