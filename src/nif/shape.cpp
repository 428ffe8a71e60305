// SPDX-License-Identifier: MIT
#include "marrow/nif/shape.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/nif/node.h"
#include "nif/av_object.h"

namespace marrow {
namespace {

constexpr std::array<std::string_view, 4> kShapeTypes = {"BSTriShape", "BSSubIndexTriShape", "BSMeshLODTriShape",
                                                         "BSDynamicTriShape"};

// What a vertex holds: bits 44 and up of its description.
constexpr std::uint64_t kHasPosition = std::uint64_t{1} << 44, kFullPrecision = std::uint64_t{1} << 54;

// An IEEE half.
float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = half >> 15, exponent = half >> 10 & 31, fraction = half & 0x3FF;
  const float magnitude =
      exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
      : exponent == 31
          ? (fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN())
          : std::ldexp(static_cast<float>(fraction + 1024), static_cast<int>(exponent) - 25);
  return sign != 0 ? -magnitude : magnitude;
}

// The name of a shader property. That of lighting shaders follows the number of the shader.
std::string material_of(const NifFile& file, std::int32_t block) {
  if (!file.has_block(block)) return {};
  ByteReader reader(file.blocks[static_cast<std::size_t>(block)].bytes);
  if (file.type_of(block) == "BSLightingShaderProperty") reader.skip(4);
  const std::int32_t name = reader.i32();
  return reader.ok() ? std::string(file.string_at(name)) : std::string();
}

struct Geometry {
  std::uint64_t description = 0;
  std::uint32_t triangle_count = 0;
  std::uint16_t vertex_count = 0;
  std::uint32_t byte_count = 0;

  std::size_t vertex_bytes() const { return 4 * static_cast<std::size_t>(description & 0xF); }
  std::size_t position_bytes() const { return (description & kFullPrecision) != 0 ? 12 : 6; }
};

void read_vertices(ByteReader& reader, const Geometry& geometry, NifShape& shape) {
  const bool has_position = (geometry.description & kHasPosition) != 0;
  if (has_position && geometry.vertex_bytes() < geometry.position_bytes())
    return reader.set_error(ErrorCode::Malformed, "its vertices are too small for a position");
  shape.vertices.resize(geometry.vertex_count);
  for (Vec3& vertex : shape.vertices) {
    const std::span<const std::byte> bytes = reader.bytes(geometry.vertex_bytes());
    if (!reader.ok()) return;
    for (std::size_t axis = 0; has_position && axis < 3; ++axis)
      vertex[static_cast<int>(axis)] = (geometry.description & kFullPrecision) != 0
                                           ? load<float>(bytes, 4 * axis)
                                           : half_to_float(load<std::uint16_t>(bytes, 2 * axis));
  }
}

// Shapes that the game deforms hold their positions once more, in full.
void read_dynamic_vertices(ByteReader& reader, NifShape& shape) {
  const std::uint32_t bytes = reader.u32();
  if (bytes / 16 < shape.vertices.size()) return;
  for (Vec3& vertex : shape.vertices) {
    for (int axis = 0; axis < 3; ++axis) vertex[axis] = reader.f32();
    reader.skip(4);
  }
}

void read_geometry(ByteReader& reader, NifShape& shape) {
  Geometry geometry;
  geometry.description = reader.u64();
  geometry.triangle_count = reader.u32();
  geometry.vertex_count = reader.u16();
  geometry.byte_count = reader.u32();
  if (!reader.ok() || geometry.byte_count == 0) return;
  const std::size_t needed = geometry.vertex_count * geometry.vertex_bytes() + 6 * std::size_t{geometry.triangle_count};
  if (needed > reader.remaining())
    return reader.set_error(ErrorCode::Truncated, std::to_string(geometry.vertex_count) + " vertices and " +
                                                      std::to_string(geometry.triangle_count) +
                                                      " triangles do not fit into the block");
  read_vertices(reader, geometry, shape);
  shape.triangles.resize(geometry.triangle_count);
  for (auto& triangle : shape.triangles)
    for (std::uint16_t& corner : triangle) {
      corner = reader.u16();
      if (reader.ok() && corner >= geometry.vertex_count)
        reader.set_error(ErrorCode::Malformed, "a triangle has vertex " + std::to_string(corner) + " of " +
                                                   std::to_string(geometry.vertex_count));
    }
  if (shape.type == "BSDynamicTriShape") read_dynamic_vertices(reader, shape);
}

Result<NifShape> read_shape(const NifFile& file, std::int32_t block) {
  ByteReader reader(file.blocks[static_cast<std::size_t>(block)].bytes);
  NifShape shape;
  shape.block = block;
  shape.type = file.type_of(block);
  const AvObject object = read_av_object(file, reader);
  shape.name = object.name;
  shape.local = shape.world = object.transform;
  reader.skip(16);  // bounding sphere
  const std::int32_t skin = reader.i32();
  shape.material = material_of(file, reader.i32());
  reader.skip(4);  // alpha property
  shape.is_skinned = skin != kNoBlock;
  read_geometry(reader, shape);
  if (reader.ok()) return shape;
  Error error = reader.status().error();
  error.path = "blocks[" + std::to_string(block) + "]";
  error.message = "the " + shape.type + " cannot be read: " + error.message;
  error.offset = kNoOffset;  // an offset in the block would be taken for one in the file
  return std::unexpected(std::move(error));
}

}  // namespace

Result<std::vector<NifShape>> read_shapes(const NifFile& file, const Limits& limits) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(file));
  std::unordered_map<std::int32_t, const NifNode*> parent_of;
  for (const NifNode& node : nodes)
    for (const std::int32_t child : node.children) parent_of.try_emplace(child, &node);
  std::vector<NifShape> shapes;
  std::size_t expanded = 0;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (std::ranges::find(kShapeTypes, file.type_of(block)) == kShapeTypes.end()) continue;
    MARROW_TRY(NifShape shape, read_shape(file, block));
    expanded += shape.vertices.size() * sizeof(Vec3) + shape.triangles.size() * sizeof(shape.triangles[0]);
    if (expanded > limits.max_expanded_bytes)
      return fail(ErrorCode::LimitExceeded, "the shapes take more memory than the limit allows");
    if (const auto parent = parent_of.find(block); parent != parent_of.end()) {
      shape.parent = parent->second->block;
      shape.world = parent->second->world * shape.local;
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace marrow
