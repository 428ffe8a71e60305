// SPDX-License-Identifier: MIT
// Collision as other tools write it: read as the game reads it, reported once, and mended.
#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "havok/physics/measure.h"
#include "havok/physics/physics.h"
#include "havok/physics/repair.h"
#include "nif/embedded.h"
#include "ops/collision/mesh.h"
#include "ops/files/check.h"
#include "support/corpus.h"
#include "support/documents.h"

using namespace marrow;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> foreign_files() {
  const fs::path folder = test::corpus().empty() ? fs::path() : test::corpus().parent_path() / "foreign" / "physics";
  if (!fs::is_directory(folder)) {
    MESSAGE("SKIPPED: no folder 'foreign' beside the corpus");
    return {};
  }
  return test::files_below(folder, ".hkx");
}

struct Read {
  havok::Packfile file;
  CollisionSystem system;
  Findings findings;
};

Read read(std::span<const std::byte> bytes) {
  Read result;
  auto file = havok::read_packfile(bytes, {.findings = &result.findings});
  REQUIRE_MESSAGE(file.has_value(), file.error().message);
  auto system = havok::read_physics(*file, file->root, {.findings = &result.findings});
  REQUIRE_MESSAGE(system.has_value(), system.error().message);
  result.file = std::move(*file);
  result.system = std::move(*system);
  return result;
}

std::map<std::string, std::size_t> count_codes(const Findings& findings) {
  std::map<std::string, std::size_t> counts;
  for (const Finding& finding : findings) ++counts[finding.code];
  return counts;
}

// The bounds of every body as it is exported, in game units.
std::vector<geometry::Aabb> exported_bounds(std::span<const std::byte> bytes) {
  std::vector<geometry::Aabb> boxes;
  Notes notes;
  for (const DocumentCollision& entry : test::loaded(bytes, Parts::Collision).collision)
    for (const CollisionMesh& mesh : collision_meshes(entry, {}, notes))
      boxes.push_back(geometry::bounds_of(mesh.vertices));
  return boxes;
}

Result<Findings> checked(std::span<const std::byte> bytes) {
  Context context;
  auto report = check(bytes, "blob.hkx", {}, context);
  if (!report) return std::unexpected(report.error());
  return std::move(report->findings);
}

}  // namespace

