// SPDX-License-Identifier: MIT
#include "marrow/ops/rig_edit.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/anvil/edit.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/names.h"
#include "marrow/anvil/select.h"
#include "marrow/anvil/xml.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/nearest.h"
#include "marrow/core/text.h"
#include "marrow/ops/rig_merge.h"
#include "ops/anvil_format.h"

namespace marrow {
namespace {

using anvil::bone_named;

Result<RigEditReport> reported(const anvil::Skeleton& skeleton, Result<anvil::EditNotes> notes,
                               std::vector<BrokenUser> breaks = {}) {
  if (!notes) return std::unexpected(std::move(notes.error()));
  return RigEditReport{skeleton.bones.size(), std::move(*notes), std::move(breaks)};
}

std::string name_of(const anvil::Skeleton& skeleton, std::uint32_t hash) {
  const auto found = std::ranges::find(skeleton.bones, hash, [](const anvil::Bone& bone) { return bone.name.hash; });
  return anvil::display_name(found == skeleton.bones.end() ? anvil::BoneName{hash, {}} : found->name);
}

// True if a file that is not an Anvil skeleton mentions a bone. A match must be delimited by characters that no name
// contains.
bool mentions(std::string_view text, std::string_view name) {
  const auto in_name = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

/// Finds the files that break if a bone is removed or changed.
std::vector<BrokenUser> broken_users(const std::vector<NamedText>& files, std::uint32_t hash, const std::string& name,
                                     Context& context) {
  std::vector<BrokenUser> broken;
  for (const NamedText& file : files) {
    const std::string path(file.name);
    if (!is_anvil(detect(as_bytes(file.text)))) {
      if (mentions(file.text, name)) broken.push_back({path, "uses " + name + ", which no longer exists"});
      continue;
    }
    const auto addon = anvil::read_xml(as_bytes(file.text), bone_names(context), context.limits);
    if (!addon)
      context.notes.push_back({addon.error().message, addon.error().offset, addon.error().path, path});
    else if (std::string use = anvil::addon_use(*addon, hash); !use.empty())
      broken.push_back({path, std::move(use)});
  }
  return broken;
}

Result<std::vector<anvil::Assignment>> assignments(const std::vector<std::string>& words) {
  std::vector<anvil::Assignment> values;
  for (const std::string& word : words) {
    const std::size_t mark = word.find('=');
    if (mark == std::string::npos || mark == 0)
      return fail(ErrorCode::BadOption, "'" + word + "' does not have the form Field=value", kNoOffset, "values");
    values.push_back({std::string(trim(word.substr(0, mark))), word.substr(mark + 1)});
  }
  return values;
}

// Selects a modifier by its class or its position.
Result<anvil::ModifierChoice> choice(const anvil::Skeleton& skeleton, const std::string& bone,
                                     const std::optional<std::string>& word, const std::optional<std::size_t>& index) {
  anvil::ModifierChoice chosen{.index = index};
  MARROW_TRY(chosen.bone, bone_named(skeleton, bone));
  if (!word) return chosen;
  if (const auto number = parse_uint(*word)) {
    if (!index) chosen.index = static_cast<std::size_t>(*number);
  } else {
    MARROW_TRY(chosen.type, modifier_type_named(*word));
  }
  return chosen;
}

// Returns the bone that the modifiers of another one go to if none is named: the one on the other side, or the one of
// the same name in another skeleton.
Result<std::uint32_t> own_target(const anvil::Skeleton& source, const anvil::Skeleton& target, std::uint32_t hash,
                                 bool mirror) {
  if (!mirror) return bone_named(target, name_of(source, hash));
  const anvil::Hierarchy tree = anvil::hierarchy_of(source);
  const std::int32_t own = tree.find_hash(hash);
  const std::int32_t linked = tree.find(source.bones[static_cast<std::size_t>(own)].mirror);
  const std::string other = linked >= 0 && linked != own
                                ? anvil::display_name(source.bones[static_cast<std::size_t>(linked)].name)
                                : anvil::mirrored_name(name_of(source, hash));
  if (other.empty())
    return fail(ErrorCode::NotFound,
                name_of(source, hash) + " has no bone on the other side; say where its modifiers go");
  return bone_named(target, other);
}

// Pairs the bones that copying goes from and to.
Result<std::vector<anvil::CopyPair>> copy_pairs(const anvil::Skeleton& source, const anvil::Skeleton& target,
                                                const CopyModifiersOptions& options) {
  MARROW_TRY(const std::vector<std::uint32_t> from, anvil::select_bones(source, options.from));
  const bool is_pattern = anvil::selects_many(options.from) && options.from.find("..") == std::string::npos;
  std::vector<anvil::CopyPair> pairs;
  if (options.to.empty()) {
    if (!options.mirror && !options.source)
      return fail(ErrorCode::BadOption,
                  "is missing: name the bones that get the modifiers, mirror them, or copy from another skeleton",
                  kNoOffset, "to");
    for (const std::uint32_t hash : from) {
      const auto& bone = *std::ranges::find(source.bones, hash, [](const anvil::Bone& each) { return each.name.hash; });
      // Of many bones only those that have something to copy need a counterpart.
      if (from.size() > 1 && bone.modifiers.empty()) continue;
      MARROW_TRY(const std::uint32_t to, own_target(source, target, hash, options.mirror));
      pairs.push_back({hash, to});
    }
    return pairs;
  }
  for (const std::string& text : options.to) {
    if (is_pattern && text.find('*') != std::string::npos) {
      // Each star of the target stands for what that of the source stands for.
      for (const std::uint32_t hash : from) {
        MARROW_TRY(const std::uint32_t to,
                   bone_named(target, anvil::renamed_by_pattern(options.from, name_of(source, hash), text)));
        pairs.push_back({hash, to});
      }
      continue;
    }
    MARROW_TRY(const std::vector<std::uint32_t> to, anvil::select_bones(target, text));
    if (is_pattern && from.size() != to.size())
      return fail(ErrorCode::InvalidArgument, "'" + options.from + "' matches " + std::to_string(from.size()) +
                                                  " bones, and '" + text + "' is " + std::to_string(to.size()));
    const std::vector<anvil::CopyPair> some = anvil::pair_chains(from, to);
    pairs.insert(pairs.end(), some.begin(), some.end());
  }
  return pairs;
}

constexpr FieldText kBone{
    .help = "its name, index, hash or x2BA0BB9F", .placeholder = "BONE", .required = true, .positional = true};
constexpr FieldText kGame{.help = "write for this game, with its index width and bone limit", .placeholder = "GAME"};
constexpr FieldText kGameOfModifier{.help = "write for this game, and refuse a modifier that it does not have",
                                    .placeholder = "GAME"};
constexpr FieldText kUsedBy{.help = "addons, clips or folders of them; reports which would break",
                            .placeholder = "FILE"};
constexpr FieldText kValues{.help = "e.g. Mass=2.5, LookAtBone=Head, Constraints[0].MaxAngle=0.5, IKData=none",
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
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, SetFieldsOptions& options) {
  fields("values", options.values, kValues);
  fields("bone", options.bone, {.help = "fields of this bone", .placeholder = "BONE"});
  fields("modifier", options.modifier,
         {.help = "fields of this modifier of the bone: its class or its number", .placeholder = "TYPE"});
  fields("index", options.index,
         {.help = "the number of the modifier, if a bone has two of a class", .placeholder = "N"});
  fields("type", options.type, {.help = "SkeletonType: 0 biped ... 8 custom", .placeholder = "N"});
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, AddModifierOptions& options) {
  fields("bone", options.bone, kBone);
  fields("type", options.type,
         {.help = "BallJoint, Hinge, MaxLookAt, ...", .placeholder = "TYPE", .required = true, .positional = true});
  fields("values", options.values, kValues);
  fields("game", options.game, kGameOfModifier);
}

void describe(FieldList& fields, RemoveModifierOptions& options) {
  fields("bone", options.bone, kBone);
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
  fields("game", options.game, kGame);
}

void describe(FieldList& fields, ToGameOptions& options) {
  fields("to", options.save.game, {.help = "the game (ac1 ... mirage)", .placeholder = "GAME", .required = true});
}

void describe(FieldList& fields, HashOptions& options) {
  fields("names", options.names,
         {.help = "a name in its exact case, a number, or x2BA0BB9F",
          .placeholder = "NAME",
          .required = true,
          .positional = true});
}

void describe(FieldList& fields, HashedName& name) {
  fields("name", name.name);
  fields("hash", name.hash);
  fields("hex", name.hex);
  fields("known_as", name.known_as);
}

void describe(FieldList& fields, HashReport& report) { fields("names", report.names); }

Result<RigEditReport> add_bone(Document& document, const AddBoneOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  anvil::NewBone bone;
  bone.name = options.name;
  MARROW_TRY(bone.parent, bone_named(*skeleton, options.parent));
  Transform rest;
  rest.translation = options.position.value_or(rest.translation);
  rest.rotation = options.rotation.value_or(rest.rotation);
  (options.global ? bone.global : bone.local) = rest;
  if (options.mirror && *options.mirror != "self") {
    MARROW_TRY(bone.mirror, bone_named(*skeleton, *options.mirror));
  }
  bone.mirroring_type = options.mirroring_type;
  bone.solving_priority = options.priority;
  bone.id = options.id;
  for (const std::string& child : options.adopt) {
    MARROW_TRY(const std::uint32_t hash, bone_named(*skeleton, child));
    bone.adopt.push_back(hash);
  }
  if (options.base) {
    MARROW_TRY(bone.base, anvil_skeleton(*options.base));
  }
  return reported(*skeleton, anvil::add_bone(*skeleton, bone));
}

Result<RigEditReport> remove_bone(Document& document, const RemoveBoneOptions& options, Context& context) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  return reported(*skeleton, anvil::remove_bone(*skeleton, bone, {.promote = options.promote}), std::move(broken));
}

Result<RigEditReport> rename_bone(Document& document, const RenameBoneOptions& options, Context& context) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  return reported(*skeleton, anvil::rename_bone(*skeleton, bone, options.name), std::move(broken));
}

Result<RigEditReport> reparent_bone(Document& document, const ReparentBoneOptions& options, Context& context) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  MARROW_TRY(const std::uint32_t parent, bone_named(*skeleton, options.parent));
  return reported(*skeleton, anvil::reparent_bone(*skeleton, bone, parent, !options.keep_local), std::move(broken));
}

