// SPDX-License-Identifier: MIT
#include "nif/shape.h"

#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include <algorithm>

#include "core/byte_writer.h"
#include "marrow/core/byte_reader.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

constexpr std::uint64_t kPosition = std::uint64_t{1} << 44, kFull = std::uint64_t{1} << 54;

// What shapes begin with: as a node, without children.
ByteWriter shape_start(std::int32_t name) {
  std::vector<std::byte> bytes = test::node_bytes(name, {1, 2, 3}, kNoBlock, {});
  bytes.resize(bytes.size() - 4);
  ByteWriter writer;
  writer.bytes(bytes);
  writer.fill(16);  // bounding sphere
  for (int i = 0; i < 3; ++i) writer.i32(kNoBlock);
  return writer;
}

std::vector<std::byte> triangle_block(std::int32_t name, bool full, std::uint16_t last_corner = 2) {
  ByteWriter writer = shape_start(name);
  writer.u64((full ? kFull | 4 : 2) | kPosition);
  writer.u32(1);
  writer.u16(3);
  writer.u32(3 * (full ? 16 : 8) + 6);
  // 1, 0.5 and -2 as halves.
  for (int vertex = 0; vertex < 3; ++vertex) {
    for (const auto& [value, half] : {std::pair(1.0f, 0x3C00), std::pair(0.5f, 0x3800), std::pair(-2.0f, 0xC000)})
      full ? writer.f32(value) : writer.u16(static_cast<std::uint16_t>(half));
    full ? writer.f32(0) : writer.u16(0);
  }
  for (const std::uint16_t corner : {std::uint16_t{0}, std::uint16_t{1}, last_corner}) writer.u16(corner);
  return writer.take();
}

NifFile nif_with(std::string_view type, std::vector<std::byte> shape) {
  NifFile file = test::sample_nif();
  const std::int32_t block = add_block(file, type, std::move(shape));
  file.blocks[1].bytes = test::node_bytes(1, {100, 0, 0}, kNoBlock, {block});
  return file;
}

}  // namespace

TEST_CASE("a shape has its place in the scene, and its vertices in half or full precision") {
  for (const bool full : {false, true}) {
    CAPTURE(full);
    const auto shapes = read_shapes(nif_with("BSTriShape", triangle_block(2, full)));
    REQUIRE(shapes);
    REQUIRE(shapes->size() == 1);
    const BodyShape& shape = shapes->front();
    CHECK(shape.name == "Lamp");
    CHECK(shape.parent == 1);
    CHECK(shape.local.translation == Vec3(1, 2, 3));
    CHECK(shape.world.translation == Vec3(101, 2, 13));
    REQUIRE(shape.positions.size() == 3);
    CHECK(shape.positions[0] == Vec3(1, 0.5f, -2));
    CHECK(shape.triangles == std::vector<std::array<std::uint16_t, 3>>{{0, 1, 2}});
    CHECK_FALSE(shape.is_skinned);
  }
}

TEST_CASE("every prefix of a shape is an error, and so is a corner that is not there") {
  const std::vector<std::byte> bytes = triangle_block(2, false);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto shapes = read_shapes(nif_with("BSTriShape", cut));
    REQUIRE_FALSE(shapes);
    CHECK(shapes.error().path == "blocks[3]");
  }
  const NifFile file = nif_with("BSTriShape", triangle_block(2, true, 3));
  CHECK_FALSE(read_shapes(file));
  const auto kept = read_shapes(file, {.keep_faults = true});
  REQUIRE(kept);
  CHECK(kept->front().triangles.front()[2] == 3);
}

TEST_CASE("counts are checked before memory is taken") {
  ByteWriter writer = shape_start(2);
  writer.u64(kPosition | 15);
  writer.u32(0xFFFFFFFF);
  writer.u16(0xFFFF);
  writer.u32(1);
  CHECK_FALSE(read_shapes(nif_with("BSTriShape", writer.take())));
  const NifFile file = nif_with("BSTriShape", triangle_block(2, false));
  CHECK_FALSE(read_shapes(file, {.limits = {.max_expanded_bytes = 8}}));
}

TEST_CASE("the shapes of the game's files lie inside the spheres that the files state for them") {
  std::size_t count = 0, triangles = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const auto file = read_nif(test::bytes_of(path));
    REQUIRE(file);
    const auto shapes = read_shapes(*file);
    REQUIRE(shapes);
    for (const BodyShape& shape : *shapes) {
      CAPTURE(shape.name);
      CHECK(shape.parent != kNoBlock);
      CHECK_FALSE(shape.positions.empty());
      CHECK_FALSE(shape.triangles.empty());
      const std::vector<std::byte>& bytes = file->blocks[static_cast<std::size_t>(shape.block)].bytes;
      const std::size_t sphere = 4 + 4 + 4 * load<std::uint32_t>(bytes, 4) + 4 + 4 + 52 + 4;
      const Vec3 center(load<float>(bytes, sphere), load<float>(bytes, sphere + 4), load<float>(bytes, sphere + 8));
      const float radius = load<float>(bytes, sphere + 12);
      float farthest = 0;
      for (const Vec3& vertex : shape.positions) farthest = std::max(farthest, glm::distance(vertex, center));
      // Halves are stored to a two-thousandth of their size.
      CHECK(farthest <= radius * 1.01f + 0.05f);
      if (!shape.is_skinned) CHECK(farthest >= radius * 0.5f);
      ++count;
      triangles += shape.triangles.size();
    }
  }
  MESSAGE(count << " shapes, " << triangles << " triangles");
  if (!test::corpus().empty()) CHECK(count == 50);
}
