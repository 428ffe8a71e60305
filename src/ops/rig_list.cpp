// SPDX-License-Identifier: MIT
#include "marrow/ops/rig_list.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/anvil/games.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/names.h"
#include "marrow/core/nearest.h"
#include "marrow/core/text.h"
#include "marrow/model/modifiers_fields.h"
#include "marrow/ops/rig_merge.h"

namespace marrow {
namespace {

/// Values of fields as JSON; links become the names of bones.
struct FieldJson {
  const anvil::Skeleton* skeleton = nullptr;
  const anvil::Hierarchy* tree = nullptr;

  Json operator()(float value) const { return value; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::integral auto value) const { return value; }
  Json operator()(const Vec4& v) const { return Json::Array{v.x, v.y, v.z, v.w}; }
  Json operator()(const Quat& q) const { return Json::Array{q.x, q.y, q.z, q.w}; }
  Json operator()(const FileReference& file) const { return file.id; }
  Json operator()(BoneLink link) const {
    const std::int32_t bone = tree ? tree->find(link) : -1;
    return bone < 0 ? Json() : Json(anvil::display_name(skeleton->bones[static_cast<std::size_t>(bone)].name));
  }
  Json operator()(const Hinge& hinge) const { return record(hinge_fields(), hinge); }
  Json operator()(const RotationExpression& term) const { return record(rotation_expression_fields(), term); }
  template <class T>
  Json operator()(const std::vector<T>& list) const {
    Json json = Json::array();
    for (const auto& item : list) json.push((*this)(static_cast<const T&>(item)));
    return json;
  }
  template <class Object>
  Json record(std::span<const Field> table, const Object& object) const {
    Json json = Json::object();
    walk_fields(table, object, [&](const Field& field, const auto& value) { json.set(field.name, (*this)(value)); });
    return json;
  }
};

bool is_owner(const Field& field) { return field.name == "Owner"; }

Json fields_json(const Modifier& modifier, const FieldJson& json_of) {
  Json json = Json::object();
  walk_fields(modifier, [&](const Field& field, const auto& value) {
    if (!is_owner(field)) json.set(field.name, json_of(value));
  });
  return json;
}

ListedModifier listed(const Modifier& modifier, const FieldJson& json_of) {
  ListedModifier out{.type = std::string(class_name(modifier)), .fields = fields_json(modifier, json_of)};
  out.different = Json::object();
  const Json usual = fields_json(default_modifier(modifier.type()), json_of);
  for (const auto& [name, value] : out.fields.members())
    if (value != usual[name]) out.different.set(name, value);
  return out;
}

RestPose pose_of(const Transform& t) { return {t.translation, t.rotation}; }

ListedBone listed(const anvil::Skeleton& skeleton, const anvil::Hierarchy& tree, std::size_t place,
                  const std::string& file) {
  const auto index = static_cast<std::size_t>(tree.depth_first[place]);
  const anvil::Bone& bone = skeleton.bones[index];
  const FieldJson json_of{&skeleton, &tree};
  ListedBone out{.index = place,
                 .id = bone.id,
                 .name = anvil::display_name(bone.name),
                 .depth = static_cast<std::size_t>(std::max(tree.depth[index], 0)),
                 .origin = file,
                 .local = pose_of(anvil::local_rest(bone)),
                 .global = pose_of(anvil::global_rest(bone))};
  if (const Json parent = json_of(bone.parent); parent.is_text()) out.parent = parent.text();
  if (const Json mirror = json_of(bone.mirror); mirror.is_text()) out.mirror = mirror.text();
  for (const Modifier& modifier : bone.modifiers) out.modifiers.push_back(listed(modifier, json_of));
  return out;
}

ModifierInfo info_of(const ModifierRow& row) {
  ModifierInfo out{.type = std::string(row.name),
                   .class_name = std::string(row.class_name),
                   .summary = std::string(row.summary)};
  for (const Game game : games_of(GameFamily::Anvil)) {
    const anvil::Availability there = anvil::availability(game, row.type);
    if (there != anvil::Availability::No && there != anvil::Availability::NoEffect) out.games.emplace_back(to_string(game));
  }
  walk_fields(default_modifier(row.type), [&](const Field& field, const auto& value) {
    if (is_owner(field)) return;
    ModifierFieldInfo& entry = out.fields.emplace_back();
    entry.name = field.name;
    entry.unit = field.unit;
    entry.help = field.help;
    entry.otherwise = FieldJson{}(value);
    if (field.has_range()) {
      entry.min = static_cast<double>(field.min);
      entry.max = static_cast<double>(field.max);
    }
    if (field.words) entry.choices.emplace(field.words->words.begin(), field.words->words.end());
  });
  return out;
}

}  // namespace

void describe(FieldList& fields, ListRigOptions& options) {
  fields("match", options.match, {.help = "only bones whose name matches, in any case", .placeholder = "PATTERN"});
}

void describe(FieldList& fields, ShowBoneOptions& options) {
  fields("bone", options.bones,
         {.help = "its name, number or x2BA0BB9F", .placeholder = "BONE", .required = true, .positional = true});
}

void describe(FieldList& fields, RestPose& pose) {
  fields("position", pose.position, {.unit = "metres"});
  fields("rotation", pose.rotation);
}

void describe(FieldList& fields, ListedModifier& modifier) {
  fields("type", modifier.type);
  fields("fields", modifier.fields, {.help = "every field by name"});
  fields("different", modifier.different, {.help = "fields that are not at their default"});
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
  fields("modifiers", bone.modifiers);
}

void describe(FieldList& fields, ListRigReport& report) { fields("bones", report.bones); }

void describe(FieldList& fields, ModifierFieldsOptions& options) {
  fields("modifier", options.modifier,
         {.help = "only this one: BallJoint, Hinge, ...", .placeholder = "MODIFIER", .positional = true});
}

void describe(FieldList& fields, ModifierFieldInfo& field) {
  fields("name", field.name);
  fields("unit", field.unit);
  fields("help", field.help);
  fields("default", field.otherwise);
  fields("min", field.min, {.sparse = true});
  fields("max", field.max, {.sparse = true});
  fields("choices", field.choices, {.sparse = true});
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
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(document));
  const anvil::Hierarchy tree = anvil::hierarchy_of(*skeleton);
  ListRigReport report;
  for (std::size_t i = 0; i < tree.depth_first.size(); ++i)
    if (const auto index = static_cast<std::size_t>(tree.depth_first[i]);
        matches(options.match, anvil::display_name(skeleton->bones[index].name)))
      report.bones.push_back(listed(*skeleton, tree, i, document.name));
  return report;
}

