// SPDX-License-Identifier: MIT
#include "nif/edit_shape.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "nif/partition.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "nif/skinned.h"
#include "nif/vertex.h"

namespace marrow {
namespace {

using Corners = std::array<std::uint16_t, 3>;
using nif::Influences;
using nif::Record;

/// A shape with the blocks that its mesh and skin are in.
struct Blocks {
  std::int32_t shape_block = kNoBlock, data_block = kNoBlock, instance_block = kNoBlock, skin_data_block = kNoBlock,
               partition_block = kNoBlock;
  Record shape;
  std::optional<Record> data, instance, skin_data, partitions;

  bool has_buffer_in_partitions() const {
    return partitions && partitions->has("vertices") && !partitions->bytes("vertices").empty();
  }
  bool is_of_skyrim() const { return instance && instance->has("partition"); }
};

Result<Blocks> read_blocks(const NifFile& file, std::int32_t block) {
  if (!is_shape(file, block))
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(block) + " is not a shape");
  Blocks blocks;
  blocks.shape_block = block;
  MARROW_TRY(blocks.shape, nif::read_block(file, block));
  if (blocks.shape.has("data")) {
    blocks.data_block = blocks.shape.reference("data");
    MARROW_TRY(blocks.data, nif::read_block_of(file, blocks.data_block, "NiGeometryData"));
  }
  blocks.instance_block = blocks.shape.reference("skin");
  MARROW_TRY(blocks.instance, nif::read_block_of(file, blocks.instance_block, "NiSkinInstance"));
  if (blocks.instance) {
    blocks.partition_block = blocks.instance->reference("partition");
    MARROW_TRY(blocks.partitions, nif::read_block_of(file, blocks.partition_block, "NiSkinPartition"));
  } else {
    MARROW_TRY(blocks.instance, nif::read_block_of(file, blocks.instance_block, "BSSkin::Instance"));
  }
  if (!blocks.instance) return blocks;
  blocks.skin_data_block = blocks.instance->reference("data");
  MARROW_TRY(blocks.skin_data, nif::read_block_of(file, blocks.skin_data_block,
                                                  blocks.is_of_skyrim() ? "NiSkinData" : "BSSkin::BoneData"));
  return blocks;
}

Result<void> write_blocks(NifFile& file, const Blocks& blocks) {
  MARROW_CHECK(nif::write_block(file, blocks.shape_block, blocks.shape));
  if (blocks.data) MARROW_CHECK(nif::write_block(file, blocks.data_block, *blocks.data));
  if (blocks.instance) MARROW_CHECK(nif::write_block(file, blocks.instance_block, *blocks.instance));
  if (blocks.skin_data) MARROW_CHECK(nif::write_block(file, blocks.skin_data_block, *blocks.skin_data));
  if (blocks.partitions) MARROW_CHECK(nif::write_block(file, blocks.partition_block, *blocks.partitions));
  return {};
}

/// Applies an edit to the blocks of one shape.
class ShapeEditor {
 public:
  ShapeEditor(Blocks& blocks, std::uint32_t stream, const BodyShape& shape, const ShapeEdit& edit)
      : blocks_(blocks), stream_(stream), old_(shape), edit_(edit) {}

  Result<void> run() {
    MARROW_CHECK(write_vertices());
    MARROW_CHECK(check_range());
    MARROW_CHECK(write_triangles());
    if (blocks_.is_of_skyrim() && (has_new_weights() || edit_.has_new_numbers)) write_skin_data();
    if (blocks_.partitions && (has_new_weights() || edit_.has_new_numbers || edit_.has_new_triangles))
      MARROW_CHECK(write_partitions());
    write_bounds();
    return {};
  }

  float worst_rounding() const { return worst_rounding_; }

 private:
  bool has_new_weights() const {
    return std::ranges::any_of(edit_.vertices, [](const VertexEdit& vertex) { return vertex.weights.has_value(); });
  }

