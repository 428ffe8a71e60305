// SPDX-License-Identifier: MIT
// Modifiers as people work with them: values that mean something, bones by name, both sides of the body, JSON.
#include "anvil/edit.h"
#include "anvil/from_rig.h"
#include "anvil/json.h"
#include "anvil/opaque.h"
#include "anvil/select.h"
#include "anvil/to_model.h"
#include "model/modifier_faults.h"
#include "model/modifiers_fields.h"
#include "samples.h"

namespace marrow::anvil {
namespace {

Modifier& added(Skeleton& skeleton, std::string_view name, ModifierType type, const std::vector<Assignment>& values) {
  const auto notes = add_modifier(skeleton, hash_of(name), type, values);
  REQUIRE_MESSAGE(notes.has_value(), (notes ? "" : notes.error().message));
  return bone(skeleton, name).modifiers.back();
}

}  // namespace

TEST_CASE("every type starts with values that have a meaning, and all that swing do not start locked") {
  for (const ModifierRow& row : known_modifiers()) {
    CAPTURE(row.name);
    for (const FieldFault& fault : find_faults(new_modifier(row.type))) CHECK(fault.fault == ValueFault::NoTarget);
    for (const FieldFault& fault : find_faults(marrow::make_modifier(row.type)))
      CHECK(fault.fault == ValueFault::NoTarget);
  }
  CHECK(std::get<BallJointModifier>(new_modifier(ModifierType::BallJoint).data).constraint_angle == 30.0f);
}

TEST_CASE("faults name the field, also inside a list") {
  marrow::Modifier modifier = new_modifier(ModifierType::Hinge);
  auto& hinge = std::get<HingeModifier>(modifier.data);
  CHECK(find_faults(modifier).empty());
  hinge.axis_constraint_type = 1;
  REQUIRE(find_faults(modifier).size() == 1);
  CHECK(find_faults(modifier)[0].fault == ValueFault::AxisMismatch);
  agree_on_axis(modifier, true, false);
  CHECK(hinge.local_axis_constraint == Vec4(0, 1, 0, 0));
  hinge.axis_constraint_type = 9;
  CHECK(find_faults(modifier)[0].fault == ValueFault::OutOfRange);
  hinge.axis_constraint_type = 1;
  hinge.constraints.emplace_back().min_angle = std::numeric_limits<float>::quiet_NaN();
  CHECK(find_faults(modifier)[0].field == "Constraints[0].MinAngle");
}

TEST_CASE("bones are chosen by name, place, pattern and chain, and a name that is not there keeps its spelling") {
  const Skeleton male = sample("generic_male");
  CHECK(bone_named(male, "1") == hash_of("Hips"));
  CHECK(bone_named(male, std::to_string(hash_of("Hips"))) == hash_of("Hips"));
  CHECK_FALSE(bone_named(male, std::to_string(male.bones.size())));
  CHECK(select_bones(male, "LeftArm..LeftHand").value().size() == 3);
  CHECK(select_bones(male, "LeftHandThumb?").value().size() >= 3);
  CHECK_FALSE(select_bones(male, "LeftHand..LeftArm"));
  CHECK_FALSE(select_bones(male, "NoSuch*"));
  const auto missing = bone_named(male, "LeftHnad");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("'LeftHnad'; did you mean LeftHand?") != std::string::npos);
  CHECK(renamed_by_pattern("Left*_?oll*", "LeftArm_Roll_U", "Right*_R*") == "RightArm_R_U");
  CHECK(renamed_by_pattern("*a*b", "xaxab", "*-*") == "x-xa");
  CHECK(renamed_by_pattern("Left*", "RightArm", "*").empty());
}

