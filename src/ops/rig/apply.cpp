// SPDX-License-Identifier: MIT
#include "ops/rig/apply.h"

#include <algorithm>
#include <cmath>

#include "anvil/from_rig.h"
#include "anvil/select.h"
#include "anvil/to_model.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/motion/sidecar.h"
#include "ops/document/anvil_format.h"
#include "ops/rig/edit.h"
#include "ops/rig/edit_text.h"
#include "ops/rig/merge.h"
#include "ops/rig/modifier_json.h"
#include "ops/rig/sidecar.h"

namespace marrow {
namespace {

constexpr std::string_view kOpenBone = "$bone";

// The values of a sidecar entry: enumerated ones as words, parts without the caches of the game.
struct SidecarJson : FieldJson {
  Json value(const Field& field, const auto& value) const {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      if (field.words && value >= 0 && std::cmp_less(value, field.words->words.size()))
        return field.words->words[static_cast<std::size_t>(value)];
    if constexpr (std::same_as<T, std::vector<Hinge>>) {
      Json list = Json::array();
      for (const Hinge& hinge : value) {
        Json item = Json::object();
        walk_fields(hinge_fields(), hinge, [&](const Field& each, const auto& inner) {
          if (!each.name.starts_with("InitialGlobal")) item.set(each.name, (*this)(inner));
        });
        list.push(std::move(item));
      }
      return list;
    } else {
      return (*this)(value);
    }
  }
};

Json entry_of(const anvil::Bone& bone, const Modifier& modifier, const SidecarJson& json_of, bool all_fields) {
  Json entry = Json::object();
  const std::string_view type = known_modifiers()[static_cast<std::size_t>(modifier.type())].name;
  entry.set("bone", anvil::display_name(bone.name)).set("type", type);
  const Json different = different_fields_json(modifier, json_of);
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    if (!is_owner(field) && (all_fields || different.contains(field.name)))
      entry.set(field.name, json_of.value(field, value));
  });
  return entry;
}

Result<std::vector<std::string>> named_bones(const anvil::Skeleton& skeleton, const ApplyModifiersOptions& options) {
  std::vector<std::string> bones = options.bones;
  if (options.chain) {
    if (options.chain->find("..") == std::string::npos)
      return fail(ErrorCode::BadOption, "takes FIRST..LAST, the two ends of the chain", kNoOffset, "chain");
    if (!bones.empty()) return fail(ErrorCode::BadOption, "names bones too; give one of the two", kNoOffset, "chain");
    bones.push_back(*options.chain);
  }
  for (const std::string& bone : bones) MARROW_CHECK(anvil::select_bones(skeleton, bone));
  // The sidecar knows bones by the names that are shown.
  for (std::string& bone : bones)
    if (!anvil::selects_many(bone)) {
      MARROW_TRY(const std::uint32_t hash, anvil::bone_named(skeleton, bone));
      for (const anvil::Bone& each : skeleton.bones)
        if (each.name.hash == hash) bone = anvil::display_name(each.name);
    }
  const bool is_open = options.modifiers.find(kOpenBone) != std::string_view::npos ||
                       (options.modifiers.find("\"bone\"") == std::string_view::npos &&
                        options.modifiers.find("\"chain\"") == std::string_view::npos);
  if (!bones.empty() && !is_open)
    return in_file({ErrorCode::InvalidArgument,
                    "the entries name their own bones, so none can be given; write $bone in their place"},
                   "modifiers");
  return bones;
}

}  // namespace

SavedFile ExtractModifiersReport::text() const {
  const auto bytes = as_bytes(sidecar);
  return {{}, ".json", {bytes.begin(), bytes.end()}};
}

void describe(FieldList& fields, ApplyModifiersOptions& options) {
  fields.input(
      "modifiers", options.modifiers,
      {.help = "a sidecar, or the name of a preset", .placeholder = "JSON", .required = true, .builtin = find_preset});
  fields("bone", options.bones,
         {.help = "the bone of a preset ($bone), or a pattern with *; may be repeated", .placeholder = "BONE"});
  fields("chain", options.chain,
         {.help = "the bones of a preset: one modifier per bone, with values graded along the chain",
          .placeholder = "FIRST..LAST"});
  fields("add", options.add, kAdd);
  fields("force", options.force, kForce);
  fields("id_base", options.id_base, kIdBase);
  fields("game", options.game, {.help = "leave out, with a note, what this game does not have", .placeholder = "GAME"});
}

