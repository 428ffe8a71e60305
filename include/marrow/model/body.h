// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/transform.h"

/// The visible meshes of a character, as values of no format.
namespace marrow {

using Vec2 = glm::vec2;
using Mat4 = glm::mat4;

/// A transform as skins store it: nine numbers by rows, which need not be an exact rotation, and one scale.
struct BindTransform {
  std::array<float, 9> rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vec3 translation{0.0f};
  float scale = 1.0f;

  bool operator==(const BindTransform&) const = default;
};
/// Returns the transform as a matrix for column vectors.
Mat4 matrix_of(const BindTransform& bind);
Mat4 matrix_of(const Transform& transform);

/// A bone that moves a shape. One node may be the bone of several entries.
struct BodyBone {
  std::string name;
  std::int32_t node = -1;  ///< number of the node's block; -1 if the entry names no node
  BindTransform bind;      ///< maps the space of the skin to that of the bone
  Vec4 bound{0.0f};        ///< centre and radius of what it moves, in the space of the bone

  bool operator==(const BodyBone&) const = default;
};

/// The bones of one vertex as they are drawn; unused entries have weight 0.
struct VertexWeights {
  std::array<std::uint16_t, 4> bones{};  ///< index `BodyShape::bones`
  std::array<float, 4> weights{};

  bool operator==(const VertexWeights&) const = default;
};

/// Triangles that Skyrim draws, and cuts off, together.
struct BodyPartition {
  std::optional<std::uint16_t> body_part = {};  ///< 32 body, 33 hands ...; none if the skin does not state them
  std::uint32_t vertex_count = 0;
  std::uint32_t triangle_count = 0;
  std::vector<std::uint16_t> bones = {};  ///< index `BodyShape::bones`

  bool operator==(const BodyPartition&) const = default;
};

/// A run of triangles that Fallout 4 can cut off, with its parts.
struct BodySegment {
  std::uint32_t first_triangle = 0;
  std::uint32_t triangle_count = 0;
  std::vector<BodySegment> sub_segments = {};  ///< one level deep

  bool operator==(const BodySegment&) const = default;
};

enum class AlphaMode : std::uint8_t { Opaque, Mask, Blend };

/// How a shape looks.
struct BodyMaterial {
  std::string shader;                 ///< type of the shader; empty if the shape has none
  std::string name;                   ///< of the shader: in Fallout 4 usually the path of a material file
  std::vector<std::string> textures;  ///< paths as stored, by slot; unused slots are empty
  AlphaMode alpha = AlphaMode::Opaque;
  float alpha_threshold = 0.0f;  ///< 0 to 1
  bool is_double_sided = false;
  bool has_model_space_normals = false;  ///< the normals are in the normal map, not in the mesh
  bool is_skinned = false;               ///< what the shader's flags say; `BodyShape::is_skinned` may differ
  bool has_vertex_colors = false;

  bool operator==(const BodyMaterial&) const = default;
};

/// One mesh of a body. An attribute that the mesh does not have is empty; the others have one entry per vertex.
struct BodyShape {
  std::int32_t block = -1;  ///< of the shape in its file
  std::string type;         ///< as the file names it, `BSTriShape`
  std::string name;
  std::int32_t parent = -1;  ///< block of the node that it hangs on
  Transform local;           ///< to the parent node
  Transform world;           ///< to the root's parent; unused for a skinned shape
  BodyMaterial material;
  Vec4 bound{0.0f};  ///< centre and radius as stored; zeros for most skinned shapes
  std::vector<Vec3> positions = {};
  std::vector<Vec3> normals = {};     ///< as stored: bytes are not of unit length
  std::vector<Vec3> tangents = {};    ///< along +V of the texture, as stored
  std::vector<Vec3> bitangents = {};  ///< along +U of the texture, as stored
  std::vector<Vec2> uvs = {};
  std::vector<Vec4> colors = {};
  std::vector<std::array<std::uint16_t, 3>> triangles = {};
  bool is_skinned = false;  ///< positions are in the space of the skin, and bones place them
  std::vector<BodyBone> bones = {};
  std::vector<VertexWeights> weights = {};
  std::vector<BodyPartition> partitions = {};
  std::vector<BodySegment> segments = {};
  std::optional<std::array<std::uint32_t, 3>> levels = {};  ///< triangles of each level of detail

  bool operator==(const BodyShape&) const = default;
};

/// Fails if a triangle names a vertex that is not there, or a weight a bone.
Result<void> validate(const BodyShape& shape);

/// Returns the sphere that the games store: the middle of the box of all points, and the largest distance from it.
Vec4 bounding_sphere(const std::vector<Vec3>& points);

}  // namespace marrow
