// SPDX-License-Identifier: MIT
// The rules that need no other file (docs/formats/behavior.md). Every message names what the player sees.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "behavior/check.h"
#include "behavior/check_graph.h"
#include "behavior/graph.h"
#include "behavior/indices.h"
#include "behavior/records.h"
#include "behavior/report.h"
#include "behavior/tables.h"
#include "havok/packfile/unreachable.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;
using havok::Packfile;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

// An element that a table lacks, as a value that can be set.
std::string missing_element(std::string_view list, std::uint32_t i) {
  const std::string element = std::string(list) + "[" + std::to_string(i) + "]";
  if (list == "eventInfos") return element + ".flags=0";
  if (list == "wordVariableValues") return element + ".value=0";
  if (list.ends_with("Infos")) return element + ".type=VARIABLE_TYPE_INT32";
  return element + "=unnamed" + std::to_string(i);
}

// Ties the tables of a graph or character to it again, if the file has them.
Cure table_cure(const Packfile& file, ObjectId data, bool is_names, const Report& report) {
  const bool is_graph = object_of(file, data, "hkbBehaviorGraphData") != nullptr;
  const std::string_view values = is_graph ? "variableInitialValues" : "characterPropertyValues";
  const std::string_view names = is_graph ? "hkbBehaviorGraphStringData" : "hkbCharacterStringData";
  const auto tables = objects_of(file, is_names ? names : "hkbVariableValueSet");
  return tables.size() == 1 ? report.set(data, is_names ? "stringData" : values, report.node(tables.front()))
                            : report.set(data);
}

// Brings a list to the length of its table. Names are the measure, unless all that belongs to them agrees on more.
Cure length_cure(const Packfile& file, const TableGroup& group, const TableList& list, std::uint32_t wanted,
                 ObjectId data, const Report& report) {
  const bool has_names = !group.front().id.is_null();
  if (!has_names || list.id.is_null()) return table_cure(file, data, !has_names, report);
  const std::uint32_t count = count_of(file, list.id, list.member);
  constexpr std::uint32_t kMost = 100;  // a longer command would not be read; it can be run again
  std::vector<std::string> words;
  for (std::uint32_t i = std::min(count, wanted); i < std::max(count, wanted) && words.size() < kMost; ++i)
    words.push_back(count < wanted ? missing_element(list.member, i)
                                   : std::string(list.member) + "[" + std::to_string(i) + "]");
  if (count < wanted) return {"behavior set", {{"node", report.node(list.id)}, {"field", std::move(words)}}};
  return {"behavior remove", {{"node", report.node(list.id)}, {"element", std::move(words)}}};
}

// Tables that the game reads side by side.
void compare_counts(const Packfile& file, ObjectId data, Report& report) {
  for (const TableGroup& group : table_groups_of(file)) {
    const TableList& names = group.front();
    const auto size = [&](const TableList& list) { return count_of(file, list.id, list.member); };
    const std::uint32_t named = size(names), others = size(group.back());
    const bool is_short =
        group.size() > 2 && others > named &&
        std::all_of(group.begin() + 1, group.end(), [&](const TableList& each) { return size(each) == others; });
    const std::uint32_t wanted = is_short ? others : named;
    for (const TableList& each : group) {
      if (size(each) == wanted) continue;
      const TableList& first = is_short ? group.back() : names;
      report.error("BHV_TABLE_COUNT", data, each.member,
                   std::to_string(size(first)) + " " + std::string(first.member) + " but " +
                       std::to_string(size(each)) + " " + std::string(each.member) +
                       ": the game reads past the shorter table, crashes or shifts all variables",
                   length_cure(file, group, each, wanted, data, report));
    }
  }
}

// Points the word of a variable at its place in the store, which is made if it is not there.
Cure stored_value_cure(ObjectId values, const std::string& path, bool is_quad, std::uint32_t place, std::uint32_t count,
                       const Report& report) {
  constexpr std::uint32_t kMost = 100;
  std::vector<std::string> fields;
  for (std::uint32_t i = count; i <= place && fields.size() < kMost; ++i)
    fields.push_back((is_quad ? "quadVariableValues[" : "variantVariableValues[") + std::to_string(i) +
                     (is_quad ? "]=(0 0 0 0)" : "]=null"));
  fields.push_back(path + "=" + std::to_string(place));
  return {"behavior set", {{"node", report.node(values)}, {"field", std::move(fields)}}};
}

void check_values(const Packfile& file, const Tables& tables, std::string_view infos, Report& report) {
  const std::vector<VariableType> types = types_of(file, tables.data, infos);
  const std::uint32_t words = count_of(file, tables.values, "wordVariableValues");
  const std::uint32_t quads = count_of(file, tables.values, "quadVariableValues");
  const std::uint32_t variants = count_of(file, tables.values, "variantVariableValues");
  std::uint32_t next_quad = 0, next_variant = 0;  // stores are in the order of the variables
  for (std::uint32_t i = 0; i < std::min<std::size_t>(types.size(), words); ++i) {
    if (!is_quad(types[i]) && types[i] != VariableType::Pointer) continue;
    const std::int64_t word = file.at(tables.values).fields().array("wordVariableValues").record(i).integer("value");
    const std::uint32_t count = is_quad(types[i]) ? quads : variants;
    const std::uint32_t place = is_quad(types[i]) ? next_quad++ : next_variant++;
    if (word >= 0 && word < count) continue;
    const std::string path = "wordVariableValues[" + std::to_string(i) + "].value";
    report.error("BHV_TABLE_VALUE", tables.values, path,
                 "variable " + std::to_string(i) + " is a " + std::string(to_string(types[i])) +
                     ", so its word is an index, but " + std::to_string(word) + " is not below " +
                     std::to_string(count) + ": the game crashes",
                 stored_value_cure(tables.values, path, is_quad(types[i]), place, count, report));
  }
}

