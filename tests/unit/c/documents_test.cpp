// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "c_calls.h"

using namespace marrow;
using namespace marrow::test;

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

TEST_CASE("motion that is no motion is refused, when it is set and when it is saved") {
  const marrow_document document = open_bytes(clip_bytes(2, 3));
  marrow_frames frames{};
  REQUIRE(marrow_get_frames(document, 0, nullptr, &frames) == MARROW_OK);
  std::vector<float> values(frames.data, frames.data + 60);
  frames.data = values.data();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [at, wrong] :
       {std::pair<std::size_t, float>{50, nan}, {41, std::numeric_limits<float>::infinity()}}) {
    const float before = std::exchange(values[at], wrong);
    CHECK(marrow_set_frames(document, 0, &frames, 0.1f) == MARROW_MALFORMED);
    CHECK(view(last_error().path) == (at == 50 ? "frame 2, track 1" : "frame 2, track 0"));
    values[at] = before;
  }
  std::fill_n(values.begin() + 13, 4, 0.0f);  // the rotation of the second track
  CHECK(marrow_set_frames(document, 0, &frames, 0.1f) == MARROW_MALFORMED);
  CHECK(view(last_error().path) == "frame 0, track 1");
  for (const char* options : {"{}", R"({"format":"xml"})"}) {
    marrow_frames own{};
    REQUIRE(marrow_get_frames(document, 0, nullptr, &own) == MARROW_OK);
    const float before = std::exchange(own.data[50], nan);
    marrow_result result = 0;
    CHECK(marrow_save(document, options, nullptr, nullptr, &result) == MARROW_MALFORMED);
    own.data[50] = before;
    REQUIRE(marrow_save(document, options, nullptr, nullptr, &result) == MARROW_OK);
    marrow_release(result);
  }
  marrow_release(document);
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

TEST_CASE("an archive is a folder whose files are read one by one, and a damaged one is refused") {
  const Bytes bytes = file_bytes("fuzz/seeds/archive/se_packed.bsa");
  marrow_archive archive = 0;
  REQUIRE(marrow_open_archive(nullptr, bytes.data(), bytes.size(), nullptr, &archive) == MARROW_OK);
  marrow_archive_info info;
  REQUIRE(marrow_get_archive(archive, &info) == MARROW_OK);
  CHECK(view(info.format) == "bsa");
  CHECK(view(info.game) == "skyrim-se");
  CHECK(info.version == 105);
  REQUIRE(info.entry_count == 2);
  std::uint32_t index = 99;
  CHECK(marrow_find_archive_entry(archive, "meshes/none.hkx", &index) == MARROW_NOT_FOUND);
  REQUIRE(marrow_find_archive_entry(archive, "MESHES\\a/Walk.HKX", &index) == MARROW_OK);
  marrow_archive_entry entry;
  REQUIRE(marrow_get_archive_entry(archive, index, &entry) == MARROW_OK);
  CHECK(view(entry.path) == "meshes/a/walk.hkx");
  CHECK(entry.size == 60);
  CHECK(entry.compressed == 1);
  CHECK(entry.safe == 1);
  CHECK(marrow_get_archive_entry(archive, 2, &entry) != MARROW_OK);
  marrow_result result = 0;
  REQUIRE(marrow_read_archive_entry(archive, index, nullptr, &result) == MARROW_OK);
  CHECK(result_bytes(result) == Bytes(60, std::byte{'w'}));
  CHECK(marrow_release(result) == MARROW_OK);
  CHECK(marrow_release(archive) == MARROW_OK);
  CHECK(marrow_get_archive(archive, &info) == MARROW_BAD_HANDLE);
  CHECK(marrow_open_archive(nullptr, bytes.data(), 40, nullptr, &archive) != MARROW_OK);
  CHECK(view(last_error().message).size() > 0);
}
