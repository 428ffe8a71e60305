// SPDX-License-Identifier: MIT
#include "nif/skinned.h"

#include <algorithm>

#include "core/try.h"
#include "nif/skin.h"
#include "nif/vertex.h"

namespace marrow::nif {
namespace {

using Corners = std::array<std::uint16_t, 3>;

Vec4 sphere_of(const std::array<float, 4>& stored) { return {stored[0], stored[1], stored[2], stored[3]}; }

void add_bones(const NifFile& file, const Record& instance, BodyShape& shape) {
  for (const auto node : instance.values<std::int32_t>("bones"))
    shape.bones.push_back({.name = std::string(node_name(file, node)), .node = node, .bind = {}});
}

// Bind transforms of Fallout 4: records of one size.
void add_binds(const Record& data, BodyShape& shape) {
  const RecordType& type = *data.type().find("bones")->record;
  const std::span<const std::byte> bytes = data.bytes("bones");
  const std::size_t count = std::min(data.size("bones"), shape.bones.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* at = bytes.data() + i * type.packed_bytes;
    BodyBone& bone = shape.bones[i];
    std::memcpy(bone.bind.rotation.data(), at + type.offset_of("rotation"), 36);
    std::memcpy(&bone.bind.translation, at + type.offset_of("translation"), 12);
    std::memcpy(&bone.bind.scale, at + type.offset_of("scale"), 4);
    std::memcpy(&bone.bound, at + type.offset_of("bound"), 16);
  }
}

// Bind transforms of Skyrim, and the weights that were exported.
std::vector<VertexWeights> add_skin_data(const Record& data, BodyShape& shape) {
  const std::vector<Record>& bones = data.records("bones");
  std::vector<std::vector<std::pair<float, std::uint16_t>>> all(shape.positions.size());
  for (std::size_t i = 0; i < std::min(bones.size(), shape.bones.size()); ++i) {
    shape.bones[i].bind = bind_of(bones[i]);
    shape.bones[i].bound = sphere_of(bones[i].reals<4>("bound"));
    const std::span<const std::byte> weights = bones[i].bytes("weights");
    const RecordType& type = *bones[i].type().find("weights")->record;
    const std::size_t weight_at = type.offset_of("weight");
    for (std::size_t at = 0; at < weights.size(); at += type.packed_bytes)
      if (const auto vertex = load<std::uint16_t>(weights, at); vertex < all.size())
        all[vertex].emplace_back(load<float>(weights, at + weight_at), static_cast<std::uint16_t>(i));
  }
  std::vector<VertexWeights> drawn;
  if (data.integer("has_weights") != 0)
    for (auto& each : all) drawn.push_back(strongest(std::move(each)));
  return drawn;
}

std::vector<Corners> triangles_of(const Record& partition) {
  if (partition.integer("strip_count") != 0)
    return triangles_of_strips(partition.values<std::uint16_t>("strip_lengths"),
                               partition.values<std::uint16_t>("strips"));
  return partition.values<Corners>("triangles");
}

// What Skyrim LE draws: the weights of the partitions. A vertex in several has the same ones in each.
void add_drawn_weights(const Record& partition, std::vector<bool>& done, BodyShape& shape) {
  const auto map = partition.values<std::uint16_t>("map");
  const auto bones = partition.values<std::uint16_t>("bones");
  const auto weights = partition.values<float>("weights");
  const auto indices = partition.values<std::uint8_t>("indices");
  const std::size_t per_vertex = partition.integer("weights_per_vertex");
  if (weights.size() != indices.size() || weights.size() != map.size() * per_vertex) return;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] >= shape.weights.size() || done[map[i]]) continue;
    done[map[i]] = true;
    std::vector<std::pair<float, std::uint16_t>> own;
    for (std::size_t k = i * per_vertex; k < (i + 1) * per_vertex; ++k)
      // An index past the palette stays one past the bones, so that `validate` finds it.
      if (weights[k] != 0.0f) own.emplace_back(weights[k], indices[k] < bones.size() ? bones[indices[k]] : 0xFFFF);
    shape.weights[map[i]] = strongest(std::move(own));
  }
}

void add_partitions(const Record& record, const Record& instance, BodyShape& shape) {
  const bool has_parts = instance.has("parts");
  const std::span<const std::byte> parts = has_parts ? instance.bytes("parts") : std::span<const std::byte>();
  std::size_t index = 0;
  for (const Record& each : record.records("partitions")) {
    BodyPartition partition{.vertex_count = each.get<std::uint16_t>("vertex_count"),
                            .triangle_count = static_cast<std::uint32_t>(triangles_of(each).size()),
                            .bones = each.values<std::uint16_t>("bones")};
    if (4 * index + 4 <= parts.size()) partition.body_part = load<std::uint16_t>(parts, 4 * index + 2);
    shape.partitions.push_back(std::move(partition));
    ++index;
  }
}

