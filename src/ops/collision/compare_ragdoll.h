// SPDX-License-Identifier: MIT
#pragma once

#include "havok/physics/character_ragdoll.h"
#include "marrow/core/finding.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Reports how the ragdoll of a skeleton.nif differs from that of the character's skeleton.hkx: bones, parents, kinds,
/// frames and limits of joints are warnings, masses infos. The game takes the body that it draws and hits from the one
/// file and the body that falls from the other.
Findings compare_ragdolls(const DocumentCollision& nif, const havok::CharacterRagdoll& character);

}  // namespace marrow
