// SPDX-License-Identifier: MIT
#include "behavior/edit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "behavior/check.h"
#include "behavior/draw.h"
#include "behavior/find.h"
#include "behavior/run.h"
#include "support/behavior_sample.h"

using namespace marrow;
using namespace marrow::behavior;
using havok::Packfile;

namespace {

Packfile sample() { return test::behavior_project().at("fox/behaviors/fox.hkx"); }
Graph graph_of(const Packfile& file) { return read_graph(file, NodeNames(file)); }

std::string errors_of(const Packfile& file) {
  std::string text;
  for (const Finding& finding : check_file(file))
    if (finding.level != Level::Info) text += finding.code + " " + finding.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("a clip is added with its state, its events and the transition that leads to it") {
  Packfile file = sample();
  const auto added = add_clip(file, {.machine = "FoxRoot",
                                     .name = "Howl",
                                     .animation = "Animations\\Howl.hkx",
                                     .triggers = {{"HowlSound", 0.5f}},
                                     .on = "howl"});
  REQUIRE(added);
  CHECK(added->number == 2);
  CHECK(added->events == std::vector<std::string>{"HowlSound", "howl"});
  const Graph graph = graph_of(file);
  CHECK(graph.events.size() == 5);
  REQUIRE(graph.machines[0].states.size() == 3);
  CHECK(graph.machines[0].states[2].generator == added->generator);
  const Transition& wildcard = graph.machines[0].transitions.front();
  CHECK_FALSE(wildcard.from);
  CHECK(wildcard.to == 2);
  CHECK(wildcard.flags == 0x900);
  CHECK(errors_of(file) == "");
}

TEST_CASE("an edit that fails leaves the file as it was") {
  Packfile file = sample();
  const Packfile before = file;
  CHECK(add_clip(file, {.machine = "Nowhere", .name = "x", .animation = "y"}).error().code == ErrorCode::BadOption);
  CHECK(add_state(file, {.machine = "FoxRoot", .name = "x", .generator = "#9999"}).error().path == "generator");
  CHECK_FALSE(add_transition(file, "FoxRoot", 0, 12, "new"));
  CHECK_FALSE(add_variable(file, "speed", VariableType::Real, ""));
  CHECK_FALSE(add_variable(file, "b", VariableType::Int8, "1000"));
  CHECK_FALSE(remove_event(file, "moveStart"));
  CHECK_FALSE(remove_variable(file, "iGait"));
  CHECK_FALSE(rename_event(file, "moveStart", "MOVESTOP"));
  CHECK_FALSE(set_field(file, "#9999", "name", "x"));
  CHECK(file == before);
}

TEST_CASE("removing an event moves the indices of those after it") {
  Packfile file = sample();
  REQUIRE(add_events(file, std::vector<std::string>{"last"}));
  const NodeNames names(file);
  REQUIRE(set_field(file, names.of(file.find_all("hkbStateMachineTransitionInfoArray")[1]), "transitions[0].eventId",
                    "last"));
  REQUIRE(remove_event(file, "moveStop"));
  const Graph graph = graph_of(file);
  CHECK(graph.events == std::vector<std::string>{"moveStart", "FootLeft", "last"});
  CHECK(
      event_name(graph, graph.clips[1].triggers.empty() ? -1 : graph.clips[1].triggers[0].event).value_or("FootLeft") ==
      "FootLeft");
  CHECK(event_name(graph, graph.machines[0].transitions[1].event) == "last");
  CHECK(errors_of(file) == "");
}

TEST_CASE("removing a vector variable keeps the store and the words of the others right") {
  Packfile file = sample();
  REQUIRE(add_variable(file, "Aim", VariableType::Vector4, "5 6 7 8"));
  REQUIRE(remove_variable(file, "Target"));
  const Graph graph = graph_of(file);
  REQUIRE(graph.variables.size() == 3);
  CHECK(graph.variables[2].name == "Aim");
  CHECK(to_text(graph.variables[2].value, false) == "[5,6,7,8]");
  CHECK(errors_of(file) == "");
}

TEST_CASE("renaming a variable renames it in expressions") {
  Packfile file = sample();
  CHECK(rename_variable(file, "iGait", "iPace") == 1);
  CHECK(graph_of(file).machines[0].transitions[0].condition == "iPace >= 0 && Speed > 0.5");
  CHECK(errors_of(file) == "");
}

TEST_CASE("removing a clip takes the states that play it, and the transitions to them") {
  Packfile file = sample();
  const Graph before = graph_of(file);
  const auto gone = remove_node(file, std::string(NodeNames(file).of(before.machines[0].states[0].generator)));
  REQUIRE(gone);
  const Graph graph = graph_of(file);
  REQUIRE(graph.machines[0].states.size() == 1);
  CHECK(graph.machines[0].start == 1);
  CHECK(graph.machines[0].transitions.empty());
  CHECK(graph.clips.size() == 2);
  CHECK(errors_of(file) == "");
}

TEST_CASE("removing an element of a list moves what names elements by their index") {
  Packfile file = sample();
  const auto first = [&](std::string_view name) { return file.at(file.find_all(name)[0]).fields(); };
  havok::Fields bindings = first("hkbVariableBindingSet");
  bindings.reset_array("bindings", 3);
  const char* const paths[] = {"generators:0/playbackSpeed", "generators:1/playbackSpeed", "userData"};
  for (std::uint32_t i = 0; i < 3; ++i) bindings.element("bindings", i).set_text("memberPath", paths[i]);
  bindings.set_integer("indexOfBindingToEnable", 2);
  first("hkbManualSelectorGenerator").set_integer("selectedGeneratorIndex", 1);
  const auto clip = first("hkbManualSelectorGenerator").view().array("generators").pointer(0);
  REQUIRE(remove_node(file, NodeNames(file).of(clip)));
  CHECK(first("hkbManualSelectorGenerator").view().integer("selectedGeneratorIndex") == 0);
  const havok::FieldsView left = first("hkbVariableBindingSet").view();
  REQUIRE(left.array("bindings").size() == 2);
  CHECK(left.array("bindings").record(0).text("memberPath") == "generators:0/playbackSpeed");
  CHECK(left.array("bindings").record(1).text("memberPath") == "userData");
  CHECK(left.integer("indexOfBindingToEnable") == 1);
}

TEST_CASE("an element of a list goes by itself, with what only it led to, unless others know it by its index") {
  Packfile file = sample();
  const auto node = [&](std::string_view name, std::size_t i = 0) {
    return std::string(NodeNames(file).of(file.find_all(name)[i]));
  };
  const auto remove = [&](const std::string& of, std::vector<std::string> elements) {
    return remove_list_elements(file, of, elements);
  };
  const std::string selector = node("hkbManualSelectorGenerator");
  file.at(file.find_all("hkbManualSelectorGenerator")[0]).fields().set_integer("selectedGeneratorIndex", 1);
  const auto gone = remove(selector, {"generators[0]"});
  REQUIRE(gone);
  CHECK(gone->size() == 2);  // the clip and its triggers
  CHECK(file.at(file.find_all("hkbManualSelectorGenerator")[0]).fields().view().integer("selectedGeneratorIndex") == 0);
  CHECK(errors_of(file) == "");
  const Packfile before = file;
  CHECK(remove(node("hkbManualSelectorGenerator"), {"generators[0]"})
            .error()
            .message.contains("cannot be without generators"));
  CHECK(remove(node("hkbStateMachine"), {"states[0]"}).error().message.contains("transitions lead to state"));
  CHECK(remove(node("hkbBehaviorGraphStringData"), {"eventNames[0]"}).error().message.contains("part of a table"));
  CHECK(remove(node("hkbBehaviorGraphData"), {"eventInfos[2]"}).error().message.contains("part of a table"));
  CHECK(remove(node("hkbVariableValueSet"), {"quadVariableValues[0]"}).error().message.contains("part of a table"));
  CHECK(remove(node("hkbStateMachine"), {"states"}).error().path == "element");
  CHECK(remove(node("hkbStateMachine"), {"states[9]"}).error().path == "element");
  CHECK(file.objects == before.objects);
  // Several at once, by their indices before the edit.
  const auto list = file.find_all("hkbStateMachineTransitionInfoArray")[0];
  REQUIRE(set_field(file, NodeNames(file).of(list), "transitions[1].toStateId", "1"));
  REQUIRE(set_field(file, NodeNames(file).of(list), "transitions[2].toStateId", "0"));
  REQUIRE(remove(std::string(NodeNames(file).of(list)), {"transitions[0]", "transitions[1]"}));
  const auto left =
      file.at(file.find_all("hkbStateMachineTransitionInfoArray")[0]).fields().view().array("transitions");
  REQUIRE(left.size() == 1);
  CHECK(left.record(0).integer("toStateId") == 0);
  CHECK(left.record(0).integer("eventId") == -1);
  CHECK(left.record(0).record("triggerInterval").integer("enterEventId") == -1);
}

TEST_CASE("the element after the last one is made, but not in a table that is complete") {
  Packfile file = sample();
  const auto name = [&](std::string_view type) { return std::string(NodeNames(file).of(file.find_all(type)[0])); };
  const std::string bindings = name("hkbVariableBindingSet");
  REQUIRE(set_field(file, bindings, "bindings[1].memberPath", "userData"));
  CHECK(errors_of(file).contains("BHV_VARIABLE"));  // until its variable is set
  REQUIRE(set_field(file, bindings, "bindings[1].variableIndex", "iGait"));
  CHECK(errors_of(file) == "");
  CHECK_FALSE(set_field(file, bindings, "bindings[3].memberPath", "userData"));
  CHECK_FALSE(set_field(file, name("hkbBehaviorGraphData"), "eventInfos[3].flags", "0"));
  CHECK_FALSE(set_field(file, name("hkbVariableValueSet"), "wordVariableValues[3].value", "0"));
  file.at(file.find_all("hkbBehaviorGraphData")[0]).fields().reset_array("eventInfos", 2);
  CHECK(errors_of(file).contains("BHV_TABLE_COUNT"));
  REQUIRE(set_field(file, name("hkbBehaviorGraphData"), "eventInfos[2].flags", "0"));
  CHECK(errors_of(file) == "");
}

TEST_CASE("values of one node are set together, though each pointer numbers a plain packfile anew") {
  Packfile file = sample();
  const auto selector = file.find_all("hkbManualSelectorGenerator")[0];
  const std::string node(NodeNames(file).of(selector));
  const std::string idle(NodeNames(file).of(file.find_all("hkbClipGenerator")[0]));
  REQUIRE(set_fields(
      file, node,
      std::array<FieldValue, 3>{{{"generators[0]", "null"}, {"generators[1]", idle}, {"generators[0]", idle}}}));
  const havok::ArrayView list = std::as_const(file).at(selector).fields().array("generators");
  CHECK(list.pointer(0) == file.find_all("hkbClipGenerator")[0]);
  CHECK(list.pointer(1) == file.find_all("hkbClipGenerator")[0]);
  const Packfile before = file;
  CHECK_FALSE(set_field(file, node, "generators[2].nothing", "null"));
  CHECK(file.objects == before.objects);
}

TEST_CASE("a variable of a character is a property of it") {
  Packfile file = test::behavior_project().at("fox/characters/fox.hkx");
  REQUIRE(add_variable(file, "Weight", VariableType::Real, "2.5") == 0);
  const Character character = read_character(file);
  REQUIRE(character.properties.size() == 1);
  CHECK(character.properties[0].name == "Weight");
  CHECK(character.properties[0].value.number() == 2.5);
  CHECK(errors_of(file) == "");
}

TEST_CASE("a graph cannot lose its only state") {
  Packfile file = sample();
  const auto graph = graph_of(file);
  CHECK_FALSE(remove_node(file, NodeNames(file).of(graph.machines[0].id)));
}

TEST_CASE("everything that uses an event, a variable or a clip is found") {
  const Packfile file = sample();
  const NodeNames names(file);
  CHECK(uses_of_event(file, names, 2, "FootLeft").size() == 1);
  CHECK(uses_of_event(file, names, 2, "FootLeft")[0].field == "triggers[0].event.id");
  CHECK(uses_of_variable(file, names, 1, "iGait").size() == 2);          // a binding and a condition
  CHECK(uses_of_clip(file, names, graph_of(file), "walk").size() == 2);  // the clip and the selector
}

TEST_CASE("a run starts in the start state, follows events, selects by variables and fires triggers") {
  const auto file = std::make_shared<const Packfile>(sample());
  const RunFiles files{.behavior = {}, .animation = [](const std::string&) { return RunAnimation{1.0, {}}; }};
  const auto run = run_behavior(
      file, files, {.events = {{"moveStart", 0.5}, {"moveStop", 2.0}}, .seconds = 3.0, .frames_per_second = 10.0});
  REQUIRE(run);
  REQUIRE(run->changes.size() == 2);
  CHECK(run->changes[0].to == "Moving");
  CHECK(run->changes[0].seconds == 0.5);
  CHECK(run->changes[1].seconds == 2.0);
  CHECK(run->rows.size() == 31);
  CHECK(run->rows[0].clip == "Idle");
  CHECK(run->rows[6].clip == "Walk");
  CHECK(run->rows[6].clip_seconds == doctest::Approx(0.1));
  CHECK(run->rows.back().state == "Standing");
  std::vector<double> steps;
  for (const RunSent& sent : run->sent)
    if (sent.event == "FootLeft") steps.push_back(sent.seconds);
  REQUIRE(steps.size() == 2);  // each loop of one second
  CHECK(steps[0] == doctest::Approx(0.75));
  CHECK(steps[1] == doctest::Approx(1.75));
  const auto runs =
      run_behavior(file, files, {.events = {{"moveStart", 0.0}}, .variables = {{"iGait", 1.0}}, .seconds = 0.2});
  REQUIRE(runs);
  CHECK(runs->rows.back().clip == "Run");
  const auto held =
      run_behavior(file, files, {.events = {{"moveStart", 0.0}}, .variables = {{"Speed", 0.0}}, .seconds = 0.2});
  REQUIRE(held);
  CHECK(held->changes.empty());
}

TEST_CASE("what a state plays begins when it is entered, from itself and while it fades") {
  Packfile file = sample();
  const auto machine = file.find_all("hkbStateMachine")[0];
  const auto wildcards = file.add("hkbStateMachineTransitionInfoArray");
  file.at(machine).fields().set_pointer("wildcardTransitions", wildcards);
  file.at(wildcards).fields().reset_array("transitions", 1);
  havok::Fields again = file.at(wildcards).fields().element("transitions", 0);
  again.set_integer("eventId", 2);  // FootLeft
  again.set_integer("flags", transition_flag::kToItself | transition_flag::kNoCondition);
  file.at(file.find_all("hkbClipGenerator")[1]).fields().set_pointer("triggers", {});
  const auto effect = file.add("hkbBlendingTransitionEffect");
  file.at(effect).fields().set_real("duration", 1.0);
  for (const auto id : file.find_all("hkbStateMachineTransitionInfoArray"))
    file.at(id).fields().element("transitions", 0).set_pointer("transition", effect);
  const RunFiles files{.behavior = {}, .animation = [](const std::string&) { return RunAnimation{10.0, {}}; }};
  const auto run = run_behavior(std::make_shared<const Packfile>(file), files,
                                {.events = {{"FootLeft", 0.5}, {"moveStart", 1.0}, {"moveStop", 1.5}, {"typo", 1.6}},
                                 .seconds = 2.0,
                                 .frames_per_second = 10.0});
  REQUIRE(run);
  std::map<double, double> idle;
  for (const RunRow& row : run->rows)
    if (row.clip == "Idle") idle[std::round(row.seconds * 10.0) / 10.0] = row.clip_seconds;
  CHECK(idle[0.4] == doctest::Approx(0.4));
  CHECK(idle[0.9] == doctest::Approx(0.4));
  CHECK(idle[1.4] == doctest::Approx(0.9));  // fades
  CHECK(idle[1.6] == doctest::Approx(0.1));
  const auto names = [&](const char* text) {
    return std::ranges::find(run->not_evaluated, text) != run->not_evaluated.end();
  };
  CHECK(names("transitions during a blend: what fades out is gone at once"));
  CHECK(std::ranges::find(run->not_evaluated, "events that no behaviour of the run has: typo") !=
        run->not_evaluated.end());
}

TEST_CASE("what a run meets and does not evaluate is named, down to the modifiers in a list") {
  Packfile file = sample();
  const auto state = file.find_all("hkbStateMachineStateInfo")[0];
  const auto clip = file.find_all("hkbClipGenerator")[0];
  const auto blender = file.add("hkbBlenderGenerator"), child = file.add("hkbBlenderGeneratorChild"),
             weights = file.add("hkbBoneWeightArray"), wrapper = file.add("hkbModifierGenerator"),
             list = file.add("hkbModifierList"), inner = file.add("hkbModifierList"),
             look = file.add("BSLookAtModifier"), active = file.add("BSIsActiveModifier"),
             effect = file.add("hkbBlendingTransitionEffect");
  file.at(blender).fields().set_integer("flags", 1);
  file.at(blender).fields().set_pointers("children", std::array{child});
  file.at(child).fields().set_real("weight", 1.0);
  file.at(child).fields().set_pointer("boneWeights", weights);
  file.at(child).fields().set_pointer("generator", clip);
  file.at(wrapper).fields().set_pointer("modifier", list);
  file.at(wrapper).fields().set_pointer("generator", blender);
  file.at(list).fields().set_pointers("modifiers", std::array{look, inner, list});
  file.at(inner).fields().set_pointers("modifiers", std::array{active, look});
  file.at(state).fields().set_pointer("generator", wrapper);
  file.at(effect).fields().set_integer("flags", 2);
  for (const auto id : file.find_all("hkbStateMachineTransitionInfoArray")) {
    file.at(id).fields().element("transitions", 0).set_pointer("transition", effect);
    file.at(id).fields().element("transitions", 0).set_integer("flags", transition_flag::kNoCondition | 0x10);
  }
  const RunFiles files{.behavior = {}, .animation = [](const std::string&) { return RunAnimation{1.0, {}}; }};
  const auto run =
      run_behavior(std::make_shared<const Packfile>(file), files, {.events = {{"moveStart", 0.1}}, .seconds = 0.2});
  REQUIRE(run);
  CHECK(run->not_evaluated ==
        std::vector<std::string>{"modifiers: BSLookAtModifier", "modifiers: BSIsActiveModifier",
                                 "blenders that keep their clips in step: each clip has its own time",
                                 "bone weights of blenders: a child counts for the whole body",
                                 "transitions that wait: taken at once", "transitions that keep clips in step"});
}

TEST_CASE("a clip lasts as long as it is told to, whatever is cropped, and one that plays backwards is named") {
  Packfile file = sample();
  havok::Fields idle = file.at(file.find_all("hkbClipGenerator")[0]).fields();
  idle.set_real("cropStartAmountLocalTime", 0.5);
  idle.set_real("cropEndAmountLocalTime", 0.5);
  idle.set_real("enforcedDuration", 4.0);
  idle.set_integer("mode", 0);
  const RunFiles files{.behavior = {}, .animation = [](const std::string&) { return RunAnimation{3.0, {}}; }};
  const RunOptions options{.seconds = 4.0, .frames_per_second = 1.0};
  const auto run = run_behavior(std::make_shared<const Packfile>(file), files, options);
  REQUIRE(run);
  REQUIRE(run->rows.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(run->rows[i].clip_seconds == doctest::Approx(0.5 * static_cast<double>(i)));
  CHECK(run->not_evaluated.empty());
  idle.set_real("enforcedDuration", 0.0);
  idle.set_real("playbackSpeed", -1.0);
  const auto back = run_behavior(std::make_shared<const Packfile>(file), files, options);
  REQUIRE(back);
  CHECK(back->not_evaluated ==
        std::vector<std::string>{"clips that play backwards: without triggers, from their start time"});
}

TEST_CASE("a state in which no clip plays has rows too, and a clip that is set from outside stands where it is set") {
  Packfile file = sample();
  const auto reference = file.add("hkbBehaviorReferenceGenerator");
  file.at(reference).fields().set_text("behaviorName", "Behaviors\\Elsewhere.hkx");
  file.at(file.find_all("hkbStateMachineStateInfo")[0]).fields().set_pointer("generator", reference);
  const auto walk = file.find_all("hkbClipGenerator")[1];
  file.at(walk).fields().set_integer("mode", 2);
  file.at(walk).fields().set_real("userControlledTimeFraction", 0.25);
  const RunFiles files{.behavior = {}, .animation = [](const std::string&) { return RunAnimation{2.0, {}}; }};
  const auto run = run_behavior(std::make_shared<const Packfile>(file), files,
                                {.events = {{"moveStart", 0.1}}, .seconds = 0.2, .frames_per_second = 10.0});
  REQUIRE(run);
  REQUIRE(run->rows.size() == 3);
  CHECK(run->rows[0].state == "Standing");
  CHECK(run->rows[0].clip.empty());
  CHECK(run->rows[0].weight == 1.0);
  CHECK(run->rows[0].source == RunRow::kNoSource);
  CHECK(run->rows[2].clip == "Walk");
  CHECK(run->rows[2].clip_seconds == 0.5);
}

TEST_CASE("a drawn graph has every node and every state") {
  const Packfile file = sample();
  const NodeNames names(file);
  const Json json = graph_json(file, names);
  CHECK(json["nodes"].size() == file.objects.size());
  CHECK(graph_dot(file, names).find("->") != std::string::npos);
  const std::string svg = graph_svg(file, names, graph_of(file));
  for (const char* text : {"Standing", "Moving", "moveStart", "Animations\\Walk.hkx"})
    CHECK(svg.find(text) != std::string::npos);
}
