// SPDX-License-Identifier: MIT
// The options and reports of rig edits, as data.
#include "ops/rig/edit.h"
#include "ops/rig/edit_text.h"

namespace marrow {
namespace {

constexpr FieldText kBone{
    .help = "its name, index, hash or x2BA0BB9F", .placeholder = "BONE", .required = true, .positional = true};
constexpr FieldText kBones{.help = "a name, a pattern with * or ?, or a chain FIRST..LAST",
                           .placeholder = "BONE",
                           .required = true,
                           .positional = true};
constexpr FieldText kGame{.help = "write for this game, with its index width and bone limit", .placeholder = "GAME"};
constexpr FieldText kGameOfModifier{.help = "write for this game, and refuse a modifier that it does not have",
                                    .placeholder = "GAME"};
constexpr FieldText kUsedBy{.help = "addons, clips or folders of them; reports which would break",
                            .placeholder = "FILE"};
constexpr FieldText kValues{
    .help = "e.g. Mass=2.5, Mass*=0.8, LookAtBone=Head, Constraints[0].MaxAngle=0.5, ID=700000001",
    .placeholder = "FIELD=VALUE",
    .positional = true};

}  // namespace

void describe(FieldList& fields, BrokenUser& user) {
  fields("path", user.path);
  fields("why", user.why);
}

void describe(FieldList& fields, RigEditReport& report) {
  fields("bones", report.bones);
  fields("changes", report.changes, {.help = "what was done, in sentences"});
  fields("breaks", report.breaks, {.help = "files that break"});
}

void describe(FieldList& fields, AddBoneOptions& options) {
  fields("name", options.name,
         {.help = "the name of the new bone", .placeholder = "NAME", .required = true, .positional = true});
  fields("parent", options.parent, {.help = "the parent bone", .placeholder = "BONE", .required = true});
  fields("position", options.position, {.help = "relative to the parent", .unit = "metres", .placeholder = "X,Y,Z"});
  fields("rotation", options.rotation, {.help = "relative to the parent", .placeholder = "X,Y,Z,W"});
  fields("global", options.global, {.help = "position and rotation are in the world"});
  fields("mirror", options.mirror, {.help = "the bone on the other side, or self", .placeholder = "BONE"});
  fields("mirroring_type", options.mirroring_type, {.help = "the engine's BoneMirroringType", .placeholder = "N"});
  fields("priority", options.priority, {.help = "SolvingPriority", .placeholder = "N", .min = 0, .max = 255});
  fields("id", options.id, {.help = "object id", .placeholder = "N", .otherwise = "a free one"});
  fields("adopt", options.adopt, {.help = "children of the parent to move below the new bone", .placeholder = "BONE"});
  fields.input(
      "base", options.base,
      {.help = "refuse a bone between two bones of this skeleton", .placeholder = "BASE", .parts = Parts::None});
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, RemoveBoneOptions& options) {
  fields("bone", options.bone, kBone);
  fields("promote", options.promote,
         {.help = "if a root with several children is removed, its first child becomes the root"});
  fields.input("used_by", options.used_by, kUsedBy);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, RenameBoneOptions& options) {
  fields("bone", options.bone, kBone);
  fields("name", options.name, {.help = "the new name", .placeholder = "NAME", .required = true, .positional = true});
  fields.input("used_by", options.used_by, kUsedBy);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, ReparentBoneOptions& options) {
  fields("bone", options.bone, kBone);
  fields("parent", options.parent,
         {.help = "the new parent bone", .placeholder = "PARENT", .required = true, .positional = true});
  fields("keep_local", options.keep_local,
         {.help = "keep the pose relative to the parent instead of the place in the world"});
  fields.input("used_by", options.used_by, kUsedBy);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, MirrorBoneOptions& options) {
  fields("bone", options.bone, kBone);
  fields("with", options.other,
         {.help = "the other bone", .placeholder = "OTHER", .positional = true, .otherwise = "Left and Right swapped"});
  fields("none", options.none, {.help = "the bone has no mirror"});
  fields("create", options.create, {.help = "add the other bone, reflected in the plane X = 0"});
  fields("as", options.as, {.help = "its name, with create", .placeholder = "NAME"});
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, SetFieldsOptions& options) {
  fields("values", options.values, kValues);
  fields("bone", options.bone,
         {.help = "fields of this bone, of a pattern with * or ?, or of a chain FIRST..LAST", .placeholder = "BONE"});
  fields("modifier", options.modifier,
         {.help = "fields of this modifier of the bone: its class or its number", .placeholder = "TYPE"});
  fields("index", options.index,
         {.help = "the number of the modifier, if a bone has two of a class", .placeholder = "N"});
  fields("type", options.type, {.help = "SkeletonType: 0 biped ... 8 custom", .placeholder = "N"});
  fields("force", options.force, kForce);
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, AddModifierOptions& options) {
  fields("bone", options.bone, kBones);
  fields("type", options.type,
         {.help = "BallJoint, Hinge, MaxLookAt, ...", .placeholder = "TYPE", .required = true, .positional = true});
  fields("values", options.values, kValues);
  fields("force", options.force, kForce);
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGameOfModifier);
}

