// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "marrow/core/byte_reader.h"
#include "marrow/motion/evaluate.h"
#include "marrow/motion/sidecar.h"
#include "motion/presets.h"
#include "support/fields.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

RigBuilder tail() {
  RigBuilder b;
  auto parent = b.bone(kNoBone, {0, 0, 1});
  for (int i = 0; i < 5; ++i) parent = b.bone(parent, {0.1f, 0, 0});
  return b;
}

Result<Rig> with(std::string_view json, const std::vector<std::string>& bones = {}) {
  Rig rig = tail().rig;
  if (auto status = apply_sidecar(as_bytes(json), rig, bones); !status) return std::unexpected(status.error());
  return rig;
}

}  // namespace

TEST_CASE("presets lie in the ranges of the fields") {
  for (const Preset& preset : presets()) {
    CAPTURE(preset.name);
    const auto rig = with(preset.json, {"Bone1"});
    REQUIRE(rig);
    CHECK_FALSE(rig->modifiers.empty());
    for (const Modifier& modifier : rig->modifiers) CHECK(test::out_of_range(modifier) == std::vector<std::string>{});
  }
}

TEST_CASE("a sidecar puts modifiers on bones, with names for links and words for enumerations") {
  const auto rig = with(R"({"metres_per_unit": 0.01428, "priority": {"Bone4": 7}, "modifiers": [
    {"bone": "Bone3", "type": "max-look-at", "LookAtBone": "Bone5", "UpNode": "$parent", "LookAtUsedAxis": "AXIS_MINUS_Y", "BlendWeight": 0.5},
    {"bone": "Bone1", "type": "Hinge", "gravity": [0, 0, -65], "Constraints": [{"MinAngle": -0.5, "MaxAngle": 0.25}]}]})");
  REQUIRE(rig);
  CHECK(rig->metres_per_unit == 0.01428);
  CHECK(rig->solving_priority[4] == 7);
  REQUIRE(rig->modifiers.size() == 2);
  const auto& hinge = std::get<HingeModifier>(rig->modifiers[0].data);  // in order of bones
  CHECK(hinge.gravity.z == -65);
  CHECK(hinge.constraints.at(0).max_angle == 0.25f);
  const Modifier& look = rig->modifiers[1];
  CHECK(look.blend_weight == 0.5f);
  CHECK(std::get<MaxLookAtModifier>(look.data).look_at_bone == link(5));
  CHECK(std::get<MaxLookAtModifier>(look.data).up_node == link(2));
  CHECK(std::get<MaxLookAtModifier>(look.data).look_at_used_axis == 4);
}

TEST_CASE("a chain takes values that change along it") {
  const auto rig = with(
      R"({"modifiers": [{"chain": "$bone", "type": "BallJoint", "ConstraintAngle": [10, 50], "Mass": 2}]})", {"Bone1"});
  REQUIRE(rig);
  REQUIRE(rig->modifiers.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& joint = std::get<BallJointModifier>(rig->modifiers[i].data);
    CHECK(joint.constraint_angle == doctest::Approx(10.0 + 10.0 * static_cast<double>(i)));
    CHECK(joint.mass == 2.0f);
  }
  const auto part = with(R"({"modifiers": [{"chain": "Bone2", "to": "Bone4", "type": "BallJoint"}]})");
  CHECK(part->modifiers.size() == 3);
  CHECK(with(R"({"modifiers": [{"bone": "Bone*", "type": "FX"}]})")->modifiers.size() == 6);
}

TEST_CASE("one file serves several chains, by names, lists and patterns, each bone once") {
  Rig rig = tail().rig;
  for (const char* name : {"Side1", "Side2"}) {
    Bone bone;
    bone.name = name;
    bone.parent = name[4] == '1' ? 0 : static_cast<std::int32_t>(rig.skeleton.bones.size()) - 1;
    bone.rest.translation = {0.1f, 0, 0};
    rig.skeleton.bones.push_back(bone);
  }
  const auto owners = [&](std::string_view json, const std::vector<std::string>& bones) {
    Rig with_modifiers = rig;
    REQUIRE(apply_sidecar(as_bytes(json), with_modifiers, bones));
    std::vector<std::uint64_t> owner;
    for (const Modifier& m : with_modifiers.modifiers) owner.push_back(m.owner.target);
    return owner;
  };
  constexpr std::string_view kChain = R"({"modifiers": [{"chain": "$bone", "type": "BallJoint"}]})";
  CHECK(owners(kChain, {"Bone4", "Side1"}) == std::vector<std::uint64_t>{4, 5, 6, 7});
  CHECK(owners(kChain, {"Side*"}) == std::vector<std::uint64_t>{6, 7});  // Side2 is on the chain of Side1
  CHECK(owners(R"({"modifiers": [{"chain": ["Bone5", "Side1"], "type": "BallJoint"}]})", {}).size() == 3);
  CHECK(owners(R"({"modifiers": [{"bone": ["Bone5", "Bone*"], "type": "FX"}]})", {}).size() == 6);
  CHECK(with(kChain, {"Bone1", "Nobody"}).error().message.find("$bone") != std::string::npos);
  CHECK(with(R"({"modifiers": [{"bone": "Bone1", "type": "Follow", "AssociatedBone": "$bone"}]})", {"Bone2", "Bone3"})
            .error()
            .path == "modifiers[0].AssociatedBone");
}

