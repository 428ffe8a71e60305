// SPDX-License-Identifier: MIT
/// Paired clips: one clip that moves two actors (docs/paired-clips.md). A root `PairedRoot` has two children, `NPC` and
/// `2_`, which hold where each actor stands; below them are the bones of the actors, those of the second with `2_` in
/// front of their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

/// The root of both actors, the place of the first, and the place of the second. The last is also the prefix of the
/// second actor's bone names.
inline constexpr std::string_view kPairedRoot = "PairedRoot";
inline constexpr std::string_view kFirstActor = "NPC";
inline constexpr std::string_view kSecondActor = "2_";

/// The skeletons of the actors of a clip. Without a second one, the first stands for both.
struct Actors {
  const Skeleton* first = nullptr;
  const Skeleton* second = nullptr;

  const Skeleton& other() const { return second ? *second : *first; }
};

/// True if the clip itself shows that it moves two actors: by a track named `2_...` or by the skeleton it names.
bool is_paired(const Clip& clip);
/// True if the skeleton contains two actors: it has a bone `2_`, or a bone whose name is that of another with `2_` in
/// front.
bool is_paired(const Skeleton& skeleton);

/// Whose tracks come first after `PairedRoot`: the games' clips have the first actor's, a tool that many clips are made
/// with writes and reads, by index, the second's.
enum class PairOrder : std::uint8_t { NpcFirst, SecondFirst };

/// Returns the skeleton of both actors. With `is_placed`, `PairedRoot`, `NPC` and `2_` are part of it; without, the two
/// bodies just follow each other. Names of the second actor's bones, slots, partitions and local frames start with
/// `2_`.
Skeleton paired_skeleton(const Actors& actors, bool is_placed = true, PairOrder order = PairOrder::NpcFirst);

/// Returns the skeleton whose bones a clip refers to. This is the first actor's own, or that of both actors if
/// `is_paired(clip)` or if the clip has exactly as many bones as both. If the tracks have names, they decide the order
/// of the bones: an actor may have fewer bones, and places may be missing. Names that neither actor has become bones
/// below the place of their actor, at rest. Without names the order is `order`, or the one in which more bones are
/// where the skeletons have them, or `SecondFirst` if that does not tell.
Skeleton skeleton_for(const Clip& clip, const Actors& actors, std::optional<PairOrder> order = {});

/// Returns the order of a clip without names by its motion; nothing if it fits both orders equally well.
std::optional<PairOrder> likelier_order(const Clip& clip, const Actors& actors);

/// Which bones of a skeleton, or tracks of a clip, belong to whom.
struct PairedParts {
  std::int32_t root = kNoBone, first_place = kNoBone, second_place = kNoBone;
  std::vector<std::int32_t> first, second;  ///< the bones of each actor, in order
};

/// Returns whose parts come first.
PairOrder order_of(const PairedParts& parts);

/// Returns the parts of a list of names. A name that is empty belongs to the actor whose place comes last before it.
PairedParts paired_parts(const std::vector<std::string>& names);
PairedParts paired_parts(const Skeleton& skeleton);

/// Returns the name of a bone of the second actor as its own skeleton has it: without `2_`, and `NPC` for `2_` itself.
std::string own_name(std::string_view name);

}  // namespace marrow