  Result<void> write_vertices() {
    positions_.reserve(edit_.vertices.size());
    for (const VertexEdit& vertex : edit_.vertices)
      positions_.push_back(vertex.position.value_or(old_.positions[vertex.source]));
    if (blocks_.data) return write_arrays(*blocks_.data);
    if (blocks_.has_buffer_in_partitions()) {
      MARROW_CHECK(write_buffer(*blocks_.partitions, blocks_.partitions->integer("description")));
      blocks_.partitions->set_integer("data_size", blocks_.partitions->size("vertices"));
    } else {
      MARROW_CHECK(write_buffer(blocks_.shape, blocks_.shape.integer("description")));
    }
    if (blocks_.shape.has("dynamic") && !blocks_.shape.bytes("dynamic").empty()) {
      write_dynamic();
      blocks_.shape.set_integer("vertex_count", edit_.vertices.size());
    }
    if (!blocks_.has_buffer_in_partitions()) blocks_.shape.set_integer("vertex_count", edit_.vertices.size());
    return {};
  }

  // Bounds are computed of what is written, and must be numbers too.
  Result<void> check_range() const {
    constexpr float kFarthest = 1e9f;
    for (std::size_t i = 0; i < positions_.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (edit_.vertices[i].position && !(std::abs(positions_[i][k]) <= kFarthest))
          return fail(ErrorCode::Unrepresentable,
                      "vertex " + std::to_string(i) + " is farther away than the shape can store" +
                          (stream_ >= nif::kFallout4 ? " (65504 units)" : "") + "; is the mesh in other units?",
                      kNoOffset, "shape '" + old_.name + "'");
    return {};
  }

  Result<void> write_buffer(Record& record, std::uint64_t description) {
    MARROW_TRY(const nif::VertexLayout layout, nif::vertex_layout(description, stream_));
    const std::vector<std::byte> before(record.bytes("vertices").begin(), record.bytes("vertices").end());
    std::vector<std::byte>& buffer = record.bytes("vertices");
    buffer.resize(edit_.vertices.size() * layout.size);
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
      const VertexEdit& vertex = edit_.vertices[i];
      const std::span<std::byte> bytes = std::span(buffer).subspan(i * layout.size, layout.size);
      std::ranges::copy(std::span(before).subspan(vertex.source * layout.size, layout.size), bytes.begin());
      if (vertex.position) {
        const Vec3 stored = nif::place_position(bytes, layout, *vertex.position);
        worst_rounding_ = std::max(worst_rounding_, glm::distance(stored, *vertex.position));
        positions_[i] = stored;
      }
      constexpr float kLargestHalf = 65504.0f;
      if (vertex.uv && !(std::abs(vertex.uv->x) <= kLargestHalf && std::abs(vertex.uv->y) <= kLargestHalf))
        return fail(ErrorCode::Unrepresentable,
                    "the UV of vertex " + std::to_string(i) + " is larger than the shape can store (65504)", kNoOffset,
                    "shape '" + old_.name + "'");
      if (vertex.uv) nif::place_uv(bytes, layout, *vertex.uv);
      if (vertex.normal) nif::place_normal(bytes, layout, *vertex.normal);
      if (vertex.tangents) nif::place_tangents(bytes, layout, (*vertex.tangents)[0], (*vertex.tangents)[1]);
      if (vertex.color) nif::place_color(bytes, layout, *vertex.color);
      if (vertex.weights) nif::place_weights(bytes, layout, *vertex.weights);
      // The games state on which side an eye is.
      if (vertex.position && layout.eye >= 0) {
        const float side = vertex.position->x > 0.0f ? 1.0f : 0.0f;
        std::memcpy(bytes.data() + layout.eye, &side, 4);
      }
    }
    return {};
  }