TEST_CASE("joints lie across the body whatever the axes of the bones, along the child or down") {
  Rig rig = tail().rig;
  // Bones that run along their Z, rolled any way about it; the last one tilted by 30 degrees.
  rig.skeleton.bones[1].rest.rotation = axis_angle({1, 0, 0}, 180) * axis_angle({0, 0, 1}, 77);
  for (std::size_t i = 2; i < 6; ++i) rig.skeleton.bones[i].rest.translation = {0, 0, 0.1f};
  rig.skeleton.bones[5].rest.rotation = axis_angle({0, 0, 1}, 35) * axis_angle({1, 0, 0}, 30);
  const auto model = [&](std::size_t bone) {
    Quat rotation = make_quat(0, 0, 0, 1);
    for (std::size_t i = 0; i <= bone; ++i) rotation = rotation * rig.skeleton.bones[i].rest.rotation;
    return rotation;
  };
  const auto toward = directions_along_bones(rig.skeleton), down = directions_down(rig.skeleton);
  for (std::size_t i = 1; i < 5; ++i)
    for (const Quat& turn : {toward[i], down[i]}) {
      CHECK(glm::distance(model(i) * turn * Vec3(1, 0, 0), Vec3(0, 0, -1)) < 1e-5f);
      CHECK(std::abs((model(i) * turn * Vec3(0, 1, 0)).x) > 0.999f);
    }
  Rig mixed = rig;
  REQUIRE(apply_sidecar(as_bytes(std::string_view(R"({"modifiers": [
    {"bone": "Bone5", "type": "BallJoint", "bone_axis": "down"}, {"bone": "Bone1", "type": "BallJoint"}]})")),
                        mixed));
  CHECK(mixed.along_bone[5] == down[5]);
  CHECK(mixed.along_bone[1] == make_quat(0, 0, 0, 1));
  CHECK((model(5) * down[5] * Vec3(1, 0, 0)).z < -0.8f);
  CHECK(std::abs((model(5) * down[5] * Vec3(0, 0, 1)).x) < 1e-5f);
}

TEST_CASE("what hangs at rest is pulled to where it was modelled") {
  Rig rig = tail().rig;
  rig.skeleton.bones[1].rest.rotation = axis_angle({0, 1, 0}, 50) * axis_angle({0, 0, 1}, 20);
  const auto settled_turn = [&](std::string_view json) {
    Rig described = rig;
    REQUIRE(apply_sidecar(as_bytes(json), described));
    const auto compiled = CompiledRig::compile(described);
    REQUIRE(compiled);
    State state(*compiled);
    std::vector<Transform> pose, out(described.skeleton.bones.size());
    for (const Bone& bone : described.skeleton.bones) pose.push_back(bone.rest);
    for (int i = 0; i < 600; ++i) {
      const EvaluateJob job{
          .rig = &*compiled, .state = &state, .delta_seconds = i == 0 ? 0.0 : 1.0 / 60, .input = pose, .output = out};
      job.run();
    }
    return angle_degrees(out[1].rotation, pose[1].rotation);
  };
  const std::string joint = R"({"bone": "Bone1", "type": "BallJoint", "ConstraintAngle": 60, "MechanicalFriction": 5)";
  CHECK(settled_turn(R"({"modifiers": [)" + joint + "}]}") > 20.0f);
  CHECK(settled_turn(R"({"modifiers": [)" + joint + R"(, "hang": "rest"}]})") < 0.1f);
  CHECK(settled_turn(R"({"bone_axis": "down", "modifiers": [)" + joint + R"(, "hang": "rest"}]})") < 0.1f);
  const std::string hinge = R"({"bone": "Bone1", "type": "Hinge", "Gravity": [0, 0, -40], "WeightFactor": 0.2,
      "AxisConstraintType": "AxisY", "AxisLookAtType": "AxisX", "Constraints": [{"MinAngle": -1, "MaxAngle": 1}])";
  CHECK(settled_turn(R"({"modifiers": [)" + hinge + "}]}") > 20.0f);
  CHECK(settled_turn(R"({"modifiers": [)" + hinge + R"(, "hang": "rest"}]})") < 0.1f);
  CHECK(with(R"({"modifiers": [{"bone": "Bone1", "type": "Roll", "SourceBone": "Bone0", "hang": "rest"}]})")
            .error()
            .path == "modifiers[0].hang");
  CHECK(with(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "hang": 3}]})").error().path ==
        "modifiers[0].hang");
  CHECK(with(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "bone_axis": "up"}]})").error().path ==
        "modifiers[0].bone_axis");
}

