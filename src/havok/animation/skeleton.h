// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "havok/object/game.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::havok {

/// Returns the skeletons of a file: first the one that clips animate, then those of ragdolls.
std::vector<ObjectId> find_skeletons(const Packfile& file);

/// Reads one skeleton. Fails if its arrays contradict each other. Parents that do not come before their children are
/// reported by `validate`.
Result<Skeleton> read_skeleton(const Packfile& file, ObjectId skeleton);

/// Replaces the bones, rest pose, slots and partitions of a skeleton and keeps the rest of the file: ragdoll, mappers.
/// Equal local frames keep their objects and what is attached to them; a skeleton without local frames keeps those of
/// the file. Fails if the version of the file cannot represent the skeleton. Data indexed by bone elsewhere (mappers,
/// ragdolls) stays as it was, so write a skeleton of another size to a file of its own.
Result<void> set_skeleton(Packfile& file, ObjectId id, const Skeleton& skeleton, Notes* notes = nullptr);

/// Creates a file that holds these skeletons and nothing else. Reports in `notes` what the game's version cannot
/// represent.
Result<Packfile> make_skeleton_file(std::span<const Skeleton> skeletons, Game game, Notes* notes = nullptr);

/// Adds a skeleton to the animation container of a file. Fails if there is none.
Result<void> add_skeleton(Packfile& file, const Skeleton& skeleton, Notes* notes = nullptr);

}  // namespace marrow::havok
