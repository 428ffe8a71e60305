// SPDX-License-Identifier: MIT
#include "ops/rig/list.h"

#include <algorithm>
#include <cmath>

#include "anvil/games.h"
#include "anvil/hierarchy.h"
#include "anvil/names.h"
#include "anvil/opaque.h"
#include "anvil/select.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "model/modifiers_fields.h"
#include "ops/rig/edit.h"
#include "ops/rig/merge.h"
#include "ops/rig/modifier_json.h"

namespace marrow {
namespace {

ListedModifier listed(const Modifier& modifier, const FieldJson& json_of, std::string origin) {
  ListedModifier out{
      .type = std::string(class_name(modifier)), .origin = std::move(origin), .fields = fields_json(modifier, json_of)};
  out.different = different_fields_json(modifier, json_of);
  return out;
}

// Adds what the table of fields knows of each field.
void explain(ListedModifier& listed, ModifierType type) {
  listed.defaults = fields_json(default_modifier(type), FieldJson{});
  listed.units = Json::object();
  const auto add = [&](const Field& field, const auto&) {
    if (!field.unit.empty()) listed.units.set(field.name, field.unit);
  };
  walk_fields(default_modifier(type), add);
}

RestPose pose_of(const Transform& t) { return {t.translation, t.rotation}; }

// The fields of a bone that are neither its pose nor a link.
Json other_fields(const anvil::Bone& bone) {
  Json dependencies = Json::array();
  for (const std::uint32_t hash : bone.dependencies) dependencies.push(anvil::unknown_name(hash));
  return Json()
      .set("SolvingPriority", bone.solving_priority)
      .set("MirroringType", bone.mirroring_type)
      .set("Dependencies", std::move(dependencies))
      .set("WrinkleCategory", bone.wrinkle_category)
      .set("WrinkleFactor", bone.wrinkle_factor);
}

// The fields of the skeleton itself. Data whose meaning is not known are listed value by value.
Json skeleton_fields(const anvil::Skeleton& skeleton, const anvil::Hierarchy& tree) {
  const FieldJson json_of{&skeleton, &tree};
  Json json = Json::object();
  json.set("ID", skeleton.id).set("SkeletonType", skeleton.type).set("RootBone", json_of(skeleton.root));
  json.set("RootBoneDefaultLocalPosition", json_of(skeleton.root_default_position));
  json.set("RootBoneDefaultLocalRotation", json_of(skeleton.root_default_rotation));
  json.set("BodyPartMapping", json_of(skeleton.body_part_mapping));
  json.set("LookAtDataSkeletonDefinitionDefault", json_of(skeleton.look_at_data));
  json.set("SkeletonKey", skeleton.key).set("SkeletonHierarchyKey", skeleton.hierarchy_key);
  const std::pair<std::string_view, const anvil::Opaque*> data[] = {
      {"PoseGroups", &skeleton.pose_groups},
      {"IKData", &skeleton.ik_data},
      {"COMData", &skeleton.com_data},
      {"ReflexSystem", &skeleton.reflex_system},
      {"Reflex3Constraints", &skeleton.reflex3_constraints}};
  for (const auto& [name, opaque] : data) {
    Json values = opaque->is_null() ? Json() : Json::object();
    for (const anvil::OpaqueValue& value : anvil::opaque_values(*opaque)) values.set(value.path, value.value);
    json.set(name, std::move(values));
  }
  return json;
}

/// A skeleton to list, with the files that its bones and modifiers are from.
struct Listing {
  const anvil::Skeleton& skeleton;
  std::vector<std::string> files = {};              ///< the base, then the addons
  std::span<const anvil::BoneSource> sources = {};  ///< one per bone; empty: all from the base
  anvil::Hierarchy tree = anvil::hierarchy_of(skeleton);

  std::string file_of(std::int32_t part) const { return files[static_cast<std::size_t>(part + 1)]; }

