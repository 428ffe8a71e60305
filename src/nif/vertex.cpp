// SPDX-License-Identifier: MIT
#include "nif/vertex.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/half.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/schema.h"

namespace marrow::nif {
namespace {

using namespace vertex_bit;

/// One part of a vertex, in the order in which they follow each other.
struct Part {
  std::uint64_t bit;
  std::size_t bytes;
  int nibble;  ///< of the description, in which its offset stands
  int VertexLayout::* at;
};
constexpr std::array kParts = {
    Part{kPosition, 0, 1, &VertexLayout::position}, Part{kUv, 4, 2, &VertexLayout::uv},
    Part{kNormal, 4, 4, &VertexLayout::normal},     Part{kTangent, 4, 5, &VertexLayout::tangent},
    Part{kColor, 4, 6, &VertexLayout::color},       Part{kSkin, 12, 7, &VertexLayout::skin},
    Part{kEye, 4, 9, &VertexLayout::eye},
};

bool is_full_precision(std::uint64_t description, std::uint32_t stream) {
  return stream < kFallout4 || (description & kFull) != 0;
}

std::size_t bytes_of(const Part& part, bool is_full) { return part.bit != kPosition ? part.bytes : is_full ? 16 : 8; }

Vec3 direction_at(std::span<const std::byte> vertex, int at) {
  const auto i = static_cast<std::size_t>(at);
  return {direction_of(vertex[i]), direction_of(vertex[i + 1]), direction_of(vertex[i + 2])};
}

float half_at(std::span<const std::byte> vertex, std::size_t at) {
  return codec::half_to_float(load<std::uint16_t>(vertex, at));
}

// The position, and behind it the x of the bitangent.
Vec4 position_at(std::span<const std::byte> vertex, const VertexLayout& layout) {
  const auto at = static_cast<std::size_t>(layout.position);
  Vec4 value;
  for (std::size_t i = 0; i < 4; ++i)
    value[static_cast<int>(i)] = layout.is_full ? load<float>(vertex, at + 4 * i) : half_at(vertex, at + 2 * i);
  return value;
}

VertexWeights weights_at(std::span<const std::byte> vertex, const VertexLayout& layout) {
  const auto at = static_cast<std::size_t>(layout.skin);
  VertexWeights weights;
  for (std::size_t i = 0; i < 4; ++i) {
    weights.weights[i] = half_at(vertex, at + 2 * i);
    weights.bones[i] = static_cast<std::uint8_t>(vertex[at + 8 + i]);
  }
  return weights;
}

// What is not a number becomes 0.
std::byte cut_to_byte(double value) {
  return static_cast<std::byte>(value >= 255.0 ? std::uint8_t{255}
                                : value > 0.0  ? static_cast<std::uint8_t>(value)
                                               : std::uint8_t{0});
}

}  // namespace

Result<VertexLayout> vertex_layout(std::uint64_t description, std::uint32_t stream) {
  for (const auto& [bit, name] : {std::pair(kUv2, "a second UV"), std::pair(kLandscape, "landscape data")})
    if ((description & bit) != 0)
      return fail(ErrorCode::Unsupported, "vertices with " + std::string(name) + " are not supported");
  VertexLayout layout{.size = 4 * static_cast<std::size_t>(description & 15),
                      .is_full = is_full_precision(description, stream)};
  std::size_t at = 0;
  for (const Part& part : kParts) {
    if ((description & part.bit) == 0) continue;
    layout.*part.at = static_cast<int>(at);
    at += bytes_of(part, layout.is_full);
  }
  if (at != layout.size)
    return fail(ErrorCode::Malformed, "the parts of a vertex take " + std::to_string(at) + " bytes, but its size is " +
                                          std::to_string(layout.size) + " (description " + hex_text(description, 16) +
                                          ")");
  return layout;
}

std::uint64_t vertex_description(std::uint64_t bits, std::uint32_t stream, bool is_dynamic) {
  // Dynamic shapes state the size of their position, and count as full.
  std::uint64_t description = is_dynamic ? (bits & ~kPosition) | kFull | 4u << 4 : bits;
  const bool is_full = is_full_precision(description, stream);
  std::size_t words = 0;
  for (const Part& part : kParts) {
    if ((description & part.bit) == 0) continue;
    if (part.bit != kPosition) description |= static_cast<std::uint64_t>(words) << (4 * part.nibble);
    words += bytes_of(part, is_full) / 4;
  }
  return description | words;
}

void decode_vertices(std::span<const std::byte> buffer, const VertexLayout& layout, std::span<const std::byte> dynamic,
                     BodyShape& shape) {
  const bool is_dynamic = !dynamic.empty();
  const std::size_t count = layout.size != 0 ? buffer.size() / layout.size : dynamic.size() / 16;
  const bool has_tangents = layout.normal >= 0 && layout.tangent >= 0;
  if (layout.position >= 0 || is_dynamic) shape.positions.resize(count);
  if (layout.uv >= 0) shape.uvs.resize(count);
  if (layout.normal >= 0) shape.normals.resize(count);
  if (has_tangents) shape.tangents.resize(count), shape.bitangents.resize(count);
  if (layout.color >= 0) shape.colors.resize(count);
  if (layout.skin >= 0) shape.weights.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::byte> vertex = buffer.subspan(i * layout.size, layout.size);
    Vec4 position(0.0f);
    if (layout.position >= 0) position = position_at(vertex, layout);
    if (is_dynamic && 16 * i + 16 <= dynamic.size()) std::memcpy(&position, dynamic.data() + 16 * i, 16);
    if (!shape.positions.empty()) shape.positions[i] = Vec3(position);
    if (layout.uv >= 0) {
      const auto at = static_cast<std::size_t>(layout.uv);
      shape.uvs[i] = {half_at(vertex, at), half_at(vertex, at + 2)};
    }
    if (layout.normal >= 0) shape.normals[i] = direction_at(vertex, layout.normal);
    if (has_tangents) {
      shape.tangents[i] = direction_at(vertex, layout.tangent);
      shape.bitangents[i] = {position.w, direction_of(vertex[static_cast<std::size_t>(layout.normal) + 3]),
                             direction_of(vertex[static_cast<std::size_t>(layout.tangent) + 3])};
    }
    if (layout.color >= 0)
      for (int c = 0; c < 4; ++c)
        shape.colors[i][c] = static_cast<float>(vertex[static_cast<std::size_t>(layout.color + c)]) / 255.0f;
    if (layout.skin >= 0) shape.weights[i] = weights_at(vertex, layout);
  }
}