  void write_dynamic() {
    const auto before =
        std::vector<std::byte>(blocks_.shape.bytes("dynamic").begin(), blocks_.shape.bytes("dynamic").end());
    std::vector<std::byte>& dynamic = blocks_.shape.bytes("dynamic");
    dynamic.assign(16 * edit_.vertices.size(), std::byte{0});
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
      const VertexEdit& vertex = edit_.vertices[i];
      std::byte* at = dynamic.data() + 16 * i;
      if (16u * vertex.source + 16u <= before.size()) std::memcpy(at, before.data() + 16u * vertex.source, 16);
      if (vertex.position) std::memcpy(at, &*vertex.position, 12);
      if (vertex.tangents) std::memcpy(at + 12, &(*vertex.tangents)[1].x, 4);
    }
    blocks_.shape.set_integer("dynamic_size", dynamic.size());
  }

  // Copies an array in the new order, with what was edited.
  template <class T, class Value>
  void write_array(Record& data, std::string_view field, Value&& value) {
    const std::vector<T> before = data.values<T>(field);
    if (before.empty()) return;
    std::vector<T> after;
    for (const VertexEdit& vertex : edit_.vertices) {
      const std::optional<T> edited = value(vertex);
      after.push_back(edited.value_or(before[vertex.source]));
    }
    data.set_values(field, after);
  }

  Result<void> write_arrays(Record& data) {
    const auto part_of = [](std::size_t part) {
      return [=](const VertexEdit& vertex) {
        return vertex.tangents ? std::optional((*vertex.tangents)[part]) : std::nullopt;
      };
    };
    write_array<Vec3>(data, "positions", [](const VertexEdit& vertex) { return vertex.position; });
    write_array<Vec3>(data, "normals", [](const VertexEdit& vertex) { return vertex.normal; });
    write_array<Vec3>(data, "tangents", part_of(0));
    write_array<Vec3>(data, "bitangents", part_of(1));
    write_array<Vec4>(data, "colors", [](const VertexEdit& vertex) { return vertex.color; });
    write_array<Vec2>(data, "uvs", [](const VertexEdit& vertex) { return vertex.uv; });
    data.set_integer("vertex_count", edit_.vertices.size());
    return {};
  }

  Result<void> write_triangles() {
    if (!edit_.has_new_triangles && !edit_.has_new_numbers) return {};
    const std::size_t count = edit_.triangles.size();
    const std::size_t most = blocks_.shape.type().stream >= nif::kFallout4 ? 0xFFFFFFFF : 0xFFFF;
    if (count > most)
      return fail(ErrorCode::Unrepresentable, "the shape has " + std::to_string(count) + " triangles; it holds 65535");
    if (blocks_.data) {
      Record& data = *blocks_.data;
      data.set_integer("triangle_count", count);
      if (!data.has("triangles")) {
        // A strip for each triangle: as many points as a list has, and no rule of direction to keep.
        std::vector<std::uint16_t> points;
        for (const Corners& triangle : edit_.triangles) points.insert(points.end(), triangle.begin(), triangle.end());
        data.set_integer("strip_count", count);
        data.set_values("strip_lengths", std::vector<std::uint16_t>(count, 3));
        data.set_values("points", points);
        data.set_integer("has_points", 1);
        return {};
      }
      data.set_values("triangles", edit_.triangles);
      data.set_integer("point_count", 3 * count);
      data.set_integer("has_triangles", 1);
      if (edit_.has_new_numbers) data.records("match_groups").clear();
    } else if (!blocks_.has_buffer_in_partitions()) {
      Record& shape = blocks_.shape;
      shape.set_values("triangles", edit_.triangles);
      shape.set_integer("triangle_count", count);
      shape.set_integer("data_size", shape.size("vertices") + 6 * count);
    }
    write_ranges();
    return {};
  }

