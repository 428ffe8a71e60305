// SPDX-License-Identifier: MIT
// The C ABI, called as another language calls it: through the shared library.
#include "marrow/marrow_c.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "marrow/core/file.h"
#include "marrow/core/json.h"
#include "marrow/ops/operation.h"
#include "marrow/ops/simulate.h"
#include "support/documents.h"

using namespace marrow;
using namespace marrow::test;

namespace {

std::string_view view(const marrow_text& text) { return {text.data, text.size}; }

marrow_error last_error() {
  marrow_error error;
  marrow_last_error(&error);
  return error;
}

marrow_document open_bytes(const Bytes& bytes, const char* name = "test.hkx") {
  marrow_document document = 0;
  REQUIRE(marrow_load(bytes.data(), bytes.size(), name, nullptr, &document) == MARROW_OK);
  return document;
}

Bytes result_bytes(marrow_result result, std::uint32_t index = 0) {
  marrow_file file;
  REQUIRE(marrow_get_file(result, index, &file) == MARROW_OK);
  const auto* first = static_cast<const std::byte*>(file.bytes);
  return {first, first + file.byte_count};
}

Bytes save(marrow_document document, const char* options = nullptr) {
  const marrow_input input{.role = "file", .name = nullptr, .bytes = nullptr, .byte_count = 0, .document = document};
  marrow_result result = 0;
  const marrow_status status = marrow_run("convert", options, &input, 1, nullptr, nullptr, &result);
  INFO(view(last_error().message));
  REQUIRE(status == MARROW_OK);
  const Bytes bytes = result_bytes(result);
  REQUIRE(marrow_release(result) == MARROW_OK);
  return bytes;
}

Bytes clip_bytes(std::int32_t bones = 5, std::int32_t frames = 20) { return saved(clip_document(bones, frames)); }
Bytes skeleton_bytes(std::int32_t bones = 5) { return saved(skeleton_document_of(bones)); }

Bytes file_bytes(const char* path) {
  auto bytes = read_file(path, Limits{});
  REQUIRE(bytes);
  return *bytes;
}

marrow_text text(const char* from) { return {from, std::strlen(from)}; }

}  // namespace

TEST_CASE("the library has the version of the header") {
  CHECK(marrow_abi_version() == MARROW_ABI_VERSION);
  CHECK(std::string(marrow_version()).find('.') != std::string::npos);
}

TEST_CASE("a document that was only looked at is written byte for byte") {
  const Bytes bytes = clip_bytes();
  const marrow_document document = open_bytes(bytes);
  marrow_document_info info;
  REQUIRE(marrow_get_document(document, &info) == MARROW_OK);
  CHECK(view(info.format) == "hkx");
  CHECK(view(info.game) == "skyrim-se");
  CHECK(info.clip_count == 1);
  CHECK(info.byte_count == bytes.size());
  marrow_frames frames;
  REQUIRE(marrow_get_frames(document, 0, nullptr, &frames) == MARROW_OK);
  CHECK(frames.frame_count == 20);
  CHECK(frames.track_count == 5);
  CHECK(save(document) == bytes);
  CHECK(marrow_release(document) == MARROW_OK);
}

TEST_CASE("frames are edited in place, and only what was edited changes") {
  const marrow_document document = open_bytes(clip_bytes());
  marrow_frames frames;
  REQUIRE(marrow_get_frames(document, 0, nullptr, &frames) == MARROW_OK);
  std::vector<float> before(frames.data, frames.data + std::size_t{20} * 5 * 10);
  for (std::uint32_t f = 0; f < frames.frame_count; ++f) frames.data[(f * 5 + 2) * 10] += 1.0f;
  const marrow_document again = open_bytes(save(document));
  marrow_frames read;
  REQUIRE(marrow_get_frames(again, 0, nullptr, &read) == MARROW_OK);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool is_moved = i % 50 == 20;
    if (is_moved)
      CHECK(read.data[i] == doctest::Approx(before[i] + 1.0f).epsilon(0.01));
    else if (i / 10 % 5 != 2)
      CHECK(read.data[i] == before[i]);
  }
  marrow_release(document);
  marrow_release(again);
}

