// SPDX-License-Identifier: MIT
#include "support/sample_packfile.h"

#include <array>
#include <string>

namespace marrow::test {

using namespace havok;

namespace {

void add_variant(Packfile& file, std::uint32_t i, std::string name, ObjectId object) {
  Fields variant = file.at(file.root).fields().element("namedVariants", i);
  variant.set_text("name", std::move(name));
  variant.set_text("className", std::string(file.at(object).class_name()));
  variant.set_pointer("variant", object);
}

ObjectId add_skeleton(Packfile& file) {
  const ObjectId id = file.add("hkaSkeleton");
  Fields skeleton = file.at(id).fields();
  skeleton.set_text("name", "Root");
  skeleton.set_numbers<std::int16_t>("parentIndices", std::array<std::int16_t, 3>{-1, 0, 1});
  skeleton.reset_array("bones", 3);
  const std::array<std::string, 3> names = {"Root", "NPC COM [COM ]", "x"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    Fields bone = skeleton.element("bones", i);
    bone.set_text("name", names[i]);
    bone.set_integer("lockTranslation", i == 2);
  }
  std::array<float, 36> pose{};
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = 0.1f * static_cast<float>(i) - 1.0f;
  skeleton.set_numbers<float>("referencePose", pose);
  skeleton.set_numbers<float>("referenceFloats", std::array<float, 2>{0.0f, 1.0f});
  skeleton.set_texts("floatSlots", std::array<std::string, 2>{"hkVis:Quiver", "odd"});
  return id;
}

ObjectId add_interleaved(Packfile& file) {
  const ObjectId id = file.add("hkaInterleavedUncompressedAnimation");
  Fields animation = file.at(id).fields();
  animation.set_integer("type", 1);
  animation.set_real("duration", 0.1);
  animation.set_integer("numberOfTransformTracks", 1);
  animation.reset_array("annotationTracks", 2);
  animation.element("annotationTracks", 0).set_text("trackName", "");
  Fields track = animation.element("annotationTracks", 1);
  track.set_text("trackName", "NPC");
  track.reset_array("annotations", 2);
  track.element("annotations", 0).set_real("time", 0.05);
  track.element("annotations", 0).set_text("text", "FootLeft");
  track.element("annotations", 1).set_text("text", std::nullopt);
  std::array<float, 12> frame{};
  frame[7] = frame[8] = frame[9] = frame[10] = 1.0f;
  animation.set_numbers<float>("transforms", frame);
  return id;
}

}  // namespace

Packfile sample_packfile(std::string_view version, std::uint32_t pointer_size, bool with_opaque) {
  Packfile file = make_packfile(*builtin_schema(version), pointer_size);
  file.root = file.add("hkRootLevelContainer");
  file.at(file.root).fields().reset_array("namedVariants", with_opaque ? 3 : 2);
  const ObjectId container = file.add("hkaAnimationContainer");
  add_variant(file, 0, "Merged Animation Container", container);
  const ObjectId skeleton = add_skeleton(file), animation = add_interleaved(file),
                 binding = file.add("hkaAnimationBinding");
  Fields bound = file.at(binding).fields();
  bound.set_text("originalSkeletonName", "Root");
  bound.set_pointer("animation", animation);
  bound.set_numbers<std::int16_t>("transformTrackToBoneIndices", std::array<std::int16_t, 1>{2});
  bound.set_integer("blendHint", 1);
  Fields fields = file.at(container).fields();
  fields.set_pointers("skeletons", std::array<ObjectId, 1>{skeleton});
  fields.set_pointers("animations", std::array<ObjectId, 1>{animation});
  fields.set_pointers("bindings", std::array<ObjectId, 2>{binding, ObjectId{}});
  const ObjectId resources = file.add("hkMemoryResourceContainer");
  file.at(resources).fields().set_text("name", "");
  add_variant(file, 1, "Resource Data", resources);
  if (with_opaque) {
    Opaque opaque{
        "CustomClothThing", 0x12345678, std::vector<std::byte>(48, std::byte{0xAB}), {{0, 32}}, {{8, skeleton}}};
    for (const std::size_t at : {0u, 8u})
      for (std::size_t i = 0; i < pointer_size; ++i) opaque.bytes[at + i] = std::byte{0};
    file.objects.emplace_back().set_opaque(std::move(opaque));
    add_variant(file, 2, "Cloth", {static_cast<std::uint32_t>(file.objects.size() - 1)});
  }
  return file;
}

Packfile sample_behaviour(std::uint32_t pointer_size) {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), pointer_size);
  file.root = file.add("hkRootLevelContainer");
  file.at(file.root).fields().reset_array("namedVariants", 1);
  const ObjectId graph = file.add("hkbBehaviorGraph"), machine = file.add("hkbStateMachine"),
                 data = file.add("hkbBehaviorGraphData");
  add_variant(file, 0, "hkbBehaviorGraph", graph);
  Fields g = file.at(graph).fields();
  g.set_text("name", "Sample.hkb");
  g.set_integer("variableMode", 0);
  g.set_pointer("rootGenerator", machine);
  g.set_pointer("data", data);
  std::array<ObjectId, 2> states;
  for (ObjectId& state : states) {
    state = file.add("hkbStateMachineStateInfo");
    const ObjectId clip = file.add("hkbClipGenerator"), bindings = file.add("hkbVariableBindingSet");
    Fields b = file.at(bindings).fields();
    b.reset_array("bindings", 2);
    b.element("bindings", 0).set_text("memberPath", "playbackSpeed");
    b.element("bindings", 1).set_text("memberPath", "enable");
    b.element("bindings", 1).set_integer("variableIndex", 3);
    Fields c = file.at(clip).fields();
    c.set_pointer("variableBindingSet", bindings);
    c.set_text("name", "Walk");
    c.set_text("animationName", "Animations\\Walk.hkx");
    c.set_real("playbackSpeed", 1.0);
    Fields s = file.at(state).fields();
    s.set_pointer("generator", clip);
    s.set_text("name", "WalkState");
    s.set_real("probability", 1.0);
  }
  Fields m = file.at(machine).fields();
  m.set_text("name", "RootMachine");
  m.set_pointers("states", states);
  const ObjectId strings = file.add("hkbBehaviorGraphStringData"), values = file.add("hkbVariableValueSet");
  Fields t = file.at(strings).fields();
  t.set_texts("eventNames", std::array<std::string, 3>{"FootLeft", "FootRight", ""});
  t.set_texts("variableNames", std::array<std::string, 2>{"Speed", "Direction"});
  Fields d = file.at(data).fields();
  d.reset_array("variableInfos", 2);
  d.set_pointer("variableInitialValues", values);
  d.set_pointer("stringData", strings);
  file.at(values).fields().reset_array("wordVariableValues", 2);
  return file;
}

}  // namespace marrow::test
