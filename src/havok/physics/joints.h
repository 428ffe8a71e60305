// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/model/collision.h"

namespace marrow::havok {

/// Reads what a joint's object holds into the constraint, and its motors into the system, each once.
void read_joint(const Packfile& file, Constraint& constraint, std::vector<Motor>& motors);

/// Writes a joint over the one that was read and returns its object. `original` is null for a new one; `motors` has the
/// object of every motor of the system. Fails on a joint of an unknown class that is not in the file.
Result<ObjectId> write_joint(const Constraint& constraint, const Constraint* original, Packfile& file,
                             std::span<const ObjectId> motors);

/// The motor of an object.
Motor read_motor(const Packfile& file, ObjectId id);

/// Writes the motors of a system that differ from those in `original`. Returns the object of each.
Result<std::vector<ObjectId>> write_motors(const CollisionSystem& system, const CollisionSystem& original,
                                           Packfile& file);

}  // namespace marrow::havok
