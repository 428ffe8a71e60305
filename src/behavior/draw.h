// SPDX-License-Identifier: MIT
/// Behaviour graphs as pictures and as data for other programs.
#pragma once

#include <string>

#include "behavior/graph.h"
#include "core/json.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Returns `nodes` [{`node`, `class`, `name`}], all that the root reaches, and `edges` [{`from`, `to`, `field`}], every
/// pointer between them.
Json graph_json(const havok::Packfile& file, const NodeNames& names);

/// Returns the same nodes and edges for Graphviz.
std::string graph_dot(const havok::Packfile& file, const NodeNames& names);

/// Draws the graph: state machines as boxes that hold their states, states with the transitions that lead out of them
/// and what they play. A node that several lead to is drawn once and named elsewhere. The picture needs no other
/// program; in a browser it can be zoomed, searched and folded. Linear in the size of the file, whatever its depth.
std::string graph_svg(const havok::Packfile& file, const NodeNames& names, const Graph& graph);

}  // namespace marrow::behavior
