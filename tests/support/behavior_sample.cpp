// SPDX-License-Identifier: MIT
#include "support/behavior_sample.h"

#include <array>
#include <bit>

namespace marrow::test {
namespace {

using havok::Fields;
using havok::ObjectId;
using havok::Packfile;

Packfile file_with(std::string_view class_name, std::uint32_t pointer_size, ObjectId& first) {
  Packfile file = havok::make_packfile(*havok::builtin_schema(havok::kVersion2010), pointer_size);
  file.root = file.add("hkRootLevelContainer");
  first = file.add(class_name);
  Fields root = file.at(file.root).fields();
  root.reset_array("namedVariants", 1);
  Fields variant = root.element("namedVariants", 0);
  variant.set_text("name", std::string(class_name));
  variant.set_text("className", std::string(class_name));
  variant.set_pointer("variant", first);
  return file;
}

Packfile project(std::uint32_t pointer_size) {
  ObjectId data;
  Packfile file = file_with("hkbProjectData", pointer_size, data);
  const ObjectId strings = file.add("hkbProjectStringData");
  file.at(data).fields().set_pointer("stringData", strings);
  file.at(strings).fields().set_texts("characterFilenames", std::array<std::string, 1>{"Characters\\Fox.hkx"});
  return file;
}

Packfile character(std::uint32_t pointer_size) {
  ObjectId data;
  Packfile file = file_with("hkbCharacterData", pointer_size, data);
  const ObjectId strings = file.add("hkbCharacterStringData"), values = file.add("hkbVariableValueSet");
  Fields d = file.at(data).fields();
  d.set_pointer("stringData", strings);
  d.set_pointer("characterPropertyValues", values);
  Fields s = file.at(strings).fields();
  s.set_text("name", "Fox");
  s.set_text("rigName", "Character Assets\\skeleton.hkx");
  s.set_text("behaviorFilename", "Behaviors\\Fox.hkx");
  s.set_texts("animationNames",
              std::array<std::string, 3>{"Animations\\Idle.hkx", "Animations\\Walk.hkx", "Animations\\Run.hkx"});
  return file;
}

Packfile rig(std::uint32_t pointer_size) {
  ObjectId container;
  Packfile file = file_with("hkaAnimationContainer", pointer_size, container);
  const ObjectId skeleton = file.add("hkaSkeleton");
  file.at(container).fields().set_pointers("skeletons", std::array{skeleton});
  Fields s = file.at(skeleton).fields();
  s.set_text("name", "Root");
  s.reset_array("bones", 3);
  for (std::uint32_t i = 0; i < 3; ++i) s.element("bones", i).set_text("name", "Bone" + std::to_string(i));
  s.set_numbers("parentIndices", std::span<const std::int16_t>(std::array<std::int16_t, 3>{-1, 0, 1}));
  std::array<float, 36> pose{};
  for (std::size_t i = 0; i < 3; ++i) {
    pose[i * 12 + 7] = 1.0f;
    pose[i * 12 + 8] = pose[i * 12 + 9] = pose[i * 12 + 10] = 1.0f;
  }
  s.set_numbers("referencePose", std::span<const float>(pose));
  return file;
}

ObjectId add_clip_node(Packfile& file, const std::string& name, int mode) {
  const ObjectId id = file.add("hkbClipGenerator");
  Fields clip = file.at(id).fields();
  clip.set_text("name", name);
  clip.set_text("animationName", "Animations\\" + name + ".hkx");
  clip.set_real("playbackSpeed", 1.0);
  clip.set_integer("animationBindingIndex", -1);
  clip.set_integer("mode", mode);
  return id;
}

ObjectId add_transition_node(Packfile& file, int event, int to, int flags) {
  const ObjectId id = file.add("hkbStateMachineTransitionInfoArray");
  Fields list = file.at(id).fields();
  list.reset_array("transitions", 1);
  Fields transition = list.element("transitions", 0);
  transition.set_integer("eventId", event);
  transition.set_integer("toStateId", to);
  transition.set_integer("flags", flags);
  for (const std::string_view interval : {"triggerInterval", "initiateInterval"}) {
    transition.record(interval).set_integer("enterEventId", -1);
    transition.record(interval).set_integer("exitEventId", -1);
  }
  return id;
}

void add_tables(Packfile& file, ObjectId graph) {
  const ObjectId data = file.add("hkbBehaviorGraphData"), strings = file.add("hkbBehaviorGraphStringData"),
                 values = file.add("hkbVariableValueSet");
  file.at(graph).fields().set_pointer("data", data);
  Fields d = file.at(data).fields();
  d.set_pointer("stringData", strings);
  d.set_pointer("variableInitialValues", values);
  d.reset_array("eventInfos", 3);
  d.reset_array("variableInfos", 3);
  constexpr std::array<int, 3> kTypes = {4, 3, 7};  // real, int32, vector4
  for (std::uint32_t i = 0; i < 3; ++i) d.element("variableInfos", i).set_integer("type", kTypes[i]);
  Fields t = file.at(strings).fields();
  t.set_texts("eventNames", std::array<std::string, 3>{"moveStart", "moveStop", "FootLeft"});
  t.set_texts("variableNames", std::array<std::string, 3>{"Speed", "iGait", "Target"});
  Fields v = file.at(values).fields();
  v.reset_array("wordVariableValues", 3);
  v.element("wordVariableValues", 0).set_integer("value", std::bit_cast<std::int32_t>(1.0f));
  v.set_numbers("quadVariableValues", std::span<const float>(std::array<float, 4>{1.0f, 2.0f, 3.0f, 4.0f}));
}

Packfile behavior(std::uint32_t pointer_size) {
  ObjectId graph;
  Packfile file = file_with("hkbBehaviorGraph", pointer_size, graph);
  file.at(graph).fields().set_text("name", "Fox.hkb");
  const ObjectId machine = file.add("hkbStateMachine");
  file.at(graph).fields().set_pointer("rootGenerator", machine);
  add_tables(file, graph);
  const std::array clips = {add_clip_node(file, "Idle", 1), add_clip_node(file, "Walk", 1),
                            add_clip_node(file, "Run", 1)};
  const ObjectId triggers = file.add("hkbClipTriggerArray"), selector = file.add("hkbManualSelectorGenerator"),
                 bindings = file.add("hkbVariableBindingSet"), condition = file.add("hkbExpressionCondition");
  file.at(clips[1]).fields().set_pointer("triggers", triggers);
  Fields list = file.at(triggers).fields();
  list.reset_array("triggers", 1);
  list.element("triggers", 0).set_real("localTime", 0.25);
  list.element("triggers", 0).record("event").set_integer("id", 2);
  Fields s = file.at(selector).fields();
  s.set_text("name", "Gait");
  s.set_pointers("generators", std::array{clips[1], clips[2]});
  s.set_pointer("variableBindingSet", bindings);
  Fields b = file.at(bindings).fields();
  b.reset_array("bindings", 1);
  b.element("bindings", 0).set_text("memberPath", "selectedGeneratorIndex");
  b.element("bindings", 0).set_integer("variableIndex", 1);
  b.set_integer("indexOfBindingToEnable", -1);
  file.at(condition).fields().set_text("expression", "iGait >= 0 && Speed > 0.5");
  constexpr int kNoCondition = 0x100;
  const std::array transitions = {add_transition_node(file, 0, 1, 0), add_transition_node(file, 1, 0, kNoCondition)};
  file.at(transitions[0]).fields().element("transitions", 0).set_pointer("condition", condition);
  std::array<ObjectId, 2> states;
  for (std::size_t i = 0; i < 2; ++i) {
    states[i] = file.add("hkbStateMachineStateInfo");
    Fields state = file.at(states[i]).fields();
    state.set_text("name", i == 0 ? "Standing" : "Moving");
    state.set_integer("stateId", static_cast<std::int64_t>(i));
    state.set_pointer("generator", i == 0 ? clips[0] : selector);
    state.set_pointer("transitions", transitions[i]);
    state.set_real("probability", 1.0);
    state.set_integer("enable", 1);
  }
  Fields m = file.at(machine).fields();
  m.set_text("name", "FoxRoot");
  m.set_pointers("states", states);
  m.record("eventToSendWhenStateOrTransitionChanges").set_integer("id", -1);
  for (const std::string_view member :
       {"returnToPreviousStateEventId", "randomTransitionEventId", "transitionToNextHigherStateEventId",
        "transitionToNextLowerStateEventId", "syncVariableIndex"})
    m.set_integer(member, -1);
  return file;
}

}  // namespace

std::map<std::string, Packfile> behavior_project(std::uint32_t pointer_size) {
  return {{"fox/Fox.hkx", project(pointer_size)},
          {"fox/characters/fox.hkx", character(pointer_size)},
          {"fox/behaviors/fox.hkx", behavior(pointer_size)},
          {"fox/character assets/skeleton.hkx", rig(pointer_size)}};
}

}  // namespace marrow::test