Result<void> add_skyrim_skin(const NifFile& file, const Record& instance, std::span<const std::byte> dynamic,
                             const Limits& limits, BodyShape& shape) {
  MARROW_TRY(const std::optional<Record> partitions,
             read_block_of(file, instance.reference("partition"), "NiSkinPartition", limits));
  const bool is_buffer = partitions && partitions->has("vertices") && !partitions->bytes("vertices").empty();
  if (partitions && is_buffer) {
    MARROW_TRY(const VertexLayout layout, vertex_layout(partitions->integer("description"), file.stream));
    if (layout.size != partitions->integer("vertex_size") || partitions->size("vertices") % layout.size != 0)
      return fail(ErrorCode::Malformed, "the size of the partition's vertices is not that of their description");
    shape.positions.clear();
    shape.triangles.clear();
    decode_vertices(partitions->bytes("vertices"), layout, dynamic, shape);
    for (const Record& each : partitions->records("partitions")) {
      const std::vector<Corners> own = triangles_of(each);
      shape.triangles.insert(shape.triangles.end(), own.begin(), own.end());
    }
  }
  MARROW_TRY(const std::optional<Record> data, read_block_of(file, instance.reference("data"), "NiSkinData", limits));
  std::vector<VertexWeights> exported;
  if (data) exported = add_skin_data(*data, shape);
  if (partitions) add_partitions(*partitions, instance, shape);
  if (is_buffer) return {};
  shape.weights = exported;
  shape.weights.resize(shape.positions.size());
  std::vector<bool> done(shape.weights.size());
  if (partitions)
    for (const Record& each : partitions->records("partitions")) add_drawn_weights(each, done, shape);
  return {};
}

}  // namespace

BindTransform bind_of(const Record& record) {
  BindTransform bind;
  bind.rotation = record.reals<9>("rotation");
  const auto translation = record.reals<3>("translation");
  bind.translation = {translation[0], translation[1], translation[2]};
  bind.scale = record.get<float>("scale");
  return bind;
}

VertexWeights strongest(std::vector<std::pair<float, std::uint16_t>> weights) {
  std::ranges::stable_sort(weights, std::ranges::greater(), &std::pair<float, std::uint16_t>::first);
  VertexWeights drawn;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, weights.size()); ++i)
    std::tie(drawn.weights[i], drawn.bones[i]) = weights[i];
  if (weights.size() <= 4) return drawn;
  const float sum = drawn.weights[0] + drawn.weights[1] + drawn.weights[2] + drawn.weights[3];
  for (float& weight : drawn.weights) weight = sum > 0.0f ? weight / sum : weight;
  return drawn;
}

std::vector<Corners> triangles_of_strips(const std::vector<std::uint16_t>& lengths,
                                         const std::vector<std::uint16_t>& points) {
  std::vector<Corners> triangles;
  std::size_t start = 0;
  for (const std::uint16_t length : lengths) {
    for (std::size_t i = 0; i + 2 < length && start + i + 2 < points.size(); ++i) {
      const std::uint16_t a = points[start + i];
      std::uint16_t b = points[start + i + 1], c = points[start + i + 2];
      if (i % 2 != 0) std::swap(b, c);
      if (a != b && b != c && a != c) triangles.push_back({a, b, c});
    }
    start += length;
  }
  return triangles;
}

Result<void> add_skin(const NifFile& file, std::int32_t block, std::span<const std::byte> dynamic, const Limits& limits,
                      BodyShape& shape) {
  if (!file.has_block(block)) return {};
  shape.is_skinned = true;
  MARROW_TRY(const std::optional<Record> instance, read_block_of(file, block, "NiSkinInstance", limits));
  if (instance) {
    add_bones(file, *instance, shape);
    return add_skyrim_skin(file, *instance, dynamic, limits, shape);
  }
  MARROW_TRY(const std::optional<Record> own, read_block_of(file, block, "BSSkin::Instance", limits));
  if (!own) return {};
  add_bones(file, *own, shape);
  MARROW_TRY(const std::optional<Record> data, read_block_of(file, own->reference("data"), "BSSkin::BoneData", limits));
  if (data) add_binds(*data, shape);
  return {};
}

}  // namespace marrow::nif