TEST_CASE("every file of another tool is read, and each of its faults reported once") {
  using Codes = std::map<std::string, std::size_t>;
  const std::map<std::string, Codes> expected = {
      {"box.hkx", {{"E_MISALIGNED_OBJECT", 1}}},
      {"cm_stairs2.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"cm_torus.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"re_AlarmClock.3.hkx", {{"E_MISALIGNED_OBJECT", 1}, {"E_HULL_PLANES", 1}}},
      {"re_Baby.4.hkx", {{"E_MISALIGNED_OBJECT", 1}, {"E_HULL_PLANES", 1}}},
      {"re_CarPush01.9.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"re_CrateDeathclaw01.3.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"re_DiamondPipeSm01.4.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"re_Poolball_Cue.3.hkx", {{"E_MISALIGNED_OBJECT", 1}, {"E_ARRAY_CUT", 1}}},
      {"re_ToyBlock01.3.hkx", {{"E_MISALIGNED_OBJECT", 1}, {"E_HULL_PLANES", 1}}},
      {"re_Workshop_BldWoodPDoor02.20.hkx", {{"E_MISALIGNED_OBJECT", 2}, {"E_PROPERTY_KEY", 1}}},
      {"sphere.hkx", {{"E_MISALIGNED_OBJECT", 1}, {"E_ARRAY_CUT", 1}, {"E_SPHERE_CENTRE", 1}}},
  };
  for (const auto& path : foreign_files()) {
    CAPTURE(path.string());
    const Read own = read(test::bytes_of(path));
    REQUIRE(own.system.bodies.size() == 1);
    const auto codes = expected.find(path.filename().string());
    REQUIRE(codes != expected.end());
    CHECK(count_codes(own.findings) == codes->second);
    std::set<std::pair<std::string, std::string>> places;
    const auto all = checked(test::bytes_of(path));
    REQUIRE(all);
    for (const Finding& finding : *all) CHECK(places.emplace(finding.code, finding.where).second);
  }
}

TEST_CASE("what other tools wrote has no fault once it is rebuilt, and the same bodies in the same place") {
  for (const auto& path : foreign_files()) {
    CAPTURE(path.string());
    const std::vector<std::byte> bytes = test::bytes_of(path);
    Read own = read(bytes);
    Notes notes;
    REQUIRE(havok::rebuild_physics(own.file, own.file.root, &notes));
    const auto written = havok::write_packfile(own.file);
    REQUIRE(written);
    const auto findings = checked(*written);
    REQUIRE(findings);
    for (const Finding& finding : *findings) {
      CAPTURE(finding.code);
      CAPTURE(finding.message);
      CHECK(finding.level == Level::Info);
    }
    const Read after = read(*written);
    CHECK(after.findings.empty());
    REQUIRE(after.system.bodies.size() == own.system.bodies.size());
    for (std::size_t i = 0; i < after.system.bodies.size(); ++i) {
      CHECK(after.system.bodies[i].filter == own.system.bodies[i].filter);
      CHECK(after.system.bodies[i].position == own.system.bodies[i].position);
      CHECK(mass_of(after.system, after.system.bodies[i]) == mass_of(own.system, own.system.bodies[i]));
    }
    const auto boxes_before = exported_bounds(bytes), boxes = exported_bounds(*written);
    REQUIRE(boxes.size() == boxes_before.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      CHECK(glm::distance(boxes[i].min, boxes_before[i].min) < 0.2f);
      CHECK(glm::distance(boxes[i].max, boxes_before[i].max) < 0.2f);
    }
    // Rebuilding again finds nothing to do.
    havok::Packfile twice = after.file;
    CHECK(havok::rebuild_physics(twice, twice.root) == 0);
    CHECK(twice == after.file);
  }
}

TEST_CASE("a hull that another tool packed again is the game's own once it is rebuilt") {
  for (const auto& path : foreign_files()) {
    const std::string name = path.filename().string();
    const fs::path original = test::corpus() / "nif" / (name.substr(3, name.find('.') - 3) + ".nif");
    if (!name.starts_with("re_") || !fs::exists(original)) continue;
    CAPTURE(name);
    const auto nif = read_nif(test::bytes_of(original));
    REQUIRE(nif);
    const auto blob = find_embedded(*nif, std::stoi(name.substr(name.find('.') + 1)));
    REQUIRE(blob);
    const Read game = read(blob->bytes);
    Read own = read(test::bytes_of(path));
    REQUIRE(havok::rebuild_physics(own.file, own.file.root));
    const auto rebuilt = havok::read_physics(own.file, own.file.root);
    REQUIRE(rebuilt);
    const auto* hull = std::get_if<Polytope>(&rebuilt->shapes.front().geometry);
    if (!hull) continue;
    const auto& theirs = std::get<Polytope>(game.system.shapes.front().geometry);
    CHECK(hull->vertices.size() == theirs.vertices.size());
    CHECK(hull->faces.size() == theirs.faces.size());
    if (rebuilt->shapes.front().convex_radius == game.system.shapes.front().convex_radius) {
      CHECK(rebuilt->shapes.front().mass->volume ==
            doctest::Approx(game.system.shapes.front().mass->volume).epsilon(1e-4));
    }
  }
}

TEST_CASE("the game's own systems have no fault and nothing to repair") {
  std::size_t systems = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const auto nif = read_nif(test::bytes_of(path));
    REQUIRE(nif);
    const auto embedded = read_embedded(*nif);
    REQUIRE(embedded);
    for (const EmbeddedPackfile& one : *embedded) {
      if (one.kind == EmbeddedKind::Cloth) continue;
      CAPTURE(one.block);
      Read game = read(one.bytes);
      CHECK(game.findings.empty());
      Notes notes;
      CHECK(havok::rebuild_physics(game.file, game.file.root, &notes) == 0);
      for (const Note& note : notes) CHECK_MESSAGE(false, note.path << ": " << note.message);
      const auto bytes = havok::write_packfile(game.file);
      REQUIRE(bytes);
      CHECK(std::ranges::equal(*bytes, one.bytes));
      ++systems;
    }
  }
  const fs::path skeleton = test::corpus() / "hkx" / "fo4" / "skeleton.hkx";
  if (test::corpus().empty() || !fs::exists(skeleton)) return;
  const auto file = havok::read_packfile(test::bytes_of(skeleton));
  REQUIRE(file);
  havok::Packfile copy = *file;
  Findings findings;
  REQUIRE(havok::read_physics(copy, havok::find_physics(copy).front(), {.findings = &findings}));
  CHECK(findings.empty());
  CHECK(havok::rebuild_physics(copy, havok::find_physics(copy).front()) == 0);
  MESSAGE(systems << " systems of NIF files and one of skeleton.hkx left alone");
}
