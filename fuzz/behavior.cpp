// SPDX-License-Identifier: MIT
// Behaviours of any bytes: listed, checked, drawn, run and edited without a crash, and what an edit made is written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "behavior/check.h"
#include "behavior/diff.h"
#include "behavior/draw.h"
#include "behavior/edit.h"
#include "behavior/find.h"
#include "behavior/run.h"
#include "havok/packfile/packfile.h"
#include "havok/text/xml.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const auto bytes = std::as_bytes(std::span(data, size));
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}};
  auto read = size > 0 && data[0] == '<' ? havok::read_xml(bytes, options) : havok::read_packfile(bytes, options);
  if (!read) return 0;
  const auto file = std::make_shared<const havok::Packfile>(std::move(*read));
  (void)behavior::check_file(*file);
  const behavior::NodeNames names(*file);
  const behavior::Graph graph = behavior::read_graph(*file, names);
  (void)behavior::read_character(*file);
  (void)behavior::read_project(*file);
  (void)behavior::graph_svg(*file, names, graph);
  (void)behavior::run_behavior(file, {},
                               {.events = {{graph.events.empty() ? "x" : graph.events[0], 0.1}}, .seconds = 0.3});
  (void)behavior::uses_of_event(*file, names, 0, "x");
  havok::Packfile edited = *file;
  for (const behavior::MachineNode& machine : graph.machines)
    (void)behavior::add_clip(edited,
                             {.machine = std::string(names.of(machine.id)), .name = "n", .animation = "a", .on = "e"});
  if (!graph.clips.empty()) (void)behavior::remove_node(edited, names.of(graph.clips.front().id));
  (void)behavior::diff_graphs(*file, edited, 100);
  if (!behavior::diff_graphs(*file, *file, 1).empty()) std::abort();
  (void)havok::write_packfile(edited);
  return 0;
}
