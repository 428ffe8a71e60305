// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/mesh/compressed_mesh.h"
#include "geometry/mesh/static_tree.h"
#include "marrow/core/error.h"

/// How a compressed mesh is read. Nothing here is used by what builds one: each checks the other.
namespace marrow::geometry {

enum class PrimitiveKind : std::uint8_t { Triangle, Quad, Custom, Removed };
PrimitiveKind kind_of(const CompressedMesh::Primitive& primitive);

/// A corner that has been looked up.
struct MeshCorner {
  Vec3 position{0.0f};
  std::uint64_t identity = 0;  ///< equal for equal stored vertices, also across sections
};

/// One section of a mesh, with its ranges checked against the arrays of the mesh.
class SectionReader {
 public:
  /// Fails where a first or count of the section leaves the arrays.
  static Result<SectionReader> open(const CompressedMesh& mesh, std::uint32_t section);

  std::uint32_t primitive_count() const { return section_->primitive_count; }
  const CompressedMesh::Primitive& primitive(std::uint32_t i) const {
    return mesh_->primitives[section_->first_primitive + i];
  }
  /// A vertex by its number in the section. Fails where it, or the shared vertex that it names, does not exist.
  Result<MeshCorner> corner(std::uint8_t number) const;
  /// The material of each primitive; all 0 where the section has no runs. Fails where a primitive is in none.
  Result<std::vector<std::uint16_t>> materials() const;

  std::string path() const { return "sections[" + std::to_string(number_) + "]"; }

 private:
  SectionReader(const CompressedMesh& mesh, std::uint32_t number)
      : mesh_(&mesh), section_(&mesh.sections[number]), number_(number) {}

  const CompressedMesh* mesh_;
  const CompressedMesh::Section* section_;
  std::uint32_t number_;
};

/// What a node of either tree says, in one form.
struct NodeView {
  std::array<std::uint8_t, 3> box{};
  bool is_leaf = false;
  std::uint32_t value = 0;  ///< primitive or section of a leaf, offset of the right child of an inner node
};
NodeView view_of(const CompressedMesh::TopNode& node);
NodeView view_of(const CompressedMesh::SectionNode& node);
NodeView view_of(const StaticTree::Node& node);

/// A decoded tree: for each node its box, and whether it is a leaf and of what.
struct DecodedTree {
  std::vector<Aabb> boxes;
  std::vector<NodeView> nodes;
};

/// Decodes nodes in pre-order against `domain`. Fails where offsets do not form one tree over all nodes.
template <class Node>
Result<DecodedTree> decode_tree(const std::vector<Node>& nodes, const Aabb& domain, const std::string& path);

}  // namespace marrow::geometry
