// SPDX-License-Identifier: MIT
#include "nif/shape.h"

#include <algorithm>
#include <unordered_map>

#include "core/try.h"
#include "nif/material.h"
#include "nif/node.h"
#include "nif/skinned.h"
#include "nif/vertex.h"

namespace marrow {
namespace {

using nif::Record;

template <class T>
void copy_values(const Record& record, std::string_view field, std::vector<T>& out) {
  out = record.values<T>(field);
}

// The mesh of a NiTriShape is in a block of its own.
Result<void> read_data_block(const NifFile& file, std::int32_t block, const Limits& limits, BodyShape& shape) {
  const nif::RecordType* type = nif::type_of(file, block);
  if (!type || !type->is_a("NiGeometryData")) return {};
  MARROW_TRY(const Record data, nif::read_block(file, block, limits));
  copy_values(data, "positions", shape.positions);
  copy_values(data, "normals", shape.normals);
  copy_values(data, "tangents", shape.tangents);
  copy_values(data, "bitangents", shape.bitangents);
  copy_values(data, "colors", shape.colors);
  copy_values(data, "uvs", shape.uvs);
  const auto bound = data.reals<4>("bound");
  shape.bound = {bound[0], bound[1], bound[2], bound[3]};
  if (data.has("triangles"))
    copy_values(data, "triangles", shape.triangles);
  else if (data.has("points"))
    shape.triangles =
        nif::triangles_of_strips(data.values<std::uint16_t>("strip_lengths"), data.values<std::uint16_t>("points"));
  return {};
}

// The mesh of a BSTriShape is in the shape itself, unless it is a skinned one of Skyrim SE.
Result<void> read_own_mesh(const NifFile& file, const Record& record, std::span<const std::byte> dynamic,
                           BodyShape& shape) {
  const auto bound = record.reals<4>("bound");
  shape.bound = {bound[0], bound[1], bound[2], bound[3]};
  const bool has_vertices = !record.bytes("vertices").empty();
  if (has_vertices) {
    MARROW_TRY(const nif::VertexLayout layout, nif::vertex_layout(record.integer("description"), file.stream));
    nif::decode_vertices(record.bytes("vertices"), layout, dynamic, shape);
  }
  copy_values(record, "triangles", shape.triangles);
  return {};
}

std::vector<BodySegment> read_segments(const Record& record) {
  std::vector<BodySegment> segments;
  for (const Record& each : record.records("segments")) {
    BodySegment segment{each.get<std::uint32_t>("start") / 3, each.get<std::uint32_t>("triangle_count"), {}};
    const std::span<const std::byte> subs = each.bytes("sub_segments");
    const nif::RecordType& type = *each.type().find("sub_segments")->record;
    for (std::size_t at = 0; at < subs.size(); at += type.packed_bytes)
      segment.sub_segments.push_back({load<std::uint32_t>(subs, at + type.offset_of("start")) / 3,
                                      load<std::uint32_t>(subs, at + type.offset_of("triangle_count")),
                                      {}});
    segments.push_back(std::move(segment));
  }
  return segments;
}

Result<BodyShape> read_shape(const NifFile& file, std::int32_t block, const Limits& limits) {
  MARROW_TRY(const Record record, nif::read_block(file, block, limits));
  BodyShape shape;
  shape.block = block;
  shape.type = file.type_of(block);
  shape.name = file.string_at(record.reference("name"));
  shape.local = shape.world = transform_of(record);
  shape.material = nif::read_material(file, record.reference("shader"), record.reference("alpha"), limits);
  if (record.has("levels")) {
    shape.levels.emplace();
    for (std::size_t i = 0; i < 3; ++i) (*shape.levels)[i] = record.get<std::uint32_t>("levels", i);
  }
  if (record.has("data")) {
    MARROW_CHECK(read_data_block(file, record.reference("data"), limits, shape));
    MARROW_CHECK(nif::add_skin(file, record.reference("skin"), {}, limits, shape));
    return shape;
  }
  const std::span<const std::byte> dynamic =
      record.has("dynamic") ? record.bytes("dynamic") : std::span<const std::byte>();
  MARROW_CHECK(read_own_mesh(file, record, dynamic, shape));
  if (record.has("segments")) shape.segments = read_segments(record);
  MARROW_CHECK(nif::add_skin(file, record.reference("skin"), dynamic, limits, shape));
  return shape;
}

std::size_t bytes_of(const NifFile& file) {
  std::size_t bytes = 0;
  for (const NifBlock& block : file.blocks) bytes += block.bytes.size();
  return bytes;
}

std::size_t memory_of(const BodyShape& shape) {
  std::size_t texts = shape.name.size();
  for (const BodyBone& bone : shape.bones) texts += bone.name.size();
  for (const std::string& texture : shape.material.textures) texts += texture.size();
  return sizeof shape + texts + shape.bones.size() * sizeof(BodyBone) +
         shape.positions.size() * (3 * sizeof(Vec3) + sizeof(Vec3) + sizeof(VertexWeights)) +
         shape.triangles.size() * sizeof(shape.triangles[0]);
}

// Errors name the shape's block, unless they name another.
std::unexpected<Error> in_shape(Error error, const NifFile& file, std::int32_t block) {
  if (!error.path.starts_with("blocks[")) {
    error.path = "blocks[" + std::to_string(block) + "]";
    error.message = "the " + std::string(file.type_of(block)) + " cannot be read: " + error.message;
  }
  return std::unexpected(std::move(error));
}

}  // namespace

bool is_shape(const NifFile& file, std::int32_t block) {
  const nif::RecordType* type = nif::type_of(file, block);
  return type && (type->is_a("NiTriShape") || type->is_a("BSTriShape"));
}

Result<std::vector<BodyShape>> read_shapes(const NifFile& file, const ReadShapes& given) {
  ReadShapes options = given;
  if (!options.limits.spent) options.limits = options.limits.for_input(bytes_of(file));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  std::unordered_map<std::int32_t, const NifNode*> parent_of;
  for (const NifNode& node : nodes)
    for (const std::int32_t child : node.children) parent_of.try_emplace(child, &node);
  std::vector<BodyShape> shapes;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (!is_shape(file, block)) continue;
    auto shape = read_shape(file, block, options.limits);
    if (!shape) return in_shape(std::move(shape.error()), file, block);
    if (!options.keep_faults)
      if (auto valid = validate(*shape); !valid) return in_shape(std::move(valid.error()), file, block);
    // Several shapes may share one data block, so that a small file could ask for a lot of memory.
    if (!options.limits.charge(memory_of(*shape)))
      return fail(ErrorCode::LimitExceeded, "the shapes take more memory than the limit allows");
    if (const auto parent = parent_of.find(block); parent != parent_of.end()) {
      shape->parent = parent->second->block;
      shape->world = parent->second->world * shape->local;
    }
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

}  // namespace marrow
