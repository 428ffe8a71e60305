// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "behavior/graph.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// A place that uses something.
struct Use {
  havok::ObjectId id;
  std::string field;  ///< path inside the node, `transitions[2].eventId`
};

/// Return the index of an event or variable: the exact name, else the first that differs in case only; -1 if there is
/// none.
std::int32_t find_event(const Graph& graph, std::string_view name);
std::int32_t find_variable(const Graph& graph, std::string_view name);

/// Find every index and every expression that uses an event or variable, by ascending node number.
std::vector<Use> uses_of_event(const havok::Packfile& file, const NodeNames& names, std::int32_t event,
                               std::string_view name);
std::vector<Use> uses_of_variable(const havok::Packfile& file, const NodeNames& names, std::int32_t variable,
                                  std::string_view name);
/// Finds clip generators by their name or their animation (its path, or its file name with or without extension), and
/// every pointer to them.
std::vector<Use> uses_of_clip(const havok::Packfile& file, const NodeNames& names, const Graph& graph,
                              std::string_view clip);

}  // namespace marrow::behavior
