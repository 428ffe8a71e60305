// SPDX-License-Identifier: MIT
// Files as other programs write them, made by hand: the JSON is here, the numbers are base64 of little-endian floats.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>

#include <glm/geometric.hpp>

#include "core/byte_writer.h"
#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

using namespace marrow;
using namespace marrow::gltf;

namespace {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t v = 0;
    for (std::size_t k = 0; k < 3; ++k)
      v = v << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[v >> (18 - 6 * k) & 63];
  }
  return out;
}

// A document around one buffer; `json` is its members after "asset" and "buffers".
std::string document(const ByteWriter& data, const std::string& json) {
  return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(data.size()) +
         R"(,"uri":"data:application/octet-stream;base64,)" + base64(data.view()) + "\"}]," + json + "}";
}

Result<Scene> read(const std::string& text, Notes* notes = nullptr) { return read_gltf(as_bytes(text), {}, notes); }

Scene good(const std::string& text) {
  auto scene = read(text);
  REQUIRE_MESSAGE(scene.has_value(), (scene ? "" : describe(scene.error())));
  return std::move(*scene);
}

std::string why(const std::string& text) {
  const auto scene = read(text);
  REQUIRE_FALSE(scene.has_value());
  return describe(scene.error());
}

ByteWriter floats(std::initializer_list<float> values) {
  ByteWriter out;
  for (const float v : values) out.f32(v);
  return out;
}

// Two nodes, the second moved by keys at 0, 0.5 and 1 second.
std::string moved(const ByteWriter& data, const std::string& interpolation, const std::string& path, std::size_t values,
                  const std::string& type, const std::string& output_extra = R"("componentType":5126)") {
  return document(
      data, R"("scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Armature","children":[1]},{"name":"bone"}],
    "bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":)" +
                std::to_string(data.size() - 12) + R"(}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[1]},
                 {"bufferView":1,"count":)" +
                std::to_string(values) + R"(,"type":")" + type + "\"," + output_extra + R"(}],
    "animations":[{"name":"move","samplers":[{"input":0,"output":1,"interpolation":")" +
                interpolation + R"("}],"channels":[{"sampler":0,"target":{"node":1,"path":")" + path + R"("}}]}])");
}

constexpr float kMetre = 1.0f / kMetresPerGameUnit;

}  // namespace

TEST_CASE("a file of metres and Y up comes into game units and Z up, at 30 frames per second") {
  const Scene scene = good(moved(floats({0, 0.5f, 1, 0, 0, 0, 1, 2, 3, 2, 4, 6}), "LINEAR", "translation", 3, "VEC3"));
  REQUIRE(scene.armatures.size() == 1);
  CHECK_FALSE(scene.armatures[0].recorded);
  REQUIRE(scene.armatures[0].skeleton.bones.size() == 1);
  CHECK(scene.armatures[0].skeleton.bones[0].name == "bone");
  const Clip& clip = scene.armatures[0].clips.at(0).clip;
  CHECK(clip.frame_count == 31);
  CHECK(clip.duration_seconds == doctest::Approx(1.0));
  const Vec3 at = clip.frame(15)[0].translation;
  CHECK(at.x == doctest::Approx(1 * kMetre));
  CHECK(at.y == doctest::Approx(-3 * kMetre));
  CHECK(at.z == doctest::Approx(2 * kMetre));
  CHECK(clip.frame(3)[0].translation.x == doctest::Approx(0.2 * kMetre));
}

TEST_CASE("STEP holds a key until the next") {
  const Scene scene = good(moved(floats({0, 0.5f, 1, 0, 0, 0, 1, 2, 3, 2, 4, 6}), "STEP", "translation", 3, "VEC3"));
  const Clip& clip = scene.armatures[0].clips.at(0).clip;
  CHECK(clip.frame(14)[0].translation.x == doctest::Approx(0));
  CHECK(clip.frame(16)[0].translation.x == doctest::Approx(kMetre));
}

TEST_CASE("CUBICSPLINE follows its tangents") {
  // In-tangent, value, out-tangent a key; the curve x = t^3 at 0, 0.5 and 1, which a cubic meets exactly.
  ByteWriter data = floats({0, 0.5f, 1});
  for (const float t : {0.0f, 0.5f, 1.0f})
    for (const float v : {3 * t * t, t * t * t, 3 * t * t}) data.f32(v), data.f32(0), data.f32(0);
  const Scene scene = good(moved(data, "CUBICSPLINE", "translation", 9, "VEC3"));
  const Clip& clip = scene.armatures[0].clips.at(0).clip;
  for (const int frame : {3, 8, 15, 22, 29}) {
    const double t = frame / 30.0;
    CHECK(clip.frame(frame)[0].translation.x == doctest::Approx(t * t * t * static_cast<double>(kMetre)).epsilon(1e-4));
  }
}