TEST_CASE("a clip made from arrays is written for each game and read back") {
  for (const char* game : {"skyrim-le", "skyrim-se", "fallout4"}) {
    CAPTURE(game);
    marrow_document document = 0;
    REQUIRE(marrow_new_document(game, &document) == MARROW_OK);
    marrow_clip_info info{};
    info.name = text("wave");
    info.skeleton_name = text("NPC Root [Root]");
    info.skeleton = -1;
    std::uint32_t clip = 99;
    REQUIRE(marrow_add_clip(document, &info, &clip) == MARROW_OK);
    CHECK(clip == 0);
    std::vector<float> data;
    for (int f = 0; f < 10; ++f)
      for (int t = 0; t < 3; ++t)
        data.insert(data.end(), {static_cast<float>(f), static_cast<float>(t), 0, 0, 0, 0, 1, 1, 1, 1});
    marrow_frames frames{.data = data.data(),
                         .floats = nullptr,
                         .frame_count = 10,
                         .track_count = 3,
                         .float_track_count = 0,
                         .reserved = 0};
    REQUIRE(marrow_set_frames(document, 0, &frames, 0.3f) == MARROW_OK);
    const std::int16_t bones[] = {4, 5, 9};
    const marrow_tracks tracks{.bones = bones, .slots = nullptr, .bone_count = 3, .slot_count = 0};
    REQUIRE(marrow_set_tracks(document, 0, &tracks) == MARROW_OK);
    const marrow_annotation events[] = {{text("FootLeft"), 0.1f, 0}, {text("FootRight"), 0.2f, 0}};
    REQUIRE(marrow_set_annotations(document, 0, events, 2) == MARROW_OK);

    const marrow_document again = open_bytes(save(document, R"({"format":"hkx"})"));
    marrow_document_info made;
    REQUIRE(marrow_get_document(again, &made) == MARROW_OK);
    CHECK(view(made.game) == game);
    marrow_tracks read;
    REQUIRE(marrow_get_tracks(again, 0, &read) == MARROW_OK);
    REQUIRE(read.bone_count == 3);
    CHECK(read.bones[2] == 9);
    marrow_annotation out[4];
    std::uint32_t count = 0;
    REQUIRE(marrow_get_annotations(again, 0, out, 4, &count) == MARROW_OK);
    REQUIRE(count == 2);
    CHECK(view(out[1].text) == "FootRight");
    CHECK(out[1].time_seconds == 0.2f);
    marrow_frames seen;
    REQUIRE(marrow_get_frames(again, 0, nullptr, &seen) == MARROW_OK);
    CHECK(seen.data[(7 * 3 + 1) * 10] == doctest::Approx(7).epsilon(0.01));
    marrow_release(document);
    marrow_release(again);
  }
}

TEST_CASE("root motion and skeletons go in and come out") {
  marrow_document document = 0;
  REQUIRE(marrow_new_document("skyrim-se", &document) == MARROW_OK);
  marrow_bone bones[2]{};
  for (marrow_bone& bone : bones) {
    bone.rest[6] = bone.rest[7] = bone.rest[8] = bone.rest[9] = 1.0f;
    bone.parent = -1;
  }
  bones[0].name = text("NPC Root [Root]");
  bones[1].name = text("NPC COM [COM ]");
  bones[1].parent = 0;
  REQUIRE(marrow_add_skeleton(document, "NPC Root [Root]", bones, 2, nullptr, 0, nullptr) == MARROW_OK);
  std::uint32_t count = 0;
  marrow_bone read[2];
  REQUIRE(marrow_get_bones(document, 0, read, 2, &count) == MARROW_OK);
  CHECK(view(read[1].name) == "NPC COM [COM ]");
  bones[0].parent = 1;
  CHECK(marrow_add_skeleton(document, "bad", bones, 2, nullptr, 0, nullptr) == MARROW_MALFORMED);

  marrow_clip_info info{};
  info.skeleton = 0;
  REQUIRE(marrow_add_clip(document, &info, nullptr) == MARROW_OK);
  const float samples[] = {0, 0, 0, 0, 1, 2, 3, 0.5f};
  marrow_root_motion motion{};
  motion.samples = samples;
  motion.sample_count = 2;
  motion.duration_seconds = 1.0f;
  REQUIRE(marrow_set_root_motion(document, 0, &motion) == MARROW_OK);
  marrow_root_motion out;
  REQUIRE(marrow_get_root_motion(document, 0, &out) == MARROW_OK);
  REQUIRE(out.sample_count == 2);
  CHECK(out.samples[6] == 3.0f);
  marrow_release(document);
}

