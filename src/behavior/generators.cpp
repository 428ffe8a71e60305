// SPDX-License-Identifier: MIT
#include "behavior/generators.h"

#include <array>

namespace marrow::behavior {
namespace {

constexpr std::array kGeneratorRows = {
    GeneratorMember{"hkbBehaviorGraph", "rootGenerator", "hkbGenerator"},
    GeneratorMember{"hkbBehaviorGraph", "data", "hkbBehaviorGraphData", true, false},
    GeneratorMember{"hkbStateMachine", "states", "hkbStateMachineStateInfo"},
    GeneratorMember{"hkbStateMachineStateInfo", "generator", "hkbGenerator"},
    GeneratorMember{"hkbBlenderGenerator", "children", "hkbBlenderGeneratorChild"},
    GeneratorMember{"hkbBlenderGeneratorChild", "generator", "hkbGenerator"},
    GeneratorMember{"hkbManualSelectorGenerator", "generators", "hkbGenerator"},
    GeneratorMember{"hkbModifierGenerator", "generator", "hkbGenerator"},
    GeneratorMember{"BSSynchronizedClipGenerator", "pClipGenerator", "hkbGenerator"},
    GeneratorMember{"BSCyclicBlendTransitionGenerator", "pBlenderGenerator", "hkbGenerator"},
    GeneratorMember{"BSBoneSwitchGenerator", "pDefaultGenerator", "hkbGenerator"},
    GeneratorMember{"BSBoneSwitchGenerator", "ChildrenA", "BSBoneSwitchGeneratorBoneData", false},
    GeneratorMember{"BSBoneSwitchGeneratorBoneData", "pGenerator", "hkbGenerator"},
    GeneratorMember{"BSiStateTaggingGenerator", "pDefaultGenerator", "hkbGenerator"},
    GeneratorMember{"BSOffsetAnimationGenerator", "pDefaultGenerator", "hkbGenerator"},
    GeneratorMember{"BSOffsetAnimationGenerator", "pOffsetClipGenerator", "hkbGenerator", false},
};

}  // namespace

std::vector<const GeneratorMember*> generator_members(const havok::Class& type) {
  std::vector<const GeneratorMember*> rows;
  for (const havok::Class* each : type.lineage())
    for (const GeneratorMember& row : kGeneratorRows)
      if (row.class_name == each->name && each->find(row.member)) rows.push_back(&row);
  return rows;
}

std::vector<havok::ObjectId> nodes_below(const havok::Packfile& file, havok::ObjectId id) {
  GeneratorTable table;
  return nodes_below(file, id, table);
}

std::vector<havok::ObjectId> nodes_below(const havok::Packfile& file, havok::ObjectId id, GeneratorTable& table) {
  std::vector<havok::ObjectId> below;
  if (id.index >= file.objects.size() || !file.at(id).type) return below;
  const havok::FieldsView fields = file.at(id).fields();
  const auto add = [&](havok::ObjectId each) {
    if (each.index < file.objects.size()) below.push_back(each);
  };
  for (const GeneratorMember* row : table.of(fields.type())) {
    if (!row->is_node) continue;
    const havok::Member& member = *fields.type().find(row->member);
    if (havok::is_array(member.type.kind))
      for (const havok::Ref& ref : fields.ref(member).array().refs()) add(ref.pointer());
    else
      add(fields.ref(member).pointer());
  }
  return below;
}

}  // namespace marrow::behavior
