// SPDX-License-Identifier: MIT
// Shapes of every kind: read, edited, ported.
#include <doctest/doctest.h>

#include <glm/geometric.hpp>

#include <algorithm>

#include "codec/half.h"
#include "nif/edit_shape.h"
#include "nif/port.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "support/body_sample.h"

using namespace marrow;

namespace {

BodyShape only_shape(const NifFile& file) {
  const auto shapes = read_shapes(file);
  REQUIRE_MESSAGE(shapes.has_value(), shapes.error().message);
  REQUIRE(shapes->size() == 1);
  return shapes->front();
}

ShapeEdit untouched(const NifFile& file, const BodyShape& shape) {
  ShapeEdit edit;
  edit.triangles = shape.triangles;
  edit.groups = *triangle_groups(file, shape);
  for (std::size_t i = 0; i < shape.positions.size(); ++i)
    edit.vertices.push_back({.source = static_cast<std::uint16_t>(i)});
  return edit;
}

bool near(const std::vector<Vec3>& a, const std::vector<Vec3>& b, float apart) {
  return std::ranges::equal(a, b, [&](const Vec3& x, const Vec3& y) { return glm::distance(x, y) <= apart; });
}

// Weights as they are drawn: the bone of a weight of 0 means nothing, and Skyrim LE does not store it.
std::vector<VertexWeights> drawn(std::vector<VertexWeights> all) {
  for (VertexWeights& each : all)
    for (std::size_t k = 0; k < 4; ++k)
      if (each.weights[k] == 0.0f) each.bones[k] = 0;
  return all;
}

}  // namespace

TEST_CASE("halves: every one comes back, and the nearest is taken, of two the even one") {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const auto bits = static_cast<std::uint16_t>(half);
    if ((bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0) continue;  // not a number
    REQUIRE(codec::float_to_half(codec::half_to_float(bits)) == bits);
  }
  CHECK(codec::float_to_half(1.0f + 0x1p-11f) == 0x3C00);
  CHECK(codec::float_to_half(1.0f + 3 * 0x1p-11f) == 0x3C02);
  CHECK(codec::float_to_half(65520.0f) == 0x7C00);
  CHECK(codec::float_to_half(0x1p-25f) == 0);
  CHECK(codec::half_to_float(codec::float_to_half(-0x1p-24f)) == -0x1p-24f);
}

TEST_CASE("a shape of every kind is read with all that it has") {
  const BodyShape sheet = test::sample_sheet();
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    CAPTURE(kind.is_skinned);
    const BodyShape shape = only_shape(test::sample_body(kind));
    CHECK(shape.type == kind.type);
    CHECK(shape.name == "Sheet");
    CHECK(shape.positions == sheet.positions);
    CHECK(shape.triangles == sheet.triangles);
    CHECK(shape.uvs == sheet.uvs);
    CHECK(shape.colors == sheet.colors);
    CHECK(near(shape.normals, sheet.normals, 0.01f));
    CHECK(near(shape.tangents, sheet.tangents, 0.01f));
    CHECK(near(shape.bitangents, sheet.bitangents, 0.01f));
    CHECK(shape.is_skinned == kind.is_skinned);
    CHECK(shape.material.name == "Materials\\Sheet.bgsm");
    CHECK(shape.material.textures == std::vector<std::string>{"textures\\sheet_d.dds", "textures\\sheet_n.dds"});
    CHECK(shape.material.alpha == AlphaMode::Mask);
    CHECK(shape.material.is_double_sided);
    if (kind.is_skinned) {
      REQUIRE(shape.bones.size() == 2);
      CHECK(shape.bones[0].name == "Upper");
      CHECK(shape.bones[0].bind.translation == Vec3(0, 0, -10));
      REQUIRE(shape.weights.size() == sheet.weights.size());
      for (std::size_t i = 0; i < sheet.weights.size(); ++i) {
        CHECK(shape.weights[i].weights == sheet.weights[i].weights);
        CHECK(shape.weights[i].bones[0] == sheet.weights[i].bones[0]);
      }
      CHECK(shape.partitions.size() == (kind.stream == 130 ? 0u : 2u));
    }
    if (kind.type == "BSSubIndexTriShape") {
      REQUIRE(shape.segments.size() == 2);
      CHECK(shape.segments[1].first_triangle == 6);
      CHECK(shape.segments[1].sub_segments.size() == 2);
    }
  }
}

