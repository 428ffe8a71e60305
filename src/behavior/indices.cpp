// SPDX-License-Identifier: MIT
#include "behavior/indices.h"

#include <array>

namespace marrow::behavior {
namespace {

struct IndexRow {
  std::string_view class_name;  ///< the class that declares the member
  std::string_view member;
  IndexKind kind;
};

constexpr IndexKind kEvent = IndexKind::Event, kVariable = IndexKind::Variable, kBone = IndexKind::Bone;

// All other integers are not indices (docs/formats/behavior.md).
constexpr std::array kIndexRows = {
    IndexRow{"hkbEventBase", "id", kEvent},
    IndexRow{"hkbStateMachineTransitionInfo", "eventId", kEvent},
    IndexRow{"hkbStateMachineTimeInterval", "enterEventId", kEvent},
    IndexRow{"hkbStateMachineTimeInterval", "exitEventId", kEvent},
    IndexRow{"hkbStateMachine", "returnToPreviousStateEventId", kEvent},
    IndexRow{"hkbStateMachine", "randomTransitionEventId", kEvent},
    IndexRow{"hkbStateMachine", "transitionToNextHigherStateEventId", kEvent},
    IndexRow{"hkbStateMachine", "transitionToNextLowerStateEventId", kEvent},
    IndexRow{"hkbEventDrivenModifier", "activateEventId", kEvent},
    IndexRow{"hkbEventDrivenModifier", "deactivateEventId", kEvent},
    IndexRow{"hkbPoseMatchingGenerator", "startPlayingEventId", kEvent},
    IndexRow{"hkbPoseMatchingGenerator", "startMatchingEventId", kEvent},
    IndexRow{"hkbExpressionData", "assignmentEventIndex", kEvent},
    IndexRow{"hkbVariableBindingSetBinding", "variableIndex", kVariable},
    IndexRow{"hkbStateMachine", "syncVariableIndex", kVariable},
    IndexRow{"hkbExpressionData", "assignmentVariableIndex", kVariable},
    IndexRow{"BSDirectAtModifier", "sourceBoneIndex", kBone},
    IndexRow{"BSDirectAtModifier", "startBoneIndex", kBone},
    IndexRow{"BSDirectAtModifier", "endBoneIndex", kBone},
    IndexRow{"BSLimbIKModifier", "startBoneIndex", kBone},
    IndexRow{"BSLimbIKModifier", "endBoneIndex", kBone},
    IndexRow{"BSLookAtModifierBoneData", "index", kBone},
    IndexRow{"hkbFootIkDriverInfoLeg", "hipIndex", kBone},
    IndexRow{"hkbFootIkDriverInfoLeg", "kneeIndex", kBone},
    IndexRow{"hkbFootIkDriverInfoLeg", "ankleIndex", kBone},
    IndexRow{"hkbFootIkModifierLeg", "hipIndex", kBone},
    IndexRow{"hkbFootIkModifierLeg", "kneeIndex", kBone},
    IndexRow{"hkbFootIkModifierLeg", "ankleIndex", kBone},
    IndexRow{"hkbGetUpModifier", "rootBoneIndex", kBone},
    IndexRow{"hkbGetUpModifier", "otherBoneIndex", kBone},
    IndexRow{"hkbGetUpModifier", "anotherBoneIndex", kBone},
    IndexRow{"hkbPoseMatchingGenerator", "rootBoneIndex", kBone},
    IndexRow{"hkbPoseMatchingGenerator", "otherBoneIndex", kBone},
    IndexRow{"hkbPoseMatchingGenerator", "anotherBoneIndex", kBone},
    IndexRow{"hkbPoseMatchingGenerator", "pelvisIndex", kBone},
    IndexRow{"hkbTwistModifier", "startBoneIndex", kBone},
    IndexRow{"hkbTwistModifier", "endBoneIndex", kBone},
    IndexRow{"hkbKeyframeBonesModifierKeyframeInfo", "boneIndex", kBone},
    IndexRow{"hkbBoneIndexArray", "boneIndices", kBone},
};

bool holds(const havok::Member& member) {
  const havok::Kind kind = member.type.kind;
  return havok::is_array(kind) ? member.type.element == havok::Kind::Int16 : havok::is_integer(kind);
}

}  // namespace

const std::vector<IndexMember>& IndexTable::of(const havok::Class& type) {
  const auto [entry, is_new] = known_.try_emplace(&type);
  if (!is_new) return entry->second;
  for (const havok::Class* each = &type; each; each = each->parent)
    for (const IndexRow& row : kIndexRows) {
      if (row.class_name != each->name) continue;
      const havok::Member* member = each->find(row.member);
      if (member && holds(*member)) entry->second.push_back({member, row.kind});
    }
  return entry->second;
}

bool IndexTable::has_any(const havok::Class& type) {
  const auto [entry, is_new] = has_any_.try_emplace(&type, false);
  if (!is_new) return entry->second;
  bool found = !of(type).empty();
  for (const havok::Class* each = &type; each && !found; each = each->parent)
    for (const havok::Member& member : each->members) {
      const havok::Kind kind = havok::is_array(member.type.kind) ? member.type.element : member.type.kind;
      found |= kind == havok::Kind::Record && !member.is_ignored && member.type.record && has_any(*member.type.record);
    }
  return has_any_[&type] = found;
}

bool is_property_binding(havok::FieldsView binding) { return binding.integer("bindingType") == 1; }

}  // namespace marrow::behavior
