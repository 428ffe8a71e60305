// SPDX-License-Identifier: MIT
// Scenes of a few records, written as text and as binary, whose numbers are computed by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "exchange/fbx/read.h"
#include "marrow/core/byte_reader.h"
#include "support/fbx_sample.h"

using namespace marrow;
using test::fbx_property;
using test::FbxKey;
using test::FbxScene;

namespace {

using Source = std::shared_ptr<const MotionSource>;

// The scene in every form that programs write.
std::vector<Source> all_forms(const FbxScene& scene) {
  std::vector<Source> sources;
  Notes notes;
  const auto add = [&](std::span<const std::byte> bytes) {
    CHECK(fbx::is_fbx(as_text(bytes)));
    auto source = fbx::read_fbx(bytes, {}, notes);
    REQUIRE_MESSAGE(source, source.error().message);
    sources.push_back(*source);
  };
  add(as_bytes(test::fbx_text(scene.records(7400), 7400)));
  for (const int version : {7400, 7700})
    for (const bool pack : {false, true}) add(test::fbx_binary(scene.records(version), version, pack));
  return sources;
}

SourcePose pose_at(const Source& source, double seconds, std::size_t clip = 0) {
  SourcePose pose;
  source->evaluate(clip, seconds, pose);
  return pose;
}

Quat turn(float degrees, Vec3 axis) { return glm::angleAxis(degrees * std::numbers::pi_v<float> / 180, axis); }

constexpr std::uint32_t kConstant = 0x2, kLinear = 0x4, kCubicUser = 0x408, kCubicAuto = 0x8, kTcb = 0x208;

// One bone whose x is moved by a curve from 0 to 1 second.
FbxScene moved(const std::vector<FbxKey>& keys) {
  FbxScene scene;
  const auto bone = scene.model("Root", "LimbNode", 0);
  scene.curve(scene.layer(scene.stack("Take", 0, 1)), bone, "Lcl Translation", "d|X", keys);
  return scene;
}

float x_at(const Source& source, double seconds) { return pose_at(source, seconds).local[0].translation.x; }

}  // namespace

TEST_CASE("the rotation of a node is pre-rotation, angles in their order, and the inverse of post-rotation") {
  FbxScene scene;
  // ZYX turns about z first: R = Rx Ry Rz.
  scene.model("A", "LimbNode", 0,
              {fbx_property("Lcl Rotation", {30, 20, 10}), fbx_property("RotationOrder", {5}),
               fbx_property("PreRotation", {0, 90, 0}), fbx_property("PostRotation", {0, 0, 45})});
  scene.model("B", "LimbNode", 0,
              {fbx_property("Lcl Rotation", {30, 20, 10}), fbx_property("PreRotation", {0, 90, 0}),
               fbx_property("RotationActive", {0})});
  const Quat x = turn(30, {1, 0, 0}), y = turn(20, {0, 1, 0}), z = turn(10, {0, 0, 1});
  for (const Source& source : all_forms(scene)) {
    const SourcePose pose = pose_at(source, 0);
    CHECK(angle_degrees(pose.local[0].rotation, turn(90, {0, 1, 0}) * x * y * z * turn(-45, {0, 0, 1})) < 1e-4f);
    CHECK(angle_degrees(pose.local[1].rotation, z * y * x) < 1e-4f);
  }
}

TEST_CASE("pivots and offsets move a node as they turn and scale it") {
  FbxScene scene;
  scene.model("A", "LimbNode", 0,
              {fbx_property("Lcl Translation", {1, 0, 0}), fbx_property("Lcl Rotation", {0, 0, 90}),
               fbx_property("Lcl Scaling", {2, 2, 2}), fbx_property("RotationPivot", {10, 0, 0}),
               fbx_property("RotationOffset", {0, 0, 5}), fbx_property("ScalingPivot", {0, 4, 0}),
               fbx_property("ScalingOffset", {0, 1, 0})});
  // t = T + Roff + Rp + q (-Rp + Soff + Sp - S Sp) = (11, 0, 5) + q (-10, 1 + 4 - 8, 0), q turns x to y and y to -x.
  for (const Source& source : all_forms(scene))
    CHECK(glm::distance(pose_at(source, 0).local[0].translation, Vec3(11 + 3, -10, 5)) < 1e-5f);
}

TEST_CASE("constant keys hold their value, linear ones draw a line") {
  for (const Source& source : all_forms(moved({{0, 2, kConstant}, {0.5, 6, kLinear}, {1, 10, kLinear}}))) {
    CHECK(source->clips[0].name == "Take");
    CHECK(x_at(source, 0.25) == doctest::Approx(2));
    CHECK(x_at(source, 0.75) == doctest::Approx(8));
    CHECK(x_at(source, 1.0) == doctest::Approx(10));
  }
}

