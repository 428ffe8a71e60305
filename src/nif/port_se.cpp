// SPDX-License-Identifier: MIT
// Skyrim LE to SE.
#include <algorithm>

#include "core/try.h"
#include "nif/partition.h"
#include "nif/port_parts.h"
#include "nif/skinned.h"
#include "nif/vertex.h"

namespace marrow::nif {
namespace {

using namespace vertex_bit;

constexpr std::uint32_t kEyeShader = 16, kEyeFlag = 1u << 17;

bool is_eye(const NifFile& file, std::int32_t shader) {
  const auto record = type_of(file, shader) ? read_block(file, shader) : Result<Record>(std::unexpect);
  if (!record || !record->has("shader_type")) return false;
  return record->integer("shader_type") == kEyeShader || (record->integer("shader_flags_1") & kEyeFlag) != 0;
}

// What a vertex has: normals are left out where the normal map holds them.
std::uint64_t parts_of(const BodyShape& shape, bool has_eyes) {
  std::uint64_t bits = kPosition;
  if (!shape.uvs.empty()) bits |= kUv;
  if (!shape.normals.empty() && !shape.material.has_model_space_normals) {
    bits |= kNormal;
    if (!shape.tangents.empty()) bits |= kTangent;
  }
  if (!shape.colors.empty()) bits |= kColor;
  if (shape.is_skinned) bits |= kSkin;
  if (has_eyes) bits |= kEye;
  return bits;
}

std::vector<std::byte> encode_vertices(const BodyShape& shape, const VertexLayout& layout) {
  std::vector<std::byte> buffer(shape.positions.size() * layout.size);
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    const std::span<std::byte> vertex = std::span(buffer).subspan(i * layout.size, layout.size);
    place_position(vertex, layout, shape.positions[i]);
    if (layout.uv >= 0) place_uv(vertex, layout, shape.uvs[i]);
    if (layout.normal >= 0) place_normal(vertex, layout, shape.normals[i]);
    if (layout.tangent >= 0) place_tangents(vertex, layout, shape.tangents[i], shape.bitangents[i]);
    if (layout.color >= 0) place_color(vertex, layout, shape.colors[i]);
    if (layout.skin >= 0 && i < shape.weights.size()) place_weights(vertex, layout, shape.weights[i]);
    if (layout.eye >= 0) {
      const float side = shape.positions[i].x > 0.0f ? 1.0f : 0.0f;
      std::memcpy(vertex.data() + layout.eye, &side, 4);
    }
  }
  return buffer;
}

std::vector<std::byte> dynamic_positions(const BodyShape& shape, bool has_tangents) {
  std::vector<Vec4> all;
  for (std::size_t i = 0; i < shape.positions.size(); ++i)
    all.emplace_back(shape.positions[i], has_tangents ? shape.bitangents[i].x : 0.0f);
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

// A vertex of the game has four weights. Those of a partition that states more are the four strongest.
void keep_four_weights(Record& partition) {
  const std::size_t count = partition.integer("weights_per_vertex");
  const auto weights = partition.values<float>("weights");
  const auto indices = partition.values<std::uint8_t>("indices");
  if (count <= 4 || weights.size() != indices.size() || weights.size() % count != 0) return;
  std::vector<float> four;
  std::vector<std::uint8_t> places;
  for (std::size_t first = 0; first < weights.size(); first += count) {
    std::vector<std::pair<float, std::uint16_t>> own;
    for (std::size_t k = first; k < first + count; ++k) own.emplace_back(weights[k], indices[k]);
    const VertexWeights drawn = strongest(std::move(own));
    four.insert(four.end(), drawn.weights.begin(), drawn.weights.end());
    for (const std::uint16_t bone : drawn.bones) places.push_back(static_cast<std::uint8_t>(bone));
  }
  partition.set_integer("weights_per_vertex", 4);
  partition.set_values("weights", four);
  partition.set_values("indices", places);
}

// Returns how many vertices have more than four weights, in the skin's data or in a partition.
std::size_t crowded_vertices(const Port& port, const Record& instance, std::size_t vertex_count) {
  std::vector<std::size_t> influences(vertex_count);
  if (const auto data = read_block_of(port.from, instance.reference("data"), "NiSkinData", port.options.limits);
      data && *data)
    for (const Record& bone : (*data)->records("bones")) {
      const std::span<const std::byte> weights = bone.bytes("weights");
      const std::size_t step = bone.type().find("weights")->record->packed_bytes;
      for (std::size_t at = 0; at + step <= weights.size(); at += step)
        if (const auto vertex = load<std::uint16_t>(weights, at);
            vertex < vertex_count && load<float>(weights, at + 2) > 0.0f)
          ++influences[vertex];
    }
  if (const auto partitions =
          read_block_of(port.from, instance.reference("partition"), "NiSkinPartition", port.options.limits);
      partitions && *partitions) {
    const std::vector<Influences> stated = partition_weights(**partitions, vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i) influences[i] = std::max(influences[i], stated[i].size());
  }
  return static_cast<std::size_t>(std::ranges::count_if(influences, [](std::size_t n) { return n > 4; }));
}

// Says what became of the shape.
void report_change(Port& port, const BodyShape& shape, const Record& old, const Record& made) {
  port.change(shape, "type", shape.type, made.type().name);
  if (const auto data = read_block_of(port.from, old.reference("data"), "NiTriStripsData", port.options.limits);
      data && *data)
    port.change(shape, "triangles", std::to_string((*data)->integer("strip_count")) + " strips",
                std::to_string(shape.triangles.size()) + " triangles");
  if (!shape.normals.empty() && shape.material.has_model_space_normals)
    port.change(shape, "normals", "of vertices", "of the normal map alone, as the shader says");
  if (!shape.is_skinned) return;
  const auto instance = read_block_of(port.from, old.reference("skin"), "NiSkinInstance", port.options.limits);
  if (!instance || !*instance) return;
  if (const std::size_t crowded = crowded_vertices(port, **instance, shape.positions.size()); crowded > 0)
    port.change(shape, "weights",
                "more than four on " + std::to_string(crowded) + (crowded == 1 ? " vertex" : " vertices"),
                "the four strongest, divided by their sum");
}

// Partitions keep their palettes, maps and weights; triangles become those of the mesh.
Result<void> to_mesh_triangles(Port& port, std::int32_t block, const std::vector<std::byte>& buffer,
                               std::uint64_t description) {
  if (const RecordType* type = type_of(port.from, block); !type || !type->is_a("NiSkinPartition")) return {};
  MARROW_TRY(const Record old, read_block(port.from, block, port.options.limits));
  Record made = new_record(port.to, "NiSkinPartition");
  made.set_integer("partition_count", old.integer("partition_count"));
  made.set_integer("data_size", buffer.size());
  made.set_integer("vertex_size", 4 * (description & 15));
  made.set_integer("description", description);
  made.bytes("vertices") = buffer;
  const RecordType& type = *made.type().find("partitions")->record;
  for (const Record& each : old.records("partitions")) {
    Record partition(type);
    copy_common(each, partition);
    keep_four_weights(partition);
    const auto triangles = mesh_triangles(each, false);
    partition.set_integer("strip_count", 0);
    partition.bytes("strip_lengths").clear();
    partition.bytes("strips").clear();
    partition.set_integer("has_faces", 1);
    partition.set_integer("triangle_count", triangles.size());
    partition.set_values("triangles", triangles);
    partition.set_values("triangles_copy", triangles);
    partition.set_integer("description", description);
    made.records("partitions").push_back(std::move(partition));
  }
  return write_block(port.to, block, made);
}

Result<void> to_bs_shape(Port& port, const BodyShape& shape) {
  MARROW_TRY(const Record old, read_block(port.from, shape.block, port.options.limits));
  const bool is_dynamic = port.options.head_parts;
  const bool has_eyes = is_dynamic && is_eye(port.from, old.reference("shader"));
  const std::uint64_t description = vertex_description(parts_of(shape, has_eyes), kSkyrimSe, is_dynamic);
  MARROW_TRY(const VertexLayout layout, vertex_layout(description, kSkyrimSe));
  const std::vector<std::byte> buffer = encode_vertices(shape, layout);
  Record made = new_record(port.to, is_dynamic ? "BSDynamicTriShape" : "BSTriShape");
  copy_common(old, made);
  made.set_integer("description", description);
  if (!shape.is_skinned || is_dynamic)
    made.set_reals<4>("bound", {shape.bound.x, shape.bound.y, shape.bound.z, shape.bound.w});
  if (is_dynamic) {
    made.bytes("dynamic") = dynamic_positions(shape, layout.tangent >= 0);
    made.set_integer("dynamic_size", made.size("dynamic"));
    made.set_integer("vertex_count", shape.positions.size());
  }
  if (!shape.is_skinned) {
    made.bytes("vertices") = buffer;
    made.set_values("triangles", shape.triangles);
    made.set_integer("triangle_count", shape.triangles.size());
    made.set_integer("vertex_count", shape.positions.size());
    made.set_integer("data_size", buffer.size() + 6 * shape.triangles.size());
  } else if (const RecordType* type = type_of(port.from, old.reference("skin")); type && type->is_a("NiSkinInstance")) {
    MARROW_TRY(const Record instance, read_block(port.from, old.reference("skin"), port.options.limits));
    MARROW_CHECK(to_mesh_triangles(port, instance.reference("partition"), buffer, description));
  }
  if (old.has("levels"))
    port.notes.push_back({"the levels of detail are gone: the shape has all triangles at any distance", kNoOffset,
                          "shape '" + shape.name + "'"});
  report_change(port, shape, old, made);
  MARROW_CHECK(replace_block(port.to, shape.block, made));
  const std::int32_t data = old.reference("data");
  if (!port.from.has_block(data) || std::ranges::find(port.removed, data) != port.removed.end()) return {};
  port.removed.push_back(data);
  if (const auto record = read_block(port.from, data); record && record->has("additional"))
    if (const std::int32_t more = record->reference("additional"); port.from.has_block(more))
      port.removed.push_back(more);
  return {};
}

}  // namespace

Result<void> to_skyrim_se(Port& port, const std::vector<BodyShape>& shapes) {
  for (const BodyShape& shape : shapes) {
    const RecordType* type = type_of(port.from, shape.block);
    if (type->is_a("NiTriShape")) MARROW_CHECK(to_bs_shape(port, shape));
  }
  return {};
}

}  // namespace marrow::nif
