// SPDX-License-Identifier: MIT
// Collision of one game for the other.
#pragma once

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/port.h"

namespace marrow {

/// Returns a system as the other game has it: shapes, masses, layers, materials and joints by the table in
/// docs/skyrim-collision.md. `notes` reports what has no counterpart, `changes` all that is another thing in the other
/// game. Fails if a shape is of an unknown class.
Result<DocumentCollision> port_collision(const DocumentCollision& from, CollisionGame to, Notes& notes,
                                         std::vector<PortChange>* changes = nullptr);

/// Takes out the bodies of a system that no node uses.
Result<void> keep_bodies_on_nodes(DocumentCollision& collision, Notes& notes);
/// Adds the bodies and joints of a system to another one.
Result<void> join_systems(DocumentCollision& collision, const DocumentCollision& other);

}  // namespace marrow