Result<RigEditReport> mirror_bone(Document& document, const MirrorBoneOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  if (options.create) return reported(*skeleton, anvil::add_mirrored_bone(*skeleton, bone, options.as));
  if (options.none) return reported(*skeleton, anvil::pair_mirrors(*skeleton, bone, bone));
  const std::string other = options.other.value_or(anvil::mirrored_name(name_of(*skeleton, bone)));
  if (other.empty())
    return fail(ErrorCode::BadOption,
                "the name of the bone has no side; name the other bone, create it, or choose none", kNoOffset, "with");
  MARROW_TRY(const std::uint32_t partner, bone_named(*skeleton, other));
  return reported(*skeleton, anvil::pair_mirrors(*skeleton, bone, partner));
}

Result<RigEditReport> set_fields(Document& document, const SetFieldsOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(std::vector<anvil::Assignment> values, assignments(options.values));
  if (options.type) values.push_back({"SkeletonType", std::to_string(*options.type)});
  if (values.empty()) return fail(ErrorCode::BadOption, "give at least one Field=value", kNoOffset, "values");
  if (!options.bone) return reported(*skeleton, anvil::set_skeleton(*skeleton, values));
  if (!options.modifier && !options.index) {
    MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, *options.bone));
    return reported(*skeleton, anvil::set_bone(*skeleton, bone, values));
  }
  MARROW_TRY(const anvil::ModifierChoice chosen, choice(*skeleton, *options.bone, options.modifier, options.index));
  return reported(*skeleton, anvil::set_modifier(*skeleton, chosen, values));
}

