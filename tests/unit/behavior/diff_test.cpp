// SPDX-License-Identifier: MIT
#include "behavior/diff.h"

#include <doctest/doctest.h>

#include <array>

#include "behavior/edit.h"
#include "support/behavior_sample.h"

using namespace marrow;
using namespace marrow::behavior;
using havok::Packfile;

namespace {

Packfile fox_graph() { return test::behavior_project().at("fox/behaviors/fox.hkx"); }

std::string clip_node(const Packfile& file) {
  return std::string(NodeNames(file).of(file.find_all("hkbClipGenerator")[1]));
}

}  // namespace

TEST_CASE("a graph does not differ from itself, in whatever order its objects and states stand") {
  Packfile file = fox_graph();
  CHECK(diff_graphs(file, file, 100).empty());
  Packfile turned = file;
  havok::Fields machine = turned.at(turned.find_all("hkbStateMachine")[0]).fields();
  const std::array<havok::ObjectId, 2> states = {turned.find_all("hkbStateMachineStateInfo")[1],
                                                 turned.find_all("hkbStateMachineStateInfo")[0]};
  machine.set_pointers("states", states);
  CHECK(diff_graphs(file, turned, 100).empty());
}

TEST_CASE("an event that is gone is the only difference, though all indices after it have moved") {
  Packfile with = fox_graph();
  REQUIRE(add_events(with, std::array<std::string, 2>{"unused", "late"}));
  const std::string triggers(NodeNames(with).of(with.find_all("hkbClipTriggerArray")[0]));
  REQUIRE(set_field(with, triggers, "triggers[0].event.id", "late"));
  Packfile without = with;
  REQUIRE(remove_event(without, "unused"));
  const auto found = diff_graphs(with, without, 100);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "event");
  CHECK(found[0].object == "unused");
  CHECK(found[0].left);
  CHECK_FALSE(found[0].right);
}

TEST_CASE("what is added to a graph and what is changed in it is named by what people call it") {
  const Packfile before = fox_graph();
  Packfile after = before;
  REQUIRE(add_clip(after, {.machine = "FoxRoot", .name = "Howl", .animation = "Animations\\Howl.hkx", .on = "howl"}));
  REQUIRE(set_field(after, clip_node(after), "playbackSpeed", "2"));
  bool has_state = false, has_clip = false, has_speed = false, has_event = false;
  for (const GraphDifference& each : diff_graphs(before, after, 100)) {
    has_state |= each.kind == "state" && each.object == "FoxRoot/Howl" && !each.left;
    has_clip |= each.kind == "clip" && each.object == "Howl" && !each.left;
    has_event |= each.kind == "event" && each.object == "howl" && !each.left;
    has_speed |= each.kind == "clip" && each.object == "Walk" && each.field == "playbackSpeed" &&
                 each.left == "1.000000" && each.right == "2.000000";
  }
  CHECK(has_state);
  CHECK(has_clip);
  CHECK(has_speed);
  CHECK(has_event);
  CHECK(diff_graphs(before, after, 2).size() == 2);
}