Result<ListRigReport> show_bones(const Document& document, const ShowBoneOptions& options, Context&) {
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(document));
  const anvil::Hierarchy tree = anvil::hierarchy_of(*skeleton);
  ListRigReport report;
  for (const std::string& name : options.bones) {
    const std::int32_t found = tree.find_hash(anvil::hash_of(name));
    if (found < 0) {
      std::vector<std::string> names;
      for (const anvil::Bone& bone : skeleton->bones) names.push_back(anvil::display_name(bone.name));
      const std::string_view near = nearest_name(name, std::vector<std::string_view>(names.begin(), names.end()));
      return fail(ErrorCode::NotFound, "there is no bone '" + name + "'" +
                                           (near.empty() ? "" : "; did you mean " + std::string(near) + "?"));
    }
    report.bones.push_back(listed(*skeleton, tree,
                                  static_cast<std::size_t>(tree.position[static_cast<std::size_t>(found)]),
                                  document.name));
  }
  return report;
}

Result<ModifierFieldsReport> modifier_fields_of(const ModifierFieldsOptions& options) {
  ModifierFieldsReport report;
  std::optional<ModifierType> only;
  if (options.modifier) {
    only = find_modifier_type(*options.modifier);
    std::vector<std::string_view> known;
    for (const ModifierRow& row : known_modifiers()) known.push_back(row.name);
    const std::string_view near = nearest_name(*options.modifier, known);
    if (!only)
      return fail(ErrorCode::BadOption,
                  "there is no modifier '" + *options.modifier + "'" +
                      (near.empty() ? "" : "; did you mean " + std::string(near) + "?"),
                  kNoOffset, "modifier");
  }
  for (const ModifierRow& row : known_modifiers())
    if (!only || row.type == *only) report.modifiers.push_back(info_of(row));
  return report;
}

}  // namespace marrow
