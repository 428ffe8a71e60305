// SPDX-License-Identifier: MIT
// Parts of a document are read when they are asked for, and only those that are damaged fail.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "c_calls.h"
#include "marrow/core/byte_reader.h"
#include "support/nif_sample.h"

using namespace marrow;
using namespace marrow::test;

namespace {

constexpr std::string_view kMesh =
    "v -20 -10 0\nv -20 10 30\nv 20 -10 0\nv 20 10 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";

Bytes written(marrow_document document) {
  marrow_result result = 0;
  REQUIRE(marrow_save(document, nullptr, nullptr, nullptr, &result) == MARROW_OK);
  const Bytes bytes = result_bytes(result);
  REQUIRE(marrow_release(result) == MARROW_OK);
  return bytes;
}

Bytes nif_with_collision() {
  const marrow_document nif = open_bytes(write_nif(sample_nif()), "shelf.nif");
  const marrow_input mesh{
      .role = "mesh", .name = "mesh.obj", .bytes = kMesh.data(), .byte_count = kMesh.size(), .document = 0};
  const marrow_status added = marrow_apply(nif, "collision add-body", R"({"node":"Door"})", &mesh, 1, nullptr, nullptr);
  INFO(view(last_error().message));
  REQUIRE(added == MARROW_OK);
  const Bytes bytes = written(nif);
  REQUIRE(marrow_release(nif) == MARROW_OK);
  return bytes;
}

/// Gives the packfile in a NIF another version, which is not known.
Bytes with_damaged_collision(Bytes bytes) {
  constexpr std::array kMagic = {std::byte{0x57}, std::byte{0xe0}, std::byte{0xe0}, std::byte{0x57}};
  const auto at = std::ranges::search(bytes, kMagic).begin();
  REQUIRE(at != bytes.end());
  *(at + 12) = std::byte{0x7f};
  return bytes;
}

}  // namespace

TEST_CASE("a damaged part fails when it is asked for, and the rest of the file is as good as before") {
  const Bytes bytes = with_damaged_collision(nif_with_collision());
  const marrow_document document = open_bytes(bytes, "shelf.nif");
  CHECK(written(document) == bytes);
  marrow_document_info info;
  REQUIRE(marrow_get_document(document, &info) == MARROW_OK);
  CHECK(info.collision_count == 0);
  CHECK(view(info.notes).find("the collision cannot be read") != std::string_view::npos);
  marrow_collision_info system;
  const marrow_status refused = marrow_get_collision(document, 0, &system);
  CHECK(refused != MARROW_OK);
  CHECK(refused != MARROW_NOT_FOUND);
  CHECK(view(last_error().path).find("header") != std::string_view::npos);
  CHECK(marrow_read_parts(document, MARROW_PART_COLLISION) == refused);
  CHECK(marrow_read_parts(document, MARROW_PART_SKELETONS | MARROW_PART_CLIPS | MARROW_PART_MESHES) == MARROW_OK);
  CHECK(marrow_read_parts(document, 16) == MARROW_BAD_ARGUMENT);
  CHECK(written(document) == bytes);
  // An operation that needs the part fails and changes nothing.
  CHECK(marrow_apply(document, "collision set", R"({"friction":0.25})", nullptr, 0, nullptr, nullptr) == refused);
  CHECK(written(document) == bytes);
  marrow_document copy = 0;
  REQUIRE(marrow_copy_document(document, &copy) == MARROW_OK);
  CHECK(marrow_read_parts(copy, MARROW_PART_COLLISION) == refused);
  REQUIRE(marrow_release(copy) == MARROW_OK);
  REQUIRE(marrow_release(document) == MARROW_OK);
}

TEST_CASE("a document is read part by part") {
  const Bytes bytes = nif_with_collision();
  const marrow_document document = open_bytes(bytes, "shelf.nif");
  marrow_collision_info system;
  REQUIRE(marrow_get_collision(document, 0, &system) == MARROW_OK);
  CHECK(system.body_count == 1);
  marrow_document_info info;
  REQUIRE(marrow_get_document(document, &info) == MARROW_OK);
  CHECK(info.collision_count == 1);
  CHECK(view(info.notes) == "[]");
  CHECK(written(document) == bytes);
  REQUIRE(marrow_release(document) == MARROW_OK);
}
