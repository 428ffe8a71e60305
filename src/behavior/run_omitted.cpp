// SPDX-License-Identifier: MIT
#include "behavior/run_omitted.h"

#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "behavior/records.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::ObjectId;

using Texts = std::vector<std::string>;

// The classes of a modifier and, if it is a list, of those in it.
void name_modifiers(const RunGraph& graph, ObjectId first, Texts& texts) {
  constexpr std::size_t kMost = 4096;  // many generators may share one list
  std::unordered_set<std::uint32_t> seen;
  std::unordered_set<std::string_view> told;
  std::vector<ObjectId> open = {first};
  while (!open.empty() && seen.size() < kMost) {
    const ObjectId id = open.back();
    open.pop_back();
    if (id.index >= graph.file->objects.size() || !seen.insert(id.index).second) continue;
    if (const havok::Object* list = object_of(*graph.file, id, "hkbModifierList")) {
      const havok::ArrayView modifiers = list->fields().array("modifiers");
      for (std::uint32_t i = modifiers.size(); i-- > 0;) open.push_back(modifiers.pointer(i));
    } else if (const std::string_view name = graph.file->at(id).class_name(); told.insert(name).second) {
      texts.push_back("modifiers: " + std::string(name));
    }
  }
}

void name_blender(const RunGraph& graph, const FieldsView& fields, Texts& texts) {
  constexpr std::int64_t kSync = 1, kSmooth = 4, kCyclic = 32;
  const std::int64_t flags = fields.integer("flags");
  if ((flags & kSync) != 0) texts.emplace_back("blenders that keep their clips in step: each clip has its own time");
  if ((flags & kSmooth) != 0) texts.emplace_back("blenders that smooth their weights: weights change at once");
  if ((flags & kCyclic) != 0) texts.emplace_back("cyclic blends: evaluated as open ones");
  if (fields.real("referencePoseWeightThreshold") > 0.0)
    texts.emplace_back("the reference pose that blenders add where weights are small");
  if (fields.integer("subtractLastChild") != 0) texts.emplace_back("blenders that subtract their last child");
  if (fields.type().is_a("hkbPoseMatchingGenerator"))
    texts.emplace_back("pose matching: children are weighted as in a blender");
  const havok::ArrayView children = fields.array("children");
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    const havok::Object* child = object_of(*graph.file, children.pointer(i), "hkbBlenderGeneratorChild");
    if (!child || child->fields().pointer("boneWeights").is_null()) continue;
    texts.emplace_back("bone weights of blenders: a child counts for the whole body");
    return;
  }
}

void name_bindings(const RunGraph& graph, ObjectId id, Texts& texts) {
  const auto found = graph.bindings.find(id.index);
  if (found == graph.bindings.end()) return;
  for (const Binding* each : found->second) {
    if (each->is_property)
      texts.push_back("character properties: " + each->member.substr(0, 80) + " keeps its own value");
    else if (each->member.find_first_of(":/") != std::string::npos)
      texts.push_back("variables that drive a member of another node: " + each->member.substr(0, 80));
  }
}

}  // namespace

Texts omitted_of_node(const RunGraph& graph, ObjectId id) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kClasses = {
      {{"BSBoneSwitchGenerator", "bone weights of BSBoneSwitchGenerator"},
       {"BSiStateTaggingGenerator", "state numbers that BSiStateTaggingGenerator sets"},
       {"BSCyclicBlendTransitionGenerator", "freezing of BSCyclicBlendTransitionGenerator"},
       {"BSSynchronizedClipGenerator", "the other actor of BSSynchronizedClipGenerator"},
       {"BSOffsetAnimationGenerator", "offsets of BSOffsetAnimationGenerator"}}};
  Texts texts;
  const FieldsView fields = graph.file->at(id).fields();
  for (const auto& [name, text] : kClasses)
    if (fields.type().is_a(name)) texts.emplace_back(text);
  if (fields.type().is_a("hkbModifierGenerator")) name_modifiers(graph, fields.pointer("modifier"), texts);
  if (fields.type().is_a("hkbBlenderGenerator")) name_blender(graph, fields, texts);
  if (fields.type().is_a("hkbStateMachine") &&
      fields.record("eventToSendWhenStateOrTransitionChanges").integer("id") >= 0)
    texts.emplace_back("events of machines: eventToSendWhenStateOrTransitionChanges");
  name_bindings(graph, id, texts);
  return texts;
}

Texts omitted_of_transition(const RunGraph& graph, const Transition& transition, bool is_to_itself) {
  constexpr std::int32_t kUninterruptible = 4 | 8, kDelayed = 0x10, kAtEnd = 0x4000;
  Texts texts;
  if ((transition.flags & kUninterruptible) != 0) texts.emplace_back("transitions that cannot be interrupted");
  if ((transition.flags & (kDelayed | kAtEnd)) != 0) texts.emplace_back("transitions that wait: taken at once");
  const FieldsView record = graph.file->at(transition.holder).fields().array("transitions").record(transition.element);
  const ObjectId id = record.pointer("transition");
  if (id.index >= graph.file->objects.size()) return texts;
  const havok::Object* effect = object_of(*graph.file, id, "hkbBlendingTransitionEffect");
  if (!effect) {
    texts.push_back("transition effects: " + std::string(graph.file->at(id).class_name()));
    return texts;
  }
  constexpr std::int64_t kSync = 2, kContinue = 1;
  const FieldsView fields = effect->fields();
  if (fields.real("duration") > 0.0) texts.emplace_back("curves of blends: weights go straight");
  if ((fields.integer("flags") & kSync) != 0) texts.emplace_back("transitions that keep clips in step");
  if (fields.integer("endMode") != 0) texts.emplace_back("blends that end with what they come from");
  if (fields.real("toGeneratorStartTimeFraction") != 0.0)
    texts.emplace_back("transitions that enter a clip further on: it begins at its start");
  if (is_to_itself && fields.integer("selfTransitionMode") <= kContinue)
    texts.emplace_back("states that go on when they are entered from themselves: they begin again");
  return texts;
}

}  // namespace marrow::behavior
