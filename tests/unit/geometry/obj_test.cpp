// SPDX-License-Identifier: MIT
#include "exchange/obj/obj.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

using namespace marrow;
using namespace marrow::geometry;

TEST_CASE("objects, materials, negative indices and polygons are read") {
  const ObjFile file = read_obj(R"(# a comment
mtllib ignored.mtl
o left
v 0 0 0
v 1 0 0   # trailing comment
v 1 1 0 1.0
v 0 1 0 0.5 0.5 0.5
vt 0 0
vn 0 0 1
usemtl Wood
f 1/1/1 2/1/1 3//1 4
o right side
v 5 0 0
v 6 0 0
v 6 1 0
usemtl metal plate
s off
f -3 -2 -1
)")
                           .value();
  REQUIRE(file.objects.size() == 2);
  CHECK(file.materials == std::vector<std::string>{"Wood", "metal plate"});
  CHECK(file.objects[0].name == "left");
  CHECK(file.objects[0].mesh.vertices.size() == 4);
  CHECK(file.objects[0].mesh.triangles == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}});
  CHECK(file.objects[1].name == "right side");
  CHECK(file.objects[1].mesh.vertices[0] == Vec3(5, 0, 0));
  CHECK(file.objects[1].mesh.materials == std::vector<std::uint16_t>{1});
}

TEST_CASE("groups are objects where a file has no others, and may be taken up again") {
  const ObjFile groups = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 1 2 3\ng a\nf 3 2 1\n").value();
  REQUIRE(groups.objects.size() == 2);
  CHECK(groups.objects[0].mesh.triangles.size() == 2);
  const ObjFile both = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\no x\ng a\nf 1 2 3\ng b\nf 1 2 3\n").value();
  REQUIRE(both.objects.size() == 1);
  CHECK(both.objects[0].name == "x");
}

TEST_CASE("line ends of every kind, joined lines and faces before their vertices are read") {
  CHECK(read_obj("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n")->objects.size() == 1);
  CHECK(read_obj("f 1 \\\n2 \\\n3\nv 0 0 0\nv 1 0 0\nv 0 1 0")->objects.size() == 1);
  CHECK(read_obj("")->objects.empty());
  CHECK(read_obj("v 1 2 3 \\")->objects.empty());
}

TEST_CASE("a concave polygon is cut inside its outline") {
  // An arrow: the fan from the first corner would leave it.
  const ObjFile file = read_obj("v 0 0 0\nv 2 2 0\nv 0 0.5 0\nv -2 2 0\nf 3 4 1 2\n").value();
  const TriangleMesh& mesh = file.objects[0].mesh;
  REQUIRE(mesh.triangles.size() == 2);
  float area = 0.0f;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 normal = glm::cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
    CHECK(normal.z > 0.0f);
    area += 0.5f * normal.z;
  }
  CHECK(area == doctest::Approx(1.0f));
}

TEST_CASE("errors name the line, its offset and the cure") {
  const auto wrong = [](std::string_view text) { return read_obj(text).error(); };
  CHECK(wrong("v 0 0 0\nf 1 2 3\n").path == "line 2");
  CHECK(wrong("v 0 0 0\nf 1 2 3\n").offset == 8);
  CHECK(wrong("v 0 0\n").message == "a vertex needs three coordinates");
  CHECK(wrong("v 0 x 0\n").message.find("'x'") != std::string::npos);
  CHECK(wrong("v 0 nan 0\n").path == "line 1");
  CHECK(wrong("v 0 0 0\nf 1 1\n").message == "a face needs three corners");
  CHECK(wrong("v 0 0 0\nf 1 1 0\n").path == "line 2");
  CHECK(wrong("v 0 0 0\nf 1 1 -2\n").path == "line 2");
  CHECK(wrong("v 0 0 0\nf 1 1 99999999999999999999\n").path == "line 2");
  CHECK(wrong("v 0 0 0\nf a b c\n").message.find("vertex number") != std::string::npos);
  CHECK(wrong(std::string_view("v\0", 2)).code == ErrorCode::BadMagic);
}

TEST_CASE("a name that would break its line is written without what breaks it") {
  ObjFile file{{{"a\nv 0 0 0\\", {}}}, {"#1"}};
  file.objects[0].mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  file.objects[0].mesh.triangles = {{0, 1, 2}};
  const ObjFile back = read_obj(write_obj(file)).value();
  CHECK(back.objects[0].name == "a_v 0 0 0_");
  CHECK(back.materials == std::vector<std::string>{"#1"});
  CHECK(back.objects[0].mesh.vertices.size() == 3);
}

TEST_CASE("what is written is read back equal") {
  ObjFile file;
  file.materials = {"wood", "metal"};
  ObjObject object{"one", {}};
  object.mesh.vertices = {{0.1f, 1e-20f, -3e10f}, {1, 0, 0}, {0, 1, 0}, {0.3333333f, 2, 2}};
  object.mesh.triangles = {{0, 1, 2}, {3, 2, 1}};
  object.mesh.materials = {0, 1};
  file.objects = {object, object};
  file.objects[1].name = "two";
  CHECK(read_obj(write_obj(file)).value() == file);
}
