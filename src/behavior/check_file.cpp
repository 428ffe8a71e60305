// SPDX-License-Identifier: MIT
// The rules that need no other file (docs/formats/behavior.md). Every message names what the player sees.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "behavior/check_graph.h"
#include "behavior/indices.h"
#include "behavior/report.h"
#include "behavior/tables.h"
#include "havok/packfile/unreachable.h"
#include "behavior/check.h"
#include "behavior/graph.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;
using havok::Packfile;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

// Tables that the game reads side by side.
struct Count {
  std::string_view what;
  std::uint32_t count;
};

void compare_counts(std::initializer_list<Count> counts, ObjectId data, Report& report) {
  const Count& first = *counts.begin();
  for (const Count& each : counts) {
    if (each.count == first.count) continue;
    report.error("BHV_TABLE_COUNT", data, each.what,
                 std::to_string(first.count) + " " + std::string(first.what) + " but " + std::to_string(each.count) +
                     " " + std::string(each.what) +
                     ": the game reads past the shorter table, crashes or shifts all variables. Add what is missing");
    return;
  }
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
                 place < count ? report.set(tables.values, path, std::to_string(place)) : report.set(tables.values));
  }
}

void check_twice(std::span<const std::string> names, ObjectId id, std::string_view member, Report& report) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [first, is_new] = seen.try_emplace(names[i], i);
    if (is_new || names[i].empty()) continue;
    report.add("BHV_NAME_TWICE", Level::Info, id, std::string(member) + "[" + std::to_string(i) + "]",
               quoted(names[i]) + " is also number " + std::to_string(first->second) +
                   ": only the first is found by name");
  }
}

void check_behavior_tables(const Packfile& file, const Tables& tables, const Graph& graph, Report& report) {
  if (tables.data.is_null()) return;
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  compare_counts({{"eventNames", size(graph.events)}, {"eventInfos", count_of(file, tables.data, "eventInfos")}},
                 tables.data, report);
  compare_counts({{"variableNames", size(graph.variables)},
                  {"variableInfos", count_of(file, tables.data, "variableInfos")},
                  {"wordVariableValues", count_of(file, tables.values, "wordVariableValues")}},
                 tables.data, report);
  compare_counts({{"characterPropertyNames", size(graph.properties)},
                  {"characterPropertyInfos", count_of(file, tables.data, "characterPropertyInfos")}},
                 tables.data, report);
  check_values(file, tables, "variableInfos", report);
  check_twice(graph.events, tables.strings, "eventNames", report);
  check_twice(texts_of(file, tables.strings, "variableNames"), tables.strings, "variableNames", report);
}

void check_character_tables(const Packfile& file, Report& report) {
  const Tables tables = character_tables_of(file);
  if (tables.data.is_null()) return;
  compare_counts({{"characterPropertyNames", count_of(file, tables.strings, "characterPropertyNames")},
                  {"characterPropertyInfos", count_of(file, tables.data, "characterPropertyInfos")},
                  {"wordVariableValues", count_of(file, tables.values, "wordVariableValues")}},
                 tables.data, report);
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
                   use.is_binding ? report.set({i}) : report.set({i}, path, "-1"));
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
