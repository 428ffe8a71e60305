// SPDX-License-Identifier: MIT
#include "ops/collision/boxes.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "marrow/core/byte_reader.h"
#include "ops/table/operation.h"
#include "support/documents.h"

using namespace marrow;

namespace {

/// A floor of 8 by 8 squares of 10 units, as a mesh.
Document floor_document() {
  std::string obj;
  for (int y = 0; y <= 8; ++y)
    for (int x = 0; x <= 8; ++x) obj += "v " + std::to_string(10 * x) + " " + std::to_string(10 * y) + " 0\n";
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      const int a = 9 * y + x + 1;
      obj += "f " + std::to_string(a) + " " + std::to_string(a + 1) + " " + std::to_string(a + 10) + "\n";
      obj += "f " + std::to_string(a) + " " + std::to_string(a + 10) + " " + std::to_string(a + 9) + "\n";
    }
  const std::vector<OperationInput> inputs = {{.role = "mesh", .name = "floor.obj", .bytes = as_bytes(obj)}};
  const Json options = parse_json(R"({"shape":"mesh"})").value();
  Context context;
  OperationCall call{.options = options, .inputs = inputs, .context = context};
  return test::loaded(run_operation("collision build", call).value().files.at(0).bytes);
}

}  // namespace

TEST_CASE("the boxes of a mesh start with one that holds it all, and get smaller") {
  const Document document = floor_document();
  Context context;
  const auto report = list_collision_boxes(document, {}, context);
  REQUIRE(report);
  REQUIRE(report->boxes.size() > 8);
  const CollisionBox& root = report->boxes.front();
  CHECK(root.depth == 0);
  CHECK(root.size.x >= 80.0f);
  CHECK(root.size.x < 90.0f);
  CHECK(root.centre.x == doctest::Approx(40).epsilon(0.05));
  float smallest = root.size.x;
  for (const CollisionBox& box : report->boxes) {
    CHECK(box.depth <= 6);
    CHECK(std::abs(box.centre.x - root.centre.x) + box.size.x / 2 <= root.size.x / 2 + 0.5f);
    smallest = std::min(smallest, box.size.x);
  }
  CHECK(smallest < 45.0f);
}

TEST_CASE("a depth limits the boxes, and a file without collision is refused") {
  const Document document = floor_document();
  Context context;
  const auto roots = list_collision_boxes(document, {.depth = 0}, context);
  REQUIRE(roots);
  CHECK(roots->boxes.size() == 1);
  CHECK(list_collision_boxes(test::skeleton_document_of(2), {}, context).error().code == ErrorCode::NoCollision);
}
