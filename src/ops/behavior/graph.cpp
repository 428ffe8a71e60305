// SPDX-License-Identifier: MIT
#include "ops/behavior/graph.h"

#include "behavior/draw.h"
#include "behavior/graph.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "ops/behavior/source.h"

namespace marrow {

void describe(FieldList& fields, BehaviorGraphOptions& options) {
  fields("format", options.format, {.help = "a picture, Graphviz' language, or nodes and pointers as data"});
}

void describe(FieldList& fields, BehaviorGraphReport& report) {
  fields("nodes", report.nodes, {.help = "number of nodes"});
  fields("machines", report.machines, {.help = "number of state machines"});
  fields("states", report.states, {.help = "number of states"});
}

SavedFile BehaviorGraphReport::text() const {
  const auto bytes = as_bytes(drawn);
  return {.extension = extension, .bytes = {bytes.begin(), bytes.end()}};
}

Result<BehaviorGraphReport> draw_behavior(const Document& document, const BehaviorGraphOptions& options,
                                          Context& context) {
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, graph_file(document, context));
  const behavior::NodeNames names(*file);
  MARROW_TRY(const behavior::Graph graph, behavior::read_whole_graph(*file, names));
  BehaviorGraphReport report{.nodes = file->objects.size(), .machines = graph.machines.size()};
  for (const behavior::MachineNode& machine : graph.machines) report.states += machine.states.size();
  report.extension = "." + std::string(ChoiceWords<GraphFormat>::words[static_cast<std::size_t>(options.format)]);
  switch (options.format) {
    case GraphFormat::Svg: report.drawn = behavior::graph_svg(*file, names, graph); break;
    case GraphFormat::Dot: report.drawn = behavior::graph_dot(*file, names); break;
    case GraphFormat::Json: report.drawn = to_text(behavior::graph_json(*file, names)) + "\n"; break;
  }
  return report;
}

}  // namespace marrow
