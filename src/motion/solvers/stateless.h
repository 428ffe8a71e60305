// SPDX-License-Identifier: MIT
#pragma once

#include "motion/solver.h"

// Solvers whose result follows from the pose alone. Each has its own source file, which compiles it, and its page in
// docs/modifiers; stateless_solve.h and spline_solve.h solve them.
namespace marrow::motion {

// A bone with its share of a weighted mean; shares add up to 1.
struct WeightedBone {
  std::int32_t bone;
  double weight;
  bool keep_offset;
};

// Null links and weights of 0 or less are left out; the order is that of bones, so that no result depends on how a list
// was written. Empty where nothing is left.
std::vector<WeightedBone> weighted_bones(std::span<const BoneLink> targets, std::span<const float> weights,
                                         const std::vector<bool>& keep_offset = {});

// What stateless solvers share: nothing is remembered, and no anchor wanted.
struct Stateless {
  static constexpr bool kAnchored = false;
  std::size_t state_size() const { return 0; }
};

struct HingeVectorSolver : Stateless {
  static constexpr Effect kEffect{.delta = true, .rotation = true, .position = false};
  Placement offset;
  DVec axis;  // of the hinge
  double min_angle, max_angle, min_distance, max_distance;
  std::vector<WeightedBone> targets;

  static Compiled<HingeVectorSolver> compile(const HingeVectorModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct PositionConstraintSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = false, .position = true};
  struct Target {
    std::int32_t bone;
    double weight;
    DVec offset;  // in the parent's space
  };
  std::vector<Target> targets;
  DVec offset;  // in the parent's space

  static Compiled<PositionConstraintSolver> compile(const PositionConstraintModifier&, const CompileContext&,
                                                    std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct OrientationConstraintSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  struct Target {
    std::int32_t bone;
    double weight;
    DQuat offset;
  };
  std::vector<Target> targets;
  std::size_t heaviest;
  DQuat offset;

  static Compiled<OrientationConstraintSolver> compile(const OrientationConstraintModifier&, const CompileContext&,
                                                       std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct SplineConstraintSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = true};
  std::vector<std::int32_t> targets;
  double fraction;  // of the length of the curve
  DQuat rest_offset;

  static Compiled<SplineConstraintSolver> compile(const SplineConstraintModifier&, const CompileContext&,
                                                  std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

// An axis of a bone that is turned toward a target, and one that is then turned up as far as that leaves it free.
struct Aim {
  DVec axis;
  DQuat from_basis;  // takes both axes, and the one across them, to X, Y and Z

  Aim() = default;
  Aim(const DVec& aim_axis, const DVec& up_axis);
  // The input's own where the target is at the bone; by the least turn where the target is straight up or down.
  template <class T>
  QuatOf<T> rotation(const PlacementOf<T>& input, const VecOf<T>& target, const VecOf<T>& up_direction) const;
};

struct MaxLookAtSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  std::int32_t target, up_node;
  DVec target_offset;
  Aim aim;
  DVec source;  // axis of the world or of the up node
  double source_sign;
  int control;  // 0 world, 1 axis of the up node, 2 toward the up node

  static Compiled<MaxLookAtSolver> compile(const MaxLookAtModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;

 private:
  template <class T>
  VecOf<T> seen(const PlacementOf<T>* globals) const;  // the point to aim at
  template <class T>
  VecOf<T> up(const PlacementOf<T>* globals, const PlacementOf<T>& input) const;  // the direction that is up
};

struct LookAtSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  std::int32_t target;
  DVec target_offset;
  Aim aim;
  DVec parent_up;  // axis of the parent
  bool limited;
  DVec limit_axis;
  double low, high;       // radians
  DQuat at_low, at_high;  // turns about the limit's axis that are at its ends
  double zero;            // angle of the aim axis at no rotation, from the reference vector

  static Compiled<LookAtSolver> compile(const AnvilLookAtModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct FollowSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = true};
  std::int32_t bone;

  static Compiled<FollowSolver> compile(const FollowModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct CompressSolver : Stateless {
  Effect effect{.delta = false, .rotation = true, .position = true};  // of the channels that this one uses
  std::int32_t bone1, bone2;
  double position_share, rotation_share;  // of bone 1
  DQuat rotation1, rotation2;
  DVec position1, position2;

  static Compiled<CompressSolver> compile(const CompressModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct StretchSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = false, .position = false, .stretch = true};
  std::int32_t target;
  int axis;  // 0 X, 1 Y, 2 Z
  double rest_length;
  double min_scale, max_scale;

  static Compiled<StretchSolver> compile(const StretchModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct RotationExpressionSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  std::int32_t linked, gravity_bone;
  DVec axis;
  double initial_offset;
  DQuat rest_inverse;          // of the linked bone, local
  DQuat gravity_rest_inverse;  // of the gravity bone, model space
  std::vector<RotationExpression> terms;

  static Compiled<RotationExpressionSolver> compile(const RotationExpressionModifier&, const CompileContext&,
                                                    std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

struct RotationPasteSolver : Stateless {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  std::int32_t linked;
  bool local;

  static Compiled<RotationPasteSolver> compile(const RotationPasteModifier&, const CompileContext&, std::string& why);
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

/// Remembers one angle, for the half turn at which there is none to read.
struct RollSolver {
  static constexpr Effect kEffect{.delta = false, .rotation = true, .position = false};
  static constexpr bool kAnchored = false;
  std::int32_t source;
  double gain;
  double native_shift;  // radians, of the engine's own law
  DQuat rest_inverse;   // of the source, local

  static Compiled<RollSolver> compile(const RollModifier&, const CompileContext&, std::string& why);
  std::size_t state_size() const { return 1; }
  template <class T>
  void solve(SolveOf<T>& solve) const;
};

}  // namespace marrow::motion