TEST_CASE("sampling gives what the operation gives, also after the document is gone") {
  const Bytes clip = clip_bytes(), bones = skeleton_bytes();
  const marrow_document document = open_bytes(clip), skeleton = open_bytes(bones, "skeleton.hkx");
  marrow_sampler sampler = 0;
  REQUIRE(marrow_open_sampler(document, 0, skeleton, 0, nullptr, &sampler) == MARROW_OK);
  marrow_release(document);
  const marrow_input inputs[] = {{"clip", "c.hkx", clip.data(), clip.size(), 0},
                                 {"skeleton", nullptr, nullptr, 0, skeleton}};
  for (const bool model : {false, true}) {
    marrow_result result = 0;
    const std::string options = std::string(R"({"frames":[3.25],"space":")") + (model ? "model" : "local") + "\"}";
    REQUIRE(marrow_run("sample", options.c_str(), inputs, 2, nullptr, nullptr, &result) == MARROW_OK);
    marrow_result_info info;
    REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
    const auto report = parse_json(view(info.report));
    REQUIRE(report);
    float pose[50];
    REQUIRE((model ? marrow_sample_pose(sampler, 3.25, MARROW_SPACE_MODEL, pose, 50)
                   : marrow_sample(sampler, 3.25, pose, 50)) == MARROW_OK);
    const auto& rows = (*report)["rows"].items();
    REQUIRE(rows.size() == 5);
    for (std::size_t bone = 0; bone < 5; ++bone)
      for (std::size_t i = 0; i < 10; ++i)
        CHECK(static_cast<float>(rows[bone].items()[2 + i].number()) == pose[bone * 10 + i]);
    marrow_release(result);
  }
  float small[3];
  CHECK(marrow_sample(sampler, 0, small, 3) == MARROW_BAD_ARGUMENT);
  marrow_release(sampler);
  marrow_release(skeleton);
}

TEST_CASE("a simulation stepped by hand is the simulation of the library") {
  const Bytes bytes = file_bytes("examples/anvil/generic_male.xml");
  const Bytes addon = file_bytes("examples/anvil/addon_sword.xml");
  const marrow_document base = open_bytes(bytes, "male.xml"), sword = open_bytes(addon, "sword.xml");
  marrow_rig rig = 0;
  REQUIRE(marrow_open_rig(base, &sword, 1, nullptr, nullptr, nullptr, &rig) == MARROW_OK);
  marrow_rig_info info;
  REQUIRE(marrow_get_rig(rig, &info) == MARROW_OK);
  REQUIRE(info.modifier_count > 0);

  marrow_simulation simulation = 0;
  REQUIRE(marrow_open_simulation(rig, &simulation) == MARROW_OK);
  marrow_environment world;
  marrow_default_environment(&world);
  std::vector<float> pose(std::size_t{info.bone_count} * 10), expected = pose;
  REQUIRE(marrow_step(simulation, &world, 0.0, nullptr, nullptr, pose.data(), info.bone_count) == MARROW_OK);
  std::size_t size = 0;
  for (int frame = 1; frame <= 30; ++frame) {
    if (frame == 20) REQUIRE(marrow_save_state(simulation, nullptr, 0, &size) == MARROW_OK);
    REQUIRE(marrow_step(simulation, &world, 1.0 / 30.0, nullptr, nullptr, pose.data(), info.bone_count) == MARROW_OK);
  }
  Context context;
  const Document document = loaded(bytes, Parts::All, "male.xml"), other = loaded(addon, Parts::All, "sword.xml");
  const auto reference = load_rig({.skeleton = &document, .addons = {&other}}, context);
  REQUIRE(reference);
  const auto compiled = motion::CompiledRig::compile(*reference);
  REQUIRE(compiled);
  const auto run = motion::simulate(*reference, *compiled, nullptr, {.seconds = 1.0});
  REQUIRE(run);
  const auto last = run->clip.frame(30);
  std::memcpy(expected.data(), last.data(), expected.size() * sizeof(float));
  for (std::size_t i = 0; i < pose.size(); ++i) CHECK(pose[i] == doctest::Approx(expected[i]).epsilon(1e-6));

  // The state comes back with the same bits.
  std::vector<std::byte> state(4096 + size);
  REQUIRE(marrow_save_state(simulation, state.data(), state.size(), &size) == MARROW_OK);
  state.resize(size);
  const auto step = [&](std::vector<float>& out) {
    REQUIRE(marrow_step(simulation, &world, 1.0 / 30.0, nullptr, nullptr, out.data(), info.bone_count) == MARROW_OK);
  };
  step(pose);
  REQUIRE(marrow_restore_state(simulation, state.data(), state.size()) == MARROW_OK);
  step(expected);
  CHECK(pose == expected);
  state[0] ^= std::byte{1};
  CHECK(marrow_restore_state(simulation, state.data(), state.size()) == MARROW_BAD_MAGIC);
  for (const marrow_handle handle : {base, sword, rig, simulation}) CHECK(marrow_release(handle) == MARROW_OK);
}

