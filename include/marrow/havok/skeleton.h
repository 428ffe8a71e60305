// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/havok/game.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/skeleton.h"

namespace marrow::havok {

/// The skeletons of a file: first the one that clips move, then those of ragdolls.
std::vector<ObjectId> find_skeletons(const Packfile& file);

/// Reads one skeleton. Fails where its arrays contradict each other. Parents that do not come before their children are
/// left for `validate` to tell.
Result<Skeleton> read_skeleton(const Packfile& file, ObjectId skeleton);

/// Replaces the bones, rest pose, slots and partitions of a skeleton and leaves the rest of the file: ragdoll, mappers.
/// Local frames that say the same keep their objects and what hangs on those; a skeleton without any leaves the file's.
/// Fails where the version of the file cannot say it. What others count by bone (mappers, ragdolls) stays as it was, so
/// a skeleton of another size belongs into a file of its own.
Result<void> set_skeleton(Packfile& file, ObjectId id, const Skeleton& skeleton, Notes* notes = nullptr);

/// A new file that holds these skeletons and nothing else. What the game's version cannot say is told in `notes`.
Result<Packfile> make_skeleton_file(std::span<const Skeleton> skeletons, Game game, Notes* notes = nullptr);

}  // namespace marrow::havok
