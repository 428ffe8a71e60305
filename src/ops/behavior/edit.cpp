// SPDX-License-Identifier: MIT
#include "ops/behavior/edit.h"

#include "behavior/edit.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/behavior/source.h"
#include "ops/document/origin.h"
#include "ops/table/script.h"

namespace marrow {
namespace {

using havok::ObjectId;
using havok::Packfile;

// Edits a copy of the packfile, which becomes the document's own if that works.
template <class Edit>
Result<BehaviorEditReport> edit_packfile(Document& document, Context& context, Edit edit) {
  MARROW_CHECK(behavior_file(document, context));
  MARROW_TRY(Document saved, as_saved(document, context));
  auto* origin = own_origin_of<HavokOrigin>(saved);
  if (!origin) return fail(ErrorCode::WrongKind, "behaviours are in packfiles, binary or XML");
  Packfile file = origin->file;
  BehaviorEditReport report;
  MARROW_CHECK(edit(file, report));
  report.nodes = file.objects.size();
  origin->file = std::move(file);
  document = std::move(saved);
  return report;
}

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void tell_events(const std::vector<std::string>& events, BehaviorEditReport& report) {
  if (!events.empty()) report.changes.push_back("added the events " + listed_names(events));
}

void tell_added(const Packfile& file, const behavior::Added& added, ObjectId node, std::string_view what,
                BehaviorEditReport& report) {
  const behavior::NodeNames names(file);
  tell_events(added.events, report);
  report.node = std::string(names.of(node));
  report.state = added.number;
  report.changes.push_back("added " + std::string(what) + " " + *report.node + " as state " +
                           std::to_string(added.number));
}

Result<behavior::NewTrigger> trigger_of(const std::string& text) {
  const std::size_t colon = text.find_last_of(':');
  const auto time = colon == std::string::npos ? std::nullopt : parse_float(std::string_view(text).substr(colon + 1));
  if (!time || !std::isfinite(*time) || colon == 0)
    return fail(ErrorCode::BadOption, "\"" + text + "\" is not EVENT:SECONDS", kNoOffset, "trigger");
  return behavior::NewTrigger{text.substr(0, colon), *time};
}

/// Most nodes that all lines of a script may look at together: 2,500 lines on the largest graph of the game.
constexpr std::size_t kMostNodesSeen = 10'000'000;

std::size_t nodes_of(const Document& document) { return document.packfile() ? document.packfile()->objects.size() : 0; }

constexpr FieldText kMachine{
    .help = "the state machine, by its node or its name", .placeholder = "NODE", .required = true};
constexpr FieldText kStateId{.help = "its id", .placeholder = "ID", .otherwise = "one more than the highest"};
constexpr FieldText kOn{.help = "event of a wildcard transition to it; added if it is missing", .placeholder = "EVENT"};
constexpr FieldText kTo{.help = "write for this game", .placeholder = "GAME", .otherwise = "the input's"};

}  // namespace

void describe(FieldList& fields, BehaviorEditReport& report) {
  fields("nodes", report.nodes, {.help = "number of nodes of the file now"});
  fields("node", report.node, {.help = "the node that was added", .sparse = true});
  fields("state", report.state, {.help = "id of the state that was added", .sparse = true});
  fields("index", report.index, {.help = "of the variable or animation that was added", .sparse = true});
  fields("changes", report.changes, {.help = "what was done, in sentences"});
}

void describe(FieldList& fields, AddBehaviorEventOptions& options) {
  fields("name", options.names,
         {.help = "names of the events", .placeholder = "NAME", .required = true, .positional = true});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, AddVariableOptions& options) {
  fields("name", options.name, {.help = "its name", .placeholder = "NAME", .required = true, .positional = true});
  fields("type", options.type, {.help = "its type"});
  fields(
      "value", options.value,
      {.help = "its start value: true, 3, 2.5, or four numbers in one text", .placeholder = "VALUE", .otherwise = "0"});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, AddAnimationOptions& options) {
  fields("animation", options.animations,
         {.help = "paths below the folder of the project, such as Animations\\walk.hkx",
          .placeholder = "PATH",
          .required = true});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, AddClipOptions& options) {
  fields("machine", options.machine, kMachine);
  fields("name", options.name, {.help = "name of the clip and of its state", .placeholder = "CLIP", .required = true});
  fields("animation", options.animation,
         {.help = "the file it plays, as the character lists it", .placeholder = "PATH", .required = true});
  fields("mode", options.mode, {.help = "how it plays"});
  fields("speed", options.speed, {.help = "playback speed", .placeholder = "S"});
  fields("trigger", options.triggers,
         {.help = "an event at a time from the start; added if it is missing", .placeholder = "EVENT:SECONDS"});
  fields("state", options.state, kStateId);
  fields("on", options.on, kOn);
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, AddStateOptions& options) {
  fields("machine", options.machine, kMachine);
  fields("name", options.name, {.help = "its name", .placeholder = "NAME", .required = true});
  fields("generator", options.generator, {.help = "the node that it plays", .placeholder = "NODE", .required = true});
  fields("state", options.state, kStateId);
  fields("on", options.on, kOn);
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, AddTransitionOptions& options) {
  fields("machine", options.machine, kMachine);
  fields("from", options.from, {.help = "id of the state, or any", .placeholder = "ID", .required = true});
  fields("to", options.to, {.help = "id of the state that it leads to", .placeholder = "ID", .required = true});
  fields("event", options.event, {.help = "added if it is missing", .placeholder = "EVENT", .required = true});
}

void describe(FieldList& fields, SetFieldOptions& options) {
  fields("node", options.node, {.help = "such as #0123", .placeholder = "NODE", .required = true, .positional = true});
  fields("field", options.fields,
         {.help = "e.g. startStateId=2, playbackSpeed=1.5, transitions[2].eventId=attackStop, generator=#0130",
          .placeholder = "FIELD=VALUE",
          .required = true,
          .positional = true});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, RemoveNodeOptions& options) {
  fields("node", options.node,
         {.help = "a node, with what only it leads to", .placeholder = "NODE", .positional = true});
  fields(
      "element", options.elements,
      {.help = "not the node but this element of one of its lists, e.g. transitions[2], bindings[0]; may be repeated",
       .placeholder = "LIST[N]"});
  fields("event", options.event, {.help = "an event that nothing uses", .placeholder = "NAME"});
  fields("variable", options.variable, {.help = "a variable that nothing uses", .placeholder = "NAME"});
  fields("animation", options.animation, {.help = "an entry of a character's list, by its index", .placeholder = "N"});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, RenameOptions& options) {
  fields("event", options.event, {.help = "the event to rename", .placeholder = "OLD"});
  fields("variable", options.variable, {.help = "the variable to rename", .placeholder = "OLD"});
  fields("name", options.name, {.help = "its new name", .placeholder = "NEW", .required = true, .positional = true});
  fields("to", options.game, kTo);
}

void describe(FieldList& fields, BehaviorScriptOptions& options) {
  fields.input("script", options.scripts,
               {.help = "edits, one per line: a verb of behavior with its words, without FILE and -o",
                .placeholder = "SCRIPT",
                .required = true,
                .positional = true});
  fields("to", options.game, kTo);
}

Result<BehaviorEditReport> add_behavior_event(Document& document, const AddBehaviorEventOptions& options,
                                              Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    MARROW_TRY(const std::vector<std::string> added, behavior::add_events(file, options.names));
    tell_events(added, report);
    for (const std::string& name : options.names)
      if (std::ranges::find(added, name) == added.end()) context.note("there is an event \"" + name + "\" already");
    return {};
  });
}