TEST_CASE("every kind goes back byte for byte through the tables, and each cut of its blocks is an error") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(std::string(kind.type));
    NifFile file = test::sample_body(kind);
    const std::vector<std::byte> bytes = write_nif(file);
    REQUIRE(nif::rewrite_blocks(file));
    CHECK(write_nif(file) == bytes);
    for (std::size_t block = 0; block < file.blocks.size(); ++block)
      for (std::size_t size = 0; size < file.blocks[block].bytes.size(); ++size) {
        NifFile cut = file;
        cut.blocks[block].bytes.resize(size);
        REQUIRE_FALSE(nif::rewrite_blocks(cut));
        (void)read_shapes(cut, {.keep_faults = true});
      }
  }
}

TEST_CASE("an edit of nothing changes nothing") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    CAPTURE(std::string(kind.type));
    NifFile file = test::sample_body(kind);
    const NifFile before = file;
    const BodyShape shape = only_shape(file);
    REQUIRE(edit_shape(file, shape, untouched(file, shape)));
    CHECK(file == before);
  }
}

TEST_CASE("moved vertices, painted weights and removed triangles arrive, with bounds, partitions and segments") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    if (kind.type == "NiTriStrips") continue;
    CAPTURE(kind.stream);
    CAPTURE(std::string(kind.type));
    NifFile file = test::sample_body(kind);
    const BodyShape shape = only_shape(file);
    ShapeEdit edit = untouched(file, shape);
    edit.vertices[0].position = Vec3(-8, 0, 0);
    edit.vertices[5].uv = Vec2(0.5f, 0.25f);
    edit.vertices[6].color = Vec4(0.0f);
    if (kind.is_skinned) edit.vertices[7].weights = VertexWeights{{0, 1, 0, 0}, {0.75f, 0.25f, 0, 0}};
    edit.triangles.pop_back();
    edit.groups.pop_back();
    edit.has_new_triangles = true;
    REQUIRE(edit_shape(file, shape, edit));
    const BodyShape after = only_shape(file);
    CHECK(after.positions[0] == Vec3(-8, 0, 0));
    CHECK(after.positions[1] == shape.positions[1]);
    CHECK(after.uvs[5] == Vec2(0.5f, 0.25f));
    CHECK(after.colors[6] == Vec4(0.0f));
    CHECK(after.triangles.size() == shape.triangles.size() - 1);
    CHECK(triangle_groups(file, after)->size() == after.triangles.size());
    if (shape.bound.w > 0.0f) CHECK(after.bound.w > shape.bound.w);
    if (kind.is_skinned) {
      CHECK(after.weights[7].weights[0] == 0.75f);
      CHECK(after.weights[7].bones[0] == 0);
      CHECK(after.bones[1].bound.w > 0.0f);
    }
    if (kind.type == "BSSubIndexTriShape")
      CHECK(after.segments[1].triangle_count == shape.segments[1].triangle_count - 1);
    if (after.levels) CHECK((*after.levels)[1] == (*shape.levels)[1] - 1);
    if (!after.partitions.empty()) CHECK(after.partitions[1].triangle_count == shape.partitions[1].triangle_count - 1);
  }
}

