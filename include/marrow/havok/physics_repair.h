// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "marrow/core/error.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/collision.h"

/// Mending of what other tools write wrong. What is right is left alone: the game's own systems do not change.
namespace marrow::havok {

/// Rebuilds what contradicts itself in a system and follows from the rest of it: hulls whose faces, planes and vertices
/// disagree, mass properties of hulls, key bits and bounding trees of compounds, materials that triangles lack, filters
/// that differ from the body's, and inertia, motion properties and the flag 0x80 of dynamic bodies. Adds a note for
/// each thing done and returns how many there are. Fails if a hull has no volume to build from.
Result<std::size_t> repair(CollisionSystem& system, Notes& notes);

/// Reads a system of a packfile, repairs it and writes it over the old one. Shapes whose objects are faulty (findings
/// of `read_physics`, compressed meshes that do not verify) are written anew from what the game would use. Returns how
/// many things were done; with 0 the file has not changed. `notes` may be null. What is wrong with the container
/// (objects off their alignment) is mended by writing the packfile.
Result<std::size_t> rebuild_physics(Packfile& file, ObjectId system, Notes* notes = nullptr);

}  // namespace marrow::havok
