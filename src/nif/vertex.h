// SPDX-License-Identifier: MIT
// The vertices of BSTriShape and NiSkinPartition. docs/formats/nif-blocks.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/body.h"

namespace marrow::nif {

/// What a vertex description says a vertex has.
namespace vertex_bit {
inline constexpr std::uint64_t kPosition = std::uint64_t{1} << 44, kUv = std::uint64_t{1} << 45,
                               kUv2 = std::uint64_t{1} << 46, kNormal = std::uint64_t{1} << 47,
                               kTangent = std::uint64_t{1} << 48, kColor = std::uint64_t{1} << 49,
                               kSkin = std::uint64_t{1} << 50, kLandscape = std::uint64_t{1} << 51,
                               kEye = std::uint64_t{1} << 52, kFull = std::uint64_t{1} << 54;
}  // namespace vertex_bit

/// Where the parts of a vertex lie, in bytes; -1 for those it does not have.
struct VertexLayout {
  std::size_t size = 0;
  bool is_full = false;  ///< positions are floats, not halves
  int position = -1, uv = -1, normal = -1, tangent = -1, color = -1, skin = -1, eye = -1;

  bool operator==(const VertexLayout&) const = default;
};

/// Returns the layout of a description. Fails by name for parts that are not supported, and if the parts do not fill
/// the vertex.
Result<VertexLayout> vertex_layout(std::uint64_t description, std::uint32_t stream);

/// Returns the description of a vertex with the parts of `bits`: sizes and offsets as the games write them. Vertices of
/// a dynamic shape have their positions elsewhere.
std::uint64_t vertex_description(std::uint64_t bits, std::uint32_t stream, bool is_dynamic);

/// Decodes a buffer of whole vertices into the attributes of a shape. The x of bitangents is in the position, or, for
/// dynamic shapes, in `dynamic` (four floats per vertex: the position and that x).
void decode_vertices(std::span<const std::byte> buffer, const VertexLayout& layout, std::span<const std::byte> dynamic,
                     BodyShape& shape);

/// Writes parts of one vertex; those that the layout does not have are left out. Bytes whose value is the one stored
/// stay as they are: cutting is not its own inverse. `place_position` returns the position as it is stored then.
Vec3 place_position(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& position);
void place_uv(std::span<std::byte> vertex, const VertexLayout& layout, const Vec2& uv);
void place_normal(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& normal);
/// The x of the bitangent goes behind the position, unless that is in `dynamic`.
void place_tangents(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& along_v, const Vec3& along_u);
void place_color(std::span<std::byte> vertex, const VertexLayout& layout, const Vec4& color);
void place_weights(std::span<std::byte> vertex, const VertexLayout& layout, const VertexWeights& weights);

/// A direction as bytes. Values are cut, not rounded, as the games' exporter does.
float direction_of(std::byte stored);
std::byte direction_byte(float value);
std::byte color_byte(float value);

}  // namespace marrow::nif
