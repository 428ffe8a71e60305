// SPDX-License-Identifier: MIT
#include "exchange/gltf/read_mesh.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include "core/try.h"
#include "exchange/gltf/accessor.h"
#include "exchange/gltf/space.h"

namespace marrow::gltf {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// What a mesh takes beside its vertices, until it is a shape of a body or written again.
constexpr std::size_t kPerMesh = 4096;

// Converts lists, strips and fans to triangles; every other strip triangle is flipped to keep its orientation.
Triangles triangles_of(const std::vector<std::uint32_t>& v, int mode) {
  Triangles out;
  if (mode == TINYGLTF_MODE_TRIANGLES)
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) out.push_back({v[i], v[i + 1], v[i + 2]});
  if (mode == TINYGLTF_MODE_TRIANGLE_STRIP)
    for (std::size_t i = 0; i + 2 < v.size(); ++i)
      out.push_back(i % 2 == 0 ? std::array{v[i], v[i + 1], v[i + 2]} : std::array{v[i + 1], v[i], v[i + 2]});
  if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
    for (std::size_t i = 1; i + 1 < v.size(); ++i) out.push_back({v[0], v[i], v[i + 1]});
  return out;
}

Result<Mesh> read_primitive(const tinygltf::Model& model, const tinygltf::Primitive& primitive, const std::string& path,
                            const Limits& limits) {
  Mesh mesh;
  const auto position = primitive.attributes.find("POSITION");
  if (position == primitive.attributes.end()) return mesh;
  MARROW_TRY(const FloatArray positions, read_floats(model, position->second, 3, limits));
  for (std::size_t i = 0; i + 2 < positions.values.size(); i += 3)
    mesh.positions.emplace_back(positions.values[i], positions.values[i + 1], positions.values[i + 2]);
  std::vector<std::uint32_t> indices;
  if (primitive.indices >= 0) {
    MARROW_TRY(indices, read_indices(model, primitive.indices, limits));
  } else {
    for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) indices.push_back(i);
  }
  if (std::ranges::any_of(indices, [&](std::uint32_t v) { return v >= mesh.positions.size(); }))
    return fail(ErrorCode::Malformed, "a triangle refers to a vertex that does not exist", kNoOffset, path);
  mesh.triangles = triangles_of(indices, primitive.mode < 0 ? TINYGLTF_MODE_TRIANGLES : primitive.mode);
  if (primitive.material >= 0 && static_cast<std::size_t>(primitive.material) < model.materials.size()) {
    const tinygltf::Material& material = model.materials[static_cast<std::size_t>(primitive.material)];
    // A name that the writer made up is not a material.
    if (!material.name.starts_with("Colour ")) mesh.material = material.name;
    const auto& c = material.pbrMetallicRoughness.baseColorFactor;
    if (c.size() == 4)
      mesh.colour = {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2]),
                     static_cast<float>(c[3])};
  }
  return mesh;
}

// From the space of a node to the world. Marrow's transforms apply scale axis by axis; a mesh needs it applied in
// order, node by node. The product is made once: a chain of nodes may be as long as the mesh is large.
struct ToWorld {
  glm::dmat3 axes{1.0};
  glm::dvec3 origin{0.0};
  bool is_mirrored = false;

  ToWorld(const NodeTree& tree, std::size_t node) {
    for (; node != kNoNode; node = tree.nodes[node].parent) {
      const Transform& t = tree.nodes[node].local;
      const glm::dmat3 turn = glm::mat3_cast(glm::dquat(t.rotation));
      const glm::dvec3 scale(t.scale);
      axes = turn * glm::dmat3(scale.x, 0, 0, 0, scale.y, 0, 0, 0, scale.z) * axes;
      origin = glm::dvec3(t.translation) + turn * (scale * origin);
      is_mirrored ^= t.scale.x * t.scale.y * t.scale.z < 0.0f;
    }
  }
  Vec3 operator()(const Vec3& p) const { return Vec3(axes * glm::dvec3(p) + origin); }
};

