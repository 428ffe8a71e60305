// SPDX-License-Identifier: MIT
// Graphs that no game has: wide, deep, and leading into themselves.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "behavior/check.h"
#include "behavior/diff.h"
#include "behavior/draw.h"
#include "behavior/edit.h"
#include "behavior/find.h"
#include "behavior/run.h"
#include "support/behavior_sample.h"
#include "support/processor_time.h"

using namespace marrow;
using namespace marrow::behavior;
using havok::ObjectId;
using havok::Packfile;

namespace {

Packfile fox_behavior() { return test::behavior_project().at("fox/behaviors/fox.hkx"); }

ObjectId add_machine(Packfile& file, const std::string& name) {
  const ObjectId id = file.add("hkbStateMachine");
  file.at(id).fields().set_text("name", name);
  return id;
}

ObjectId add_state_node(Packfile& file, std::int64_t number, ObjectId generator) {
  const ObjectId id = file.add("hkbStateMachineStateInfo");
  havok::Fields state = file.at(id).fields();
  state.set_text("name", "State" + std::to_string(number));
  state.set_integer("stateId", number);
  state.set_pointer("generator", generator);
  state.set_integer("enable", 1);
  return id;
}

void set_root_generator(Packfile& file, ObjectId id) {
  file.at(file.find_all("hkbBehaviorGraph")[0]).fields().set_pointer("rootGenerator", id);
}

// One machine with so many states, which all play one clip.
Packfile wide(std::int64_t states) {
  Packfile file = fox_behavior();
  const ObjectId machine = add_machine(file, "Wide"), clip = file.find_all("hkbClipGenerator")[0];
  std::vector<ObjectId> all;
  for (std::int64_t i = 0; i < states; ++i) all.push_back(add_state_node(file, i, clip));
  file.at(machine).fields().set_pointers("states", all);
  set_root_generator(file, machine);
  return file;
}

// Machines in states of machines.
Packfile deep(std::int64_t levels) {
  Packfile file = fox_behavior();
  ObjectId inner = file.find_all("hkbClipGenerator")[0];
  for (std::int64_t i = 0; i < levels; ++i) {
    const ObjectId state = add_state_node(file, 0, inner);
    inner = add_machine(file, "Deep" + std::to_string(i));
    file.at(inner).fields().set_pointers("states", std::array{state});
  }
  set_root_generator(file, inner);
  return file;
}

// Everything that walks a graph, on one.
Findings walk_all(const Packfile& file) {
  Findings findings = check_file(file);
  const NodeNames names(file);
  const Graph graph = read_graph(file, names);
  CHECK_FALSE(graph_svg(file, names, graph).empty());
  CHECK_FALSE(graph_dot(file, names).empty());
  CHECK(graph_json(file, names)["nodes"].size() > 0);
  CHECK(run_behavior(std::make_shared<const Packfile>(file), {}, {.events = {{"moveStart", 0.1}}, .seconds = 0.2}));
  CHECK(diff_graphs(file, file, 10).empty());
  return findings;
}

double seconds_to_walk(const Packfile& file) {
  const double begin = timing::processor_seconds();
  walk_all(file);
  return timing::processor_seconds() - begin;
}

}  // namespace

TEST_CASE("a machine of 100,000 states costs what its size says") {
  const double small = seconds_to_walk(wide(12'500)), large = seconds_to_walk(wide(100'000));
  MESSAGE("12,500 states: ", small, " s, 100,000 states: ", large, " s");
  CHECK(large < 30.0 * small + 0.5);
}

TEST_CASE("lists of any size are read whole, and what nodes share is bounded") {
  Packfile file = wide(200'000);
  const ObjectId machine = file.find_all("hkbStateMachine").back();
  const ObjectId wildcards = file.add("hkbStateMachineTransitionInfoArray");
  file.at(wildcards).fields().reset_array("transitions", 200'000);
  file.at(machine).fields().set_pointer("wildcardTransitions", wildcards);
  CHECK_FALSE(read_graph(file, NodeNames(file)).is_cut);

  const ObjectId triggers = file.add("hkbClipTriggerArray");
  file.at(triggers).fields().reset_array("triggers", 20'000);
  for (int i = 0; i < 2000; ++i) file.at(file.add("hkbClipGenerator")).fields().set_pointer("triggers", triggers);
  const Graph graph = read_graph(file, NodeNames(file));
  CHECK(graph.is_cut);
  std::size_t read = 0;
  for (const ClipNode& clip : graph.clips) read += clip.triggers.size();
  CHECK(read >= 20'000);
  CHECK(read < 20'000'000);
}

TEST_CASE("machines inside machines are walked to any depth without recursion") {
  const double small = seconds_to_walk(deep(2'500)), large = seconds_to_walk(deep(20'000));
  MESSAGE("2,500 levels: ", small, " s, 20,000 levels: ", large, " s");
  CHECK(large < 30.0 * small + 0.5);
}

TEST_CASE("what all but one of 100,000 states play is removed at the cost of its size") {
  const auto seconds_to_remove = [](std::int64_t states) {
    Packfile file = wide(states);
    const ObjectId other = file.find_all("hkbClipGenerator")[1];
    file.at(file.find_all("hkbStateMachineStateInfo").back()).fields().set_pointer("generator", other);
    const NodeNames names(file);
    const std::string clip(names.of(file.find_all("hkbClipGenerator")[0]));
    const double begin = timing::processor_seconds();
    const auto gone = remove_node(file, clip);
    REQUIRE(gone);
    // The clip, all states but one, and the state of the sample that the machine no longer lists.
    CHECK(gone->size() == static_cast<std::size_t>(states) + 1);
    return timing::processor_seconds() - begin;
  };
  const double small = seconds_to_remove(12'500), large = seconds_to_remove(100'000);
  MESSAGE("12,500 states: ", small, " s, 100,000 states: ", large, " s");
  CHECK(large < 30.0 * small + 0.5);
}

TEST_CASE("names that are not text are drawn as what they are") {
  Packfile file = fox_behavior();
  file.at(file.find_all("hkbClipGenerator")[0])
      .fields()
      .set_text("name",
                "Id\xE9l\x01"
                "e");
  const NodeNames names(file);
  CHECK(graph_svg(file, names, read_graph(file, names)).contains("Id\\xe9l\\x01e"));
  CHECK(graph_dot(file, names).contains("Id\\\\xe9l"));
}

TEST_CASE("a graph that contains itself is an error and no endless walk") {
  Packfile file = fox_behavior();
  const ObjectId machine = file.find_all("hkbStateMachine")[0];
  file.at(file.find_all("hkbStateMachineStateInfo")[0]).fields().set_pointer("generator", machine);
  bool is_found = false;
  for (const Finding& finding : walk_all(file)) is_found |= finding.code == "BHV_CYCLE";
  CHECK(is_found);
}

TEST_CASE("an object that only its class name is left of is no object of that class") {
  for (const char* name : {"hkbBehaviorGraph", "hkbStateMachine", "hkbClipGenerator", "hkbStateMachineStateInfo"}) {
    Packfile file = fox_behavior();
    havok::Opaque opaque;
    opaque.class_name = name;
    havok::Object damaged;
    damaged.set_opaque(std::move(opaque));
    file.at(file.find_all(name)[0]) = std::move(damaged);
    const NodeNames names(file);
    (void)check_file(file);
    (void)graph_svg(file, names, read_graph(file, names));
    CHECK(diff_graphs(file, file, 10).empty());
  }
}
