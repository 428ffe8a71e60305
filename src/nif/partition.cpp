// SPDX-License-Identifier: MIT
#include "nif/partition.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "nif/skinned.h"

namespace marrow::nif {
namespace {

using Corners = std::array<std::uint16_t, 3>;

// A partition whose bone list differs from the one before says so, and so does the first.
constexpr std::uint16_t kNewBones = 0x100;

struct Piece {
  std::uint32_t group = 0;  // the old partition
  std::vector<Corners> triangles = {};
  std::vector<std::uint16_t> bones = {};  // ascending
};

void add_sorted(std::vector<std::uint16_t>& bones, const std::vector<std::uint16_t>& more) {
  for (const std::uint16_t bone : more)
    if (const auto at = std::ranges::lower_bound(bones, bone); at == bones.end() || *at != bone) bones.insert(at, bone);
}

std::vector<std::uint16_t> bones_of(const Corners& triangle, const std::vector<Influences>& weights) {
  std::vector<std::uint16_t> bones;
  for (const std::uint16_t corner : triangle)
    for (const auto& [bone, weight] : weights[corner])
      if (weight > 0.0f) bones.push_back(bone);
  return bones;
}

std::vector<Piece> split(const PartitionInput& input, std::size_t limit) {
  std::vector<std::size_t> order(input.triangles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Triangles of Skyrim LE's meshes are in any order.
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return input.groups[i]; });
  std::vector<Piece> parts;
  for (const std::size_t i : order) {
    const std::vector<std::uint16_t> own = bones_of(input.triangles[i], input.weights);
    const bool is_new_group = parts.empty() || parts.back().group != input.groups[i];
    std::vector<std::uint16_t> joined = is_new_group ? std::vector<std::uint16_t>() : parts.back().bones;
    add_sorted(joined, own);
    if (is_new_group || joined.size() > limit) {
      parts.push_back({.group = input.groups[i]});
      joined.clear();
      add_sorted(joined, own);
    }
    parts.back().triangles.push_back(input.triangles[i]);
    parts.back().bones = std::move(joined);
  }
  return parts;
}

// Neighbours share one list while their union fits, as in the games' own bodies.
void share_bones(std::vector<Piece>& parts, std::size_t limit) {
  for (std::size_t first = 0; first < parts.size();) {
    std::vector<std::uint16_t> shared = parts[first].bones;
    std::size_t end = first + 1;
    for (; end < parts.size(); ++end) {
      std::vector<std::uint16_t> joined = shared;
      add_sorted(joined, parts[end].bones);
      if (joined.size() > limit) break;
      shared = std::move(joined);
    }
    for (; first < end; ++first) parts[first].bones = shared;
  }
}

std::vector<std::uint16_t> vertices_of(const Piece& part, bool in_order_of_use) {
  std::vector<std::uint16_t> vertices;
  std::vector<bool> is_there(0x10000);
  for (const Corners& triangle : part.triangles)
    for (const std::uint16_t corner : triangle)
      if (!is_there[corner]) {
        is_there[corner] = true;
        vertices.push_back(corner);
      }
  if (!in_order_of_use) std::ranges::sort(vertices);
  return vertices;
}

void set_weights(const std::vector<std::uint16_t>& vertices, const std::vector<std::uint16_t>& bones,
                 const std::vector<Influences>& weights, Record& record) {
  std::vector<float> all;
  std::vector<std::uint8_t> indices;
  for (const std::uint16_t vertex : vertices) {
    Influences own = weights[vertex];
    std::ranges::stable_sort(own, std::ranges::greater(), &std::pair<std::uint16_t, float>::second);
    own.resize(4);
    for (const auto& [bone, weight] : own) {
      all.push_back(weight);
      const auto at = std::ranges::find(bones, bone);
      indices.push_back(weight > 0.0f ? static_cast<std::uint8_t>(at - bones.begin()) : std::uint8_t{0});
    }
  }
  record.set_values("weights", all);
  record.set_values("indices", indices);
}

Record record_of(const RecordType& type, const Piece& part, bool in_order_of_use,
                 const std::vector<Influences>& weights, const Record& old, std::uint64_t description) {
  Record record(type);
  const std::vector<std::uint16_t> vertices = vertices_of(part, in_order_of_use);
  std::vector<std::uint16_t> bones = part.bones;
  set_weights(vertices, bones, weights, record);
  // The games fill a short palette with its first bone.
  while (!bones.empty() && bones.size() < 4) bones.push_back(bones.front());
  record.set_integer("vertex_count", vertices.size());
  record.set_integer("triangle_count", part.triangles.size());
  record.set_integer("bone_count", bones.size());
  record.set_integer("weights_per_vertex", 4);
  for (const std::string_view flag : {"has_map", "has_weights", "has_faces", "has_indices"})
    record.set_integer(flag, 1);
  record.set_values("bones", bones);
  record.set_values("map", vertices);
  record.set_integer("lod_level", old.integer("lod_level"));
  record.set_integer("global_buffer", old.integer("global_buffer"));
  if (record.has("triangles_copy")) {
    record.set_integer("description", description);
    record.set_values("triangles", part.triangles);
    record.set_values("triangles_copy", part.triangles);
    return record;
  }
  std::unordered_map<std::uint16_t, std::uint16_t> local;
  for (std::size_t i = 0; i < vertices.size(); ++i) local[vertices[i]] = static_cast<std::uint16_t>(i);
  std::vector<Corners> triangles = part.triangles;
  for (Corners& triangle : triangles)
    for (std::uint16_t& corner : triangle) corner = local[corner];
  record.set_values("triangles", triangles);
  return record;
}

}  // namespace

