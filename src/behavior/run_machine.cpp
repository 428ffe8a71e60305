// SPDX-License-Identifier: MIT
// How machines change their states.
#include <algorithm>

#include "behavior/condition.h"
#include "behavior/generators.h"
#include "behavior/run_omitted.h"
#include "behavior/run_walk.h"
#include "behavior/tables.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

using havok::ObjectId;

const StateNode* RunWalk::state_numbered(const MachineNode& machine, std::int64_t number) const {
  const auto found =
      std::ranges::find(machine.states, number, [](const StateNode& s) { return std::int64_t{s.number}; });
  return found == machine.states.end() ? nullptr : &*found;
}

const StateNode* RunWalk::start_state(const NodeKey& key, const MachineNode& machine) {
  if (const auto pending = nested_.find(key); pending != nested_.end()) {
    const std::int32_t number = pending->second;
    nested_.erase(pending);
    if (const StateNode* state = state_numbered(machine, number)) return state;
  }
  if (machine.start_mode == 1 && machine.sync_variable >= 0) {
    const auto& variables = graph_of(key).graph.variables;
    const auto at = static_cast<std::size_t>(machine.sync_variable);
    const auto value = at < variables.size() ? value_of(variables[at].name) : std::nullopt;
    if (const StateNode* state = value ? state_numbered(machine, static_cast<std::int64_t>(*value)) : nullptr)
      return state;
  }
  if (machine.start_mode == 2) leave_out("random start states: the start state is taken");
  if (machine.start_mode == 3) leave_out("start states by a chooser: the start state is taken");
  return state_numbered(machine, static_cast<std::int64_t>(member(key, "startStateId")));
}

// Takes the transition of highest priority that the event allows.
bool RunWalk::react(const NodeKey& key, MachineRun& run, const std::string& event) {
  const RunGraph& graph = graph_of(key);
  const MachineNode& machine = *graph.machines.at(key.node);
  if (!run.now) return false;
  const Transition* best = nullptr;
  for (const Transition& each : machine.transitions) {
    if (each.from && *each.from != run.now->number) continue;
    const auto name = event_name(graph.graph, each.event);
    constexpr std::size_t kPerNode = 64;  // bytes of text that take as long as a node
    work(1 + (name ? name->size() / kPerNode : 0));
    if (!name || !equal_ignoring_case(*name, event) || !may_go(key, machine, run, each)) continue;
    const auto rank = [](const Transition& t) { return std::pair(t.priority, t.from.has_value()); };
    if (!best || rank(each) > rank(*best)) best = &each;
  }
  const auto fields = object_at(key).fields();
  if (!best) {
    const auto names_event = [&](std::string_view member_name) {
      const auto name = event_name(graph.graph, static_cast<std::int32_t>(fields.integer(member_name)));
      return name && equal_ignoring_case(*name, event);
    };
    for (const std::string_view other : kMachineEvents)
      if (other != kReturnEvent && names_event(other)) leave_out("events of machines: " + std::string(other));
    if (!names_event(kReturnEvent) || !run.before) return false;
    return change(key, run, *run.before, 0.0, event), true;
  }
  const StateNode* target = state_numbered(machine, best->to);
  for (std::string& text : omitted_of_transition(graph, *best, target == run.now)) leave_out(std::move(text));
  change(key, run, *target, best->blend_seconds.value_or(0.0f), event);
  if ((best->flags & transition_flag::kToNested) != 0) start_nested(key.graph, target->generator, best->to_nested);
  return true;
}

