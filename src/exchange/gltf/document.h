// SPDX-License-Identifier: MIT
// Builds a tinygltf document: numbers go into its single buffer, nodes into its tree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exchange/gltf/tiny.h"
#include "marrow/model/transform.h"

namespace marrow::gltf {

class DocumentBuilder {
 public:
  tinygltf::Model model;

  DocumentBuilder();

  /// Adds floats as an accessor of `components` numbers per element; 16 makes matrices. `bounds` records the smallest
  /// and largest element, which glTF requires for positions and key times.
  int add_floats(std::span<const float> values, int components, bool bounds, int target = 0);
  int add_indices(std::span<const std::uint32_t> values);
  /// Adds joint indices, four per vertex.
  int add_joints(std::span<const std::uint16_t> values);
  /// Adds a node; identity parts are left out. Rotations that are not of unit length are normalised.
  int add_node(const std::string& name, const Transform& transform);
  void add_child(int parent, int child) { model.nodes[static_cast<std::size_t>(parent)].children.push_back(child); }
  void add_scene_root(int node) { model.scenes.front().nodes.push_back(node); }
  /// Adds bytes of a file, an image, and returns their view.
  int add_bytes(std::span<const std::byte> bytes);
  /// Adds a plain material with one colour.
  int add_material(const std::string& name, const Vec4& colour);

  Result<std::vector<std::byte>> finish(Container container);

 private:
  int add_accessor(std::span<const std::byte> bytes, std::size_t count, int component_type, int type, int target);
};

/// Returns the numbers of a vector of GLM vectors, one after another.
template <class V>
std::span<const float> flat(const std::vector<V>& values) {
  return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(V) / sizeof(float)};
}

/// Returns the rotation in the order of glTF and of memory: GLM's own member order depends on its build options.
inline Vec4 xyzw(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace marrow::gltf
