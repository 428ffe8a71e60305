// SPDX-License-Identifier: MIT
#include "ops/behavior/list.h"

#include "behavior/find.h"
#include "behavior/graph.h"
#include "core/nearest.h"
#include "core/try.h"
#include "ops/behavior/source.h"

namespace marrow {
namespace {

using behavior::Graph;
using behavior::NodeNames;

std::vector<ListedVariable> listed(std::span<const behavior::Variable> variables) {
  std::vector<ListedVariable> list;
  for (const behavior::Variable& each : variables)
    list.push_back({list.size(), each.name, std::string(to_string(each.type)), each.value});
  return list;
}

ListedClip listed(const behavior::ClipNode& clip, const Graph& graph, const NodeNames& names) {
  ListedClip out{.node = std::string(names.of(clip.id)),
                 .name = clip.name,
                 .animation = clip.animation,
                 .speed = clip.speed,
                 .crop_start = clip.crop_start_seconds,
                 .crop_end = clip.crop_end_seconds,
                 .mode = behavior::mode_text(clip.mode),
                 .triggers = {}};
  for (const behavior::Trigger& each : clip.triggers)
    out.triggers.push_back({behavior::event_name(graph, each.event), each.time_seconds, each.is_from_end});
  return out;
}

ListedMachine listed(const behavior::MachineNode& machine, const Graph& graph, const NodeNames& names) {
  ListedMachine out{std::string(names.of(machine.id)), machine.name, machine.start, {}, {}};
  for (const behavior::StateNode& each : machine.states) {
    const std::string generator(names.of(each.generator));
    out.states.push_back({each.number, std::string(names.of(each.id)), each.name,
                          generator.empty() ? std::nullopt : std::optional(generator)});
  }
  for (const behavior::Transition& each : machine.transitions)
    out.transitions.push_back({each.from, each.to, behavior::event_name(graph, each.event), each.flags,
                               each.blend_seconds,
                               each.condition.empty() ? std::nullopt : std::optional(each.condition)});
  return out;
}

std::vector<ListedBinding> listed(std::span<const behavior::Binding> bindings, const Graph& graph,
                                  const NodeNames& names) {
  std::vector<ListedBinding> list;
  for (const behavior::Binding& each : bindings) {
    ListedBinding out{std::string(names.of(each.id)), each.member, std::nullopt, each.is_property};
    const auto at = static_cast<std::size_t>(each.variable);
    if (each.variable >= 0 && each.is_property && at < graph.properties.size()) out.variable = graph.properties[at];
    if (each.variable >= 0 && !each.is_property && at < graph.variables.size()) out.variable = graph.variables[at].name;
    list.push_back(std::move(out));
  }
  return list;
}

Result<void> list_graph(const havok::Packfile& file, const NodeNames& names, BehaviorListReport& report) {
  MARROW_TRY(const Graph graph, behavior::read_whole_graph(file, names));
  report.name = graph.name;
  report.events = graph.events;
  report.variables = listed(graph.variables);
  report.properties = described::Traits<std::vector<std::string>>::get(graph.properties);
  report.references = graph.references;
  report.clips.emplace();
  for (const behavior::ClipNode& clip : graph.clips) report.clips->push_back(listed(clip, graph, names));
  report.machines.emplace();
  for (const behavior::MachineNode& each : graph.machines) report.machines->push_back(listed(each, graph, names));
  report.bindings = listed(graph.bindings, graph, names);
  return {};
}

void list_character(const havok::Packfile& file, BehaviorListReport& report) {
  const behavior::Character character = behavior::read_character(file);
  const auto json = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(); };
  report.name = json(character.name);
  report.rig = json(character.rig);
  report.ragdoll = json(character.ragdoll);
  report.behavior = json(character.behavior);
  report.animations = character.animations;
  report.properties = described::Traits<std::vector<ListedVariable>>::get(listed(character.properties));
}

}  // namespace

Result<std::shared_ptr<const havok::Packfile>> behavior_file(const Document& document, Context& context) {
  MARROW_TRY(std::shared_ptr<const havok::Packfile> file, packfile_as_saved(document, context));
  if (file) return file;
  return in_file({ErrorCode::WrongKind,
                  "behaviours are in packfiles, binary or XML; this is a " + std::string(title(document.format))},
                 document.name);
}

Result<std::shared_ptr<const havok::Packfile>> graph_file(const Document& document, Context& context) {
  MARROW_TRY(std::shared_ptr<const havok::Packfile> file, behavior_file(document, context));
  if (behavior::kind_of(*file) == behavior::FileKind::Behavior) return file;
  return in_file({ErrorCode::WrongKind, "the file holds no behaviour graph"}, document.name);
}

void describe(FieldList& fields, ListedVariable& variable) {
  fields("index", variable.index);
  fields("name", variable.name);
  fields("type", variable.type);
  fields("value", variable.value, {.help = "start value; null for pointers"});
}

void describe(FieldList& fields, ListedTrigger& trigger) {
  fields("event", trigger.event);
  fields("time", trigger.time, {.unit = "seconds"});
  fields("from_end", trigger.is_from_end, {.help = "counted from the end of the clip"});
}

void describe(FieldList& fields, ListedClip& clip) {
  fields("node", clip.node);
  fields("name", clip.name);
  fields("animation", clip.animation);
  fields("speed", clip.speed);
  fields("crop_start", clip.crop_start, {.unit = "seconds"});
  fields("crop_end", clip.crop_end, {.unit = "seconds"});
  fields("mode", clip.mode, {.help = "single, looping, user or ping-pong"});
  fields("triggers", clip.triggers);
}

void describe(FieldList& fields, ListedState& state) {
  fields("id", state.id);
  fields("node", state.node);
  fields("name", state.name);
  fields("generator", state.generator, {.help = "node that it plays"});
}

