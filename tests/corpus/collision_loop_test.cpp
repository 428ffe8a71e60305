// SPDX-License-Identifier: MIT
// The game's own collision, exported and put back.
#include <doctest/doctest.h>

#include <algorithm>

#include "ops/collision/author.h"
#include "ops/collision/check.h"
#include "ops/collision/collision.h"
#include "ops/collision/mesh.h"
#include "support/corpus.h"
#include "support/documents.h"

using namespace marrow;

namespace {

struct Put {
  test::Bytes bytes;
  std::size_t changed = 0;
};

Put put_into(const test::Bytes& nif, const Document& meshes) {
  Context context;
  Document document = test::loaded(nif, Parts::Collision);
  const auto report = replace_collision(document, {.blob = &meshes}, context);
  REQUIRE_MESSAGE(report.has_value(), (report ? "" : describe(report.error())));
  return {test::saved(document), report->changed.size()};
}

// The NIFs that have something to show.
std::vector<std::filesystem::path> nifs() {
  std::vector<std::filesystem::path> paths = test::files_below(test::corpus(), ".nif");
  std::erase_if(paths, [](const std::filesystem::path& path) {
    Notes notes;
    return !shown_meshes(test::loaded(test::bytes_of(path), Parts::Collision), {}, notes);
  });
  return paths;
}

}  // namespace

TEST_CASE("the game's collision comes back byte for byte, also without a record") {
  std::size_t count = 0;
  for (const auto& path : nifs()) {
    CAPTURE(path.string());
    const test::Bytes nif = test::bytes_of(path);
    const Document document = test::loaded(nif, Parts::Collision);
    for (const Format format : {Format::Glb, Format::Obj})
      for (const bool solid : {false, true}) {
        Document meshes = test::loaded(test::saved(document, {.format = format, .collision = true, .solid = solid}));
        CHECK_FALSE(meshes.collision_record.empty());
        CHECK(put_into(nif, meshes).bytes == nif);
        meshes.collision_record.clear();
        if (!solid) CHECK(put_into(nif, meshes).bytes == nif);
      }
    ++count;
  }
  if (!test::corpus().empty()) CHECK(count == 22);
}

TEST_CASE("one moved vertex of the game's collision changes one body, which check finds nothing wrong with") {
  for (const auto& path : nifs()) {
    CAPTURE(path.string());
    const test::Bytes nif = test::bytes_of(path);
    const Document document = test::loaded(nif, Parts::Collision);
    Document meshes = test::loaded(test::saved(document, {.format = Format::Glb, .collision = true}));
    auto& vertices = meshes.meshes.front().mesh.vertices;
    Vec3& top = *std::ranges::max_element(vertices, {}, [](const Vec3& v) { return v.z; });
    const Vec3 before = top;
    // Vertices at one place move together.
    for (Vec3& vertex : vertices)
      if (vertex == before) vertex.z += 10.0f;
    const Put put = put_into(nif, meshes);
    CHECK(put.changed == 1);
    // What is remarked on in the game's own file, e.g. a second system, is still remarked on.
    const Findings before_put = check_collision(document);
    for (const Finding& finding : check_collision(test::loaded(put.bytes, Parts::Collision)))
      CHECK_MESSAGE((finding.level == Level::Info && std::ranges::find(before_put, finding) != before_put.end()),
                    finding.code << " " << finding.message);
  }
}

TEST_CASE("collision is taken off the game's nodes and put back on") {
  for (const auto& path : nifs()) {
    CAPTURE(path.string());
    Document document = test::loaded(test::bytes_of(path), Parts::Collision);
    Context context;
    const auto off = detach_collision(document, {}, context);
    REQUIRE_MESSAGE(off.has_value(), (off ? "" : describe(off.error())));
    CHECK_FALSE(off->nodes.empty());
    const Document bare = test::loaded(test::saved(document), Parts::Collision);
    for (const DocumentCollision& left : bare.collision) CHECK(left.kind == EmbeddedKind::Cloth);
    for (const Finding& finding : check_collision(bare)) CHECK_MESSAGE(false, finding.code << " " << finding.where);
  }
}
