// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/motion/compiled_rig.h"
#include "motion/contacts.h"
#include "motion/solver.h"
#include "motion/solver_table.h"

namespace marrow::motion {

// One modifier at its place in the schedule.
struct Step {
  std::uint32_t modifier = 0;  // index into Rig::modifiers
  std::int32_t owner = 0;
  std::int32_t parent = kNoBone;
  float blend_weight = 1.0f;
  bool use_modified = false;
  bool anchored = false;
  Effect effect{};
  std::int32_t limit_lod = -1;
  std::uint32_t state_begin = 0, state_size = 0;     // in State::values; the anchor's part comes first
  std::uint32_t refresh_begin = 0, refresh_end = 0;  // in CompiledRigData::refresh
  std::uint32_t place_begin = 0, place_end = 0;      // in CompiledRigData::placed
  double reach = 0.0;                                // metres from the bone within which it collides; 0: it does not
  std::uint32_t spared = 0;                          // where its row in CompiledRigData::spared starts
  Solver solver;
};

struct CompiledRigData {
  Settings settings;
  double metres_per_unit = 1.0;
  std::size_t modifier_count = 0;
  std::vector<std::int32_t> parents;
  std::vector<Step> steps;
  std::vector<std::uint32_t> schedule;
  /// Bones whose model-space transform is missing or stale before a step that reads them: since the order of steps is
  /// fixed, what has to be computed before each is known beforehand.
  std::vector<std::int32_t> refresh;
  std::vector<std::int32_t> read;   // bones that any step reads or stands below, each once
  std::vector<std::int32_t> owned;  // bones that any step changes, each once
  std::vector<std::int32_t> fx_bones;
  std::vector<Wrinkle> wrinkles;
  std::size_t state_size = 0;
  std::vector<std::uint32_t> ball_steps;  // steps whose balls collide
  std::vector<Collider> colliders;
  std::optional<double> ground;
  std::size_t collider_state = 0;     // where the colliders' part of the state begins
  std::vector<std::uint32_t> placed;  // colliders whose bones have moved before a step that collides
  /// One row per step that collides, one entry per collider: 1 if the collider sits on the chain itself.
  std::vector<std::uint8_t> spared;
};

// What is remembered of a collider from frame to frame.
struct ColliderState {
  double is_known;  // 0 before the first frame
  DVec a, b;        // its ends
};

// Numbers that stand before the modifiers' states: seconds since the reset, and the wind of the last frame.
inline constexpr std::size_t kTimeIndex = 0;
inline constexpr std::size_t kWindIndex = 1;
inline constexpr std::size_t kStateHeader = 4;

// Which channels of a bone modifiers have changed: one bit per lane.
struct Touched {
  std::uint8_t rotation = 0, position = 0, scale = 0;
  unsigned any() const { return static_cast<unsigned>(rotation | position | scale); }
};

// Scratch memory of a character.
struct Workspace {
  std::vector<Placement> locals, globals;  // of the bones in CompiledRigData::read
  std::vector<DVec> stretch;
  std::vector<Touched> touched;
  std::vector<Ball> balls;
  Solids solids;
  bool scaled = false;  // scales of the globals are not all 1
};

// Where in the schedule each modifier stands, and what it reads; see schedule.cpp.
std::vector<std::uint32_t> order_modifiers(const Rig& rig);
void plan_refreshes(const Rig& rig, CompiledRigData& data);

// Makes the steps of ball joints and pendulums collide, with a note about each that rests inside a collider; see
// plan_contacts.cpp. To be called before `plan_refreshes`.
void plan_contacts(const Rig& rig, const RestPose& rest, CompiledRigData& data, Notes* notes);

}  // namespace marrow::motion