TEST_CASE("user tangents make the cubic that they describe") {
  // Slopes 0 at both ends with weights of a third: v = 3 t^2 - 2 t^3.
  for (const Source& source : all_forms(moved({{0, 0, kCubicUser, 0, 0}, {1, 1, kCubicUser, 0, 0}}))) {
    CHECK(x_at(source, 0.25) == doctest::Approx(0.15625).epsilon(1e-5));
    CHECK(x_at(source, 0.5) == doctest::Approx(0.5).epsilon(1e-5));
  }
  // Slope 3 at the start, 0 at the end: a Hermite curve, v = 3 (t^3 - 2 t^2 + t) + 3 t^2 - 2 t^3 at t = 1/2 is 0.875.
  for (const Source& source : all_forms(moved({{0, 0, kCubicUser, 3, 0}, {1, 1, kCubicUser, 0, 0}})))
    CHECK(x_at(source, 0.5) == doctest::Approx(0.875).epsilon(1e-5));
}

TEST_CASE("automatic tangents run along the neighbours, and clamped ones stay flat at equal values") {
  // Keys 0, 0, 1, 1 at 0, 1, 2, 3 seconds: slope at 1 is (1 - 0) / 2; clamped it is 0.
  const auto keys = [](std::uint32_t flags) {
    return std::vector<FbxKey>{{0, 0, flags}, {1, 0, flags}, {2, 1, flags}, {3, 1, flags}};
  };
  for (const Source& source : all_forms(moved(keys(kCubicAuto))))
    CHECK(x_at(source, 1.5) == doctest::Approx(0.5).epsilon(1e-5));
  for (const Source& source : all_forms(moved(keys(kCubicAuto | 0x1000)))) {
    CHECK(x_at(source, 0.5) == doctest::Approx(0.0));
    CHECK(x_at(source, 1.25) == doctest::Approx(0.15625).epsilon(1e-5));
  }
}

TEST_CASE("TCB keys without tension, continuity and bias are those of Catmull and Rom") {
  for (const Source& source : all_forms(moved({{0, 0, kTcb}, {1, 1, kTcb}, {2, 0, kTcb}, {3, 0, kTcb}})))
    // Slopes 0 at 1 and -1/2 at 2: v(1.5) = 1/2 + (0 + 1/2) / 8.
    CHECK(x_at(source, 1.5) == doctest::Approx(0.5625).epsilon(1e-5));
}

TEST_CASE("outside of its keys a curve does what its extrapolation says") {
  const auto with = [](char before, char after) {
    FbxScene scene;
    const auto bone = scene.model("Root", "LimbNode", 0);
    test::FbxRecord& curve = scene.curve(scene.layer(scene.stack("Take", 0, 10)), bone, "Lcl Translation", "d|X",
                                         {{1, 0, kLinear}, {2, 4, kLinear}});
    const auto rule = [](const char* name, char type) {
      return test::FbxRecord{name, {}, {{"Type", {std::string(1, type)}}, {"Repetition", {std::int64_t{-1}}}}};
    };
    curve.children.push_back(rule("Pre-Extrapolation", before));
    curve.children.push_back(rule("Post-Extrapolation", after));
    return all_forms(scene).front();
  };
  CHECK(x_at(with('C', 'C'), 3.25) == doctest::Approx(4));
  CHECK(x_at(with('K', 'K'), 3.25) == doctest::Approx(9));
  CHECK(x_at(with('K', 'K'), 0.5) == doctest::Approx(-2));
  CHECK(x_at(with('R', 'R'), 3.25) == doctest::Approx(1));
  CHECK(x_at(with('R', 'R'), 0.25) == doctest::Approx(1));
  CHECK(x_at(with('M', 'M'), 2.25) == doctest::Approx(3));
  CHECK(x_at(with('A', 'A'), 2.25) == doctest::Approx(5));
  CHECK(x_at(with('A', 'A'), 3.25) == doctest::Approx(9));
  CHECK(x_at(with('A', 'A'), 0.25) == doctest::Approx(-3));
}

TEST_CASE("a further layer is added with its weight, or put in place of those below") {
  const auto layered = [](double mode, double weight) {
    FbxScene scene;
    const auto bone = scene.model("Root", "LimbNode", 0);
    const auto stack = scene.stack("Take", 0, 1);
    scene.curve(scene.layer(stack), bone, "Lcl Translation", "d|X", {{0, 10, kLinear}, {1, 10, kLinear}});
    scene.curve(scene.layer(stack, {fbx_property("BlendMode", {mode}), fbx_property("Weight", {weight})}), bone,
                "Lcl Translation", "d|X", {{0, 4, kLinear}, {1, 4, kLinear}});
    return all_forms(scene).front();
  };
  CHECK(x_at(layered(0, 50), 0.5) == doctest::Approx(12));
  CHECK(x_at(layered(1, 50), 0.5) == doctest::Approx(4));
  CHECK(x_at(layered(2, 50), 0.5) == doctest::Approx(7));
}

