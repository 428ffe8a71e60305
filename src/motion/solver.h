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
#include "motion/math.h"

// What every solver of a modifier is given and gives back. A solver is a small struct of constants, made once from the
// modifier and the rest pose:
//   static constexpr Effect kEffect     how its result is blended into the bone, and which channels it owns
//   std::size_t state_size() const      doubles it remembers beyond the anchor; 0 for a stateless one
//   static constexpr bool kAnchored     whether it wants the motion of its anchor, and to be reset with it
//   void solve(Solve&) const            reads `input`, writes `target`
namespace marrow::motion {

struct Effect {
  bool delta;     // the change from input to target is added to the bone; else the bone is set to the target
  bool rotation;  // channels that the modifier owns
  bool position;
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

// How the bone's input frame went from the last frame to this one: in a straight line, turning evenly.
struct Anchor {
  DVec pos0{0.0}, pos1{0.0};
  DQuat rot0{1, 0, 0, 0}, rot1{1, 0, 0, 0};
  DVec velocity0{0.0}, velocity1{0.0};  // of the last frame and of this one
  DVec spin{0.0};                       // rad/s, world
};

// A ball of a ball joint, for self-collision.
struct Ball {
  DVec center{0.0};
  double radius = 0.0;
};

struct Solve {
  // Written out, since an aggregate would be cleared as a whole before every step.
  Solve(const Clock& frame, std::span<const Placement> all_globals, std::span<const Placement> all_locals,
        const Placement& start, const Placement& parent_now, std::span<Ball> all_balls)
      : clock(frame),
        globals(all_globals),
        locals(all_locals),
        input(start),
        parent(parent_now),
        balls(all_balls),
        target(start) {}

  const Clock& clock;
  std::span<const Placement> globals;  // of all bones, as they are now
  std::span<const Placement> locals;
  Placement input;          // what the modifier starts from
  const Placement& parent;  // of the owner; the entity for a root
  Phase phase = Phase::Seed;
  std::optional<Anchor> anchor;  // while advancing
  double* state = nullptr;
  std::span<Ball> balls;

  Placement target;  // starts as the input
  DVec stretch{1.0};
  LimitHit limit = LimitHit::None;

  const Placement& bone(std::int32_t index) const { return globals[static_cast<std::size_t>(index)]; }
  const Placement& local(std::int32_t index) const { return locals[static_cast<std::size_t>(index)]; }
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