TEST_CASE("a field that is tuned moves a running simulation, and a wrong value changes nothing") {
  const marrow_document base = open_bytes(file_bytes("examples/anvil/every_modifier.xml"), "rig.xml");
  marrow_rig rig = 0;
  REQUIRE(marrow_open_rig(base, nullptr, 0, nullptr, nullptr, nullptr, &rig) == MARROW_OK);
  std::uint32_t count = 0;
  REQUIRE(marrow_get_modifiers(rig, nullptr, 0, &count) == MARROW_OK);
  std::vector<marrow_modifier> all(count);
  REQUIRE(marrow_get_modifiers(rig, all.data(), count, &count) == MARROW_OK);
  const auto joint = std::ranges::find(all, std::string_view("BallJointBoneModifier"),
                                       [](const marrow_modifier& m) { return view(m.type); });
  REQUIRE(joint != all.end());
  const auto index = static_cast<std::uint32_t>(joint - all.begin());
  double value = 0;
  REQUIRE(marrow_get_field(rig, index, "ConstraintAngle", &value, 1, &count) == MARROW_OK);
  REQUIRE(count == 1);
  const double tuned = value + 5.0, bad = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(marrow_set_field(rig, index, "ConstraintAngle", &tuned, 1) == MARROW_OK);
  CHECK(marrow_set_field(rig, index, "ConstraintAngle", &bad, 1) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_set_field(rig, index, "ConstraintAngel", &tuned, 1) == MARROW_NOT_FOUND);
  CHECK(view(last_error().path) == "ConstraintAngel");
  CHECK(marrow_set_field(rig, 1000, "ConstraintAngle", &tuned, 1) == MARROW_NOT_FOUND);
  REQUIRE(marrow_get_field(rig, index, "ConstraintAngle", &value, 1, &count) == MARROW_OK);
  CHECK(value == doctest::Approx(tuned));
  marrow_release(rig);
  marrow_release(base);
}