void check_twice(std::span<const std::string> names, ObjectId id, std::string_view member, Report& report) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [first, is_new] = seen.try_emplace(names[i], i);
    if (is_new || names[i].empty()) continue;
    report.add(
        "BHV_NAME_TWICE", Level::Info, id, std::string(member) + "[" + std::to_string(i) + "]",
        quoted(names[i]) + " is also number " + std::to_string(first->second) + ": only the first is found by name");
  }
}

void check_behavior_tables(const Packfile& file, const Tables& tables, const Graph& graph, Report& report) {
  if (tables.data.is_null()) return;
  compare_counts(file, tables.data, report);
  check_values(file, tables, "variableInfos", report);
  check_twice(graph.events, tables.strings, "eventNames", report);
  check_twice(texts_of(file, tables.strings, "variableNames"), tables.strings, "variableNames", report);
}

void check_character_tables(const Packfile& file, Report& report) {
  const Tables tables = character_tables_of(file);
  if (tables.data.is_null()) return;
  compare_counts(file, tables.data, report);
  check_values(file, tables, "characterPropertyInfos", report);
}

void check_animation_names(const Packfile& file, Report& report) {
  const Tables tables = character_tables_of(file);
  std::unordered_map<std::string, std::size_t> seen;
  const std::vector<std::string> names = texts_of(file, tables.strings, "animationNames");
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string key = to_lower(names[i]);
    std::ranges::replace(key, '/', '\\');
    const auto [first, is_new] = seen.try_emplace(std::move(key), i);
    if (is_new) continue;
    // The numbers of all others are known to caches, and to characters that share behaviours.
    const bool is_last = i + 1 == names.size();
    report.add("BHV_ANIMATION_TWICE", Level::Warning, tables.strings, "animationNames[" + std::to_string(i) + "]",
               quoted(names[i]) + " is also number " + std::to_string(first->second) +
                   ": the second index is never found, and what is registered under it has no motion",
               is_last ? Cure{"behavior remove", {{"animation", std::to_string(i)}}} : report.set(tables.strings));
  }
}

// Event ids, variables and properties beyond their tables.
void check_indices(const Packfile& file, const Graph& graph, Report& report) {
  IndexTable table;
  for (std::uint32_t i = 0; i < file.objects.size(); ++i)
    for_each_index(file.objects[i], table, [&](const IndexUse& use) {
      struct Row {
        std::string_view code, what, effect;
        std::size_t count;
      };
      const Row rows[] = {
          {"BHV_EVENT", "event", "the game reads past the table: it crashes or sends another event",
           graph.events.size()},
          {"BHV_VARIABLE", "variable", "the game crashes when the node becomes active", graph.variables.size()},
          {"BHV_PROPERTY", "character property", "the game crashes when the node becomes active",
           graph.properties.size()},
      };
      if (use.kind == IndexKind::Bone) return;
      const Row& row = rows[static_cast<std::size_t>(use.kind)];
      const std::int64_t least = use.is_binding ? 0 : -1;
      if (use.value >= least && use.value < static_cast<std::int64_t>(row.count)) return;
      const std::string path = use.place.text(use.member);
      report.error(row.code, {i}, path,
                   std::string(row.what) + " " + std::to_string(use.value) + " does not exist, the file has " +
                       std::to_string(row.count) + ": " + std::string(row.effect),
                   use.is_binding ? report.remove_element({i}, use.place.text()) : report.set({i}, path, "-1"));
    });
}

void check_unused(const Packfile& file, Report& report) {
  const std::vector<bool> is_used = havok::reachable(file);
  for (std::uint32_t i = 0; i < is_used.size(); ++i)
    if (!is_used[i])
      report.add("BHV_UNUSED", Level::Info, {i}, {},
                 std::string(file.objects[i].class_name()) +
                     " is not reached from the root: it has no effect, and it is lost in a packfile");
}

}  // namespace

Findings check_file(const Packfile& file) {
  Findings findings;
  const FileKind kind = kind_of(file);
  if (kind == FileKind::Other) return findings;
  const NodeNames names(file);
  Report report(names, findings);
  if (file.has_node_ids)
    report.add("BHV_IDS", Level::Info, {}, "header",
               "a packfile with node ids is a template of a behaviour engine: the game does not load it",
               Cure{"convert", {{"format", std::string("hkx")}}});
  if (kind == FileKind::Character) {
    check_character_tables(file, report);
    check_animation_names(file, report);
  }
  if (kind == FileKind::Behavior) {
    const Graph graph = read_graph(file, names);
    if (graph.is_cut)
      report.error("BHV_SHARED", {}, {},
                   "its nodes share lists so often that not all of them were read: the file was made to be too much");
    check_behavior_tables(file, tables_of(file), graph, report);
    check_indices(file, graph, report);
    check_graph(file, graph, report);
  }
  check_unused(file, report);
  return findings;
}

}  // namespace marrow::behavior
