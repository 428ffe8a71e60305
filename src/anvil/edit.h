// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anvil/games.h"
#include "anvil/skeleton.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// Notes of an edit: one sentence for each change beyond the obvious one. Every edit is complete, links and poses
/// included, or it fails and changes nothing. Bones are identified by hash, see `hash_of`.
using EditNotes = std::vector<std::string>;

struct NewBone {
  std::string name = {};
  std::uint32_t parent = 0;
  std::optional<Transform> local = {};       ///< rest pose; unset: that of the parent
  std::optional<Transform> global = {};      ///< alternative to `local`
  std::optional<std::uint32_t> mirror = {};  ///< the bone on the other side, linked in both directions; unset: none
  std::int32_t mirroring_type = 5;
  std::uint8_t solving_priority = 0;
  std::uint64_t id = 0;                   ///< 0: a free one is chosen
  std::vector<std::uint32_t> adopt = {};  ///< children of the parent that become children of the new bone
  const Skeleton* base = nullptr;         ///< adopting a bone of this skeleton fails: addons would no longer fit
};

/// Adds a bone as the last child of its parent.
Result<EditNotes> add_bone(Skeleton& skeleton, const NewBone& bone);

struct RemoveOptions {
  bool promote = false;  ///< if a root has several children: the first becomes the root and parent of the others
};

/// Removes a bone. Its children take its place under its parent and keep their global pose. Bones mirrored to it become
/// their own mirror. Links to it are removed, and so are modifiers that mean nothing without it.
Result<EditNotes> remove_bone(Skeleton& skeleton, std::uint32_t bone, const RemoveOptions& options = {});

Result<EditNotes> rename_bone(Skeleton& skeleton, std::uint32_t bone, std::string_view name);

/// Makes the bone the last child of `parent`. Keeps its global pose, or its local one.
Result<EditNotes> reparent_bone(Skeleton& skeleton, std::uint32_t bone, std::uint32_t parent, bool keep_global = true);

/// Makes two bones each other's mirror. If both are the same bone, it has no mirror. Former partners have no mirror
/// afterwards.
Result<EditNotes> pair_mirrors(Skeleton& skeleton, std::uint32_t bone, std::uint32_t other);

/// Returns the name of the other side: swaps Left and Right, `_L` and `_R`. Empty if the name has no side.
std::string mirrored_name(std::string_view name);
/// Adds the counterpart of a bone: its pose reflected in the plane X = 0, on the mirror of its parent. Does not copy
/// modifiers. An empty name means `mirrored_name`.
Result<EditNotes> add_mirrored_bone(Skeleton& skeleton, std::uint32_t bone, std::string name = {});

/// Selects one modifier of a bone: by position, or the only one of its class.
struct ModifierChoice {
  std::uint32_t bone = 0;
  std::optional<std::size_t> index = {};
  std::optional<ModifierType> type = {};
};

/// A field and its new value: `Mass=2.5`, `LookAtBone=Head`, `Constraints[0].MaxAngle=0.5`, `Mass*=0.8`. The field `ID`
/// is the id of the object; every reference to it changes too.
struct Assignment {
  std::string field;
  std::string value;
  char op = '=';  ///< `+`, `-`, `*` or `/`: change the number by `value`
};

/// Adds a modifier that starts with values that move (`new_modifier`). `game` is the game it is for: a modifier that
/// the game does not have is refused with `WrongGame`, one that it knows by another name gets that name.
Result<EditNotes> add_modifier(Skeleton& skeleton, std::uint32_t bone, ModifierType type,
                               std::span<const Assignment> values, std::optional<Game> game = {});
Result<EditNotes> remove_modifier(Skeleton& skeleton, const ModifierChoice& choice);
/// Each refuses values that have no meaning with `InvalidArgument` (`model/modifier_faults.h`), rotations of length 0
/// among them; other rotations are brought to length 1.
Result<EditNotes> set_modifier(Skeleton& skeleton, const ModifierChoice& choice, std::span<const Assignment> values);
Result<EditNotes> set_bone(Skeleton& skeleton, std::uint32_t bone, std::span<const Assignment> values);
Result<EditNotes> set_skeleton(Skeleton& skeleton, std::span<const Assignment> values);

/// A bone that has modifiers and a bone that gets them, by hash.
struct CopyPair {
  std::uint32_t from = 0, to = 0;
};

struct CopyOptions {
  std::optional<ModifierType> only = {};  ///< copy this class only
  bool mirror = false;                    ///< values and links become those of the other side of the body
  bool add = false;                       ///< keep the modifiers of the same class that the target has
};

/// Copies modifiers between bones, also between two skeletons (a vanilla chain to a new outfit). A link to a source
/// bone becomes a link to its target bone. Other links are resolved by bone name, with `mirror` by that of the bone on
/// the other side. A modifier whose link cannot be resolved is left out and reported in the notes, and so is one that
/// cannot be mirrored exactly. Copies replace the modifiers of their class on the target: two would act twice. `from`
/// and `to` may be the same skeleton. Fails if there is nothing to copy.
Result<EditNotes> copy_modifiers(const Skeleton& from, Skeleton& to, std::span<const CopyPair> pairs,
                                 const CopyOptions& options = {});

/// Pairs the bones of two chains by their place along the chain. Both must have a bone.
std::vector<CopyPair> pair_chains(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to);

/// Gives every object of a skeleton a new id, with every reference, so that a copy of a file can stand beside it.
EditNotes renumber_all(Skeleton& skeleton);

/// Ports a skeleton to another game: renames LookAt and AnvilLookAt, and drops what the game does not support. Reports
/// what was dropped in the notes.
EditNotes to_game(Skeleton& skeleton, Game game);

/// Repairs what can be repaired without asking: unit quaternions, global poses from local ones, owners, and mirrors
/// that lead nowhere.
EditNotes mend(Skeleton& skeleton);

/// Returns what breaks in an addon if `bone` is removed from its base skeleton. Empty if nothing does.
std::string addon_use(const Skeleton& addon, std::uint32_t bone);

}  // namespace marrow::anvil