TEST_CASE("Skyrim LE to SE and back keeps the mesh, and the types of the other game are gone") {
  for (const test::BodyKind& kind : test::body_kinds()) {
    if (kind.stream == 130) continue;
    CAPTURE(std::string(kind.type));
    const std::uint32_t other = kind.stream == 83 ? 100 : 83;
    NifFile file = test::sample_body(kind);
    const BodyShape before = only_shape(file);
    Notes notes;
    REQUIRE(port_nif(file, other, {}, notes));
    CHECK(file.stream == other);
    CHECK((std::ranges::find(file.types, "NiTriShape") != file.types.end()) == (other == 83));
    const auto read = read_nif(write_nif(file));
    REQUIRE(read);
    const BodyShape after = only_shape(*read);
    CHECK(after.positions == before.positions);
    CHECK(after.uvs == before.uvs);
    CHECK(after.triangles == before.triangles);
    CHECK(near(after.normals, before.normals, 0.01f));
    CHECK(drawn(after.weights) == drawn(before.weights));
    CHECK(after.partitions == before.partitions);
    CHECK(after.material == before.material);
    CHECK(after.parent == 0);
    REQUIRE(port_nif(file, kind.stream, {}, notes));
    CHECK(only_shape(file).positions == before.positions);
    CHECK(drawn(only_shape(file).weights) == drawn(before.weights));
  }
  NifFile fallout = test::sample_body({});
  Notes notes;
  CHECK_FALSE(port_nif(fallout, 100, {}, notes));
}

TEST_CASE("head parts become dynamic shapes that keep their number of vertices and their bound") {
  NifFile file = test::sample_body({83, "NiTriShape", true});
  const BodyShape before = only_shape(file);
  Notes notes;
  REQUIRE(port_nif(file, 100, {.head_parts = true}, notes));
  const BodyShape after = only_shape(file);
  CHECK(after.type == "BSDynamicTriShape");
  CHECK(after.positions == before.positions);
  CHECK(after.bound == before.bound);
  CHECK(nif::read_block(file, after.block)->integer("vertex_count") == before.positions.size());
}

TEST_CASE("a port says what each shape became") {
  NifFile file = test::sample_body({83, "NiTriStrips", true});
  Notes notes;
  std::vector<PortChange> changes;
  REQUIRE(port_nif(file, 100, {}, notes, &changes));
  const auto row = [&](std::string_view what) {
    const auto found = std::ranges::find(changes, what, &PortChange::what);
    return found == changes.end() ? PortChange{} : *found;
  };
  CHECK(row("type") == PortChange{"shape 'Sheet'", "type", "NiTriStrips", "BSTriShape"});
  CHECK(row("triangles").to == "12 triangles");
  CHECK(row("weights").what.empty());
}

TEST_CASE("of more than four weights the strongest stay, and the port says so") {
  NifFile file = test::sample_body({83, "NiTriShape", true});
  const BodyShape before = only_shape(file);
  // Each vertex of the partitions gets a fifth weight, the least.
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) != "NiSkinPartition") continue;
    nif::Record record = *nif::read_block(file, block);
    for (nif::Record& partition : record.records("partitions")) {
      std::vector<float> weights;
      std::vector<std::uint8_t> indices;
      const auto old = partition.values<float>("weights");
      const auto places = partition.values<std::uint8_t>("indices");
      for (std::size_t at = 0; at < old.size(); at += 4) {
        weights.push_back(0.001f), indices.push_back(1);
        for (std::size_t k = 0; k < 4; ++k)
          weights.push_back(old[at + k] > 0.0f ? old[at + k] : 0.002f), indices.push_back(places[at + k]);
      }
      partition.set_integer("weights_per_vertex", 5);
      partition.set_values("weights", weights);
      partition.set_values("indices", indices);
    }
    REQUIRE(nif::write_block(file, block, record));
  }
  Notes notes;
  std::vector<PortChange> changes;
  REQUIRE(port_nif(file, 100, {}, notes, &changes));
  const auto row = std::ranges::find(changes, "weights", &PortChange::what);
  REQUIRE(row != changes.end());
  CHECK(row->from == "more than four on 12 vertices");
  const BodyShape after = only_shape(file);
  for (std::size_t i = 0; i < after.weights.size(); ++i) {
    const auto& w = after.weights[i].weights;
    CHECK(w[0] + w[1] + w[2] + w[3] == doctest::Approx(1.0).epsilon(0.01));
    CHECK(after.weights[i].bones[0] == before.weights[i].bones[0]);
  }
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto record = nif::read_block_of(file, static_cast<std::int32_t>(i), "NiSkinPartition");
        record && *record)
      for (const nif::Record& partition : (*record)->records("partitions")) {
        CHECK(partition.integer("weights_per_vertex") == 4);
        CHECK(partition.size("weights") == 4 * partition.size("map"));
      }
}