namespace {

void store_half(std::span<std::byte> vertex, std::size_t at, float value) {
  const std::uint16_t half = codec::float_to_half(value);
  std::memcpy(vertex.data() + at, &half, 2);
}
void store_float(std::span<std::byte> vertex, std::size_t at, float value) {
  std::memcpy(vertex.data() + at, &value, 4);
}

void store_direction(std::byte& stored, float value) {
  if (value != direction_of(stored)) stored = direction_byte(value);
}

}  // namespace

Vec3 place_position(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& position) {
  if (layout.position < 0) return position;
  const auto at = static_cast<std::size_t>(layout.position);
  for (std::size_t i = 0; i < 3; ++i)
    if (const float value = position[static_cast<int>(i)]; layout.is_full)
      store_float(vertex, at + 4 * i, value);
    else
      store_half(vertex, at + 2 * i, value);
  return Vec3(position_at(vertex, layout));
}

void place_uv(std::span<std::byte> vertex, const VertexLayout& layout, const Vec2& uv) {
  if (layout.uv < 0) return;
  store_half(vertex, static_cast<std::size_t>(layout.uv), uv.x);
  store_half(vertex, static_cast<std::size_t>(layout.uv) + 2, uv.y);
}

void place_normal(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& normal) {
  for (int i = 0; layout.normal >= 0 && i < 3; ++i)
    store_direction(vertex[static_cast<std::size_t>(layout.normal + i)], normal[i]);
}

void place_tangents(std::span<std::byte> vertex, const VertexLayout& layout, const Vec3& along_v, const Vec3& along_u) {
  if (layout.normal < 0 || layout.tangent < 0) return;
  for (int i = 0; i < 3; ++i) store_direction(vertex[static_cast<std::size_t>(layout.tangent + i)], along_v[i]);
  if (layout.position >= 0) {
    const auto at = static_cast<std::size_t>(layout.position);
    layout.is_full ? store_float(vertex, at + 12, along_u.x) : store_half(vertex, at + 6, along_u.x);
  }
  store_direction(vertex[static_cast<std::size_t>(layout.normal) + 3], along_u.y);
  store_direction(vertex[static_cast<std::size_t>(layout.tangent) + 3], along_u.z);
}

void place_color(std::span<std::byte> vertex, const VertexLayout& layout, const Vec4& color) {
  for (int i = 0; layout.color >= 0 && i < 4; ++i) {
    std::byte& stored = vertex[static_cast<std::size_t>(layout.color + i)];
    if (color[i] != static_cast<float>(stored) / 255.0f) stored = color_byte(color[i]);
  }
}

void place_weights(std::span<std::byte> vertex, const VertexLayout& layout, const VertexWeights& weights) {
  if (layout.skin < 0) return;
  const auto at = static_cast<std::size_t>(layout.skin);
  for (std::size_t i = 0; i < 4; ++i) {
    store_half(vertex, at + 2 * i, weights.weights[i]);
    vertex[at + 8 + i] = static_cast<std::byte>(static_cast<std::uint8_t>(weights.bones[i]));
  }
}

float direction_of(std::byte stored) { return static_cast<float>(stored) / 255.0f * 2.0f - 1.0f; }

std::byte direction_byte(float value) { return cut_to_byte((static_cast<double>(value) + 1.0) / 2.0 * 255.0); }

std::byte color_byte(float value) { return cut_to_byte(255.0 * static_cast<double>(value)); }

}  // namespace marrow::nif
