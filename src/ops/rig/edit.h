// SPDX-License-Identifier: MIT
/// Edits of Anvil skeletons. Bones are named as people type them: `Head`, a number, or `x2BA0BB9F`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/modifiers.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// A file that an edit breaks.
struct BrokenUser {
  std::string path = {};
  std::string why = {};
};

struct RigEditReport {
  std::size_t bones = 0;
  std::vector<std::string> changes = {};  ///< what was done beside the obvious, in sentences
  std::vector<BrokenUser> breaks = {};
};

struct AddBoneOptions {
  std::string name = {}, parent = {};
  std::optional<Vec3> position = {};  ///< metres
  std::optional<Quat> rotation = {};
  bool global = false;                     ///< position and rotation are in the world, not below the parent
  std::optional<std::string> mirror = {};  ///< the bone on the other side; `self`: none
  std::int32_t mirroring_type = 5;
  std::uint8_t priority = 0;
  std::uint64_t id = 0;                       ///< 0: one that is free
  std::vector<std::string> adopt = {};        ///< children of the parent that are to hang on the new bone
  const Document* base = nullptr;             ///< refuses to stand between two bones of this skeleton
  std::optional<std::uint64_t> id_base = {};  ///< where new ids count from; by default they follow from the names
  std::optional<Game> game = {};
};

struct RemoveBoneOptions {
  std::string bone = {};
  bool promote = false;  ///< of a root with several children the first becomes the root
  std::vector<NamedText> used_by = {};
  std::optional<Game> game = {};
};

struct RenameBoneOptions {
  std::string bone = {}, name = {};
  std::vector<NamedText> used_by = {};
  std::optional<Game> game = {};
};

struct ReparentBoneOptions {
  std::string bone = {}, parent = {};
  bool keep_local = false;  ///< keep the pose below the parent instead of the place in the world
  std::vector<NamedText> used_by = {};
  std::optional<Game> game = {};
};

struct MirrorBoneOptions {
  std::string bone = {};
  std::optional<std::string> other = {};  ///< by default Left and Right swapped
  bool none = false;                      ///< the bone has no mirror
  bool create = false;                    ///< add the other bone, reflected in the plane X = 0
  std::string as = {};                    ///< its name, with `create`
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};
};

struct SetFieldsOptions {
  std::vector<std::string> values = {};      ///< `Mass=2.5`, `Mass*=0.8`, `ID=123`
  std::optional<std::string> bone = {};      ///< fields of these bones: a name, a pattern or a chain
  std::optional<std::string> modifier = {};  ///< fields of this modifier of the bone: its class or its number
  std::optional<std::size_t> index = {};     ///< the number of the modifier, if a bone has two of a class
  std::optional<std::uint32_t> type = {};    ///< `SkeletonType`
  bool force = false;                        ///< write what `check` calls an error
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};
};

struct AddModifierOptions {
  std::string bone = {}, type = {};  ///< `bone` may be a pattern or a chain
  std::vector<std::string> values = {};
  bool force = false;  ///< write what `check` calls an error
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};
};

struct RemoveModifierOptions {
  std::string bone = {};                 ///< a name, a pattern or a chain
  std::optional<std::string> type = {};  ///< its class or its number
  std::optional<std::size_t> index = {};
  std::optional<Game> game = {};
};

struct CopyModifiersOptions {
  std::string from = {};                 ///< a bone, a chain `FIRST..LAST`, or a pattern
  std::vector<std::string> to = {};      ///< the same; empty: the other side, or the same names in another skeleton
  const Document* source = nullptr;      ///< the skeleton of `from`; by default the same
  bool mirror = false;                   ///< values and links become those of the other side
  std::optional<std::string> type = {};  ///< only this class
  bool add = false;                      ///< beside the modifiers of the same class that the target has
  bool force = false;                    ///< write what `check` calls an error
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};
};

struct RenumberOptions {
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};
};

struct ToGameOptions {
  SaveOptions save = {};  ///< `game` is the game to port to
};

struct HashOptions {
  std::vector<std::string> names = {};
};
struct LearnNamesOptions {
  std::vector<NamedText> files = {};  ///< skeletons; what is not one is skipped
};
struct LearnNamesReport {
  std::string names = {};  ///< one per line
  std::size_t files = 0, hashes = 0, known = 0, by_pattern = 0, unknown = 0;

  SavedFile text() const;
};
struct HashedName {
  std::string name = {};
  std::uint32_t hash = 0;
  std::string hex = {};
  std::optional<std::string> known_as = {};
};
struct HashReport {
  std::vector<HashedName> names = {};
};

void describe(FieldList& fields, BrokenUser& user);
void describe(FieldList& fields, RigEditReport& report);
void describe(FieldList& fields, AddBoneOptions& options);
void describe(FieldList& fields, RemoveBoneOptions& options);
void describe(FieldList& fields, RenameBoneOptions& options);
void describe(FieldList& fields, ReparentBoneOptions& options);
void describe(FieldList& fields, MirrorBoneOptions& options);
void describe(FieldList& fields, SetFieldsOptions& options);
void describe(FieldList& fields, AddModifierOptions& options);
void describe(FieldList& fields, RemoveModifierOptions& options);
void describe(FieldList& fields, CopyModifiersOptions& options);
void describe(FieldList& fields, RenumberOptions& options);
void describe(FieldList& fields, ToGameOptions& options);
void describe(FieldList& fields, HashOptions& options);
void describe(FieldList& fields, LearnNamesOptions& options);
void describe(FieldList& fields, LearnNamesReport& report);
void describe(FieldList& fields, HashedName& name);
void describe(FieldList& fields, HashReport& report);

/// Each edits the Anvil skeleton of a document, whole or not at all.
Result<RigEditReport> add_bone(Document& document, const AddBoneOptions& options, Context& context);
Result<RigEditReport> remove_bone(Document& document, const RemoveBoneOptions& options, Context& context);
Result<RigEditReport> rename_bone(Document& document, const RenameBoneOptions& options, Context& context);
Result<RigEditReport> reparent_bone(Document& document, const ReparentBoneOptions& options, Context& context);
Result<RigEditReport> mirror_bone(Document& document, const MirrorBoneOptions& options, Context& context);
Result<RigEditReport> set_fields(Document& document, const SetFieldsOptions& options, Context& context);
Result<RigEditReport> add_modifier(Document& document, const AddModifierOptions& options, Context& context);
Result<RigEditReport> remove_modifier(Document& document, const RemoveModifierOptions& options, Context& context);
Result<RigEditReport> copy_modifiers(Document& document, const CopyModifiersOptions& options, Context& context);
/// Gives every object a new id, with every reference, so that a copy of a file can stand beside it.
Result<RigEditReport> renumber_rig(Document& document, const RenumberOptions& options, Context& context);
Result<RigEditReport> to_game(Document& document, const ToGameOptions& options, Context& context);

/// Returns the type of a modifier as people type it. Fails with `BadOption` of that option and the nearest name.
Result<ModifierType> modifier_type_named(const std::string& word, std::string_view option = "type");

/// Returns the names of the bones in Anvil skeletons as a dictionary for `Context::bone_names`. Names that only the
/// grammar of bone names gives are marked with the name that they are like.
Result<LearnNamesReport> learn_names(const LearnNamesOptions& options, Context& context);

/// Returns the numbers of bone names, and the names of numbers.
HashReport hash_names(const HashOptions& options, const Context& context);

}  // namespace marrow
