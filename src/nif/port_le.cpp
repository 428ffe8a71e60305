// SPDX-License-Identifier: MIT
// Skyrim SE to LE.
#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "nif/partition.h"
#include "nif/port_parts.h"

namespace marrow::nif {
namespace {

std::vector<Vec3> unit_vectors(const std::vector<Vec3>& vectors) {
  std::vector<Vec3> out;
  for (const Vec3& each : vectors) {
    const float length = glm::length(each);
    out.push_back(length > 0.0f ? each / length : each);
  }
  return out;
}

Result<Record> data_of(Port& port, const BodyShape& shape) {
  if (shape.triangles.size() > 0xFFFF)
    return fail(ErrorCode::Unrepresentable, "the shape has more than 65535 triangles", kNoOffset,
                "shape '" + shape.name + "'");
  Record data = new_record(port.to, "NiTriShapeData");
  const bool has_tangents = !shape.tangents.empty() && !shape.normals.empty();
  data.set_integer("vertex_count", shape.positions.size());
  data.set_integer("has_positions", 1);
  data.set_values("positions", shape.positions);
  data.set_integer("data_flags", (shape.uvs.empty() ? 0u : 1u) | (has_tangents ? 0x1000u : 0u));
  data.set_integer("has_normals", !shape.normals.empty());
  data.set_values("normals", unit_vectors(shape.normals));
  if (has_tangents) {
    data.set_values("tangents", unit_vectors(shape.tangents));
    data.set_values("bitangents", unit_vectors(shape.bitangents));
  }
  const Vec4 bound = shape.bound.w > 0.0f ? shape.bound : bounding_sphere(shape.positions);
  data.set_reals<4>("bound", {bound.x, bound.y, bound.z, bound.w});
  data.set_integer("has_colors", !shape.colors.empty());
  data.set_values("colors", shape.colors);
  data.set_values("uvs", shape.uvs);
  data.set_integer("consistency", 0x4000);
  data.set_integer("triangle_count", shape.triangles.size());
  data.set_integer("point_count", 3 * shape.triangles.size());
  data.set_integer("has_triangles", 1);
  data.set_values("triangles", shape.triangles);
  return data;
}

// Triangles become those of the partition's own vertices.
Record with_own_triangles(const Record& each, const RecordType& type) {
  Record partition(type);
  copy_common(each, partition);
  const auto map = each.values<std::uint16_t>("map");
  std::vector<std::uint16_t> local(0x10000, 0);
  for (std::size_t i = map.size(); i-- > 0;) local[map[i]] = static_cast<std::uint16_t>(i);
  auto triangles = each.values<std::array<std::uint16_t, 3>>("triangles");
  for (auto& triangle : triangles)
    for (std::uint16_t& corner : triangle) corner = local[corner];
  partition.set_values("triangles", triangles);
  return partition;
}

// The same triangles in more partitions, so that each has no more bones than the game moves.
Result<void> split_partitions(Port& port, const BodyShape& shape, const Record& old, Record& made,
                              std::int32_t instance_block) {
  PartitionInput input{.triangles = {}, .groups = {}, .weights = {}};
  std::uint32_t group = 0;
  for (const Record& each : old.records("partitions")) {
    for (const auto& triangle : mesh_triangles(each, true)) {
      input.triangles.push_back(triangle);
      input.groups.push_back(group);
    }
    ++group;
  }
  for (const VertexWeights& weights : shape.weights) {
    Influences& own = input.weights.emplace_back();
    for (std::size_t k = 0; k < 4; ++k)
      if (weights.weights[k] > 0.0f) own.emplace_back(weights.bones[k], weights.weights[k]);
  }
  MARROW_TRY(Record instance, read_block(port.to, instance_block, port.options.limits));
  const std::size_t before = made.records("partitions").size();
  MARROW_CHECK(make_partitions(input, made, instance));
  port.change(shape, "partitions", std::to_string(before),
              std::to_string(made.records("partitions").size()) + " with the weights of the vertices, each with " +
                  std::to_string(most_bones(port.to.stream)) + " bones or fewer");
  return write_block(port.to, instance_block, instance);
}

// True if partitions have lists of triangles, and maps and weights of what they draw. Skyrim SE draws the weights of
// the vertices, so that files of tools may have none or others here; Skyrim LE draws these.
bool states_weights(const Record& partitions, const BodyShape& shape) {
  for (const Record& each : partitions.records("partitions"))
    if (each.integer("strip_count") != 0 || each.integer("has_map") == 0 || each.integer("has_weights") == 0 ||
        each.integer("has_indices") == 0)
      return false;
  const std::vector<Influences> stated = partition_weights(partitions, shape.positions.size());
  const auto weight_of = [](const Influences& all, std::uint16_t bone) {
    float sum = 0.0f;
    for (const auto& [each, weight] : all) sum += each == bone ? weight : 0.0f;
    return sum;
  };
  constexpr float kRounding = 0.004f;  // of halves and of sums
  for (const auto& triangle : shape.triangles)
    for (const std::uint16_t corner : triangle)
      for (std::size_t k = 0; corner < shape.weights.size() && k < 4; ++k)
        if (const float weight = shape.weights[corner].weights[k];
            weight > kRounding &&
            std::abs(weight_of(stated[corner], shape.weights[corner].bones[k]) - weight) > kRounding)
          return false;
  return true;
}

Result<void> to_own_partitions(Port& port, const BodyShape& shape, std::int32_t instance_block, std::int32_t block) {
  if (const RecordType* type = type_of(port.from, block); !type || !type->is_a("NiSkinPartition")) return {};
  MARROW_TRY(const Record old, read_block(port.from, block, port.options.limits));
  Record made = new_record(port.to, "NiSkinPartition");
  made.set_integer("partition_count", old.integer("partition_count"));
  const RecordType& type = *made.type().find("partitions")->record;
  bool is_made_anew = !states_weights(old, shape);
  for (const Record& each : old.records("partitions")) {
    made.records("partitions").push_back(with_own_triangles(each, type));
    is_made_anew |= each.size("bones") > most_bones(port.to.stream);
  }
  if (is_made_anew) MARROW_CHECK(split_partitions(port, shape, old, made, instance_block));
  return write_block(port.to, block, made);
}

// A skin without weights gets those of the vertices.
Result<void> add_weights(Port& port, std::int32_t block, const BodyShape& shape) {
  if (const RecordType* type = type_of(port.from, block); !type || !type->is_a("NiSkinData")) return {};
  MARROW_TRY(Record data, read_block(port.from, block, port.options.limits));
  if (data.integer("has_weights") != 0) return {};
  data.set_integer("has_weights", 1);
  std::vector<Record>& bones = data.records("bones");
  for (std::size_t vertex = 0; vertex < shape.weights.size(); ++vertex)
    for (std::size_t k = 0; k < 4; ++k) {
      const float weight = shape.weights[vertex].weights[k];
      const std::size_t bone = shape.weights[vertex].bones[k];
      if (!(weight > 0.0f) || bone >= bones.size()) continue;
      std::vector<std::byte>& bytes = bones[bone].bytes("weights");
      const auto number = static_cast<std::uint16_t>(vertex);
      const std::size_t at = bytes.size();
      bytes.resize(at + 6);
      std::memcpy(bytes.data() + at, &number, 2);
      std::memcpy(bytes.data() + at + 2, &weight, 4);
    }
  for (Record& bone : bones) bone.set_integer("weight_count", bone.size("weights"));
  return write_block(port.to, block, data);
}

Result<void> to_ni_shape(Port& port, const BodyShape& shape) {
  MARROW_TRY(const Record old, read_block(port.from, shape.block, port.options.limits));
  Record made = new_record(port.to, "NiTriShape");
  copy_common(old, made);
  MARROW_TRY(const Record data, data_of(port, shape));
  MARROW_TRY(const std::int32_t added, append_block(port.to, data));
  made.set("data", added);
  made.set_integer("active_material", 0);
  port.placed.emplace_back(added, shape.block);
  port.change(shape, "type", shape.type, made.type().name);
  MARROW_CHECK(replace_block(port.to, shape.block, made));
  if (!shape.is_skinned) return {};
  const RecordType* type = type_of(port.from, old.reference("skin"));
  if (!type || !type->is_a("NiSkinInstance")) return {};
  MARROW_TRY(const Record instance, read_block(port.from, old.reference("skin"), port.options.limits));
  MARROW_CHECK(to_own_partitions(port, shape, old.reference("skin"), instance.reference("partition")));
  return add_weights(port, instance.reference("data"), shape);
}

}  // namespace

Result<void> to_skyrim_le(Port& port, const std::vector<BodyShape>& shapes) {
  for (const BodyShape& shape : shapes) {
    const RecordType* type = type_of(port.from, shape.block);
    if (type->is_a("BSTriShape")) MARROW_CHECK(to_ni_shape(port, shape));
  }
  return {};
}

}  // namespace marrow::nif
