// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/model/collision.h"

/// Repairs what other tools write wrong. What is right stays unchanged: the game's own systems do not change.
namespace marrow::havok {

/// Rebuilds the contradictory parts of a system that follow from the rest of it: hulls whose faces, planes and vertices
/// disagree, mass properties of hulls, key bits and bounding trees of compounds, missing materials of triangles,
/// filters that differ from the body's, and inertia, motion properties and the flag 0x80 of dynamic bodies. Adds one
/// note per repair and returns their number. Fails if a hull has no volume to build from.
Result<std::size_t> repair(CollisionSystem& system, Notes& notes);

/// Reads a system of a packfile, repairs it and replaces the old one. Shapes whose objects are faulty (findings of
/// `read_physics`, compressed meshes that do not verify) are rewritten from what the game would use. Returns the number
/// of repairs; if it is 0, the file has not changed. `notes` may be null. Faults of the container (misaligned objects)
/// are repaired by writing the packfile.
Result<std::size_t> rebuild_physics(Packfile& file, ObjectId system, Notes* notes = nullptr);

}  // namespace marrow::havok