Result<BehaviorEditReport> add_variable(Document& document, const AddVariableOptions& options, Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    const auto type = static_cast<behavior::VariableType>(options.type);
    MARROW_TRY(report.index, behavior::add_variable(file, options.name, type, options.value));
    report.changes.push_back("added the variable " + options.name + " as number " + std::to_string(*report.index));
    return {};
  });
}

Result<BehaviorEditReport> add_animation(Document& document, const AddAnimationOptions& options, Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    for (const std::string& animation : options.animations) {
      const std::size_t before = behavior::read_character(file).animations.size();
      MARROW_TRY(const std::int32_t index, behavior::add_animation(file, animation));
      const std::vector<std::string> list = behavior::read_character(file).animations;
      if (list.size() == before)
        context.note("\"" + animation + "\" is number " + std::to_string(index) + " already");
      else
        report.changes.push_back("added " + list.back() + " as number " + std::to_string(index));
      report.index = index;
    }
    return {};
  });
}

Result<BehaviorEditReport> add_clip(Document& document, const AddClipOptions& options, Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    behavior::NewClip clip{.machine = options.machine,
                           .name = options.name,
                           .animation = options.animation,
                           .mode = static_cast<std::int32_t>(options.mode),
                           .speed = static_cast<float>(options.speed),
                           .triggers = {},
                           .state = options.state,
                           .on = options.on};
    for (const std::string& text : options.triggers) {
      MARROW_TRY(behavior::NewTrigger trigger, trigger_of(text));
      clip.triggers.push_back(std::move(trigger));
    }
    MARROW_TRY(const behavior::Added added, behavior::add_clip(file, clip));
    tell_added(file, added, added.generator, "clip", report);
    return {};
  });
}

Result<BehaviorEditReport> add_state(Document& document, const AddStateOptions& options, Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    MARROW_TRY(const behavior::Added added, behavior::add_state(file, {.machine = options.machine,
                                                                       .name = options.name,
                                                                       .generator = options.generator,
                                                                       .state = options.state,
                                                                       .on = options.on}));
    tell_added(file, added, added.state, "state", report);
    return {};
  });
}

