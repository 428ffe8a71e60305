// SPDX-License-Identifier: MIT
// What a graph has and a run does not evaluate, in words.
#pragma once

#include <string>
#include <vector>

#include "behavior/run_graph.h"

namespace marrow::behavior {

/// Returns what a run leaves out of a node that is active: what its class does beside playing what is below it, its
/// modifiers, and bindings that are not followed. Safe on modifiers that contain themselves.
std::vector<std::string> omitted_of_node(const RunGraph& graph, havok::ObjectId id);

/// Returns what a run leaves out when it takes a transition.
std::vector<std::string> omitted_of_transition(const RunGraph& graph, const Transition& transition, bool is_to_itself);

}  // namespace marrow::behavior
