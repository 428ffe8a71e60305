// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "exchange/gltf/document.h"
#include "exchange/gltf/extras.h"
#include "exchange/gltf/scene.h"

namespace marrow::gltf {

/// Where the nodes of an armature are in the document.
struct ArmatureNodes {
  int root = -1;
  int first_bone = -1;
};

/// Writes the shapes of bodies: a mesh, a skin and a material each.
class BodyWriter {
 public:
  explicit BodyWriter(DocumentBuilder& document) : document_(document) {}

  /// Adds a body. `nodes` is its armature; a body without one hangs below `root`. Returns what the record keeps.
  Result<BodyRecord> add(const Body& body, const ArmatureNodes& nodes, int root);

 private:
  std::string unused_name(const std::string& wanted);
  tinygltf::Primitive primitive_of(const Body& body, const std::vector<std::uint16_t>& joint_of);
  int skin_of(const Body& body, const ArmatureNodes& nodes, std::vector<std::uint16_t>& joint_of);
  int material_of(const Body& body);
  int texture_of(const std::vector<std::byte>& image, const std::string& name);

  DocumentBuilder& document_;
  std::map<std::string, int> names_;
};

/// Returns a vertex's weights as glTF wants them: strongest first, divided by their sum, each joint once, and joint 0
/// if it has no weight. `joint_of` maps bones of the shape to joints.
VertexWeights joint_weights(const VertexWeights& stored, const std::vector<std::uint16_t>& joint_of);

/// Returns the normal of unit length; +Z if it has no direction.
Vec3 unit_normal(const Vec3& stored);

/// Returns glTF's tangent: along +U, square to the normal, with the side of +V.
Vec4 gltf_tangent(const Vec3& normal, const Vec3& along_u, const Vec3& along_v);

}  // namespace marrow::gltf
