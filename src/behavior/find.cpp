// SPDX-License-Identifier: MIT
#include "behavior/find.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "behavior/expression.h"
#include "behavior/indices.h"
#include "behavior/texts.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::ObjectId;
using havok::Packfile;

template <class List, class Name>
std::int32_t index_of(const List& list, std::string_view wanted, Name name) {
  std::int32_t nearly = -1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (name(list[i]) == wanted) return static_cast<std::int32_t>(i);
    if (nearly < 0 && equal_ignoring_case(name(list[i]), wanted)) nearly = static_cast<std::int32_t>(i);
  }
  return nearly;
}

std::vector<Use> uses_of_index(const Packfile& file, const NodeNames& names, IndexKind kind, std::int32_t index,
                               std::string_view name) {
  std::vector<Use> uses;
  IndexTable table;
  for (const ObjectId id : names.in_order()) {
    for_each_index(file.at(id), table, [&](const IndexUse& use) {
      if (use.kind == kind && use.value == index) uses.push_back({id, use.place.text(use.member)});
    });
    for_each_expression(file.at(id), [&](FieldsView record, std::string_view member, const Place& place) {
      const auto says = [&](const ExpressionWord& word) {
        return !word.is_function && equal_ignoring_case(word.text, name);
      };
      if (std::ranges::any_of(words_of(record.text(member).value_or(std::string_view())), says))
        uses.push_back({id, place.text(member)});
    });
  }
  return uses;
}

// `mt_idle`, `MT_Idle.hkx` and `Animations\MT_Idle.hkx` all name the same animation.
bool names_animation(std::string_view animation, std::string_view wanted) {
  const auto key = [](std::string_view text) {
    std::string lower = to_lower(text);
    std::ranges::replace(lower, '/', '\\');
    return lower;
  };
  const std::string full = key(animation), asked = key(wanted);
  if (full == asked) return true;
  const std::string_view bare = std::string_view(full).substr(full.find_last_of('\\') + 1);
  return bare == asked || bare.substr(0, bare.find_last_of('.')) == asked;
}

}  // namespace

std::int32_t find_event(const Graph& graph, std::string_view name) {
  return index_of(graph.events, name, [](const std::string& each) -> std::string_view { return each; });
}

std::int32_t find_variable(const Graph& graph, std::string_view name) {
  return index_of(graph.variables, name, [](const Variable& each) -> std::string_view { return each.name; });
}

std::vector<Use> uses_of_event(const Packfile& file, const NodeNames& names, std::int32_t event,
                               std::string_view name) {
  return uses_of_index(file, names, IndexKind::Event, event, name);
}

std::vector<Use> uses_of_variable(const Packfile& file, const NodeNames& names, std::int32_t variable,
                                  std::string_view name) {
  return uses_of_index(file, names, IndexKind::Variable, variable, name);
}

std::vector<Use> uses_of_clip(const Packfile& file, const NodeNames& names, const Graph& graph, std::string_view clip) {
  std::vector<Use> uses;
  std::unordered_set<std::uint32_t> found;
  for (const ClipNode& each : graph.clips) {
    const bool is_named = equal_ignoring_case(each.name, clip);
    if (!is_named && !names_animation(each.animation, clip)) continue;
    found.insert(each.id.index);
    uses.push_back({each.id, is_named ? "name" : "animationName"});
  }
  if (found.empty()) return uses;
  for (const ObjectId id : names.in_order())
    for_each_pointer_place(file.at(id), [&](const Place& place, ObjectId to) {
      if (found.contains(to.index)) uses.push_back({id, place.text()});
    });
  return uses;
}

}  // namespace marrow::behavior
