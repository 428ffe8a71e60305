// SPDX-License-Identifier: MIT
// Which solver runs which modifier.
#pragma once

#include <type_traits>
#include <variant>

#include "motion/solvers/ball_joint.h"
#include "motion/solvers/hinge.h"
#include "motion/solvers/pendulum.h"
#include "motion/solvers/rotation_constraint.h"
#include "motion/solvers/spring_box.h"
#include "motion/solvers/stateless.h"

namespace marrow::motion {

// Of a modifier that does nothing at run time.
struct NoSolver {};

// One row per modifier. Whoever adds one to model/modifier_list.h adds its row here.
template <class Modifier>
struct SolverOf;
#define MARROW_SOLVER(name, solver) \
  template <>                       \
  struct SolverOf<name##Modifier> : std::type_identity<solver> {};
MARROW_SOLVER(BallJoint, BallJointSolver)
MARROW_SOLVER(Hinge, HingeSolver)
MARROW_SOLVER(HingeVector, HingeVectorSolver)
MARROW_SOLVER(Pendulum, PendulumSolver)
MARROW_SOLVER(SpringBox, SpringBoxSolver)
MARROW_SOLVER(PositionConstraint, PositionConstraintSolver)
MARROW_SOLVER(OrientationConstraint, OrientationConstraintSolver)
MARROW_SOLVER(RotationConstraint, RotationConstraintSolver)
MARROW_SOLVER(SplineConstraint, SplineConstraintSolver)
MARROW_SOLVER(MaxLookAt, MaxLookAtSolver)
MARROW_SOLVER(AnvilLookAt, LookAtSolver)
MARROW_SOLVER(LookAt, LookAtSolver)
MARROW_SOLVER(Follow, FollowSolver)
MARROW_SOLVER(Roll, RollSolver)
MARROW_SOLVER(Compress, CompressSolver)
MARROW_SOLVER(Stretch, StretchSolver)
MARROW_SOLVER(RotationExpression, RotationExpressionSolver)
MARROW_SOLVER(RotationPaste, RotationPasteSolver)
MARROW_SOLVER(Fx, NoSolver)
MARROW_SOLVER(Unknown, NoSolver)
#undef MARROW_SOLVER

template <class Modifier>
concept HasSolver = requires { typename SolverOf<Modifier>::type; };
#define MARROW_ROW(name, ...) \
  static_assert(HasSolver<name##Modifier>, #name "Modifier has no solver: give it a row in motion/solver_table.h");
MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW

// The variant of all solvers of the table, each once.
template <class Variant, class... Modifiers>
struct Collect;
template <class... Solvers>
struct Collect<std::variant<Solvers...>> : std::type_identity<std::variant<Solvers...>> {};
template <class... Solvers, class First, class... Rest>
struct Collect<std::variant<Solvers...>, First, Rest...>
    : std::conditional_t<std::is_same_v<typename SolverOf<First>::type, NoSolver> ||
                             (std::is_same_v<typename SolverOf<First>::type, Solvers> || ...),
                         Collect<std::variant<Solvers...>, Rest...>,
                         Collect<std::variant<Solvers..., typename SolverOf<First>::type>, Rest...>> {};
template <class Data>
struct SolversOf;
template <class... Modifiers>
struct SolversOf<std::variant<Modifiers...>> : Collect<std::variant<>, Modifiers...> {};

using Solver = SolversOf<ModifierData>::type;

}  // namespace marrow::motion