TEST_CASE("partitions with more bones than Skyrim LE moves are made anew") {
  NifFile file = test::sample_body({100, "BSTriShape", true});
  const BodyShape before = only_shape(file);
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) != "NiSkinPartition") continue;
    nif::Record record = *nif::read_block(file, block);
    nif::Record& partition = record.records("partitions")[0];
    auto bones = partition.values<std::uint16_t>("bones");
    bones.resize(70, 0);
    partition.set_values("bones", bones);
    partition.set_integer("bone_count", bones.size());
    REQUIRE(nif::write_block(file, block, record));
  }
  Notes notes;
  std::vector<PortChange> changes;
  REQUIRE(port_nif(file, 83, {}, notes, &changes));
  const BodyShape after = only_shape(file);
  for (const BodyPartition& partition : after.partitions) CHECK(partition.bones.size() <= 60);
  CHECK(after.triangles == before.triangles);
  CHECK(drawn(after.weights) == drawn(before.weights));
  CHECK(after.partitions[1].body_part == 34);
  CHECK(std::ranges::find(changes, "partitions", &PortChange::what) != changes.end());
}

TEST_CASE("partitions that say nothing of weights, or other ones than are drawn, are made anew for Skyrim LE") {
  void (*const changes[])(nif::Record&) = {[](nif::Record& partition) {
                                             partition.set_integer("has_weights", 0);
                                             partition.bytes("weights").clear();
                                           },
                                           [](nif::Record& partition) {
                                             partition.set_integer("has_map", 0);
                                             partition.bytes("map").clear();
                                           },
                                           [](nif::Record& partition) {
                                             std::vector<float> weights = partition.values<float>("weights");
                                             for (std::size_t i = 0; i + 3 < weights.size(); i += 4)
                                               std::swap(weights[i], weights[i + 1]);
                                             partition.set_values("weights", weights);
                                           }};
  for (const auto change : changes) {
    NifFile file = test::sample_body({100, "BSTriShape", true});
    const BodyShape before = only_shape(file);
    for (std::size_t i = 0; i < file.blocks.size(); ++i) {
      const auto block = static_cast<std::int32_t>(i);
      if (file.type_of(block) != "NiSkinPartition") continue;
      nif::Record record = *nif::read_block(file, block);
      for (nif::Record& partition : record.records("partitions")) change(partition);
      REQUIRE(nif::write_block(file, block, record));
    }
    Notes notes;
    std::vector<PortChange> changed;
    REQUIRE(port_nif(file, 83, {}, notes, &changed));
    const BodyShape after = only_shape(file);
    CHECK(after.triangles == before.triangles);
    CHECK(drawn(after.weights) == drawn(before.weights));
    CHECK(std::ranges::find(changed, "partitions", &PortChange::what) != changed.end());
  }
}

TEST_CASE("weights that are painted on a mesh in any order leave the number of its partitions") {
  NifFile file = test::sample_body({83, "NiTriShape", true});
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (file.type_of(block) != "NiTriShapeData") continue;
    nif::Record record = *nif::read_block(file, block);
    // Triangles of the two partitions take turns.
    const auto old = record.values<std::array<std::uint16_t, 3>>("triangles");
    std::vector<std::array<std::uint16_t, 3>> mixed;
    for (std::size_t k = 0; k < old.size() / 2; ++k) mixed.insert(mixed.end(), {old[k], old[k + old.size() / 2]});
    record.set_values("triangles", mixed);
    REQUIRE(nif::write_block(file, block, record));
  }
  const BodyShape shape = only_shape(file);
  ShapeEdit edit = untouched(file, shape);
  edit.vertices[3].weights = VertexWeights{{1, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}};
  REQUIRE(edit_shape(file, shape, edit));
  const BodyShape after = only_shape(file);
  CHECK(after.triangles == shape.triangles);
  REQUIRE(after.partitions.size() == 2);
  CHECK(after.partitions[0].triangle_count == shape.partitions[0].triangle_count);
  CHECK(after.partitions[1].body_part == 34);
}
