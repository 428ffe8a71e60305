// SPDX-License-Identifier: MIT
#include "havok/physics/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/try.h"
#include "havok/physics/fields.h"

namespace marrow::havok {
namespace {

using geometry::Aabb;
using geometry::CompressedMesh;

// Records of nothing but bytes are read and written as bytes: a large mesh has a million of them.
constexpr std::size_t kTopNodeBytes = 5;
constexpr std::size_t kSectionNodeBytes = 4;

// Offsets and counts share a word: first << 8 | count.
std::uint32_t packed_range(std::uint32_t first, std::uint32_t count) { return first << 8 | (count & 0xFF); }

Aabb read_box(const FieldsView& fields) {
  const std::vector<float> min = fields.floats("min"), max = fields.floats("max");
  return {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

void write_box(Fields fields, const Aabb& box) {
  fields.set_floats("min", std::array{box.min.x, box.min.y, box.min.z, 0.0f});
  fields.set_floats("max", std::array{box.max.x, box.max.y, box.max.z, 0.0f});
}

std::uint8_t byte(const FieldsView& fields, std::string_view name, std::uint32_t at = 0) {
  return static_cast<std::uint8_t>(fields.integer(name, at));
}
std::uint32_t word(const FieldsView& fields, std::string_view name) {
  return static_cast<std::uint32_t>(fields.integer(name));
}

template <class T>
std::vector<T> numbers(const FieldsView& fields, std::string_view name) {
  const ArrayView view = fields.array(name);
  const std::span<const T> values = view.numbers<T>();
  return {values.begin(), values.end()};
}

CompressedMesh::Section read_section(const FieldsView& fields) {
  CompressedMesh::Section section;
  const ArrayView nodes = fields.array("nodes");
  const std::span<const std::uint8_t> bytes = nodes.numbers<std::uint8_t>();
  for (std::size_t i = 0; i < bytes.size(); i += kSectionNodeBytes)
    section.nodes.push_back({{bytes[i], bytes[i + 1], bytes[i + 2]}, bytes[i + 3]});
  section.domain = read_box(fields.record("domain"));
  const std::vector<float> codec = fields.floats("codecParms");
  section.base = {codec[0], codec[1], codec[2]};
  section.scale = {codec[3], codec[4], codec[5]};
  section.first_packed_vertex = word(fields, "firstPackedVertex");
  section.first_shared_index = word(fields.record("sharedVertices"), "data") >> 8;
  const std::uint32_t primitives = word(fields.record("primitives"), "data");
  section.first_primitive = primitives >> 8;
  section.primitive_count = static_cast<std::uint8_t>(primitives);
  const std::uint32_t runs = word(fields.record("dataRuns"), "data");
  section.first_data_run = runs >> 8;
  section.data_run_count = static_cast<std::uint8_t>(runs);
  section.packed_vertex_count = byte(fields, "numPackedVertices");
  section.shared_index_count = byte(fields, "numSharedIndices");
  section.leaf_index = static_cast<std::uint16_t>(fields.integer("leafIndex"));
  section.page = byte(fields, "page");
  section.flags = byte(fields, "flags");
  return section;
}

void write_section(const CompressedMesh::Section& section, Fields fields) {
  std::vector<std::uint8_t> bytes;
  for (const auto& node : section.nodes) bytes.insert(bytes.end(), {node.box[0], node.box[1], node.box[2], node.data});
  fields.set_numbers<std::uint8_t>("nodes", bytes);
  write_box(fields.record("domain"), section.domain);
  const auto& b = section.base;
  const auto& s = section.scale;
  fields.set_floats("codecParms", std::array{b.x, b.y, b.z, s.x, s.y, s.z});
  fields.set_integer("firstPackedVertex", section.first_packed_vertex);
  fields.record("sharedVertices")
      .set_integer("data", packed_range(section.first_shared_index, section.packed_vertex_count));
  fields.record("primitives").set_integer("data", packed_range(section.first_primitive, section.primitive_count));
  fields.record("dataRuns").set_integer("data", packed_range(section.first_data_run, section.data_run_count));
  fields.set_integer("numPackedVertices", section.packed_vertex_count);
  fields.set_integer("numSharedIndices", section.shared_index_count);
  fields.set_integer("leafIndex", section.leaf_index);
  fields.set_integer("page", section.page);
  fields.set_integer("flags", section.flags);
}

// The words and the number of bits of an hkBitField. Bits past the end are whatever memory held; they are left out.
std::vector<std::uint32_t> read_bits(const FieldsView& field, std::uint32_t& count) {
  const FieldsView storage = field.record("storage");
  std::vector<std::uint32_t> words = numbers<std::uint32_t>(storage, "words");
  count = word(storage, "numBits");
  if (const std::uint32_t used = count % 32; used != 0 && count / 32 < words.size())
    words[count / 32] &= (1u << used) - 1;
  return words;
}

void write_bits(Fields field, const std::vector<std::uint32_t>& words, std::uint32_t count) {
  Fields storage = field.record("storage");
  storage.set_numbers<std::uint32_t>("words", words);
  storage.set_integer("numBits", count);
}

void read_tree(const FieldsView& tree, CompressedMesh& mesh) {
  const ArrayView top = tree.array("nodes");
  const std::span<const std::uint8_t> top_bytes = top.numbers<std::uint8_t>();
  for (std::size_t i = 0; i < top_bytes.size(); i += kTopNodeBytes) {
    const std::span<const std::uint8_t> b = top_bytes.subspan(i, kTopNodeBytes);
    mesh.top_nodes.push_back({{b[0], b[1], b[2]}, static_cast<std::uint16_t>(b[3] << 8 | b[4])});
  }
  mesh.domain = read_box(tree.record("domain"));
  mesh.primitive_key_count = word(tree, "numPrimitiveKeys");
  mesh.bits_per_key = word(tree, "bitsPerKey");
  mesh.max_key = word(tree, "maxKeyValue");
  const ArrayView sections = tree.array("sections");
  for (std::uint32_t i = 0; i < sections.size(); ++i) mesh.sections.push_back(read_section(sections.record(i)));
  const ArrayView primitives = tree.array("primitives");
  const std::span<const std::uint8_t> corners = primitives.numbers<std::uint8_t>();
  for (std::size_t i = 0; i < corners.size(); i += 4)
    mesh.primitives.push_back({{corners[i], corners[i + 1], corners[i + 2], corners[i + 3]}});
  mesh.shared_indices = numbers<std::uint16_t>(tree, "sharedVerticesIndex");
  mesh.packed_vertices = numbers<std::uint32_t>(tree, "packedVertices");
  mesh.shared_vertices = numbers<std::uint64_t>(tree, "sharedVertices");
  const ArrayView runs = tree.array("primitiveDataRuns");
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const FieldsView run = runs.record(i);
    mesh.data_runs.push_back(
        {static_cast<std::uint16_t>(run.record("value").integer("data")), byte(run, "index"), byte(run, "count")});
  }
}

void write_tree(const CompressedMesh& mesh, Fields tree) {
  std::vector<std::uint8_t> nodes;
  for (const auto& node : mesh.top_nodes)
    nodes.insert(nodes.end(), {node.box[0], node.box[1], node.box[2], static_cast<std::uint8_t>(node.data >> 8),
                               static_cast<std::uint8_t>(node.data)});
  tree.set_numbers<std::uint8_t>("nodes", nodes);
  write_box(tree.record("domain"), mesh.domain);
  tree.set_integer("numPrimitiveKeys", mesh.primitive_key_count);
  tree.set_integer("bitsPerKey", mesh.bits_per_key);
  tree.set_integer("maxKeyValue", mesh.max_key);
  tree.reset_array("sections", static_cast<std::uint32_t>(mesh.sections.size()));
  for (std::uint32_t i = 0; i < mesh.sections.size(); ++i) write_section(mesh.sections[i], tree.element("sections", i));
  std::vector<std::uint8_t> corners;
  for (const auto& primitive : mesh.primitives)
    corners.insert(corners.end(), primitive.corners.begin(), primitive.corners.end());
  tree.set_numbers<std::uint8_t>("primitives", corners);
  tree.set_numbers<std::uint16_t>("sharedVerticesIndex", mesh.shared_indices);
  tree.set_numbers<std::uint32_t>("packedVertices", mesh.packed_vertices);
  tree.set_numbers<std::uint64_t>("sharedVertices", mesh.shared_vertices);
  tree.reset_array("primitiveDataRuns", static_cast<std::uint32_t>(mesh.data_runs.size()));
  for (std::uint32_t i = 0; i < mesh.data_runs.size(); ++i) {
    Fields run = tree.element("primitiveDataRuns", i);
    run.record("value").set_integer("data", mesh.data_runs[i].value);
    run.set_integer("index", mesh.data_runs[i].first);
    run.set_integer("count", mesh.data_runs[i].count);
  }
}

// The game's files carry two boxes of nothing here, always.
void write_empty_simd_tree(Fields tree) {
  constexpr float kHuge = std::bit_cast<float>(0x7F7FFFEEu);
  tree.reset_array("nodes", 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Fields node = tree.element("nodes", i);
    for (const std::string_view low : {"lx", "ly", "lz"}) node.set_floats(low, std::array{kHuge, kHuge, kHuge, kHuge});
    for (const std::string_view high : {"hx", "hy", "hz"})
      node.set_floats(high, std::array{-kHuge, -kHuge, -kHuge, -kHuge});
  }
}

}  // namespace

Result<CompressedMesh> read_compressed_mesh(const Packfile& file, ObjectId shape) {
  const Object* object = object_as(file, shape, "hknpCompressedMeshShape");
  const std::string path = "objects[" + std::to_string(shape.index) + "]";
  if (!object) return fail(ErrorCode::InvalidArgument, "the object is no compressed mesh", kNoOffset, path);
  const FieldsView fields = object->fields();
  const Object* data = object_as(file, fields.pointer("data"), "hknpCompressedMeshShapeData");
  if (!data) return fail(ErrorCode::Malformed, "the compressed mesh has no data", kNoOffset, path + ".data");
  CompressedMesh mesh;
  read_tree(data->fields().record("meshTree"), mesh);
  mesh.quad_is_flat = read_bits(fields.record("quadIsFlat"), mesh.quad_is_flat_bits);
  mesh.triangle_is_interior = read_bits(fields.record("triangleIsInterior"), mesh.triangle_is_interior_bits);
  return mesh;
}

Notes verify_mesh(const CompressedMesh& mesh) {
  // Boxes of the game's meshes are bounds of vertices before they were rounded; some stick out by an ulp or two.
  constexpr float kBoxTolerance = 4e-7f;
  float largest = 0.0f;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(mesh.domain.min[i]), std::abs(mesh.domain.max[i])});
  return geometry::verify_compressed_mesh(mesh, {.tolerance = kBoxTolerance * largest});
}

void write_compressed_mesh(const CompressedMesh& mesh, Packfile& file, ObjectId shape) {
  ObjectId data = file.at(shape).fields().view().pointer("data");
  if (!object_as(file, data, "hknpCompressedMeshShapeData")) {
    data = file.add("hknpCompressedMeshShapeData");
    write_empty_simd_tree(file.at(data).fields().record("simdTree"));
  }
  Fields fields = file.at(shape).fields();
  fields.set_pointer("data", data);
  fields.set_integer("numShapeKeyBits", mesh.bits_per_key);
  write_bits(fields.record("quadIsFlat"), mesh.quad_is_flat, mesh.quad_is_flat_bits);
  write_bits(fields.record("triangleIsInterior"), mesh.triangle_is_interior, mesh.triangle_is_interior_bits);
  write_tree(mesh, file.at(data).fields().record("meshTree"));
}

}  // namespace marrow::havok
