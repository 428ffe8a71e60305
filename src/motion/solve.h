// SPDX-License-Identifier: MIT
// What every solver does in a frame.
#pragma once

#include "motion/solvers/ball_joint_solve.h"
#include "motion/solvers/hinge_solve.h"
#include "motion/solvers/pendulum_solve.h"
#include "motion/solvers/rotation_constraint_solve.h"
#include "motion/solvers/spline_solve.h"
#include "motion/solvers/spring_box_solve.h"
#include "motion/solvers/stateless_solve.h"
