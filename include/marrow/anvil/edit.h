// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/anvil/games.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// Edits of a skeleton. Each does the whole of what it says, links and poses included, or fails and changes nothing;
/// what it did beside the obvious is returned in sentences. Bones are named by hash: see `hash_of`.
using EditNotes = std::vector<std::string>;

struct NewBone {
  std::string name = {};
  std::uint32_t parent = 0;
  std::optional<Transform> local = {};       ///< rest pose; unset: that of the parent
  std::optional<Transform> global = {};      ///< or this
  std::optional<std::uint32_t> mirror = {};  ///< the bone on the other side, which gets this one; unset: none
  std::int32_t mirroring_type = 5;
  std::uint8_t solving_priority = 0;
  std::uint64_t id = 0;                   ///< 0: one that is free
  std::vector<std::uint32_t> adopt = {};  ///< children of the parent that are to hang on the new bone
  const Skeleton* base = nullptr;         ///< refuses to adopt a bone of this skeleton: addons would no longer fit
};

/// The new bone is the last child of its parent.
Result<EditNotes> add_bone(Skeleton& skeleton, const NewBone& bone);

struct RemoveOptions {
  bool promote = false;  ///< a root with several children: the first becomes the root and the others hang on it
};

/// Children take the place of the bone and keep their global pose. Mirrors of it become themselves, links to it go, and
/// so do modifiers that mean nothing without it.
Result<EditNotes> remove_bone(Skeleton& skeleton, std::uint32_t bone, const RemoveOptions& options = {});

Result<EditNotes> rename_bone(Skeleton& skeleton, std::uint32_t bone, std::string_view name);

/// The bone becomes the last child of the parent. Keeps its global pose, or its local one.
Result<EditNotes> reparent_bone(Skeleton& skeleton, std::uint32_t bone, std::uint32_t parent, bool keep_global = true);

/// Makes two bones each other's mirror; the same bone twice: it has none. Former partners are on their own.
Result<EditNotes> pair_mirrors(Skeleton& skeleton, std::uint32_t bone, std::uint32_t other);

/// The name of the other side: Left and Right, `_L` and `_R` are swapped. Empty where it has no side.
std::string mirrored_name(std::string_view name);
/// Adds the counterpart of a bone: its pose reflected in the plane X = 0, on the mirror of its parent. Modifiers are
/// not copied. An empty name takes `mirrored_name`.
Result<EditNotes> add_mirrored_bone(Skeleton& skeleton, std::uint32_t bone, std::string name = {});

/// One modifier among those of a bone: by position, or the only one of its class.
struct ModifierChoice {
  std::uint32_t bone = 0;
  std::optional<std::size_t> index = {};
  std::optional<ModifierType> type = {};
};

/// `Mass=2.5`, `LookAtBone=Head`, `Constraints[0].MaxAngle=0.5`: a field and its new value.
struct Assignment {
  std::string field;
  std::string value;
};

Result<EditNotes> add_modifier(Skeleton& skeleton, std::uint32_t bone, ModifierType type,
                               std::span<const Assignment> values);
Result<EditNotes> remove_modifier(Skeleton& skeleton, const ModifierChoice& choice);
Result<EditNotes> set_modifier(Skeleton& skeleton, const ModifierChoice& choice, std::span<const Assignment> values);
Result<EditNotes> set_bone(Skeleton& skeleton, std::uint32_t bone, std::span<const Assignment> values);
Result<EditNotes> set_skeleton(Skeleton& skeleton, std::span<const Assignment> values);

/// Copies modifiers between bones, also of two skeletons (a vanilla chain to a new outfit). A link to the bone they are
/// copied from becomes one to the bone they are copied to; others lead to the bone of the same name, and a modifier
/// whose link has no such bone is left out and told of.
Result<EditNotes> copy_modifiers(const Skeleton& from, std::uint32_t source, Skeleton& to, std::uint32_t target,
                                 std::optional<ModifierType> only = {});

/// Ports to another game: LookAt and AnvilLookAt change names, what the game cannot have is dropped and told of.
EditNotes to_game(Skeleton& skeleton, Game game);

/// What `check --fix` does: unit quaternions, global poses from local ones, owners, and mirrors that lead nowhere.
EditNotes mend(Skeleton& skeleton);

/// What breaks for an addon when a bone goes from the skeleton that it is for. Empty: nothing.
std::string addon_use(const Skeleton& addon, std::uint32_t bone);

}  // namespace marrow::anvil
