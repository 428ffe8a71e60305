// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "marrow/model/collision.h"

/// Converts physics systems and ragdolls (hknp classes) between the objects of a packfile and the model.
/// docs/formats/hknp.md describes each class.
namespace marrow::havok {

/// Returns the objects of a packfile that are physics systems or ragdolls, in file order.
std::vector<ObjectId> find_physics(const Packfile& file);

struct PhysicsReadOptions {
  /// If given, receives one finding per fault that reading worked around. Their codes are in docs/formats/hknp.md.
  /// Their places are objects of the packfile.
  Findings* findings = nullptr;
  /// Charged with what a walk over the shapes takes: shapes that share others may be far more than their file.
  Limits limits = {};
};

/// Reads one physics system or ragdoll. Safe on untrusted input: dangling references and contradictions are errors with
/// their path. Faults that other tools write and that the game tolerates do not stop reading: the value is the one that
/// the game uses.
Result<CollisionSystem> read_physics(const Packfile& file, ObjectId system, const PhysicsReadOptions& options = {});

/// Replaces the system in the file. Objects and fields that the model does not hold stay as they are. A shape, joint or
/// body that has not changed keeps its bytes. Objects that are no longer referenced are left out. `notes` receives what
/// compressing a mesh left out.
Result<void> write_physics(const CollisionSystem& system, Packfile& file, ObjectId target, Notes* notes = nullptr);

/// Creates a packfile with just this system, as NIF files hold it. `ragdoll` decides which of the two kinds it is.
Result<Packfile> make_physics(const CollisionSystem& system, Notes* notes = nullptr);

}  // namespace marrow::havok