void describe(FieldList& fields, AppliedModifier& modifier) {
  fields("bone", modifier.bone);
  fields("type", modifier.type);
  fields("replaced", modifier.replaced, {.help = "it took the place of one of its class"});
}

void describe(FieldList& fields, ApplyModifiersReport& report) {
  fields("bones", report.bones);
  fields("modifiers", report.modifiers, {.help = "modifiers that were written"});
  fields("changes", report.changes, {.help = "what was done beside that, in sentences"});
}

void describe(FieldList& fields, ExtractModifiersOptions& options) {
  fields("bone", options.bones,
         {.help = "only modifiers of this bone, a pattern with *, or a chain FIRST..LAST; may be repeated",
          .placeholder = "BONE"});
  fields("type", options.type, {.help = "only modifiers of this class", .placeholder = "TYPE"});
  fields("all_fields", options.all_fields, {.help = "write fields at their default too"});
}

void describe(FieldList& fields, ExtractModifiersReport& report) {
  fields("sidecar", report.sidecar);
  fields("modifiers", report.modifiers, {.help = "number of modifiers in it"});
}

Result<ApplyModifiersReport> apply_modifiers(Document& document, const ApplyModifiersOptions& options,
                                             Context& context) {
  MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context, options.id_base));
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  MARROW_TRY(const std::vector<std::string> bones, named_bones(*skeleton, options));
  MARROW_TRY(Rig rig, anvil::to_model(*skeleton));
  const auto origins = motion::apply_sidecar(as_bytes(options.modifiers), rig, bones, same_class(options.add));
  if (!origins) return in_file(origins.error(), "modifiers");
  ApplyModifiersReport report{.bones = skeleton->bones.size()};
  for (std::size_t i = 0; i < rig.modifiers.size(); ++i)
    if ((*origins)[i].is_given)
      report.modifiers.push_back({rig.skeleton.bones[rig.modifiers[i].owner.target].name,
                                  std::string(class_name(rig.modifiers[i])),
                                  (*origins)[i].before != ModifierOrigin::kNew});
  report.changes = anvil::align_with_axis(rig);
  auto notes = edit_soundly(*skeleton, options.force,
                            [&](anvil::Skeleton& edited) { return anvil::set_modifiers(edited, rig, *origins, game); });
  if (!notes) return in_file(std::move(notes.error()), "modifiers");
  if (report.modifiers.empty()) context.note("no modifier was added");
  report.changes.insert(report.changes.end(), notes->begin(), notes->end());
  return report;
}

Result<ExtractModifiersReport> extract_modifiers(const Document& document, const ExtractModifiersOptions& options,
                                                 Context& context) {
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(document));
  std::optional<ModifierType> only;
  if (options.type) {
    MARROW_TRY(only, modifier_type_named(*options.type));
  }
  std::vector<std::uint32_t> wanted;
  for (const std::string& text : options.bones) {
    MARROW_TRY(const std::vector<std::uint32_t> some, anvil::select_bones(*skeleton, text));
    wanted.insert(wanted.end(), some.begin(), some.end());
  }
  const anvil::Hierarchy tree = anvil::hierarchy_of(*skeleton);
  SidecarJson json_of;
  json_of.skeleton = skeleton;
  json_of.tree = &tree;
  Json entries = Json::array(), priority = Json::object();
  for (const std::int32_t index : tree.depth_first) {
    const anvil::Bone& bone = skeleton->bones[static_cast<std::size_t>(index)];
    if (!wanted.empty() && std::ranges::find(wanted, bone.name.hash) == wanted.end()) continue;
    std::size_t count = entries.size();
    for (const anvil::Modifier& modifier : bone.modifiers) {
      if (only && modifier.type() != *only) continue;
      if (modifier.type() == ModifierType::Unknown)
        context.note("is left out: its class is not known",
                     anvil::display_name(bone.name) + ", " + std::string(class_name(modifier)));
      else
        entries.push(entry_of(bone, modifier, json_of, options.all_fields));
    }
    if (entries.size() > count && bone.solving_priority != 0)
      priority.set(anvil::display_name(bone.name), bone.solving_priority);
  }
  if (entries.size() == 0) return fail(ErrorCode::NotFound, "there is no modifier to extract");
  ExtractModifiersReport report{.modifiers = entries.size()};
  Json sidecar = Json::object();
  if (priority.size() > 0) sidecar.set("priority", std::move(priority));
  sidecar.set("modifiers", std::move(entries));
  report.sidecar = to_text(sidecar) + "\n";
  return report;
}

}  // namespace marrow