std::size_t most_bones(std::uint32_t stream) { return stream == kSkyrimLe ? 60 : 80; }

Result<void> make_partitions(const PartitionInput& input, Record& partitions, Record& instance) {
  const std::size_t limit = most_bones(partitions.type().stream);
  const bool is_dismember = instance.has("parts");
  std::vector<Piece> parts = split(input, limit);
  for (const Piece& part : parts)
    if (part.bones.size() > limit)
      return fail(ErrorCode::Unrepresentable, "a triangle has more bones than a partition may have");
  if (is_dismember) share_bones(parts, limit);
  const std::vector<Record> old = partitions.records("partitions");
  const RecordType& type = *partitions.type().find("partitions")->record;
  const std::uint64_t description = partitions.has("description") ? partitions.integer("description") : 0;
  std::vector<Record> made;
  std::vector<std::array<std::uint16_t, 2>> body_parts;
  const auto old_parts = is_dismember ? instance.values<std::array<std::uint16_t, 2>>("parts")
                                      : std::vector<std::array<std::uint16_t, 2>>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t from = std::min<std::size_t>(parts[i].group, old.empty() ? 0 : old.size() - 1);
    made.push_back(
        record_of(type, parts[i], is_dismember, input.weights, old.empty() ? Record(type) : old[from], description));
    std::array<std::uint16_t, 2> part = from < old_parts.size() ? old_parts[from] : std::array<std::uint16_t, 2>{1, 32};
    const bool has_new_bones = i == 0 || parts[i].bones != parts[i - 1].bones;
    part[0] = static_cast<std::uint16_t>((part[0] & ~kNewBones) | (has_new_bones ? kNewBones : 0));
    body_parts.push_back(part);
  }
  partitions.set_integer("partition_count", made.size());
  partitions.records("partitions") = std::move(made);
  if (is_dismember) instance.set_values("parts", body_parts);
  return {};
}

std::vector<Influences> partition_weights(const Record& partitions, std::size_t vertex_count) {
  std::vector<Influences> all(vertex_count);
  std::vector<bool> done(vertex_count);
  for (const Record& each : partitions.records("partitions")) {
    const auto map = each.values<std::uint16_t>("map");
    const auto bones = each.values<std::uint16_t>("bones");
    const auto weights = each.values<float>("weights");
    const auto indices = each.values<std::uint8_t>("indices");
    const std::size_t per_vertex = each.integer("weights_per_vertex");
    if (weights.size() != indices.size() || weights.size() != map.size() * per_vertex) continue;
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i] >= vertex_count || done[map[i]]) continue;
      done[map[i]] = true;
      for (std::size_t k = i * per_vertex; k < (i + 1) * per_vertex; ++k)
        if (weights[k] > 0.0f && indices[k] < bones.size()) all[map[i]].emplace_back(bones[indices[k]], weights[k]);
    }
  }
  return all;
}

std::vector<Corners> mesh_triangles(const Record& partition, bool is_of_mesh) {
  std::vector<Corners> triangles = partition.integer("strip_count") != 0
                                       ? triangles_of_strips(partition.values<std::uint16_t>("strip_lengths"),
                                                             partition.values<std::uint16_t>("strips"))
                                       : partition.values<Corners>("triangles");
  if (is_of_mesh) return triangles;
  const auto map = partition.values<std::uint16_t>("map");
  for (Corners& triangle : triangles)
    for (std::uint16_t& corner : triangle) corner = corner < map.size() ? map[corner] : std::uint16_t{0xFFFF};
  return triangles;
}

}  // namespace marrow::nif