  // Segments and levels are runs of triangles: their lengths follow from the groups.
  void write_ranges() {
    const auto count_of = [&](std::size_t group) {
      return static_cast<std::uint32_t>(std::ranges::count(edit_.groups, static_cast<std::uint32_t>(group)));
    };
    Record& shape = blocks_.shape;
    if (shape.has("levels"))
      for (std::size_t i = 0; i < 3; ++i) shape.set("levels", count_of(i), i);
    if (!shape.has("segments") || shape.records("segments").empty()) return;
    std::uint32_t at = 0;
    std::size_t group = 0;
    for (Record& segment : shape.records("segments")) {
      const std::uint32_t start = at;
      std::vector<std::array<std::uint32_t, 4>> subs = segment.values<std::array<std::uint32_t, 4>>("sub_segments");
      for (auto& sub : subs) {
        sub[0] = 3 * at;
        sub[1] = count_of(group++);
        at += sub[1];
      }
      if (subs.empty()) at += count_of(group++);
      segment.set_values("sub_segments", subs);
      const bool stays_at_zero = at == start && segment.integer("start") == 0;
      segment.set_integer("start", stays_at_zero ? 0 : 3 * start);
      segment.set_integer("triangle_count", at - start);
    }
    shape.set_integer("primitive_count", edit_.triangles.size());
  }