// Returns the transform from the file's space to the game's. A mesh that was taken out of Marrow's root is in the units
// that the record states.
Transform to_game_space(const Records& records, const ReadOptions& options) {
  for (const auto& record : records)
    if (record && record->kind == RecordKind::Meshes)
      return inverse(game_to_file(record->units, record->metres_per_unit));
  return inverse(game_to_file(Units::Metre, options.metres_per_unit));
}

// True if a node carries the record of meshes and stands where the writer put it, so that the places of its children
// are those of the game. A root that was moved, or whose transform was applied to its children, is a node like any
// other.
bool is_game_root(const NodeTree& tree, std::size_t node, const Records& records) {
  if (node == kNoNode || !records[node] || records[node]->kind != RecordKind::Meshes) return false;
  const Transform written = game_to_file(records[node]->units, records[node]->metres_per_unit);
  const glm::dmat3 axes = glm::mat3_cast(glm::dquat(written.rotation)) * double{written.scale.x};
  const ToWorld now(tree, node);
  // Programs round the numbers of a node.
  const double least = 4e-6 * std::abs(double{written.scale.x});
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      if (!(std::abs(now.axes[column][row] - axes[column][row]) <= least)) return false;
  for (int row = 0; row < 3; ++row)
    if (!(std::abs(now.origin[row]) <= 25.0 * least)) return false;
  return true;
}

void place(Mesh& mesh, const NodeTree& tree, std::size_t node, bool skinned, const std::vector<bool>& is_root,
           const Transform& to_game) {
  const std::size_t parent = tree.nodes[node].parent;
  if (!skinned && parent != kNoNode && is_root[parent]) {
    mesh.placement = tree.nodes[node].local;
    return;
  }
  const ToWorld to_world(tree, skinned ? kNoNode : node);
  for (Vec3& p : mesh.positions) p = to_game.rotation * (to_game.scale * to_world(p));
  if (to_world.is_mirrored)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

}  // namespace

Result<std::vector<Mesh>> read_meshes(const tinygltf::Model& model, const NodeTree& tree, const Records& records,
                                      const ReadOptions& options) {
  std::vector<Mesh> meshes;
  const Transform to_game = to_game_space(records, options);
  std::vector<bool> is_root(records.size());
  for (std::size_t i = 0; i < is_root.size(); ++i) is_root[i] = is_game_root(tree, i, records);
  for (const std::size_t node : tree.order) {
    const tinygltf::Node& source = model.nodes[node];
    if (source.mesh < 0 || (records[node] && records[node]->kind == RecordKind::Bones)) continue;
    if (static_cast<std::size_t>(source.mesh) >= model.meshes.size())
      return fail(ErrorCode::Malformed, "its mesh does not exist", kNoOffset, "nodes[" + std::to_string(node) + "]");
    const tinygltf::Mesh& shape = model.meshes[static_cast<std::size_t>(source.mesh)];
    for (std::size_t i = 0; i < shape.primitives.size(); ++i) {
      MARROW_TRY(Mesh mesh,
                 read_primitive(model, shape.primitives[i],
                                "meshes[" + std::to_string(source.mesh) + "].primitives[" + std::to_string(i) + "]",
                                options.limits));
      if (mesh.triangles.empty()) continue;
      // Many nodes may use one mesh, so the expanded size is limited, not only the file size.
      if (!options.limits.charge(kPerMesh + mesh.positions.size() * sizeof(Vec3) + mesh.triangles.size() * 12))
        return fail(ErrorCode::LimitExceeded, "the meshes of the scene are too large together", kNoOffset, "meshes");
      mesh.name = tree.nodes[node].name.empty() ? shape.name : tree.nodes[node].name;
      if (shape.name != mesh.name) mesh.data_name = shape.name;
      place(mesh, tree, node, source.skin >= 0, is_root, to_game);
      if (std::ranges::any_of(mesh.positions, [](const Vec3& p) { return !std::isfinite(p.x + p.y + p.z); }))
        return fail(ErrorCode::Malformed, "a vertex is farther out than the game's units can say", kNoOffset,
                    "nodes[" + std::to_string(node) + "] \"" + mesh.name + "\"");
      meshes.push_back(std::move(mesh));
    }
  }
  return meshes;
}

}  // namespace marrow::gltf