TEST_CASE("the range of a hinge is a field of a part") {
  const marrow_document base = open_bytes(file_bytes("examples/anvil/every_modifier.xml"), "rig.xml");
  marrow_rig rig = 0;
  REQUIRE(marrow_open_rig(base, nullptr, 0, nullptr, nullptr, nullptr, &rig) == MARROW_OK);
  std::uint32_t count = 0;
  REQUIRE(marrow_get_modifiers(rig, nullptr, 0, &count) == MARROW_OK);
  std::vector<marrow_modifier> all(count);
  REQUIRE(marrow_get_modifiers(rig, all.data(), count, &count) == MARROW_OK);
  const auto hinge = std::ranges::find(all, std::string_view("HingeBoneModifier"),
                                       [](const marrow_modifier& m) { return view(m.type); });
  REQUIRE(hinge != all.end());
  const auto index = static_cast<std::uint32_t>(hinge - all.begin());
  double value = 0;
  const double tuned = 1.25;
  REQUIRE(marrow_set_field(rig, index, "Constraints[0].MaxAngle", &tuned, 1) == MARROW_OK);
  REQUIRE(marrow_get_field(rig, index, "Constraints[0].MaxAngle", &value, 1, &count) == MARROW_OK);
  CHECK(value == tuned);
  for (const char* wrong : {"Constraints[99].MaxAngle", "Constraints[0].MaxAngel", "Constraints[", "Constraints[0]",
                            "Constraints[].MaxAngle", "Constraints[x].MaxAngle", "Gravity[0].MaxAngle",
                            "Constraints[-1].MaxAngle", "[0].MaxAngle"})
    CHECK(marrow_get_field(rig, index, wrong, &value, 1, &count) == MARROW_NOT_FOUND);
  marrow_release(rig);
  marrow_release(base);
}