  ListedBone bone(std::size_t place) const {
    const auto index = static_cast<std::size_t>(tree.depth_first[place]);
    const anvil::Bone& bone = skeleton.bones[index];
    const FieldJson json_of{&skeleton, &tree};
    ListedBone out{.index = place,
                   .id = bone.id,
                   .name = anvil::display_name(bone.name),
                   .depth = static_cast<std::size_t>(std::max(tree.depth[index], 0)),
                   .origin = file_of(sources.empty() ? anvil::kFromBase : sources[index].part),
                   .local = pose_of(anvil::local_rest(bone)),
                   .global = pose_of(anvil::global_rest(bone)),
                   .fields = other_fields(bone)};
    if (const Json parent = json_of(bone.parent); parent.is_text()) out.parent = parent.text();
    if (const Json mirror = json_of(bone.mirror); mirror.is_text()) out.mirror = mirror.text();
    for (std::size_t i = 0; i < bone.modifiers.size(); ++i)
      out.modifiers.push_back(listed(bone.modifiers[i], json_of,
                                     file_of(sources.empty() ? anvil::kFromBase : sources[index].modifiers[i])));
    return out;
  }
};

// Returns the bones that a listing shows.
class BoneFilter {
 public:
  static Result<BoneFilter> make(const Listing& listing, const ListRigOptions& options) {
    BoneFilter filter(listing, options);
    if (options.modifier) {
      MARROW_TRY(filter.type_, modifier_type_named(*options.modifier, "modifier"));
    }
    if (options.below) {
      MARROW_TRY(const std::uint32_t hash, anvil::bone_named(listing.skeleton, *options.below));
      filter.below_ = listing.tree.find_hash(hash);
    }
    return filter;
  }
  bool shows(std::int32_t index) const {
    const anvil::Bone& bone = listing_.skeleton.bones[static_cast<std::size_t>(index)];
    if (!matches(options_.match, anvil::display_name(bone.name))) return false;
    if (options_.moving && bone.modifiers.empty()) return false;
    if (below_ && index != *below_ && !listing_.tree.is_below(index, *below_)) return false;
    const auto is_wanted = [&](const anvil::Modifier& modifier) { return modifier.type() == *type_; };
    return !type_ || std::ranges::any_of(bone.modifiers, is_wanted);
  }

 private:
  BoneFilter(const Listing& listing, const ListRigOptions& options) : listing_(listing), options_(options) {}
  const Listing& listing_;
  const ListRigOptions& options_;
  std::optional<ModifierType> type_;
  std::optional<std::int32_t> below_;
};

template <class Value>
void fill_field(PartFieldInfo& entry, const Field& field, const Value& value) {
  entry.name = field.name;
  entry.unit = field.unit;
  entry.help = field.help;
  entry.otherwise = FieldJson{}(value);
  if (field.has_range()) {
    entry.min = FieldJson{}(field.min).number();
    entry.max = FieldJson{}(field.max).number();
  }
  if (field.words) entry.choices.emplace(field.words->words.begin(), field.words->words.end());
  if (!std::isnan(field.start)) entry.start = FieldJson{}(field.start).number();
}

template <class Part>
std::vector<PartFieldInfo> part_fields() {
  std::vector<PartFieldInfo> fields;
  const Part part{};
  const std::span<const Field> table = std::is_same_v<Part, Hinge> ? hinge_fields() : rotation_expression_fields();
  walk_fields(table, part,
              [&](const Field& field, const auto& value) { fill_field(fields.emplace_back(), field, value); });
  return fields;
}

ModifierInfo info_of(const ModifierRow& row) {
  ModifierInfo out{
      .type = std::string(row.name), .class_name = std::string(row.class_name), .summary = std::string(row.summary)};
  for (const Game game : games_of(GameFamily::Anvil)) {
    const anvil::Availability there = anvil::availability(game, row.type);
    if (there != anvil::Availability::No && there != anvil::Availability::NoEffect)
      out.games.emplace_back(to_string(game));
  }
  walk_fields(default_modifier(row.type), [&](const Field& field, const auto& value) {
    if (is_owner(field)) return;
    ModifierFieldInfo& entry = out.fields.emplace_back();
    fill_field(entry, field, value);
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (kIsPartList<Value>) entry.fields = part_fields<typename Value::value_type>();
  });
  return out;
}

}  // namespace

Json fields_json(const Modifier& modifier, const FieldJson& json_of) {
  Json json = Json::object();
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    if (!is_owner(field)) json.set(field.name, json_of(value));
  });
  return json;
}

Json different_fields_json(const Modifier& modifier, const FieldJson& json_of) {
  Json different = Json::object();
  const Json usual = fields_json(default_modifier(modifier.type()), json_of), all = fields_json(modifier, json_of);
  for (const auto& [name, value] : all.members())
    if (value != usual[name]) different.set(name, value);
  return different;
}

void describe(FieldList& fields, ListRigOptions& options) {
  fields("match", options.match, {.help = "only bones whose name matches, in any case", .placeholder = "PATTERN"});
  fields("below", options.below, {.help = "only this bone and the bones below it", .placeholder = "BONE"});
  fields("modifier", options.modifier, {.help = "only bones with a modifier of this class", .placeholder = "TYPE"});
  fields("moving", options.moving, {.help = "only bones with modifiers"});
  fields.input("addon", options.addons,
               {.help = "merge this addon first; origins say which file a bone is from",
                .placeholder = "ADDON",
                .parts = Parts::None});
}

void describe(FieldList& fields, ShowBoneOptions& options) {
  fields("bone", options.bones,
         {.help = "its name, index, hash or x2BA0BB9F, a pattern with *, or a chain FIRST..LAST",
          .placeholder = "BONE",
          .positional = true,
          .otherwise = "the skeleton itself"});
}

void describe(FieldList& fields, RestPose& pose) {
  fields("position", pose.position, {.unit = "metres"});
  fields("rotation", pose.rotation);
}