TEST_CASE("rotations stored as normalised shorts are read at unit length") {
  ByteWriter data = floats({0, 0.5f, 1});
  for (const float angle : {0.0f, 0.5f, 1.0f}) {
    for (const float v : {0.0f, std::sin(angle / 2), 0.0f, std::cos(angle / 2)})
      data.write(static_cast<std::int16_t>(std::lround(v * 32767)));
  }
  const Scene scene = good(moved(data, "LINEAR", "rotation", 3, "VEC4", R"("componentType":5122,"normalized":true)"));
  const Clip& clip = scene.armatures[0].clips.at(0).clip;
  const Quat first = clip.frame(0)[0].rotation, last = clip.frame(30)[0].rotation;
  CHECK(std::abs(glm::length(last) - 1.0f) < 1e-3f);
  CHECK(angle_degrees(first, last) == doctest::Approx(57.2958).epsilon(1e-3));
}

TEST_CASE("sparse keys are filled in") {
  ByteWriter data = floats({0, 0.5f, 1, 7, 8, 9});
  data.u16(2);
  data.u16(0);
  const std::string text = document(data, R"("nodes":[{"children":[1]},{"name":"bone"}],
    "bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":12},
                   {"buffer":0,"byteOffset":24,"byteLength":4}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"},
                 {"componentType":5126,"count":3,"type":"VEC3",
                  "sparse":{"count":1,"indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":1}}}],
    "animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}])");
  const Clip clip = good(text).armatures.at(0).clips.at(0).clip;
  CHECK(clip.frame(0)[0].translation.x == doctest::Approx(0));
  CHECK(clip.frame(30)[0].translation.x == doctest::Approx(7 * kMetre));
  CHECK(clip.frame(30)[0].translation.z == doctest::Approx(8 * kMetre));
}

TEST_CASE("bones are the joints of the skins and what lies between; meshes and empties around them are not") {
  const std::string text = R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0,6]}],
    "nodes":[{"name":"Armature","scale":[0.01,0.01,0.01],"children":[1,5]},
             {"name":"hips","translation":[0,100,0],"children":[2]},
             {"name":"helper","translation":[0,10,0],"children":[3,4]},
             {"name":"spine","translation":[0,10,0]},
             {"name":"prop"},{"name":"body","skin":0},{"name":"Light"}],
    "skins":[{"joints":[1,3]}]})";
  const Scene scene = good(text);
  REQUIRE(scene.armatures.size() == 1);
  const Skeleton& skeleton = scene.armatures[0].skeleton;
  REQUIRE(skeleton.bones.size() == 3);
  CHECK(skeleton.bones[0].name == "hips");
  CHECK(skeleton.bones[1].name == "helper");
  CHECK(skeleton.bones[2].name == "spine");
  CHECK(skeleton.bones[2].parent == 1);
  // A centimetre armature: 100 units are a metre, and no bone is scaled.
  CHECK(skeleton.bones[0].rest.translation.z == doctest::Approx(kMetre));
  CHECK(glm::length(skeleton.bones[2].rest.translation) == doctest::Approx(0.1 * kMetre));
  CHECK(skeleton.bones[0].rest.scale == Vec3(1.0f));
}

TEST_CASE("a node may have a matrix") {
  const std::string text = R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1]},{"name":"b",
    "matrix":[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]}]})";
  const Bone bone = good(text).armatures.at(0).skeleton.bones.at(0);
  CHECK(bone.rest.scale.x == doctest::Approx(2));
  CHECK(bone.rest.translation.x == doctest::Approx(5 * kMetre));
}

TEST_CASE("meshes come with their place in the world: strips, and triangles without indices") {
  const ByteWriter data = floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  const std::string text = document(data, R"("nodes":[{"name":"wall","mesh":0,"translation":[1,0,0],"scale":[2,2,2]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":5,"material":0}]}],
    "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}],
    "bufferViews":[{"buffer":0,"byteLength":48}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}])");
  const Scene scene = good(text);
  CHECK(scene.armatures.empty());
  REQUIRE(scene.meshes.size() == 1);
  CHECK(scene.meshes[0].name == "wall");
  CHECK(scene.meshes[0].triangles.size() == 2);
  CHECK(scene.meshes[0].colour == Vec4(1, 0, 0, 1));
  CHECK(scene.meshes[0].positions[3].x == doctest::Approx(3 * kMetre));
  CHECK(scene.meshes[0].positions[3].z == doctest::Approx(2 * kMetre));
}