TEST_CASE("collision is built from arrays and read back as arrays") {
  marrow_document document = 0;
  REQUIRE(marrow_new_document("fallout4", &document) == MARROW_OK);
  std::vector<float> corners;
  for (int i = 0; i < 8; ++i)
    for (int axis = 0; axis < 3; ++axis) corners.push_back((i >> axis & 1) ? 35.0f : -35.0f);
  const std::uint32_t faces[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  marrow_mesh mesh{};
  mesh.name = text("Crate");
  mesh.placement[6] = mesh.placement[7] = mesh.placement[8] = mesh.placement[9] = 1.0f;
  mesh.vertices = corners.data();
  mesh.triangles = faces;
  mesh.vertex_count = 8;
  mesh.triangle_count = 12;
  REQUIRE(marrow_add_mesh(document, &mesh, nullptr, 0) == MARROW_OK);
  const marrow_input input{.role = "mesh", .name = "crate", .bytes = nullptr, .byte_count = 0, .document = document};
  marrow_result result = 0;
  const marrow_status built = marrow_run("collision build", R"({"shape":"hull","material":"wood","mass":10})", &input,
                                         1, nullptr, nullptr, &result);
  INFO(view(last_error().message));
  REQUIRE(built == MARROW_OK);
  const marrow_document blob = open_bytes(result_bytes(result), "crate.hkx");
  marrow_collision_info system;
  REQUIRE(marrow_get_collision(blob, 0, &system) == MARROW_OK);
  REQUIRE(system.body_count == 1);
  marrow_body body;
  std::uint32_t count = 0;
  REQUIRE(marrow_get_bodies(blob, 0, &body, 1, &count) == MARROW_OK);
  CHECK(view(body.shape) == "polytope");
  CHECK(body.motion == MARROW_MOTION_DYNAMIC);
  CHECK(body.mass == doctest::Approx(10).epsilon(0.01));
  marrow_meshes surfaces = 0;
  REQUIRE(marrow_open_meshes(blob, MARROW_SURFACE_COLLISION_SOLID, nullptr, &surfaces) == MARROW_OK);
  REQUIRE(marrow_get_mesh_count(surfaces, &count) == MARROW_OK);
  REQUIRE(count == 1);
  marrow_mesh seen;
  REQUIRE(marrow_get_mesh(surfaces, 0, &seen) == MARROW_OK);
  float farthest = 0;
  for (std::uint32_t i = 0; i < seen.vertex_count * 3; ++i) farthest = std::max(farthest, std::abs(seen.vertices[i]));
  CHECK(farthest == doctest::Approx(35).epsilon(0.02));
  const std::uint32_t wild[] = {0, 1, 8};
  mesh.triangles = wild;
  mesh.triangle_count = 1;
  CHECK(marrow_add_mesh(document, &mesh, nullptr, 0) == MARROW_NOT_FOUND);
  for (const marrow_handle handle : {document, result, blob, surfaces}) CHECK(marrow_release(handle) == MARROW_OK);
}

TEST_CASE("handles that are wrong, of another kind or released are errors") {
  const std::size_t before = marrow_open_handles();
  const marrow_document document = open_bytes(clip_bytes());
  marrow_document_info info;
  for (const marrow_handle wrong : {marrow_handle{0}, marrow_handle{1}, ~marrow_handle{0}, document + 1,
                                    document ^ (marrow_handle{1} << 60), document + (marrow_handle{1} << 24)})
    CHECK(marrow_get_document(wrong, &info) == MARROW_BAD_HANDLE);
  marrow_rig_info rig;
  CHECK(marrow_get_rig(document, &rig) == MARROW_BAD_HANDLE);
  CHECK(marrow_release(document) == MARROW_OK);
  CHECK(marrow_release(document) == MARROW_BAD_HANDLE);
  CHECK(marrow_get_document(document, &info) == MARROW_BAD_HANDLE);
  CHECK(view(last_error().name) == "bad-handle");
  const marrow_document next = open_bytes(clip_bytes());  // takes the slot again
  CHECK(next != document);
  CHECK(marrow_get_document(document, &info) == MARROW_BAD_HANDLE);
  marrow_release(next);
  CHECK(marrow_open_handles() == before);
}

TEST_CASE("an error has its code, file, offset, path and message") {
  Bytes bytes = clip_bytes();
  bytes.resize(bytes.size() / 2);
  marrow_document document = 7;
  REQUIRE(marrow_load(bytes.data(), bytes.size(), "half.hkx", nullptr, &document) != MARROW_OK);
  CHECK(document == 7);
  const marrow_error error = last_error();
  CHECK(view(error.file) == "half.hkx");
  CHECK(error.message.size > 0);
  CHECK(error.offset != MARROW_NO_OFFSET);

  const Bytes good = clip_bytes();
  const marrow_input input{
      .role = "clip", .name = "a.hkx", .bytes = good.data(), .byte_count = good.size(), .document = 0};
  marrow_result result = 0;
  CHECK(marrow_run("compress", R"({"max_rotation_error":-1})", &input, 1, nullptr, nullptr, &result) ==
        MARROW_BAD_OPTION);
  CHECK(view(last_error().path) == "max_rotation_error");
  CHECK(marrow_run("compress", "{", &input, 1, nullptr, nullptr, &result) != MARROW_OK);
  CHECK(marrow_run("compres", nullptr, &input, 1, nullptr, nullptr, &result) == MARROW_NOT_FOUND);
  CHECK(marrow_run(nullptr, nullptr, &input, 1, nullptr, nullptr, &result) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_load(nullptr, 5, nullptr, nullptr, &document) == MARROW_BAD_ARGUMENT);
}

TEST_CASE("limits of the context hold, and the progress callback stops the work") {
  const Bytes bytes = clip_bytes();
  marrow_context small{};
  small.max_expanded_bytes = 64;
  marrow_document document = 0;
  if (marrow_load(bytes.data(), bytes.size(), nullptr, &small, &document) == MARROW_OK) {
    marrow_frames frames;
    CHECK(marrow_get_frames(document, 0, &small, &frames) == MARROW_LIMIT_EXCEEDED);
    marrow_release(document);
  }
  marrow_context stopping{};
  int calls = 0;
  stopping.user = &calls;
  stopping.progress = [](void* user, double) -> std::int32_t { return ++*static_cast<int*>(user), 0; };
  const marrow_input input{
      .role = "clip", .name = "a.hkx", .bytes = bytes.data(), .byte_count = bytes.size(), .document = 0};
  marrow_result result = 0;
  CHECK(marrow_run("compress", nullptr, &input, 1, nullptr, &stopping, &result) == MARROW_CANCELLED);
  CHECK(calls > 0);
}

TEST_CASE("a file near the input is read through the context") {
  const Bytes clip = clip_bytes(), bones = skeleton_bytes();
  marrow_context context{};
  context.user = const_cast<Bytes*>(&bones);
  context.read = [](void* user, const char* name, std::size_t at_most, marrow_sink sink, void* state) -> std::int32_t {
    const auto& bytes = *static_cast<const Bytes*>(user);
    if (std::string_view(name) != "folder/skeleton.hkx") return 0;
    sink(state, bytes.data(), std::min(at_most, bytes.size()));
    return 1;
  };
  const marrow_input input{
      .role = "clip", .name = "folder/a.hkx", .bytes = clip.data(), .byte_count = clip.size(), .document = 0};
  marrow_result result = 0;
  REQUIRE(marrow_run("sample", R"({"space":"model","frames":[0]})", &input, 1, nullptr, &context, &result) ==
          MARROW_OK);
  marrow_release(result);
  CHECK(marrow_run("sample", R"({"space":"model","frames":[0]})", &input, 1, nullptr, nullptr, &result) ==
        MARROW_NEEDS_SKELETON);
}

TEST_CASE("the skeleton of a clip is found near it, or in the document") {
  const Bytes bones = skeleton_bytes();
  marrow_context context{};
  context.user = const_cast<Bytes*>(&bones);
  context.read = [](void* user, const char* name, std::size_t at_most, marrow_sink sink, void* state) -> std::int32_t {
    const auto& bytes = *static_cast<const Bytes*>(user);
    if (std::string_view(name) != "folder/skeleton.hkx") return 0;
    sink(state, bytes.data(), std::min(at_most, bytes.size()));
    return 1;
  };
  const marrow_document clip = open_bytes(clip_bytes(), "folder/a.hkx"), own = open_bytes(bones);
  marrow_document found = 0;
  CHECK(marrow_find_skeleton(clip, nullptr, &found) == MARROW_NEEDS_SKELETON);
  for (const marrow_document each : {clip, own}) {
    REQUIRE(marrow_find_skeleton(each, &context, &found) == MARROW_OK);
    marrow_skeleton_info info;
    REQUIRE(marrow_get_skeleton(found, 0, &info) == MARROW_OK);
    CHECK(info.bone_count == 5);
    marrow_release(found);
  }
  marrow_release(clip);
  marrow_release(own);
}

TEST_CASE("a clip that is being edited is sampled as it is") {
  const marrow_document clip = open_bytes(clip_bytes()), bones = open_bytes(skeleton_bytes());
  std::vector<float> tracks(50), pose(50);
  marrow_frames frames;
  REQUIRE(marrow_get_frames(clip, 0, nullptr, &frames) == MARROW_OK);
  frames.data[(3 * 5 + 1) * 10] = 77.0f;
  REQUIRE(marrow_sample_frames(clip, 0, 0, 0, 3, MARROW_SPACE_LOCAL, tracks.data(), 50) == MARROW_OK);
  CHECK(std::equal(tracks.begin(), tracks.end(), frames.data + 3 * 50));
  REQUIRE(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_LOCAL, pose.data(), 50) == MARROW_OK);
  CHECK(pose[10] == 77.0f);
  REQUIRE(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_MODEL, tracks.data(), 50) == MARROW_OK);
  REQUIRE(marrow_local_to_model(bones, 0, pose.data(), pose.data(), 5) == MARROW_OK);
  CHECK(tracks == pose);
  CHECK(marrow_sample_frames(clip, 0, bones, 0, 3, MARROW_SPACE_LOCAL, pose.data(), 49) == MARROW_BAD_ARGUMENT);
  marrow_release(clip);
  marrow_release(bones);
}