bool RunWalk::may_go(const NodeKey& key, const MachineNode& machine, const MachineRun& run, const Transition& each) {
  if ((each.flags & transition_flag::kDisabled) != 0) return false;
  const StateNode* target = state_numbered(machine, each.to);
  if (!target || member({key.graph, target->id.index}, "enable") == 0.0) return false;
  if (!each.from && target == run.now && (each.flags & transition_flag::kToItself) == 0) return false;
  if ((each.flags & 3) != 0) leave_out("intervals of transitions: taken at any time");
  if ((each.flags & transition_flag::kGlobalWildcard) != 0)
    leave_out("global wildcards of machines that are not active");
  if ((each.flags & transition_flag::kFromNested) != 0) {
    const auto nested = machines_.find(machine_behind(key.graph, run.now->generator));
    if (nested == machines_.end() || !nested->second.now || nested->second.now->number != each.from_nested)
      return false;
  }
  if ((each.flags & transition_flag::kNoCondition) != 0 || each.condition.empty()) return true;
  constexpr std::size_t kPerNode = 8;  // characters of a condition that take as long as a node
  work(each.condition.size() / kPerNode);
  const auto holds = evaluate(each.condition, [&](std::string_view name) { return value_of(name); });
  if (!holds) leave_out("conditions: " + each.condition + " (the transition is not taken)");
  return holds && *holds != 0.0;
}

// The machine that a generator is, perhaps behind nodes that only add to it.
NodeKey RunWalk::machine_behind(std::size_t graph, ObjectId id) const {
  for (int i = 0; i < kDeepestRunNode; ++i) {
    const NodeKey key{graph, id.index};
    if (id.index >= graphs_[graph]->file->objects.size() || graphs_[graph]->machines.contains(id.index)) return key;
    const std::vector<ObjectId> below = nodes_below(*graphs_[graph]->file, id);
    if (below.size() != 1) return key;
    id = below.front();
  }
  return {graph, id.index};
}

void RunWalk::start_nested(std::size_t graph, ObjectId generator, std::int32_t number) {
  const NodeKey key = machine_behind(graph, generator);
  if (const auto run = machines_.find(key); run != machines_.end()) {
    if (const StateNode* state = state_numbered(*graphs_[graph]->machines.at(key.node), number))
      run->second.now = state;
  } else if (graphs_[graph]->machines.contains(key.node)) {
    nested_[key] = number;
  }
}

void RunWalk::change(const NodeKey& key, MachineRun& run, const StateNode& target, double blend,
                     const std::string& event) {
  const MachineNode& machine = *graph_of(key).machines.at(key.node);
  keep_names(machine.name.size() + run.now->name.size() + target.name.size() + event.size());
  result.changes.push_back({now, machine.name, run.now->name, target.name, event});
  begin_again(key, target.generator);
  if (run.is_blending(now)) leave_out("transitions during a blend: what fades out is gone at once");
  if (machine.sync_variable >= 0) leave_out("variables that machines keep their state in");
  notify(key, run.now->id, "exitNotifyEvents");
  notify(key, target.id, "enterNotifyEvents");
  const bool is_same = run.now == &target;
  run.before = run.now;
  run.now = &target;
  run.blend_begin = now;
  run.blend_seconds = is_same ? 0.0 : blend;
}

// What a state plays begins when it is entered, also if it has not ended: entered from itself, or while it fades.
void RunWalk::begin_again(const NodeKey& machine, ObjectId generator) {
  const auto place = place_before_.find(machine);
  if (place == place_before_.end()) return;
  const auto at = before_.begin() + static_cast<std::ptrdiff_t>(place->second);
  auto node = at + 1;
  const auto is_below = [&](const ActiveNode& top) { return node != before_.end() && node->depth > top.depth; };
  while (is_below(*at)) {
    const ActiveNode& top = *node++;
    const bool begins = top.depth == at->depth + 1 && top.key == NodeKey{machine.graph, generator.index};
    if (begins) forget(top.key, machine);
    for (; begins && is_below(top); ++node) forget(node->key, machine);
  }
}

void RunWalk::forget(const NodeKey& key, const NodeKey& machine) {
  if (key == machine) return;  // a machine that contains itself
  machines_.erase(key);
  clips_.erase(key);
}

}  // namespace marrow::behavior