Result<RigEditReport> add_modifier(Document& document, const AddModifierOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::vector<anvil::Assignment> values, assignments(options.values));
  MARROW_TRY(const ModifierType type, modifier_type_named(options.type));
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  return reported(*skeleton, anvil::add_modifier(*skeleton, bone, type, values, game));
}

Result<RigEditReport> remove_modifier(Document& document, const RemoveModifierOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const anvil::ModifierChoice chosen, choice(*skeleton, options.bone, options.type, options.index));
  return reported(*skeleton, anvil::remove_modifier(*skeleton, chosen));
}

Result<RigEditReport> copy_modifiers(Document& document, const CopyModifiersOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  const anvil::Skeleton* source = skeleton;
  if (options.source) {
    MARROW_TRY(source, anvil_skeleton(*options.source));
  }
  anvil::CopyOptions copy{.mirror = options.mirror};
  if (options.type) {
    MARROW_TRY(copy.only, modifier_type_named(*options.type));
  }
  MARROW_TRY(const std::vector<anvil::CopyPair> pairs, copy_pairs(*source, *skeleton, options));
  return reported(*skeleton, anvil::copy_modifiers(*source, *skeleton, pairs, copy));
}

Result<RigEditReport> to_game(Document& document, const ToGameOptions& options, Context&) {
  MARROW_TRY(anvil::Skeleton * skeleton, anvil_skeleton(document));
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.save.game));
  return reported(*skeleton, anvil::to_game(*skeleton, *game));
}

Result<ModifierType> modifier_type_named(const std::string& word, std::string_view option) {
  if (const auto type = find_modifier_type(word)) return *type;
  std::vector<std::string_view> known;
  std::string all;
  for (const ModifierRow& row : known_modifiers()) {
    known.push_back(row.name);
    (all += all.empty() ? "; there are " : ", ") += row.name;
  }
  const std::string near = did_you_mean(word, known);
  return fail(ErrorCode::BadOption, "there is no modifier '" + word + "'" + (near.empty() ? all : near), kNoOffset,
              std::string(option));
}

HashReport hash_names(const HashOptions& options, const Context& context) {
  const anvil::NameTable names = bone_names(context);
  HashReport report;
  for (const std::string& name : options.names) {
    const std::uint32_t hash = anvil::hash_of(name);
    const std::string_view known = names.find(hash);
    report.names.push_back(
        {name, hash, anvil::unknown_name(hash), known.empty() ? std::nullopt : std::optional(std::string(known))});
  }
  return report;
}

}  // namespace marrow