TEST_CASE("tracks have names of their own, beside their events") {
  const marrow_document document = open_bytes(clip_bytes());
  const marrow_text names[] = {text("Root"), text("Tail")};
  const marrow_annotation event{text("FootLeft"), 0.1f, 1};
  REQUIRE(marrow_set_annotations(document, 0, &event, 1) == MARROW_OK);
  REQUIRE(marrow_set_track_names(document, 0, names, 2) == MARROW_OK);
  const std::vector<marrow_text> many(6, text("x"));
  CHECK(marrow_set_track_names(document, 0, many.data(), 6) == MARROW_BAD_ARGUMENT);
  const marrow_document again = open_bytes(save(document));
  marrow_text read[5];
  std::uint32_t count = 0;
  REQUIRE(marrow_get_track_names(again, 0, read, 5, &count) == MARROW_OK);
  CHECK(count == 5);
  CHECK(view(read[1]) == "Tail");
  marrow_annotation kept;
  REQUIRE(marrow_get_annotations(again, 0, &kept, 1, &count) == MARROW_OK);
  CHECK(view(kept.text) == "FootLeft");
  marrow_release(document);
  marrow_release(again);
}

TEST_CASE("with other clips than its packfile has, a document is written as a new one") {
  const marrow_document document = open_bytes(clip_bytes());
  marrow_clip_info info{};
  REQUIRE(marrow_get_clip(document, 0, &info) == MARROW_OK);
  info.name = text("second");
  REQUIRE(marrow_add_clip(document, &info, nullptr) == MARROW_OK);
  std::vector<float> still(10);
  still[6] = still[7] = still[8] = still[9] = 1.0f;
  const marrow_frames frames{still.data(), nullptr, 1, 1, 0, 0};
  REQUIRE(marrow_set_frames(document, 1, &frames, 0.0f) == MARROW_OK);
  REQUIRE(marrow_remove_clip(document, 0) == MARROW_OK);
  const marrow_document again = open_bytes(save(document));
  marrow_document_info read;
  REQUIRE(marrow_get_document(again, &read) == MARROW_OK);
  CHECK(read.clip_count == 1);
  REQUIRE(marrow_get_clip(again, 0, &info) == MARROW_OK);
  CHECK(info.frame_count == 1);
  marrow_release(document);
  marrow_release(again);
}

