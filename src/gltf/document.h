// SPDX-License-Identifier: MIT
// Builds a tinygltf document: numbers into its one buffer, nodes into its tree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gltf/tiny.h"
#include "marrow/model/transform.h"

namespace marrow::gltf {

class DocumentBuilder {
 public:
  tinygltf::Model model;

  DocumentBuilder();

  /// Adds floats as an accessor of `components` numbers an element; 16 makes matrices. `bounds` records the smallest
  /// and largest element, which glTF wants of positions and key times.
  int add_floats(std::span<const float> values, int components, bool bounds, int target = 0);
  int add_indices(std::span<const std::uint32_t> values);
  /// Joint numbers, four a vertex.
  int add_joints(std::span<const std::uint16_t> values);
  /// A node; parts that are the identity are left out. Rotations off unit length are brought to it.
  int add_node(const std::string& name, const Transform& transform);
  void add_child(int parent, int child) { model.nodes[static_cast<std::size_t>(parent)].children.push_back(child); }
  void add_scene_root(int node) { model.scenes.front().nodes.push_back(node); }
  /// A plain material of one colour.
  int add_material(const std::string& name, const Vec4& colour);

  Result<std::vector<std::byte>> finish(Container container);

 private:
  int add_accessor(std::span<const std::byte> bytes, std::size_t count, int component_type, int type, int target);
};

/// The numbers of a vector of GLM vectors, one after another.
template <class V>
std::span<const float> flat(const std::vector<V>& values) {
  return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(V) / sizeof(float)};
}

/// The rotation in the order that glTF and memory have: GLM's own order of members is an option of its build.
inline Vec4 xyzw(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace marrow::gltf