TEST_CASE("holders turn and scale the roots below them, and axes and units become the model's") {
  FbxScene scene;
  const auto armature =
      scene.model("Armature", "Null", 0,
                  {fbx_property("Lcl Translation", {0, 0, 3}), fbx_property("Lcl Scaling", {100, 100, 100})});
  const auto root = scene.model("Root", "LimbNode", armature, {fbx_property("Lcl Translation", {0, 1, 0})});
  scene.model("Tip", "LimbNode", root, {fbx_property("Lcl Translation", {0, 2, 0})});
  for (const Source& source : all_forms(scene)) {
    REQUIRE(source->bones.size() == 2);
    CHECK(source->space.up_axis == "y");
    Notes notes;
    const Skeleton skeleton = skeleton_from(*source, {}, notes);
    // (0, 100, 3) with y up is (0, -3, 100).
    CHECK(glm::distance(skeleton.bones[0].rest.translation, Vec3(0, -3, 100) / 1.428f) < 1e-3f);
    CHECK(glm::distance(skeleton.bones[1].rest.translation, Vec3(0, 200, 0) / 1.428f) < 1e-3f);
  }
  scene.setting("UpAxis", 2);
  scene.setting("FrontAxis", 1);
  scene.setting("FrontAxisSign", -1);
  scene.setting("UnitScaleFactor", 2.54);
  for (const Source& source : all_forms(scene)) {
    CHECK(source->space.up_axis == "z");
    Notes notes;
    CHECK(glm::distance(skeleton_from(*source, {}, notes).bones[0].rest.translation,
                        Vec3(0, 100, 3) * (2.54f / 1.428f)) < 1e-3f);
  }
  scene.setting("CoordAxisSign", -1);
  for (const Source& source : all_forms(scene)) CHECK(source->space.is_left_handed);
}

TEST_CASE("the rest pose is where the mesh was bound, not where the file stands") {
  FbxScene scene;
  const auto root = scene.model("Root", "LimbNode", 0, {fbx_property("Lcl Translation", {7, 7, 7})});
  const auto tip = scene.model("Tip", "LimbNode", root, {fbx_property("Lcl Translation", {7, 7, 7})});
  const auto mesh = scene.model("Body", "Mesh", 0);
  const auto geometry = scene.next_id(), skin = scene.next_id();
  scene.object({"Geometry",
                {geometry, std::string("Geometry::Body"), std::string("Mesh")},
                {{"Vertices", {std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}}},
                 {"PolygonVertexIndex", {std::vector<std::int64_t>{0, 1, 2, ~3}}}}});
  scene.object({"Deformer", {skin, std::string("Deformer::"), std::string("Skin")}});
  scene.connect(geometry, mesh);
  scene.connect(skin, geometry);
  for (const auto& [bone, y] : {std::pair{root, 1.0}, {tip, 5.0}}) {
    const auto cluster = scene.next_id();
    scene.object({"Deformer",
                  {cluster, std::string("SubDeformer::"), std::string("Cluster")},
                  {{"Indexes", {std::vector<std::int64_t>{0, 3}}},
                   {"Weights", {std::vector<double>{0.5, 1}}},
                   {"TransformLink", {std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1}}}}});
    scene.connect(cluster, skin);
    scene.connect(bone, cluster);
  }
  for (const Source& source : all_forms(scene)) {
    REQUIRE(source->bones.size() == 2);
    CHECK(glm::distance(source->bones[1].bind.translation, Vec3(0, 4, 0)) < 1e-5f);
    CHECK(source->bones[1].local.translation == Vec3(7, 7, 7));
    REQUIRE(source->meshes.size() == 1);
    CHECK(source->meshes[0].name == "Body");
    CHECK(source->meshes[0].vertices.size() == 4);
    CHECK(source->meshes[0].triangle_count() == 2);
    REQUIRE(source->meshes[0].bindings.size() == 2);
    CHECK(source->meshes[0].bindings[1].influences.size() == 2);
  }
}

TEST_CASE("an FBX file that is cut short is refused, in either form, and other versions by name") {
  const FbxScene scene = moved({{0, 0}, {1, 1}});
  Notes notes;
  const std::vector<std::byte> binary = test::fbx_binary(scene.records(7400), 7400, true);
  for (std::size_t length = 0; length + 13 < binary.size(); length += 7)
    CHECK_FALSE(fbx::read_fbx(std::span(binary).first(length), {}, notes));
  const std::string text = test::fbx_text(scene.records(7400), 7400);
  for (std::size_t length = 0; length + 4 < text.find("Connections"); length += 5)
    CHECK_FALSE(fbx::read_fbx(as_bytes(text.substr(0, length)), {}, notes));
  for (const int version : {6100, 8000}) {
    const auto refused = fbx::read_fbx(test::fbx_binary(scene.records(version), version, false), {}, notes);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.contains(std::to_string(version)));
  }
}

TEST_CASE("every byte of a binary FBX file may be wrong") {
  const std::vector<std::byte> whole = test::fbx_binary(moved({{0, 0}, {1, 1}}).records(7400), 7400, false);
  for (std::size_t at = 23; at < whole.size(); ++at) {
    std::vector<std::byte> damaged = whole;
    damaged[at] ^= std::byte{0xFF};
    Notes notes;
    if (const auto source = fbx::read_fbx(damaged, {}, notes))
      for (std::size_t clip = 0; clip < (*source)->clips.size(); ++clip) pose_at(*source, 0.5, clip);
  }
}