TEST_CASE("a check without files does not mend") {
  const Bytes bytes = clip_bytes();
  const marrow_input input{
      .role = "file", .name = "a.hkx", .bytes = bytes.data(), .byte_count = bytes.size(), .document = 0};
  marrow_context context{};
  for (const std::uint32_t report_only : {0u, 1u}) {
    context.report_only = report_only;
    marrow_result result = 0;
    REQUIRE(marrow_run("check", nullptr, &input, 1, nullptr, &context, &result) == MARROW_OK);
    marrow_result_info info;
    REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
    CHECK(info.file_count == 1 - report_only);
    CHECK(parse_json(view(info.report))->contains("left") == (report_only == 0));
    marrow_release(result);
  }
}

TEST_CASE("an operation that needs frames decodes those of a document that was only opened") {
  const marrow_document clip = open_bytes(clip_bytes()), bones = open_bytes(skeleton_bytes());
  const marrow_input inputs[] = {{"clip", nullptr, nullptr, 0, clip}, {"skeleton", nullptr, nullptr, 0, bones}};
  marrow_result result = 0;
  REQUIRE(marrow_run("mirror", nullptr, inputs, 2, nullptr, nullptr, &result) == MARROW_OK);
  const marrow_document mirrored = open_bytes(result_bytes(result));
  marrow_clip_info info;
  REQUIRE(marrow_get_clip(mirrored, 0, &info) == MARROW_OK);
  CHECK(info.frame_count == 20);
  for (const marrow_handle each : {clip, bones, result, mirrored}) marrow_release(each);
}

TEST_CASE("threads share documents while others release them") {
  const Bytes bytes = clip_bytes(3, 12);
  std::vector<std::thread> threads;
  const marrow_document shared = open_bytes(bytes);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        marrow_document own = 0;
        if (marrow_load(bytes.data(), bytes.size(), nullptr, nullptr, &own) != MARROW_OK) continue;
        marrow_frames frames;
        marrow_get_frames(shared, 0, nullptr, &frames);
        marrow_sampler sampler = 0;
        if (marrow_open_sampler(shared, 0, 0, 0, nullptr, &sampler) == MARROW_OK) {
          float pose[30];
          marrow_sample(sampler, i * 0.1, pose, 30);
          marrow_release(sampler);
        }
        marrow_release(own);
        if (i == 40) marrow_release(shared);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(marrow_release(shared) == MARROW_BAD_HANDLE);
}

TEST_CASE("the description is JSON and lists every operation") {
  const auto table = parse_json(view(marrow_describe()));
  REQUIRE(table);
  CHECK(table->size() == operations().size());
}