Result<BehaviorEditReport> add_transition(Document& document, const AddTransitionOptions& options, Context& context) {
  std::optional<std::int32_t> from;
  if (!equal_ignoring_case(options.from, "any")) {
    const auto number = parse_int(options.from);
    if (!number || *number < INT32_MIN || *number > INT32_MAX)
      return fail(ErrorCode::BadOption, "takes the id of a state, or any", kNoOffset, "from");
    from = static_cast<std::int32_t>(*number);
  }
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    MARROW_TRY(const std::vector<std::string> events,
               behavior::add_transition(file, options.machine, from, options.to, options.event));
    tell_events(events, report);
    report.changes.push_back("added a transition from " + (from ? "state " + std::to_string(*from) : "any state") +
                             " to state " + std::to_string(options.to) + " on " + options.event);
    return {};
  });
}

Result<BehaviorEditReport> set_field(Document& document, const SetFieldOptions& options, Context& context) {
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    std::vector<behavior::FieldValue> fields;
    for (const std::string_view field : options.fields) {
      const std::size_t equals = field.find('=');
      if (equals == std::string::npos || equals == 0)
        return fail(ErrorCode::BadOption, "\"" + std::string(field) + "\" is not FIELD=VALUE", kNoOffset, "field");
      fields.push_back({field.substr(0, equals), field.substr(equals + 1)});
      report.changes.push_back(options.node + ": " + std::string(field));
    }
    return behavior::set_fields(file, options.node, fields);
  });
}

Result<BehaviorEditReport> remove_node(Document& document, const RemoveNodeOptions& options, Context& context) {
  if (options.node.has_value() + options.event.has_value() + options.variable.has_value() +
          options.animation.has_value() !=
      1)
    return fail(ErrorCode::BadOption, "name one node, event, variable or animation to remove", kNoOffset, "node");
  if (!options.elements.empty() && !options.node)
    return fail(ErrorCode::BadOption, "is of a node; name it", kNoOffset, "element");
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    if (!options.elements.empty()) {
      MARROW_TRY(const std::vector<std::string> gone,
                 behavior::remove_list_elements(file, *options.node, options.elements));
      report.changes.push_back("removed " + listed_names(options.elements) + " of " + *options.node +
                               (gone.empty() ? "" : " and " + listed_names(gone)));
    } else if (options.event) {
      MARROW_CHECK(behavior::remove_event(file, *options.event));
      report.changes.push_back("removed the event " + *options.event);
    } else if (options.variable) {
      MARROW_CHECK(behavior::remove_variable(file, *options.variable));
      report.changes.push_back("removed the variable " + *options.variable);
    } else if (options.animation) {
      const auto index = parse_int(*options.animation);
      if (!index || *index < 0 || *index > INT32_MAX)
        return fail(ErrorCode::BadOption, "takes the index of an entry", kNoOffset, "animation");
      MARROW_CHECK(behavior::remove_animation(file, static_cast<std::int32_t>(*index)));
      report.changes.push_back("removed animation " + std::to_string(*index) +
                               "; those after it have moved, in this character only");
    } else {
      MARROW_TRY(const std::vector<std::string> gone, behavior::remove_node(file, *options.node));
      report.changes.push_back("removed " + listed_names(gone));
    }
    return {};
  });
}

Result<BehaviorEditReport> rename_in_behavior(Document& document, const RenameOptions& options, Context& context) {
  if (options.event.has_value() == options.variable.has_value())
    return fail(ErrorCode::BadOption, "name one event or variable to rename", kNoOffset, "event");
  return edit_packfile(document, context, [&](Packfile& file, BehaviorEditReport& report) -> Result<void> {
    const std::string& old_name = options.event ? *options.event : *options.variable;
    MARROW_TRY(const std::size_t expressions, options.event ? behavior::rename_event(file, old_name, options.name)
                                                            : behavior::rename_variable(file, old_name, options.name));
    report.changes.push_back(old_name + " is " + options.name + ", also in " + std::to_string(expressions) +
                             (expressions == 1 ? " expression" : " expressions"));
    context.note("other files know it by its old name; rename it there too");
    return {};
  });
}

Result<BehaviorEditReport> run_behavior_script(Document& document, const BehaviorScriptOptions& options,
                                               Context& context) {
  MARROW_CHECK(behavior_file(document, context));
  BehaviorEditReport report;
  const ScriptVerbs verbs{.group = "behavior ",
                          .self = "behavior edit",
                          .what = "a behaviour",
                          .size = &nodes_of,
                          .most_seen = kMostNodesSeen,
                          .sized_as = "a behaviour of ",
                          .parts = " nodes"};
  MARROW_CHECK(run_scripts(document, options.scripts, verbs, context, [&](const std::string& place, const Json& done) {
    for (const Json& change : done["changes"].items()) report.changes.push_back(place + ": " + change.text());
  }));
  report.nodes = document.packfile()->objects.size();
  return report;
}

}  // namespace marrow
