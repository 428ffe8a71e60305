// SPDX-License-Identifier: MIT
// The table of operations, one function per group. A new operation is a row in one of them.
#pragma once

#include <vector>

#include "marrow/ops/operation.h"

namespace marrow {

std::vector<Operation> file_rows();         ///< info, convert, check, diff, dump
std::vector<Operation> animation_rows();    ///< sample, compress, retarget, mirror, simulate
std::vector<Operation> annotation_rows();   ///< annotations ...
std::vector<Operation> pair_rows();         ///< pair ...
std::vector<Operation> root_motion_rows();  ///< root-motion ...
std::vector<Operation> float_rows();        ///< floats ...
std::vector<Operation> collision_rows();    ///< collision ...
std::vector<Operation> rig_rows();          ///< rig ...
std::vector<Operation> view_rows();         ///< what viewers ask for: knots, collision boxes

}  // namespace marrow
