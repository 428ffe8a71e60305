// SPDX-License-Identifier: MIT
// Skyrim's collision in the games' own files.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "geometry/mesh/mopp.h"
#include "havok/physics/character_ragdoll.h"
#include "nif/bhk.h"
#include "nif/bhk_check.h"
#include "nif/record.h"
#include "support/corpus.h"
#include "support/mopp_queries.h"

using namespace marrow;

namespace {

/// A mesh of a file and the code by which the game finds its triangles.
struct CodedMesh {
  std::string file;
  geometry::MoppCode code;
  MeshShape mesh;
};

NifFile nif_of(const std::filesystem::path& path) {
  auto file = read_nif(test::bytes_of(path));
  REQUIRE(file);
  return std::move(*file);
}

std::vector<CodedMesh> coded_meshes() {
  std::vector<CodedMesh> all;
  for (const auto& path : test::files_below(test::characters() / "bhk", ".nif")) {
    const NifFile file = nif_of(path);
    const auto systems = bhk::read_systems(file);
    REQUIRE(systems);
    std::vector<const MeshShape*> meshes;
    for (const bhk::System& each : *systems)
      for (const Shape& shape : each.system.shapes)
        if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) meshes.push_back(mesh);
    for (std::size_t i = 0; i < file.blocks.size(); ++i) {
      const auto record = nif::read_block_of(file, static_cast<std::int32_t>(i), "bhk_mopp_shape");
      if (!record || !*record) continue;
      CodedMesh one{path.filename().string(), {}, {}};
      const auto origin = (*record)->reals<3>("origin");
      one.code = {{origin[0], origin[1], origin[2]},
                  (*record)->get<float>("code_scale"),
                  {(*record)->bytes("code").begin(), (*record)->bytes("code").end()}};
      const auto keys = geometry::mopp_keys(one.code);
      REQUIRE(keys);
      // The mesh whose triangles have just these keys.
      for (const MeshShape* mesh : meshes)
        if (mesh->faces.size() == keys->size() && std::ranges::all_of(mesh->faces, [&](const MeshFace& face) {
              return std::ranges::find(*keys, face.key) != keys->end();
            }))
          one.mesh = *mesh;
      if (!one.mesh.faces.empty()) all.push_back(std::move(one));
    }
  }
  return all;
}

test::Triangle triangle_of(const MeshShape& mesh, const MeshFace& face) {
  return {mesh.vertices[face.corners[0]], mesh.vertices[face.corners[1]], mesh.vertices[face.corners[2]]};
}

}  // namespace

TEST_CASE("every file of Skyrim is read, goes back byte for byte and has no error") {
  for (const auto& path : test::files_below(test::characters() / "bhk", ".nif")) {
    CAPTURE(path.filename().string());
    NifFile file = nif_of(path);
    const NifFile before = file;
    const auto systems = bhk::read_systems(file);
    REQUIRE(systems);
    Notes notes;
    REQUIRE(bhk::write_systems(file, *systems, notes));
    CHECK(file == before);
    for (const Finding& finding : bhk::check(file)) CHECK(finding.level != Level::Error);
  }
}

TEST_CASE("boxes and rays find in real codes what they touch") {
  std::size_t touched = 0, missed = 0;
  for (const CodedMesh& each : coded_meshes()) {
    CAPTURE(each.file);
    geometry::Aabb all;
    for (const Vec3& vertex : each.mesh.vertices) geometry::include(all, vertex);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> share(0.0f, 1.0f);
    const auto point = [&] {
      return all.min + (all.max - all.min) * Vec3(share(random), share(random), share(random));
    };
    const std::size_t queries = 200'000 / each.mesh.faces.size() + 20;
    for (std::size_t i = 0; i < queries; ++i) {
      const Vec3 at = point(), half = (all.max - all.min) * 0.05f * share(random);
      const geometry::Aabb box{at - half, at + half};
      const Vec3 from = point(), to = point();
      const auto in_box = test::keys_in_box(each.code, box), on_ray = test::keys_on_ray(each.code, from, to);
      for (const MeshFace& face : each.mesh.faces) {
        const test::Triangle triangle = triangle_of(each.mesh, face);
        const bool in = test::touches(triangle, box), on = test::meets(triangle, from, to);
        touched += std::size_t{in} + std::size_t{on};
        missed += std::size_t{in && !in_box.contains(face.key)} + std::size_t{on && !on_ray.contains(face.key)};
      }
    }
  }
  CHECK(missed == 0);
  if (!test::characters().empty()) CHECK(touched > 1000);
}

TEST_CASE("codes that are built are not larger than those of the games by more than the contract says") {
  std::size_t real = 0, built = 0;
  for (const CodedMesh& each : coded_meshes()) {
    CAPTURE(each.file);
    std::vector<geometry::MoppItem> items;
    std::vector<geometry::MoppPoints> points;
    for (const MeshFace& face : each.mesh.faces) {
      const test::Triangle triangle = triangle_of(each.mesh, face);
      items.push_back({face.key, geometry::bounds_of(triangle)});
      points.push_back({face.key, {triangle.begin(), triangle.end()}});
    }
    CHECK(geometry::check_mopp(each.code, points)->empty());
    const auto code = geometry::build_mopp(items);
    REQUIRE(code);
    CHECK(geometry::check_mopp(*code, points)->empty());
    real += each.code.code.size();
    built += code->code.size();
    CHECK(static_cast<double>(code->code.size()) <= 1.5 * static_cast<double>(each.code.code.size()));
    MESSAGE(each.file, ": ", each.mesh.faces.size(), " triangles, ", code->code.size(), " bytes for ",
            each.code.code.size());
  }
  CHECK(static_cast<double>(built) <= 1.3 * static_cast<double>(real));
  MESSAGE("in all ", built, " bytes for ", real);
}

TEST_CASE("the ragdoll of a skeleton.hkx is read with the bones that its bodies move") {
  for (const char* game : {"skyrim-le", "skyrim-se", "fo4"}) {
    const auto path = test::corpus() / "hkx" / game / "skeleton.hkx";
    if (test::corpus().empty() || !std::filesystem::exists(path)) continue;
    CAPTURE(std::string(game));
    const auto file = havok::read_packfile(test::bytes_of(path));
    REQUIRE(file);
    const auto ragdoll = havok::read_character_ragdoll(*file);
    REQUIRE(ragdoll);
    REQUIRE(ragdoll->has_value());
    const CollisionSystem& system = (*ragdoll)->system;
    CHECK(system.bodies.size() >= 18);
    CHECK(system.constraints.size() == 17);
    CHECK((*ragdoll)->bones.size() == system.bodies.size());
    CHECK(
        std::ranges::none_of((*ragdoll)->bones, [](const std::string& name) { return name.starts_with("Ragdoll_"); }));
    for (const Constraint& joint : system.constraints) {
      CHECK(joint.body_a < system.bodies.size());
      CHECK(joint.body_b < system.bodies.size());
      const bool is_known =
          std::holds_alternative<RagdollJoint>(joint.joint) || std::holds_alternative<LimitedHingeJoint>(joint.joint);
      CHECK(is_known);
    }
  }
}