void describe(FieldList& fields, RemoveModifierOptions& options) {
  fields("bone", options.bone, kBones);
  fields("type", options.type, {.help = "its class or its number", .placeholder = "TYPE", .positional = true});
  fields("index", options.index, {.help = "its number", .placeholder = "N"});
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, CopyModifiersOptions& options) {
  fields("from", options.from,
         {.help = "the bone that has them, a chain FIRST..LAST, or a pattern with *",
          .placeholder = "BONE",
          .required = true});
  fields("to", options.to,
         {.help = "the bones that get them, each a bone, a chain or a pattern with the same stars",
          .placeholder = "BONE",
          .otherwise = "the other side if mirrored, else the same names"});
  fields.input(
      "source", options.source,
      {.help = "the skeleton to copy from", .placeholder = "FILE", .otherwise = "the same", .parts = Parts::None});
  fields("mirror", options.mirror, {.help = "turn left into right: values, links, and the target if none is named"});
  fields("type", options.type, {.help = "only this class", .placeholder = "TYPE"});
  fields("add", options.add, kAdd);
  fields("force", options.force, kForce);
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, RenumberOptions& options) {
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, ToGameOptions& options) {
  fields("to", options.save.game, {.help = "the game (ac1 ... mirage)", .placeholder = "GAME", .required = true});
}

void describe(FieldList& fields, HashOptions& options) {
  fields("name", options.names,
         {.help = "a name in its exact case, a number, or x2BA0BB9F",
          .placeholder = "NAME",
          .required = true,
          .positional = true});
}

void describe(FieldList& fields, LearnNamesOptions& options) {
  fields.input(
      "file", options.files,
      {.help = "Anvil skeletons, or folders of them", .placeholder = "PATH", .required = true, .positional = true});
}

void describe(FieldList& fields, LearnNamesReport& report) {
  fields("names", report.names, {.help = "the dictionary, one name per line"});
  fields("files", report.files, {.help = "skeletons that were read"});
  fields("hashes", report.hashes, {.help = "different bone names in them"});
  fields("known", report.known, {.help = "names that a file or the table gives"});
  fields("by_pattern", report.by_pattern, {.help = "names that only the grammar of bone names gives"});
  fields("unknown", report.unknown, {.help = "hashes without a name"});
}

void describe(FieldList& fields, HashedName& name) {
  fields("name", name.name);
  fields("hash", name.hash);
  fields("hex", name.hex);
  fields("known_as", name.known_as);
}

void describe(FieldList& fields, HashReport& report) { fields("names", report.names); }

}  // namespace marrow
