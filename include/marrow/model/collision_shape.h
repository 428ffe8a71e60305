// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "marrow/model/transform.h"

namespace marrow {

/// The origin of a value, so that writing to the same file keeps what the model does not hold. Not part of the value:
/// two handles always compare equal.
struct SourceHandle {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t value = kNone;

  bool is_set() const { return value != kNone; }
  bool operator==(const SourceHandle&) const { return true; }
};

/// Number of a shape in `CollisionSystem::shapes`.
enum class ShapeId : std::uint32_t { None = 0xFFFFFFFF };

/// A rotation and a translation. The rotation is kept as the matrix of the file: converting to a quaternion and back
/// would lose precision.
struct Frame {
  glm::mat3 rotation{1.0f};
  Vec3 translation{0.0f};

  bool operator==(const Frame&) const = default;
};

/// Mass properties stored in a shape: those of a solid of density 1, as Fallout 4 defines them.
struct ShapeMass {
  float mass = 0.0f;
  float volume = 0.0f;
  Vec3 center{0.0f};
  Vec3 inertia{0.0f};                     ///< principal moments, one and a half times the physical ones
  Quat rotation = make_quat(0, 0, 0, 1);  ///< from the principal axes to the shape's

  bool operator==(const ShapeMass&) const = default;
};

/// A polygon of a polytope: a run of `Polytope::indices`, counter-clockwise seen from outside.
struct PolytopeFace {
  std::uint16_t first_index = 0;
  std::uint8_t index_count = 0;
  std::uint8_t min_half_angle = 0;  ///< half the angle to the flattest neighbour, 255 = 90 degrees

  bool operator==(const PolytopeFace&) const = default;
};

/// A convex solid: a core, expanded by `Shape::convex_radius`. Files pad vertices and planes to multiples of four; the
/// model does not.
struct Polytope {
  std::vector<Vec3> vertices = {};
  std::vector<Vec4> planes = {};  ///< (n, d), n . x + d = 0 on the face, one per face
  std::vector<PolytopeFace> faces = {};
  std::vector<std::uint8_t> indices = {};
  /// The planes of the expanded solid as Skyrim stores them; empty: the faces, moved out by the convex radius.
  std::vector<Vec4> outer_planes = {};

  bool operator==(const Polytope&) const = default;
};

/// A sphere; its radius is the convex radius.
struct BallShape {
  Vec3 center{0.0f};

  bool operator==(const BallShape&) const = default;
};

/// All points within the radius of a segment.
struct CapsuleShape {
  Vec3 a{0.0f};
  Vec3 b{0.0f};
  float radius_part = 0.99f;  ///< the part of the radius that `Shape::convex_radius` is: 0.99 in Fallout 4, 1 in Skyrim

  bool operator==(const CapsuleShape&) const = default;
};

/// A box along its own axes about the origin: a core, expanded by `Shape::convex_radius`.
struct BoxShape {
  Vec3 half_extents{0.0f};  ///< of the core

  bool operator==(const BoxShape&) const = default;
};

/// All points within the radius of a segment, cut off flat at its ends, expanded by `Shape::convex_radius`.
struct CylinderShape {
  Vec3 a{0.0f};
  Vec3 b{0.0f};
  float radius = 0.0f;

  bool operator==(const CylinderShape&) const = default;
};

/// A material of a mesh with the collision filter of its triangles.
struct MeshMaterial {
  std::uint32_t filter = 0;
  std::uint32_t crc = 0;

  bool operator==(const MeshMaterial&) const = default;
};

struct MeshFace {
  std::array<std::uint32_t, 3> corners{};
  std::uint16_t material = 0;  ///< index into `MeshShape::materials`
  std::uint32_t key = 0;       ///< as the file numbers it, by engine

