// SPDX-License-Identifier: MIT
/// Two behaviour graphs compared by meaning: nodes by name, events and variables by name, whatever their numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// One difference between two graphs.
struct GraphDifference {
  std::string kind;    ///< `event`, `variable`, `property`, `machine`, `state`, `clip`, `node`
  std::string object;  ///< its name; of a node without one, where it hangs: `FoxRoot.wildcardTransitions`
  std::string field = {};
  std::optional<std::string> left = {};  ///< none if the left file has nothing there
  std::optional<std::string> right = {};
};

/// Returns what differs, at most `most` of them. Numbers of nodes, the order of tables and of states, and what the root
/// does not reach make no difference. Both files must be behaviours of one version. Safe on damaged files.
std::vector<GraphDifference> diff_graphs(const havok::Packfile& a, const havok::Packfile& b, std::size_t most);

}  // namespace marrow::behavior
