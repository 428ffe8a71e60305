// SPDX-License-Identifier: MIT
#pragma once

#include "behavior/graph.h"
#include "behavior/report.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Checks machines, generators, bindings and expressions of a behaviour graph.
void check_graph(const havok::Packfile& file, const Graph& graph, Report& report);

}  // namespace marrow::behavior
