// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "nif/bhk.h"
#include "nif/record.h"

namespace marrow::bhk {

/// Reads the joints whose first entity is a body of the system.
Result<void> read_joints(const NifFile& file, CollisionSystem& system, const Limits& limits);

/// Returns the block type that a joint is stored as.
std::string_view joint_type(const Constraint& constraint);
/// Fills the record of a joint. Fields that the model does not have stay. `block_of_body` maps bodies of the system to
/// blocks.
void write_joint(nif::Record& record, const Constraint& constraint, const CollisionSystem& system,
                 const std::vector<std::int32_t>& block_of_body);

}  // namespace marrow::bhk
