// SPDX-License-Identifier: MIT
#include "ops/rig/edit.h"

#include <algorithm>
#include <functional>

#include "anvil/edit.h"
#include "anvil/hierarchy.h"
#include "anvil/names.h"
#include "anvil/select.h"
#include "anvil/xml.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/document/anvil_format.h"
#include "ops/rig/edit_text.h"
#include "ops/rig/merge.h"

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
    constexpr std::string_view kArithmetic = "+-*/";
    const bool changes = mark > 1 && kArithmetic.contains(word[mark - 1]);
    values.push_back({.field = std::string(trim(word.substr(0, mark - (changes ? 1u : 0u)))),
                      .value = word.substr(mark + 1),
                      .op = changes ? word[mark - 1] : '='});
  }
  return values;
}

// Selects modifiers by their class or their position: one of a bone, or all that a pattern or a chain of bones has.
Result<std::vector<anvil::ModifierChoice>> choices(const anvil::Skeleton& skeleton, const std::string& bones,
                                                   const std::optional<std::string>& word,
                                                   const std::optional<std::size_t>& index) {
  anvil::ModifierChoice chosen{.index = index};
  if (const auto number = word ? parse_uint(*word) : std::nullopt) {
    if (!index) chosen.index = static_cast<std::size_t>(*number);
  } else if (word) {
    MARROW_TRY(chosen.type, modifier_type_named(*word));
  }
  if (!anvil::selects_many(bones)) {
    MARROW_TRY(chosen.bone, bone_named(skeleton, bones));
    return std::vector{chosen};
  }
  MARROW_TRY(const std::vector<std::uint32_t> hashes, anvil::select_bones(skeleton, bones));
  std::vector<anvil::ModifierChoice> all;
  for (const std::uint32_t hash : hashes) {
    const auto& bone = *std::ranges::find(skeleton.bones, hash, [](const anvil::Bone& each) { return each.name.hash; });
    for (std::size_t i = 0; i < bone.modifiers.size(); ++i)
      if ((!chosen.type || bone.modifiers[i].type() == *chosen.type) && (!chosen.index || *chosen.index == i))
        all.push_back({.bone = hash, .index = i});
  }
  if (all.empty())
    return fail(ErrorCode::NotFound, "none of the " + std::to_string(hashes.size()) + " bones of '" + bones + "' has " +
                                         (word ? "the modifier " + *word : "a modifier"));
  return all;
}

// Runs an edit for each of several things. Its notes name the bone if there are several.
template <class Things, class BoneOf, class Edit>
Result<anvil::EditNotes> for_each_of(const anvil::Skeleton& skeleton, const Things& things, const BoneOf& bone_of,
                                     const Edit& edit) {
  anvil::EditNotes all;
  for (const auto& thing : things) {
    auto notes = edit(thing);
    const std::string name = name_of(skeleton, std::invoke(bone_of, thing));
    if (!notes) {
      if (things.size() > 1) notes.error().message = name + ": " + notes.error().message;
      return notes;
    }
    for (std::string& note : *notes) all.push_back(things.size() > 1 ? name + ": " + note : std::move(note));
  }
  if (things.size() > 1) all.push_back(std::to_string(things.size()) + " changed");
  return all;
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

}  // namespace

Result<RigEditReport> add_bone(Document& document, const AddBoneOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
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
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  return reported(*skeleton, anvil::remove_bone(*skeleton, bone, {.promote = options.promote}), std::move(broken));
}

Result<RigEditReport> rename_bone(Document& document, const RenameBoneOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  return reported(*skeleton, anvil::rename_bone(*skeleton, bone, options.name), std::move(broken));
}

Result<RigEditReport> reparent_bone(Document& document, const ReparentBoneOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
  MARROW_TRY(const std::uint32_t bone, bone_named(*skeleton, options.bone));
  auto broken = broken_users(options.used_by, bone, name_of(*skeleton, bone), context);
  MARROW_TRY(const std::uint32_t parent, bone_named(*skeleton, options.parent));
  return reported(*skeleton, anvil::reparent_bone(*skeleton, bone, parent, !options.keep_local), std::move(broken));
}

Result<RigEditReport> mirror_bone(Document& document, const MirrorBoneOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
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

Result<RigEditReport> set_fields(Document& document, const SetFieldsOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  MARROW_TRY(std::vector<anvil::Assignment> values, assignments(options.values));
  if (options.type) values.push_back({"SkeletonType", std::to_string(*options.type)});
  if (values.empty()) return fail(ErrorCode::BadOption, "give at least one Field=value", kNoOffset, "values");
  const auto set = [&](anvil::Skeleton& edited) -> Result<anvil::EditNotes> {
    if (!options.bone) return anvil::set_skeleton(edited, values);
    if (!options.modifier && !options.index) {
      MARROW_TRY(const std::vector<std::uint32_t> bones, anvil::select_bones(edited, *options.bone));
      return for_each_of(*skeleton, bones, std::identity{},
                         [&](std::uint32_t bone) { return anvil::set_bone(edited, bone, values); });
    }
    MARROW_TRY(const auto chosen, choices(edited, *options.bone, options.modifier, options.index));
    return for_each_of(*skeleton, chosen, &anvil::ModifierChoice::bone,
                       [&](const anvil::ModifierChoice& each) { return anvil::set_modifier(edited, each, values); });
  };
  return reported(*skeleton, edit_soundly(*skeleton, options.force, set));
}

Result<RigEditReport> add_modifier(Document& document, const AddModifierOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  MARROW_TRY(const std::vector<anvil::Assignment> values, assignments(options.values));
  MARROW_TRY(const ModifierType type, modifier_type_named(options.type));
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  MARROW_TRY(const std::vector<std::uint32_t> bones, anvil::select_bones(*skeleton, options.bone));
  return reported(*skeleton, edit_soundly(*skeleton, options.force, [&](anvil::Skeleton& edited) {
    return for_each_of(*skeleton, bones, std::identity{},
                       [&](std::uint32_t bone) { return anvil::add_modifier(edited, bone, type, values, game); });
  }));
}

Result<RigEditReport> remove_modifier(Document& document, const RemoveModifierOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
  MARROW_TRY(std::vector<anvil::ModifierChoice> chosen, choices(*skeleton, options.bone, options.type, options.index));
  std::ranges::reverse(chosen);  // the places of those before stay as they are
  return reported(*skeleton, edit_soundly(*skeleton, true, [&](anvil::Skeleton& edited) {
    return for_each_of(*skeleton, chosen, &anvil::ModifierChoice::bone,
                       [&](const anvil::ModifierChoice& each) { return anvil::remove_modifier(edited, each); });
  }));
}

Result<RigEditReport> copy_modifiers(Document& document, const CopyModifiersOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  const anvil::Skeleton* source = &*skeleton;
  if (options.source) {
    MARROW_TRY(source, anvil_skeleton(*options.source));
  }
  anvil::CopyOptions copy{.mirror = options.mirror, .add = options.add};
  if (options.type) {
    MARROW_TRY(copy.only, modifier_type_named(*options.type));
  }
  MARROW_TRY(const std::vector<anvil::CopyPair> pairs, copy_pairs(*source, *skeleton, options));
  return reported(*skeleton, edit_soundly(*skeleton, options.force, [&](anvil::Skeleton& edited) {
    return anvil::copy_modifiers(*source, edited, pairs, copy);
  }));
}

Result<RigEditReport> renumber_rig(Document& document, const RenumberOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  return reported(*skeleton, anvil::renumber_all(*skeleton));
}

Result<RigEditReport> to_game(Document& document, const ToGameOptions& options, Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
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

}  // namespace marrow