  // NiSkinData keeps the entries of vertices that were not edited, in its own order.
  void write_skin_data() {
    if (!blocks_.skin_data || blocks_.skin_data->integer("has_weights") == 0) return;
    std::vector<Record>& bones = blocks_.skin_data->records("bones");
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
      std::vector<Entry> before = entries_of(bones[bone]), after;
      if (!edit_.has_new_numbers) {
        for (const Entry& entry : before)
          if (entry.vertex >= edit_.vertices.size() || !edit_.vertices[entry.vertex].weights) after.push_back(entry);
      } else {
        std::vector<std::vector<float>> of_vertex(old_.positions.size());
        for (const Entry& entry : before)
          if (entry.vertex < of_vertex.size()) of_vertex[entry.vertex].push_back(entry.weight);
        for (std::size_t i = 0; i < edit_.vertices.size(); ++i)
          if (!edit_.vertices[i].weights)
            for (const float weight : of_vertex[edit_.vertices[i].source])
              after.push_back({static_cast<std::uint16_t>(i), weight});
      }
      for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
        if (!edit_.vertices[i].weights) continue;
        const VertexWeights& weights = *edit_.vertices[i].weights;
        for (std::size_t k = 0; k < 4; ++k)
          if (weights.weights[k] > 0.0f && weights.bones[k] == bone)
            after.insert(std::ranges::lower_bound(after, i, {}, &Entry::vertex),
                         {static_cast<std::uint16_t>(i), weights.weights[k]});
      }
      set_entries(bones[bone], after);
    }
  }

  struct Entry {
    std::uint16_t vertex;
    float weight;
  };
  static std::vector<Entry> entries_of(const Record& bone) {
    std::vector<Entry> entries;
    const std::span<const std::byte> bytes = bone.bytes("weights");
    for (std::size_t at = 0; at + 6 <= bytes.size(); at += 6)
      entries.push_back({load<std::uint16_t>(bytes, at), load<float>(bytes, at + 2)});
    return entries;
  }
  static void set_entries(Record& bone, const std::vector<Entry>& entries) {
    std::vector<std::byte>& bytes = bone.bytes("weights");
    bytes.resize(6 * entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      std::memcpy(bytes.data() + 6 * i, &entries[i].vertex, 2);
      std::memcpy(bytes.data() + 6 * i + 2, &entries[i].weight, 4);
    }
    bone.set_integer("weight_count", entries.size());
  }

  Result<void> write_partitions() {
    std::vector<Influences> before = nif::partition_weights(*blocks_.partitions, old_.positions.size());
    nif::PartitionInput input{.triangles = edit_.triangles, .groups = edit_.groups, .weights = {}};
    for (const VertexEdit& vertex : edit_.vertices) {
      if (!vertex.weights) {
        input.weights.push_back(before[vertex.source]);
        continue;
      }
      Influences own;
      for (std::size_t k = 0; k < 4; ++k)
        if (vertex.weights->weights[k] > 0.0f) own.emplace_back(vertex.weights->bones[k], vertex.weights->weights[k]);
      input.weights.push_back(std::move(own));
    }
    return nif::make_partitions(input, *blocks_.partitions, *blocks_.instance);
  }

  bool moves() const {
    return edit_.has_new_numbers ||
           std::ranges::any_of(edit_.vertices, [](const VertexEdit& vertex) { return vertex.position.has_value(); });
  }

  void write_bounds() {
    if (moves()) {
      Record& holder = blocks_.data ? *blocks_.data : blocks_.shape;
      const Vec4 sphere = bounding_sphere(positions_);
      // A skinned shape without a bound stays so.
      if (old_.bound != Vec4(0.0f) || !old_.is_skinned)
        holder.set_reals<4>("bound", {sphere.x, sphere.y, sphere.z, sphere.w});
    }
    if (blocks_.skin_data && (moves() || has_new_weights())) write_bone_bounds();
  }

  // The bones of each vertex, as their bounds count them: by NiSkinData, or by the vertices.
  std::vector<std::vector<std::uint16_t>> members(bool is_new) const {
    std::vector<std::vector<std::uint16_t>> vertices(old_.bones.size());
    const bool by_data = blocks_.is_of_skyrim() && blocks_.skin_data->integer("has_weights") != 0;
    if (by_data && is_new) {
      const std::vector<Record>& bones = blocks_.skin_data->records("bones");
      for (std::size_t bone = 0; bone < std::min(bones.size(), vertices.size()); ++bone)
        for (const Entry& entry : entries_of(bones[bone]))
          if (entry.vertex < edit_.vertices.size()) vertices[bone].push_back(entry.vertex);
      return vertices;
    }
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
      const VertexEdit& vertex = edit_.vertices[i];
      const VertexWeights& weights = is_new && vertex.weights ? *vertex.weights : old_.weights[vertex.source];
      for (std::size_t k = 0; k < 4; ++k)
        if (weights.weights[k] > 0.0f && weights.bones[k] < vertices.size())
          vertices[weights.bones[k]].push_back(static_cast<std::uint16_t>(i));
    }
    return vertices;
  }

  void write_bone_bounds() {
    if (old_.weights.size() != old_.positions.size()) return;
    const auto before = members(false), after = members(true);
    const auto is_changed = [&](std::uint16_t vertex) {
      const VertexEdit& edited = edit_.vertices[vertex];
      return edit_.has_new_numbers || edited.position || edited.weights;
    };
    for (std::size_t bone = 0; bone < old_.bones.size(); ++bone) {
      if (after[bone].empty() ||
          (std::ranges::none_of(after[bone], is_changed) && std::ranges::none_of(before[bone], is_changed)))
        continue;
      std::vector<Vec3> points;
      for (const std::uint16_t vertex : after[bone]) points.push_back(positions_[vertex]);
      set_bone_bound(bone, points);
    }
  }

  // The middle of the box in the space of the skin, and the largest distance, both in the space of the bone.
  void set_bone_bound(std::size_t bone, const std::vector<Vec3>& points) {
    const Mat4 bind = matrix_of(old_.bones[bone].bind);
    const Vec3 centre(bind * Vec4(Vec3(bounding_sphere(points)), 1.0f));
    float radius = 0.0f;
    for (const Vec3& point : points) radius = std::max(radius, glm::distance(Vec3(bind * Vec4(point, 1.0f)), centre));
    const std::array<float, 4> bound = {centre.x, centre.y, centre.z, radius};
    if (blocks_.is_of_skyrim()) {
      std::vector<Record>& bones = blocks_.skin_data->records("bones");
      if (bone < bones.size()) bones[bone].set_reals<4>("bound", bound);
      return;
    }
    const nif::RecordType& type = *blocks_.skin_data->type().find("bones")->record;
    std::vector<std::byte>& bytes = blocks_.skin_data->bytes("bones");
    const std::size_t at = bone * type.packed_bytes + type.offset_of("bound");
    if (at + sizeof bound <= bytes.size()) std::memcpy(bytes.data() + at, bound.data(), sizeof bound);
  }

  Blocks& blocks_;
  std::uint32_t stream_;
  const BodyShape& old_;
  const ShapeEdit& edit_;
  std::vector<Vec3> positions_;  // as they are stored
  float worst_rounding_ = 0.0f;
};

