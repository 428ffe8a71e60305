// SPDX-License-Identifier: MIT
#include "behavior/tables.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "behavior/records.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::ObjectId;
using havok::Packfile;

const havok::Array* array_of(const Packfile& file, ObjectId id, std::string_view member) {
  if (id.index >= file.objects.size() || !file.at(id).type) return nullptr;
  const havok::Member* found = file.at(id).type->find(member);
  return found && havok::is_array(found->type.kind) ? &file.at(id).fields().ref(*found).array() : nullptr;
}

ObjectId first_of(const Packfile& file, std::string_view class_name) {
  const std::vector<ObjectId> all = objects_of(file, class_name);
  return all.empty() ? ObjectId{} : all.front();
}

// Prefers what the object leads to; a file without the object may still hold the table.
ObjectId led_to(const Packfile& file, ObjectId from, std::string_view member, std::string_view class_name) {
  if (from.index >= file.objects.size()) return first_of(file, class_name);
  const ObjectId id = file.at(from).fields().pointer(member);
  return object_of(file, id, class_name) ? id : ObjectId{};
}

Json value_of(const Packfile& file, VariableType type, std::int32_t word, ObjectId values) {
  switch (type) {
    case VariableType::Bool: return word != 0;
    case VariableType::Int8:
    case VariableType::Int16:
    case VariableType::Int32: return word;
    case VariableType::Real: return std::bit_cast<float>(word);
    case VariableType::Vector3:
    case VariableType::Vector4:
    case VariableType::Quaternion: {
      const havok::Array* quads = array_of(file, values, "quadVariableValues");
      const auto at = static_cast<std::size_t>(word);
      if (!quads || word < 0 || at >= quads->count()) return {};
      Json json = Json::array();
      for (std::size_t i = 0; i < 4; ++i) {
        float number = 0.0f;
        std::memcpy(&number, quads->pods().data() + (at * 4 + i) * sizeof(float), sizeof(float));
        json.push(number);
      }
      return json;
    }
    default: return {};
  }
}

}  // namespace

Tables tables_of(const Packfile& file) {
  const ObjectId graph = first_of(file, "hkbBehaviorGraph");
  Tables tables;
  tables.data = led_to(file, graph, "data", "hkbBehaviorGraphData");
  tables.strings = led_to(file, tables.data, "stringData", "hkbBehaviorGraphStringData");
  tables.values = led_to(file, tables.data, "variableInitialValues", "hkbVariableValueSet");
  return tables;
}

Tables character_tables_of(const Packfile& file) {
  Tables tables;
  tables.data = first_of(file, "hkbCharacterData");
  tables.strings = led_to(file, tables.data, "stringData", "hkbCharacterStringData");
  tables.values = led_to(file, tables.data, "characterPropertyValues", "hkbVariableValueSet");
  return tables;
}

std::vector<std::string> texts_of(const Packfile& file, ObjectId id, std::string_view member) {
  std::vector<std::string> texts;
  if (const havok::Array* array = array_of(file, id, member))
    for (const havok::Ref& ref : array->refs()) texts.emplace_back(ref.text().value_or(std::string_view()));
  return texts;
}

std::vector<VariableType> types_of(const Packfile& file, ObjectId data, std::string_view infos) {
  std::vector<VariableType> types;
  if (!array_of(file, data, infos)) return types;
  const havok::ArrayView list = file.at(data).fields().array(infos);
  for (std::uint32_t i = 0; i < list.size(); ++i)
    types.push_back(static_cast<VariableType>(list.record(i).integer("type")));
  return types;
}

std::vector<Variable> variables_of(const Packfile& file, ObjectId strings, std::string_view names, ObjectId data,
                                   std::string_view infos, ObjectId values) {
  const std::vector<VariableType> types = types_of(file, data, infos);
  std::vector<Variable> variables;
  const std::uint32_t words = count_of(file, values, "wordVariableValues");
  for (std::string& name : texts_of(file, strings, names)) {
    const auto i = static_cast<std::uint32_t>(variables.size());
    Variable variable{std::move(name), i < types.size() ? types[i] : VariableType::Invalid, {}};
    if (i < words) {
      const auto word = file.at(values).fields().array("wordVariableValues").record(i).integer("value");
      variable.value = value_of(file, variable.type, static_cast<std::int32_t>(word), values);
    }
    variables.push_back(std::move(variable));
  }
  return variables;
}

std::uint32_t count_of(const Packfile& file, ObjectId id, std::string_view member) {
  const havok::Array* array = array_of(file, id, member);
  return array ? array->count() : 0;
}

std::vector<TableGroup> table_groups_of(const Packfile& file) {
  std::vector<TableGroup> groups;
  if (const Tables graph = tables_of(file); object_of(file, graph.data, "hkbBehaviorGraphData")) {
    groups.push_back({{graph.strings, "eventNames"}, {graph.data, "eventInfos"}});
    groups.push_back(
        {{graph.strings, "variableNames"}, {graph.data, "variableInfos"}, {graph.values, "wordVariableValues"}});
    groups.push_back({{graph.strings, "characterPropertyNames"}, {graph.data, "characterPropertyInfos"}});
  }
  if (const Tables own = character_tables_of(file); object_of(file, own.data, "hkbCharacterData"))
    groups.push_back({{own.strings, "characterPropertyNames"},
                      {own.data, "characterPropertyInfos"},
                      {own.values, "wordVariableValues"}});
  return groups;
}

namespace {

// The group that a list of a node is in.
std::optional<TableGroup> group_around(const Packfile& file, ObjectId id, std::string_view member) {
  for (TableGroup& group : table_groups_of(file))
    for (const TableList& each : group)
      if (each.id == id && each.member == member) return std::move(group);
  return std::nullopt;
}

}  // namespace

bool may_grow(const Packfile& file, ObjectId id, std::string_view member) {
  const auto group = group_around(file, id, member);
  if (!group) return true;
  const std::uint32_t count = count_of(file, id, member);
  return std::ranges::any_of(*group,
                             [&](const TableList& each) { return count_of(file, each.id, each.member) > count; });
}

bool may_shrink(const Packfile& file, ObjectId id, std::string_view member, std::uint32_t index) {
  if (object_of(file, id, "hkbVariableValueSet") && member != "wordVariableValues") return false;
  const auto group = group_around(file, id, member);
  return !group || index >= count_of(file, group->front().id, group->front().member);
}

}  // namespace marrow::behavior