TEST_CASE("mistakes are named with their place and their cure") {
  const auto error = [](std::string_view json) { return with(json).error(); };
  CHECK(error("{").message == "not JSON: line 1, column 2: the text ends too early");
  const Error comma = error("{\n  \"modifiers\": [,]\n}");
  CHECK(comma.offset == 18);
  CHECK(comma.message.starts_with("not JSON: line 2, column 17: unexpected ','"));
  CHECK(error(R"({"modifiers": 1e999})").message.starts_with("not JSON: line 1, column "));
  CHECK(error(R"({"modifiers": [{"bone": "Bne3", "type": "FX"}]})").path == "modifiers[0].bone");
  CHECK(error(R"({"modifiers": [{"bone": "Bne3", "type": "FX"}]})").message.ends_with("; did you mean Bone3?"));
  CHECK(error(R"({"modifiers": [{"bone": "bone1", "type": "FX"}]})").message.find("did you mean Bone1?") !=
        std::string::npos);
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoin"}]})")
            .message.ends_with("; did you mean BallJoint?"));
  const Error field = error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "Mas": 1}]})");
  CHECK(field.path == "modifiers[0].Mas");
  CHECK(field.message.ends_with("; did you mean Mass?"));
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "Weight": 1}]})").message.find("BlendWeight") !=
        std::string::npos);
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "ConstraintAngle": "30 deg"}]})").message ==
        "expected a number, without quotes and unit");
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "Mass": "heavy"}]})").path ==
        "modifiers[0].Mass");
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "BallJoint", "Mass": 1e99}]})").path == "modifiers[0].Mass");
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "Hinge", "Constraints": [{"Min": 1}]}]})").path ==
        "modifiers[0].Constraints.Min");
  CHECK(error(R"({"modifiers": [{"chain": "$bone", "type": "BallJoint"}]})").code == ErrorCode::NeedsChoice);
  CHECK(error(R"({"modifiers": [{"chain": "Bone4", "to": "Bone2", "type": "BallJoint"}]})").path == "modifiers[0].to");
  CHECK(error(R"({"modifers": []})").path == "modifers");
  CHECK(error(R"({"modifiers": [{"bone": "Bone1", "type": "FX", "LimitLodLevel": 18446744073709551615}]})").path ==
        "modifiers[0].LimitLodLevel");
  for (const char* json :
       {"[]", "3", "null", R"({"modifiers": 3})", R"({"modifiers": [3]})", R"({"modifiers": [{"type": 3}]})",
        R"({"priority": {"Bone1": 256}, "modifiers": []})", R"({"metres_per_unit": -1, "modifiers": []})"})
    CHECK_FALSE(with(json));
}

TEST_CASE("shared data fills what ball joints leave at 0, by id or for all, from JSON or XML") {
  const auto filled = [](std::string_view file) {
    RigBuilder b = tail();
    BallJointModifier joint{.mass = 0, .constraint_angle = 15, .own_gravity = {0, 0, -9.81f, 0}};
    joint.common_data.id = 42;
    b.modifier(1, joint);
    joint.common_data.id = 7;
    b.modifier(2, joint);
    const auto count = apply_common_data(as_bytes(file), b.rig);
    REQUIRE(count);
    std::vector<BallJointModifier> joints;
    for (const Modifier& m : b.rig.modifiers) joints.push_back(std::get<BallJointModifier>(m.data));
    return std::pair(*count, joints);
  };
  const auto [one, by_id] =
      filled(R"({"common": [{"id": 42, "Mass": 2.5, "ConstraintAngle": 80, "AirFriction": 0.25}]})");
  CHECK(one == 1);
  CHECK(by_id[0].mass == 2.5f);
  CHECK(by_id[0].constraint_angle == 15.0f);
  CHECK(by_id[0].air_friction == 0.25f);
  CHECK(by_id[1].mass == 0.0f);
  CHECK(filled(R"({"Mass": 3})").first == 2);
  // Its own entry comes first, wherever it stands; what it leaves at 0 the general one fills.
  const auto [both, layered] =
      filled(R"({"common": [{"Mass": 3, "AirFriction": 0.5}, {"id": 42, "Mass": 2.5}, {"id": 0, "WindScale": 0.25}]})");
  CHECK(both == 2);
  CHECK(layered[0].mass == 2.5f);
  CHECK(layered[0].air_friction == 0.5f);
  CHECK(layered[0].wind_scale == 0.25f);
  CHECK(layered[1].mass == 3.0f);
  const auto [count, xml] = filled(
      R"(<?xml version="1.0"?><BallJointCommonData ID="7"><Value Name="Mass" Type="Single">1.5</Value></BallJointCommonData>)");
  CHECK(count == 1);
  CHECK(xml[1].mass == 1.5f);
  Rig rig = tail().rig;
  CHECK_FALSE(apply_common_data(as_bytes("<a/>"), rig));
  CHECK_FALSE(apply_common_data(as_bytes("<a"), rig));
  CHECK_FALSE(apply_common_data(as_bytes("what"), rig));
}