TEST_CASE("what is wrong with a file is said, with its place") {
  CHECK(why("").find("not JSON") != std::string::npos);
  CHECK(why("{\"asset\":{\"version\":\"2.0\"},").find("not JSON") != std::string::npos);
  CHECK(why("glTF\1\0\0\0\0\0\0\0").size() > 0);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"children":[0]}]})").find("cycle") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"children":[0]}]})").find("cycle") != std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"children":[7]}]})").find("nodes[0]") != std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"children":[2]},{"children":[2]},{}]})").find("another parent") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"rotation":[0,0,0,0]}]})").find("quaternion") != std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":[{"translation":[1e300,0,0]}]})").find("finite") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":0}]})").find("buffers[0].byteLength") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"../secret.bin"}]})").find("beside") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"/etc/hostname"}]})").find("beside") !=
        std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"nodes":7})").find("array") != std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"extensionsRequired":["KHR_draco_mesh_compression"]})")
            .find("without compression") != std::string::npos);
  CHECK(why(R"({"asset":{"version":"2.0"},"extras":)" + std::string(100000, '[') + std::string(100000, ']') + "}")
            .find("nested deeper") != std::string::npos);
  const ByteWriter keys = floats({0, 0.5f, 1, 0, 0, 0, 1, 2, 3, 2, 4, 6});
  CHECK(why(moved(keys, "LINEAR", "translation", 4, "VEC3")).find("past the end") != std::string::npos);
  CHECK(why(moved(keys, "LINEAR", "translation", 2, "VEC3")).find("keys") != std::string::npos);
  CHECK(why(moved(keys, "LINEAR", "rotation", 3, "VEC3")).find("are needed") != std::string::npos);
  CHECK(why(moved(keys, "LINEAR", "translation", 4000000000, "VEC3")).size() > 0);
  CHECK(why(moved(floats({0, 0.5f, 0.5f, 0, 0, 0, 1, 2, 3, 2, 4, 6}), "LINEAR", "translation", 3, "VEC3"))
            .find("increase") != std::string::npos);
  CHECK(why(moved(floats({0, 0.5f, 1e9f, 0, 0, 0, 1, 2, 3, 2, 4, 6}), "LINEAR", "translation", 3, "VEC3"))
            .find("too long") != std::string::npos);
}

TEST_CASE("a damaged or newer record is refused by name") {
  const auto with = [](const std::string& record) {
    return R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1],"extras":{"marrow":")" + record +
           R"("}},{"name":"b"}]})";
  };
  CHECK(why(with("nonsense")).find("nodes[0].extras.marrow") != std::string::npos);
  CHECK(why(with(R"({\"version\":99})")).find("newer") != std::string::npos);
  CHECK(why(with(R"({\"version\":1,\"kind\":\"ship\"})")).find("ship") != std::string::npos);
  CHECK(
      why(with(
              R"({\"version\":1,\"kind\":\"rig\",\"units\":\"metre\",\"metres_per_unit\":1,\"skeleton\":{\"name\":\"\",\"bones\":[{\"name\":\"b\",\"parent\":5}]}})"))
          .find("bones[0]") != std::string::npos);
}

TEST_CASE("every prefix of a good file is refused or read, never more") {
  Scene scene{.armatures = {}};
  Skeleton skeleton;
  skeleton.bones = {{"a", kNoBone, {}, false}, {"b", 0, {Vec3(1, 2, 3)}, true}};
  Clip clip;
  clip.frame_count = 3;
  clip.duration_seconds = 0.1f;
  clip.track_count = 2;
  clip.transforms.resize(6);
  scene.armatures.push_back({.skeleton = skeleton, .clips = {{.name = "c", .clip = clip}}});
  const auto bytes = write_gltf(scene);
  REQUIRE(bytes.has_value());
  for (std::size_t size = 0; size < bytes->size(); ++size) {
    const std::vector<std::byte> cut(bytes->begin(), bytes->begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(read_gltf(cut).has_value());
  }
}

TEST_CASE("many nodes of one name, and more bones than a track can name, take no time") {
  std::string nodes = R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1)";
  for (int i = 2; i < 20000; ++i) nodes += "," + std::to_string(i);
  nodes += "]}";
  for (int i = 1; i < 20000; ++i) nodes += R"(,{"name":"b"})";
  Notes notes;
  const auto scene = read(nodes + "]}", &notes);
  REQUIRE(scene.has_value());
  CHECK(scene->armatures.at(0).skeleton.bones.size() == 19999);
  CHECK(scene->armatures[0].skeleton.bones.back().name == "b 19999");
  // The first of a kind are kept, the others counted.
  CHECK(notes.size() == Notes::kMostOfAKind);
  CHECK(notes.size() + notes.hidden() == 19998);
  std::string many = R"({"asset":{"version":"2.0"},"nodes":[{})";
  for (int i = 1; i < 40000; ++i) many += ",{}";
  CHECK(why(many + "]}").find("more skeletons or bones") != std::string::npos);
}

TEST_CASE("a .gltf finds its numbers beside it") {
  const ByteWriter data = floats({0, 0.5f, 1, 0, 0, 0, 1, 2, 3, 2, 4, 6});
  std::string text = moved(data, "LINEAR", "translation", 3, "VEC3");
  const std::size_t from = text.find("data:"), to = text.find('"', from);
  text.replace(from, to - from, "walk%20cycle.bin");
  const auto beside = [&](std::string_view name) -> Result<std::vector<std::byte>> {
    if (name != "walk cycle.bin") return fail(ErrorCode::NotFound, std::string(name));
    return std::vector<std::byte>(data.view().begin(), data.view().end());
  };
  const auto scene = read_gltf(as_bytes(text), {.read_beside = beside});
  REQUIRE_MESSAGE(scene.has_value(), (scene ? "" : describe(scene.error())));
  CHECK(scene->armatures.at(0).clips.at(0).clip.frame_count == 31);
  CHECK(why(text).find("beside") != std::string::npos);
}