void describe(FieldList& fields, ListedModifier& modifier) {
  fields("type", modifier.type);
  fields("origin", modifier.origin, {.help = "the file it is from"});
  fields("fields", modifier.fields, {.help = "every field by name"});
  fields("different", modifier.different, {.help = "fields that are not at their default"});
  fields("defaults", modifier.defaults, {.help = "the default of every field", .sparse = true});
  fields("units", modifier.units, {.help = "the units of fields that have one", .sparse = true});
}

void describe(FieldList& fields, ListedBone& bone) {
  fields("index", bone.index);
  fields("id", bone.id);
  fields("name", bone.name);
  fields("parent", bone.parent);
  fields("depth", bone.depth);
  fields("origin", bone.origin, {.help = "the file it is from"});
  fields("local", bone.local);
  fields("global", bone.global);
  fields("mirror", bone.mirror);
  fields("fields", bone.fields, {.help = "the other fields of the bone"});
  fields("modifiers", bone.modifiers);
}

void describe(FieldList& fields, ListRigReport& report) {
  fields("skeleton", report.skeleton, {.help = "the fields of the skeleton itself"});
  fields("bones", report.bones);
}

void describe(FieldList& fields, ModifierFieldsOptions& options) {
  fields("modifier", options.modifier,
         {.help = "only this one: BallJoint, Hinge, ...", .placeholder = "MODIFIER", .positional = true});
}

void describe(FieldList& fields, PartFieldInfo& field) {
  fields("name", field.name);
  fields("unit", field.unit);
  fields("help", field.help);
  fields("default", field.otherwise);
  fields("start", field.start, {.help = "what a new modifier starts with, if that is not the default", .sparse = true});
  fields("min", field.min, {.sparse = true});
  fields("max", field.max, {.sparse = true});
  fields("choices", field.choices, {.sparse = true});
}

void describe(FieldList& fields, ModifierFieldInfo& field) {
  describe(fields, static_cast<PartFieldInfo&>(field));
  fields("fields", field.fields, {.help = "of a list of parts: the fields of each", .sparse = true});
}

void describe(FieldList& fields, ModifierInfo& modifier) {
  fields("type", modifier.type);
  fields("class_name", modifier.class_name);
  fields("summary", modifier.summary);
  fields("games", modifier.games, {.help = "games that have it"});
  fields("fields", modifier.fields);
}

void describe(FieldList& fields, ModifierFieldsReport& report) { fields("modifiers", report.modifiers); }

Result<ListRigReport> list_rig(const Document& document, const ListRigOptions& options, Context&) {
  MARROW_TRY(const anvil::Skeleton* own, anvil_skeleton(document));
  std::vector<const Document*> stack = {&document};
  stack.insert(stack.end(), options.addons.begin(), options.addons.end());
  StackMerge merged{.stack = stack, .merge = {}};
  if (stack.size() > 1) {
    MARROW_TRY(merged, merge_stack(stack, {}));
    if (!merged.merge.succeeded()) return fail(ErrorCode::Malformed, "the addons do not fit", Cure{"rig plan"});
  }
  Listing listing{.skeleton = stack.size() > 1 ? merged.merge.skeleton : *own, .sources = merged.merge.sources};
  for (const Document* part : merged.stack) listing.files.push_back(part->name);
  MARROW_TRY(const BoneFilter filter, BoneFilter::make(listing, options));
  ListRigReport report{.skeleton = skeleton_fields(listing.skeleton, listing.tree)};
  for (std::size_t i = 0; i < listing.tree.depth_first.size(); ++i)
    if (filter.shows(listing.tree.depth_first[i])) report.bones.push_back(listing.bone(i));
  return report;
}

Result<ListRigReport> show_bones(const Document& document, const ShowBoneOptions& options, Context&) {
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(document));
  const Listing listing{.skeleton = *skeleton, .files = {document.name}};
  ListRigReport report{.skeleton = skeleton_fields(*skeleton, listing.tree)};
  for (const std::string& text : options.bones) {
    MARROW_TRY(const std::vector<std::uint32_t> bones, anvil::select_bones(*skeleton, text));
    for (const std::uint32_t hash : bones) {
      const auto index = static_cast<std::size_t>(listing.tree.find_hash(hash));
      ListedBone& bone =
          report.bones.emplace_back(listing.bone(static_cast<std::size_t>(listing.tree.position[index])));
      for (std::size_t i = 0; i < bone.modifiers.size(); ++i)
        explain(bone.modifiers[i], skeleton->bones[index].modifiers[i].type());
    }
  }
  return report;
}

Result<ModifierFieldsReport> modifier_fields_of(const ModifierFieldsOptions& options) {
  ModifierFieldsReport report;
  std::optional<ModifierType> only;
  if (options.modifier) {
    MARROW_TRY(only, modifier_type_named(*options.modifier, "modifier"));
  }
  for (const ModifierRow& row : known_modifiers())
    if (!only || row.type == *only) report.modifiers.push_back(info_of(row));
  return report;
}

}  // namespace marrow