TEST_CASE("mirroring a modifier twice gives it back") {
  Skeleton skeleton = sample("generic_male");
  added(skeleton, "LeftHand", ModifierType::BallJoint,
        {{"ConstraintAngle", "40"}, {"LocalYawOft", "20"}, {"LocalPitchOft", "-35"}, {"OwnGravity", "4,1,-9"}});
  added(skeleton, "LeftHand", ModifierType::Hinge,
        {{"AxisConstraintType", "AxisZ"},
         {"AxisLookAtType", "AxisX"},
         {"Gravity", "3,0,-9"},
         {"Constraints[0].MinAngle", "-0.2"},
         {"Constraints[0].MaxAngle", "0.6"}});
  added(skeleton, "LeftHand", ModifierType::MaxLookAt,
        {{"LookAtBone", "LeftFoot"}, {"UpNode", "Hips"}, {"UpNodeControl", "1"}, {"LookAtPosOffset", "1,2,3"}});
  added(skeleton, "LeftHand", ModifierType::Compress,
        {{"OffsetBone1", "LeftArm"},
         {"OffsetBone2", "LeftFoot"},
         {"RotOffset1", "0.6,0,0,0.8"},
         {"PosOffset2", "1,2,3"}});
  added(skeleton, "LeftHand", ModifierType::RotationExpression,
        {{"LinkedBone", "LeftArm"}, {"InitialOffset", "0.5"}, {"Expressions[0].Bias", "0.25"}});
  const std::vector<Modifier> before = bone(skeleton, "LeftHand").modifiers;
  const auto swapped = [&](const char* from, const char* to) {
    const auto notes =
        copy_modifiers(skeleton, skeleton, std::vector<CopyPair>{{hash_of(from), hash_of(to)}}, {.mirror = true});
    REQUIRE(notes);
    for (const std::string& note : *notes) CHECK_MESSAGE(note.find("not an exact") == std::string::npos, note);
  };
  swapped("LeftHand", "RightHand");
  const auto& hinge = std::get<HingeModifier>(bone(skeleton, "RightHand").modifiers[1].data);
  CHECK(hinge.gravity == Vec4(-3, 0, -9, 0));
  CHECK(std::get<MaxLookAtModifier>(bone(skeleton, "RightHand").modifiers[2].data).look_at_bone.target ==
        bone(skeleton, "RightFoot").id);
  bone(skeleton, "LeftHand").modifiers.clear();
  swapped("RightHand", "LeftHand");
  const auto& after = bone(skeleton, "LeftHand").modifiers;
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CAPTURE(class_name(before[i]));
    walk_fields(before[i], [&](const Field& field, const auto& value) {
      walk_fields(after[i], [&](const Field& other, const auto& copied) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::remove_cvref_t<decltype(copied)>>) {
          if (field.name != other.name) return;
          CAPTURE(field.name);
          if constexpr (std::is_same_v<T, float>) CHECK(copied == doctest::Approx(value).epsilon(1e-4));
          if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, BoneLink>) {
            const bool same = copied == value;
            CHECK(same);
          }
          if constexpr (std::is_same_v<T, Vec4>)
            for (int k = 0; k < 4; ++k) CHECK(copied[k] == doctest::Approx(value[k]).epsilon(1e-4));
          if constexpr (std::is_same_v<T, Quat>) CHECK(angle_degrees(copied, value) < 0.1f);
        }
      });
    });
  }
}

TEST_CASE("modifiers of a rig go into the skeleton once, in their order, with free ids") {
  Skeleton skeleton = sample("every_modifier");
  const Skeleton before = skeleton;
  Rig rig = to_model(skeleton).value();
  std::vector<ModifierOrigin> origins(rig.modifiers.size());
  for (std::size_t i = 0; i < origins.size(); ++i) origins[i].before = i;
  REQUIRE(set_modifiers(skeleton, rig, origins));
  CHECK(skeleton == before);
  // The same modifiers, given again, change nothing either.
  for (ModifierOrigin& origin : origins) origin.is_given = rig.modifiers[origin.before].type() != ModifierType::Unknown;
  REQUIRE(set_modifiers(skeleton, rig, origins));
  CHECK(written(skeleton) == written(before));
  marrow::Modifier joint = new_modifier(ModifierType::BallJoint);
  joint.owner = {3};
  const auto at = std::ranges::upper_bound(rig.modifiers, 3u, {}, [](const auto& m) { return m.owner.target; });
  origins.insert(origins.begin() + (at - rig.modifiers.begin()), ModifierOrigin{.is_given = true});
  rig.modifiers.insert(at, joint);
  REQUIRE(set_modifiers(skeleton, rig, origins));
  std::size_t count = 0;
  for (const Bone& each : skeleton.bones) count += each.modifiers.size();
  CHECK(count == rig.modifiers.size());
  CHECK_FALSE(has_code(check(skeleton), "E_DUP_OBJECTID"));
  CHECK_FALSE(has_code(check(skeleton), "E_OWNER"));
}

TEST_CASE("the JSON of a skeleton gives the same file back, unknown parts and all") {
  for (const char* name :
       {"generic_male", "every_modifier", "addon_sword", "schema/addon_sword", "schema/every_modifier"}) {
    CAPTURE(name);
    const Skeleton skeleton = sample(name);
    const auto again = from_json(parse_json(to_text(to_json(skeleton))).value());
    REQUIRE_MESSAGE(again.has_value(), (again ? "" : describe(again.error())));
    CHECK(*again == skeleton);
    CHECK(written(*again, {.dialect = again->origin.dialect}) ==
          written(skeleton, {.dialect = skeleton.origin.dialect}));
  }
  CHECK_FALSE(from_json(parse_json("{}").value()));
  CHECK(from_json(parse_json(R"({"AnvilSkeleton":1,"Bones":[{"Parent":"x"}]})").value()).error().path ==
        "Bones[0].Parent");
}

}  // namespace marrow::anvil