void describe(FieldList& fields, ListedTransition& transition) {
  fields("from", transition.from, {.help = "state id; null for a wildcard"});
  fields("to", transition.to, {.help = "state id"});
  fields("event", transition.event);
  fields("flags", transition.flags);
  fields("blend", transition.blend, {.help = "duration of the blend, if it has one", .unit = "seconds"});
  fields("condition", transition.condition);
}

void describe(FieldList& fields, ListedMachine& machine) {
  fields("node", machine.node);
  fields("name", machine.name);
  fields("start", machine.start, {.help = "id of the start state"});
  fields("states", machine.states);
  fields("transitions", machine.transitions);
}

void describe(FieldList& fields, ListedBinding& binding) {
  fields("node", binding.node);
  fields("member", binding.member);
  fields("variable", binding.variable);
  fields("property", binding.is_property, {.help = "a character property instead of a variable"});
}

void describe(FieldList&, BehaviorListOptions&) {}

void describe(FieldList& fields, BehaviorListReport& report) {
  // Doors that ask what there may be have no kind, and get all; a file has what its kind has.
  const bool may_lack = report.kind.empty();
  const auto is = [&](std::string_view kind) { return may_lack || report.kind == kind; };
  fields("kind", report.kind, {.help = "project, character, behavior or other"});
  fields("root", report.root, {.help = "node"});
  fields("nodes", report.nodes, {.help = "number of nodes"});
  if (is("project")) fields("characters", report.characters, {.help = "files", .sparse = may_lack});
  if (is("character") || is("behavior")) fields("name", report.name, {.sparse = may_lack});
  if (is("character")) {
    fields("rig", report.rig, {.sparse = may_lack});
    fields("ragdoll", report.ragdoll, {.sparse = may_lack});
    fields("behavior", report.behavior, {.sparse = may_lack});
    fields("animations", report.animations, {.help = "files", .sparse = may_lack});
  }
  if (is("behavior")) {
    fields("events", report.events, {.sparse = may_lack});
    fields("variables", report.variables, {.sparse = may_lack});
  }
  if (is("character") || is("behavior")) fields("properties", report.properties, {.sparse = may_lack});
  if (is("behavior")) {
    fields("references", report.references, {.help = "further behaviour files", .sparse = may_lack});
    fields("clips", report.clips, {.sparse = may_lack});
    fields("machines", report.machines, {.sparse = may_lack});
    fields("bindings", report.bindings, {.sparse = may_lack});
  }
}

Result<BehaviorListReport> list_behavior(const Document& document, const BehaviorListOptions&, Context& context) {
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, behavior_file(document, context));
  const NodeNames names(*file);
  const behavior::FileKind kind = behavior::kind_of(*file);
  BehaviorListReport report{
      .kind = std::string(to_string(kind)), .root = std::string(names.of(file->root)), .nodes = file->objects.size()};
  if (kind == behavior::FileKind::Project) report.characters = behavior::read_project(*file);
  if (kind == behavior::FileKind::Character) list_character(*file, report);
  if (kind == behavior::FileKind::Behavior) MARROW_CHECK(list_graph(*file, names, report));
  return report;
}

void describe(FieldList& fields, BehaviorFindOptions& options) {
  fields("event", options.event, {.help = "what sends, awaits or names this event", .placeholder = "NAME"});
  fields("clip", options.clip,
         {.help = "clip generators of this name or animation, and what leads to them", .placeholder = "NAME"});
  fields("variable", options.variable,
         {.help = "what reads, sets or is driven by this variable", .placeholder = "NAME"});
}

void describe(FieldList& fields, BehaviorUse& use) {
  fields("node", use.node);
  fields("class", use.class_name);
  fields("field", use.field);
}

void describe(FieldList& fields, BehaviorFindReport& report) { fields("uses", report.uses); }

Result<BehaviorFindReport> find_in_behavior(const Document& document, const BehaviorFindOptions& options,
                                            Context& context) {
  if (options.event.has_value() + options.clip.has_value() + options.variable.has_value() != 1)
    return fail(ErrorCode::BadOption, "name one event, clip or variable to find", kNoOffset, "event");
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, graph_file(document, context));
  const NodeNames names(*file);
  MARROW_TRY(const Graph graph, behavior::read_whole_graph(*file, names));
  std::vector<behavior::Use> uses;
  if (options.clip) {
    uses = behavior::uses_of_clip(*file, names, graph, *options.clip);
    std::vector<std::string> known;
    for (const behavior::ClipNode& each : graph.clips) known.push_back(each.name);
    if (uses.empty())
      return fail(ErrorCode::NotFound,
                  "no clip is named \"" + *options.clip + "\"" + did_you_mean(*options.clip, known));
  } else if (options.event) {
    const std::int32_t index = behavior::find_event(graph, *options.event);
    if (index < 0)
      return fail(ErrorCode::NotFound,
                  "there is no event \"" + *options.event + "\"" + did_you_mean(*options.event, graph.events));
    uses = behavior::uses_of_event(*file, names, index, *options.event);
  } else {
    const std::int32_t index = behavior::find_variable(graph, *options.variable);
    std::vector<std::string> known;
    for (const behavior::Variable& each : graph.variables) known.push_back(each.name);
    if (index < 0)
      return fail(ErrorCode::NotFound,
                  "there is no variable \"" + *options.variable + "\"" + did_you_mean(*options.variable, known));
    uses = behavior::uses_of_variable(*file, names, index, *options.variable);
  }
  BehaviorFindReport report;
  for (const behavior::Use& use : uses)
    report.uses.push_back({std::string(names.of(use.id)), std::string(file->at(use.id).class_name()), use.field});
  return report;
}

}  // namespace marrow
