// SPDX-License-Identifier: MIT
#include "anvil/slots.h"

#include <array>

namespace marrow::anvil {
namespace {

constexpr std::string_view kSkeletonTypeWords[] = {
    "SKELETONTYPE_BIPED",         "SKELETONTYPE_BIPED_FEMALE", "SKELETONTYPE_QUADRUPED",
    "SKELETONTYPE_CARRIAGEHITCH", "SKELETONTYPE_HITCH",        "SKELETONTYPE_WAGON",
    "SKELETONTYPE_REINS",         "SKELETONTYPE_CANNON",       "SKELETONTYPE_CUSTOM"};
// Unity's own code calls 3 PELVIS_TO_PELVIS; the word of a file is kept with it.
constexpr std::string_view kMirroringWords[] = {"BONEMIRRORING_NONE",
                                                "BONEMIRRORING_WORLD_TO_WORLD",
                                                "BONEMIRRORING_WORLD_TO_PELVIS",
                                                "BONEMIRRORING_PELVIS_TO_WORLD",
                                                "BONEMIRRORING_PELVIS_TO_BIPED",
                                                "BONEMIRRORING_BIPED_TO_BIPED",
                                                "BONEMIRRORING_WEAPONREF"};
constexpr std::string_view kWrinkleWords[] = {"Translation", "AxisMagnitude", "RotationDifference_Expensive",
                                              "RotationYaw", "RotationPitch", "RotationRoll",
                                              "Debug",       "None"};
constexpr EnumWords kSkeletonType{"SkeletonType", kSkeletonTypeWords};
constexpr EnumWords kMirroring{"BoneMirroringType", kMirroringWords};
constexpr EnumWords kWrinkle{"WrinkleCategory", kWrinkleWords};

// Fields of this enumeration are named in Schema files only; Standard ones give a plain Int32.
constexpr std::string_view kPlainInStandard = "BoneModifier::ModifierAxis";

void append(Slots& slots, std::span<const Field> fields, void* object) {
  for (const Field& field : fields) {
    const SlotPointer at = std::visit([](auto* value) { return SlotPointer(value); }, field.at(object));
    slots.push_back({.standard_name = field.name,
                     .schema_name = field.name,
                     .at = at,
                     .words = field.words,
                     .optional = field.optional,
                     .plain_in_standard = field.words && field.words->type == kPlainInStandard});
  }
}

template <class Object>
Slots table_slots(std::span<const Field> fields, Object& object) {
  Slots slots;
  slots.reserve(fields.size());
  append(slots, fields, &object);
  return slots;
}

}  // namespace

Slots slots_of(Skeleton& s) {
  return {
      {.standard_name = "SkeletonType",
       .schema_name = "SkeletonType",
       .at = &s.type,
       .words = &kSkeletonType,
       .plain_in_standard = true},
      {"Bones", "Bones", &s.bones},
      {"RootBone", "RootBone", &s.root},
      {"RootBoneDefaultLocalPosition", "RootBoneDefaultLocalPosition", &s.root_default_position},
      {"RootBoneDefaultLocalRotation", "RootBoneDefaultLocalRotation", &s.root_default_rotation},
      {"BodyPartMapping", "BodyPartMapping", &s.body_part_mapping},
      {.standard_name = "PoseGroups", .schema_name = "PoseGroups", .at = &s.pose_groups, .standard_tag = "List"},
      {.standard_name = "IKData", .schema_name = "IKData", .at = &s.ik_data, .standard_tag = "BaseObjectPtr"},
      {.standard_name = "COMData", .schema_name = "COMData", .at = &s.com_data},
      {"LookAtDataSkeletonDefinitionDefault", "LookAtDataSkeletonDefinitionDefault", &s.look_at_data},
      {.standard_name = "ReflexSystem", .schema_name = "ReflexSystem", .at = &s.reflex_system, .optional = true},
      {"SkeletonKey", "SkeletonKey", &s.key},
      {.standard_name = "SkeletonHierarchyKey",
       .schema_name = "SkeletonHierarchyKey",
       .at = &s.hierarchy_key,
       .optional = true},
      {.standard_name = "Reflex3Constraints",
       .schema_name = "Reflex3Constraints",
       .at = &s.reflex3_constraints,
       .optional = true,
       .standard_tag = "List"},
  };
}

Slots slots_of(Bone& b) {
  return {
      {"Name", "BoneID", &b.name},
      {"Parent", "FatherBone", &b.parent},
      {"MirrorBone", "MirrorBone", &b.mirror},
      {"GlobalPosition", "GlobalPosition", &b.global_position},
      {"GlobalRotation", "GlobalRotation", &b.global_rotation},
      {"LocalPosition", "LocalPosition", &b.local_position},
      {"LocalRotation", "LocalRotation", &b.local_rotation},
      {"SolvingPriority", "SolvingPriority", &b.solving_priority},
      {"MirroringType", "MirroringType", &b.mirroring_type, &kMirroring},
      {"BoneModifiers", "Modifiers", &b.modifiers},
      {.standard_name = "Dependencies", .schema_name = "Dependencies", .at = &b.dependencies, .optional = true},
      {"WrinkleCategory", "WrinkleCategory", &b.wrinkle_category, &kWrinkle},
      {"WrinkleFactor", "WrinkleFactor", &b.wrinkle_factor},
      {.standard_name = "Index", .schema_name = "Index", .at = &b.index, .place = Place::OnlyInSchema},
      {.standard_name = "ChildBoneCount",
       .schema_name = "ChildBoneCount",
       .at = &b.child_bone_count,
       .place = Place::OnlyInSchema},
  };
}

Slots slots_of(Modifier& modifier) {
  Slots slots;
  const auto own = modifier_fields(modifier.type());
  slots.reserve(modifier_base_fields().size() + own.size());
  append(slots, modifier_base_fields(), static_cast<marrow::Modifier*>(&modifier));
  for (Slot& slot : slots) slot.place = Place::AttributeInStandard;
  slots.front().place = Place::OnlyInSchema;  // the owner
  append(slots, own, modifier_object(modifier.data));
  return slots;
}

Slots slots_of(Hinge& hinge) { return table_slots(hinge_fields(), hinge); }
Slots slots_of(RotationExpression& term) { return table_slots(rotation_expression_fields(), term); }

Slots default_slots(const Skeleton&) {
  static const Skeleton skeleton;
  return slots_to_read(skeleton);
}
Slots default_slots(const Bone&) {
  static const Bone bone;
  return slots_to_read(bone);
}
Slots default_slots(const Modifier& modifier) {
  static const std::vector<Modifier> defaults = [] {
    std::vector<Modifier> all;
    for (std::size_t i = 0; i < kModifierTypeCount; ++i)
      all.push_back(anvil::make_modifier(static_cast<ModifierType>(i)));
    return all;
  }();
  return slots_to_read(defaults[modifier.data.index()]);
}
Slots default_slots(const Hinge&) {
  static const Hinge hinge;
  return slots_to_read(hinge);
}
Slots default_slots(const RotationExpression&) {
  static const RotationExpression term;
  return slots_to_read(term);
}

bool same_value(const Slot& a, const Slot& b) {
  if (a.at.index() != b.at.index()) return false;
  return std::visit([&](auto* value) { return *value == *std::get<decltype(value)>(b.at); }, a.at);
}

}  // namespace marrow::anvil
