// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/collision.h"

/// Physics systems and ragdolls (hknp classes) between the objects of a packfile and the model.
/// docs/formats/hknp.md says what each class holds.
namespace marrow::havok {

/// The objects of a packfile that are physics systems or ragdolls, in file order.
std::vector<ObjectId> find_physics(const Packfile& file);

struct PhysicsReadOptions {
  /// If given, gets one finding per fault that reading worked around. Their codes are in docs/formats/hknp.md, their
  /// places are objects of the packfile.
  Findings* findings = nullptr;
};

/// Reads one of them. Safe on untrusted input: what leads nowhere or contradicts itself is an error with its path.
/// Faults that other tools write and that the game gets over do not stop the reading: the value is what the game uses.
Result<CollisionSystem> read_physics(const Packfile& file, ObjectId system, const PhysicsReadOptions& options = {});

/// Writes a system over the one in the file. Objects and fields that the model does not hold stay as they are, and a
/// shape, joint or body that has not changed keeps its bytes; what nothing points to any more is left out. `notes` gets
/// what compressing a mesh left out.
Result<void> write_physics(const CollisionSystem& system, Packfile& file, ObjectId target, Notes* notes = nullptr);

/// A packfile with just this system, as NIF files hold it. `ragdoll` decides which of the two kinds it is.
Result<Packfile> make_physics(const CollisionSystem& system, Notes* notes = nullptr);

}  // namespace marrow::havok