  bool operator==(const MeshFace&) const = default;
};

enum class MergedSolidKind : std::uint8_t { Sphere, Capsule, Convex };

/// A convex solid that is merged into a mesh, as in precombined files: all points within `radius` of the hull of the
/// vertices, one for a sphere, two for a capsule.
struct MergedSolid {
  MergedSolidKind kind = MergedSolidKind::Convex;
  float radius = 0.0f;
  std::vector<Vec3> vertices = {};
  std::uint16_t material = 0;  ///< index into `MeshShape::materials`
  std::uint32_t key = 0;       ///< as in `MeshFace`

  bool operator==(const MergedSolid&) const = default;
};

/// Triangles, decoded from a compressed mesh or still to be compressed.
struct MeshShape {
  std::vector<Vec3> vertices = {};
  std::vector<MeshFace> faces = {};
  std::vector<MergedSolid> solids = {};
  std::vector<MeshMaterial> materials = {};
  std::uint32_t section_count = 0;  ///< 0 if not compressed yet; this and the next two are informative
  std::uint32_t quad_count = 0;
  std::uint32_t shared_vertex_count = 0;  ///< vertices that several sections use
  std::uint32_t undecoded_count = 0;      ///< merged solids of unknown kind, kept unchanged

  bool operator==(const MeshShape&) const = default;
};

/// One child of a compound.
struct ShapeInstance {
  ShapeId shape = ShapeId::None;
  Frame frame = {};
  Vec3 scale{1.0f};
  std::uint32_t flags = 0x40;  ///< 2 translated, 4 rotated, 8 scaled, 0x40 enabled: required to collide
  std::uint16_t shape_tag = 0xFFFF;
  std::uint16_t destruction_tag = 0xFFFF;

  bool operator==(const ShapeInstance&) const = default;
};

/// A node of a compound's bounding tree; node 0 is unused, the root is node 1.
struct CompoundNode {
  Vec3 min{0.0f};
  Vec3 max{0.0f};
  std::uint16_t parent = 0;
  std::uint16_t left = 0;   ///< 0 for a leaf
  std::uint16_t right = 0;  ///< the instance of a leaf

  bool operator==(const CompoundNode&) const = default;
};

struct CompoundShape {
  bool is_static = false;
  std::vector<ShapeInstance> instances = {};
  Vec3 min{0.0f};  ///< bounds
  Vec3 max{0.0f};
  std::vector<CompoundNode> nodes = {};  ///< empty if the tree is still to be built

  bool operator==(const CompoundShape&) const = default;
};

/// Another convex shape, scaled.
struct ScaledShape {
  ShapeId core = ShapeId::None;
  Vec3 scale{1.0f};
  Vec3 translation{0.0f};

  bool operator==(const ScaledShape&) const = default;
};

/// Another shape in another place.
struct MovedShape {
  ShapeId core = ShapeId::None;
  Frame frame = {};

  bool operator==(const MovedShape&) const = default;
};

/// A shape of an unknown class. It is kept unchanged.
struct UnknownShape {
  std::string class_name = {};

  bool operator==(const UnknownShape&) const = default;
};

using ShapeGeometry = std::variant<Polytope, BallShape, CapsuleShape, MeshShape, CompoundShape, ScaledShape,
                                   UnknownShape, BoxShape, CylinderShape, MovedShape>;

struct Shape {
  SourceHandle source = {};
  std::uint16_t flags = 0;  ///< 0: the writer uses those of its kind
  std::uint8_t key_bits = 0;
  float convex_radius = 0.0f;
  std::uint32_t material = 0;  ///< CRC of its name, see `collision_names.h`; 0 for none
  std::optional<ShapeMass> mass =
      {};  ///< present in polytopes; not in spheres, capsules, meshes and compounds of the game
  ShapeGeometry geometry = UnknownShape{};

  bool operator==(const Shape&) const = default;
};

/// Returns `polytope`, `box`, `sphere`, `capsule`, `cylinder`, `mesh`, `compound`, `static compound`, `scaled`,
/// `moved`, or the class name of an unknown shape.
std::string_view type_name(const Shape& shape);
/// Returns the radius of a capsule.
float radius_of(const Shape& shape, const CapsuleShape& capsule);

}  // namespace marrow