std::vector<std::uint32_t> groups_of_ranges(std::size_t count, const std::vector<std::uint32_t>& lengths) {
  std::vector<std::uint32_t> groups;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    groups.insert(groups.end(), std::min<std::size_t>(lengths[i], count - groups.size()),
                  static_cast<std::uint32_t>(i));
  groups.resize(count, lengths.empty() ? 0 : static_cast<std::uint32_t>(lengths.size() - 1));
  return groups;
}

// Skyrim LE: each triangle of the mesh is in a partition, in any order.
std::vector<std::uint32_t> groups_of_partitions(const std::vector<Corners>& triangles, const Record& partitions) {
  const auto key = [](const Corners& triangle) {
    std::array<std::uint16_t, 3> sorted = triangle;
    std::ranges::sort(sorted);
    return std::uint64_t{sorted[0]} << 32 | std::uint64_t{sorted[1]} << 16 | sorted[2];
  };
  std::vector<std::pair<std::uint64_t, std::uint32_t>> known;
  const std::vector<Record>& records = partitions.records("partitions");
  for (std::size_t i = 0; i < records.size(); ++i)
    for (const Corners& triangle : nif::mesh_triangles(records[i], false))
      known.emplace_back(key(triangle), static_cast<std::uint32_t>(i));
  std::ranges::sort(known);
  std::vector<std::uint32_t> groups;
  for (const Corners& triangle : triangles) {
    const auto found =
        std::ranges::lower_bound(known, key(triangle), {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    groups.push_back(found != known.end() && found->first == key(triangle) ? found->second : 0);
  }
  return groups;
}

}  // namespace

Result<std::vector<std::uint32_t>> triangle_groups(const NifFile& file, const BodyShape& shape) {
  MARROW_TRY(const Blocks blocks, read_blocks(file, shape.block));
  const std::size_t count = shape.triangles.size();
  std::vector<std::uint32_t> lengths;
  if (blocks.has_buffer_in_partitions()) {
    for (const Record& each : blocks.partitions->records("partitions"))
      lengths.push_back(static_cast<std::uint32_t>(nif::mesh_triangles(each, true).size()));
    return groups_of_ranges(count, lengths);
  }
  if (blocks.partitions) return groups_of_partitions(shape.triangles, *blocks.partitions);
  if (shape.levels) lengths.assign(shape.levels->begin(), shape.levels->end());
  for (const BodySegment& segment : shape.segments) {
    for (const BodySegment& sub : segment.sub_segments) lengths.push_back(sub.triangle_count);
    if (segment.sub_segments.empty()) lengths.push_back(segment.triangle_count);
  }
  return groups_of_ranges(count, lengths);
}

Result<void> edit_shape(NifFile& file, const BodyShape& shape, const ShapeEdit& edit, float* worst_rounding) {
  MARROW_TRY(Blocks blocks, read_blocks(file, shape.block));
  ShapeEditor editor(blocks, file.stream, shape, edit);
  MARROW_CHECK(editor.run());
  if (worst_rounding) *worst_rounding = std::max(*worst_rounding, editor.worst_rounding());
  return write_blocks(file, blocks);
}

}  // namespace marrow
