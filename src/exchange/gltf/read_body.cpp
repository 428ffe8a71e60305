// SPDX-License-Identifier: MIT
#include "exchange/gltf/read_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "exchange/gltf/accessor.h"
#include "exchange/gltf/space.h"

namespace marrow::gltf {
namespace {

using DMat4 = glm::dmat4;

// glTF composes whole matrices; a product of transforms would lose the shear of an uneven scale.
DMat4 matrix_of_node(const Transform& local) {
  DMat4 matrix = glm::mat4_cast(glm::dquat(local.rotation));
  for (int axis = 0; axis < 3; ++axis) matrix[axis] *= static_cast<double>(local.scale[axis]);
  matrix[3] = glm::dvec4(glm::dvec3(local.translation), 1.0);
  return matrix;
}

std::vector<DMat4> world_matrices(const NodeTree& tree) {
  std::vector<DMat4> worlds(tree.nodes.size(), DMat4(1.0));
  for (const std::size_t node : tree.order) {
    const DMat4 local = matrix_of_node(tree.nodes[node].local);
    worlds[node] = tree.nodes[node].parent == kNoNode ? local : worlds[tree.nodes[node].parent] * local;
  }
  return worlds;
}

// True if people applied the turn and the scale of the root to what is below it, as Blender does on demand.
bool is_applied(const DMat4& root, const DMat4& written) {
  const auto is_near = [](const DMat4& a, const DMat4& b) {
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        if (std::abs(a[column][row] - b[column][row]) > 1e-3) return false;
    return true;
  };
  return is_near(root, DMat4(1.0)) && !is_near(written, DMat4(1.0));
}

// From the space of the file to the game's: undoes the root that carries the record, wherever it stands now.
DMat4 to_game(const Records& records, const std::vector<DMat4>& worlds, const ReadOptions& options) {
  for (std::size_t i = 0; i < records.size(); ++i)
    if (records[i] && records[i]->kind != RecordKind::Bones) {
      const DMat4 written = matrix_of_node(game_to_file(records[i]->units, records[i]->metres_per_unit));
      const bool is_usable = std::abs(glm::determinant(worlds[i])) > 1e-12;
      return glm::inverse(is_usable && !is_applied(worlds[i], written) ? worlds[i] : written);
    }
  return glm::inverse(matrix_of_node(game_to_file(Units::Metre, options.metres_per_unit)));
}

template <class V>
Result<std::vector<V>> read_attribute(const tinygltf::Model& model, const tinygltf::Primitive& primitive,
                                      const char* name, const Limits& limits) {
  std::vector<V> out;
  const auto found = primitive.attributes.find(name);
  if (found == primitive.attributes.end()) return out;
  MARROW_TRY(const FloatArray read, read_floats(model, found->second, 0, limits));
  if (read.width < static_cast<std::size_t>(V::length()) && !(V::length() == 4 && read.width == 3))
    return fail(ErrorCode::Malformed, std::string(name) + " has too few components", kNoOffset, "meshes");
  for (std::size_t i = 0; i < read.count(); ++i) {
    V value(1.0f);
    for (int k = 0; k < V::length() && static_cast<std::size_t>(k) < read.width; ++k)
      value[k] = read.values[i * read.width + static_cast<std::size_t>(k)];
    out.push_back(value);
  }
  return out;
}

/// Reads the primitives of one mesh into one shape.
class ShapeReader {
 public:
  ShapeReader(const tinygltf::Model& model, const Limits& limits) : model_(model), limits_(limits) {}

  Result<BodyShape> read(const tinygltf::Mesh& mesh, Notes& notes) {
    for (const tinygltf::Primitive& primitive : mesh.primitives) MARROW_CHECK(add(primitive));
    const auto note = [&](std::string message) {
      notes.push_back({std::move(message), kNoOffset, "mesh '" + mesh.name + "'"});
    };
    if (std::ranges::any_of(mesh.primitives, [](const tinygltf::Primitive& each) { return !each.targets.empty(); }))
      note("morph targets (shape keys) are left out");
    for (const std::string& name : partial_) note("only some of its parts have " + name + ", which is left out");
    if (crowded_ > 0)
      note(std::to_string(crowded_) + (crowded_ == 1 ? " vertex has" : " vertices have") +
           " more than four weights; the four strongest stay, divided by their sum");
    return std::move(shape_);
  }

 private:
  Result<void> add(const tinygltf::Primitive& primitive) {
    if (primitive.mode >= 0 && primitive.mode != TINYGLTF_MODE_TRIANGLES) return {};
    const auto position = primitive.attributes.find("POSITION");
    if (position == primitive.attributes.end()) return {};
    const bool is_shared = position->second == last_positions_;
    const std::size_t first = is_shared ? last_first_ : shape_.positions.size();
    if (!is_shared) {
      MARROW_CHECK(add_vertices(primitive));
      last_positions_ = position->second;
      last_first_ = first;
    }
    return add_triangles(primitive, first);
  }

  Result<void> add_vertices(const tinygltf::Primitive& primitive) {
    MARROW_TRY(const std::vector<Vec3> positions, read_attribute<Vec3>(model_, primitive, "POSITION", limits_));
    if (shape_.positions.size() + positions.size() > std::numeric_limits<std::uint16_t>::max())
      return fail(ErrorCode::Unrepresentable,
                  "the mesh has " + std::to_string(shape_.positions.size() + positions.size()) +
                      " vertices; a shape holds 65535. Split it into two objects",
                  kNoOffset, "meshes");
    if (std::ranges::any_of(positions, [](const Vec3& p) { return !std::isfinite(p.x + p.y + p.z); }))
      return fail(ErrorCode::Malformed, "a position is not finite", kNoOffset, "meshes");
    const std::size_t before = shape_.positions.size(), after = before + positions.size();
    shape_.positions.insert(shape_.positions.end(), positions.begin(), positions.end());
    MARROW_CHECK(append(primitive, "NORMAL", shape_.normals, before, after));
    MARROW_CHECK(append(primitive, "TEXCOORD_0", shape_.uvs, before, after));
    MARROW_CHECK(append(primitive, "COLOR_0", shape_.colors, before, after));
    return add_weights(primitive, before, after);
  }

  // An attribute that only some primitives have is dropped: half of it is worth nothing.
  template <class V>
  Result<void> append(const tinygltf::Primitive& primitive, const char* name, std::vector<V>& all, std::size_t before,
                      std::size_t after) {
    MARROW_TRY(const std::vector<V> own, read_attribute<V>(model_, primitive, name, limits_));
    if (all.size() != before || own.size() != after - before) {
      if (!all.empty() || !own.empty()) partial_.insert(name);
      all.clear();
    } else {
      all.insert(all.end(), own.begin(), own.end());
    }
    return {};
  }

  // A file may have any number of sets of four weights.
  Result<void> add_weights(const tinygltf::Primitive& primitive, std::size_t before, std::size_t after) {
    std::vector<Influences> all(after - before);
    bool has_any = false;
    for (int set = 0; set < kMostWeightSets; ++set) {
      const std::string number = std::to_string(set);
      MARROW_TRY(const std::vector<Vec4> joints,
                 read_attribute<Vec4>(model_, primitive, ("JOINTS_" + number).c_str(), limits_));
      MARROW_TRY(const std::vector<Vec4> weights,
                 read_attribute<Vec4>(model_, primitive, ("WEIGHTS_" + number).c_str(), limits_));
      if (joints.size() != after - before || weights.size() != joints.size()) break;
      has_any = true;
      for (std::size_t i = 0; i < joints.size(); ++i)
        for (int k = 0; k < 4; ++k)
          if (weights[i][k] > 0.0f && std::isfinite(weights[i][k]))
            all[i].emplace_back(weights[i][k], static_cast<std::uint16_t>(std::clamp(joints[i][k], 0.0f, 65535.0f)));
    }
    if (shape_.weights.size() != before || !has_any) {
      if (has_any || !shape_.weights.empty()) partial_.insert("weights");
      shape_.weights.clear();
      return {};
    }
    for (Influences& own : all) shape_.weights.push_back(strongest(std::move(own)));
    return {};
  }

  using Influences = std::vector<std::pair<float, std::uint16_t>>;
  static constexpr int kMostWeightSets = 16;

  VertexWeights strongest(Influences own) {
    VertexWeights weights;
    if (own.size() > 4) {
      ++crowded_;
      std::ranges::stable_sort(own, std::ranges::greater(), &std::pair<float, std::uint16_t>::first);
      own.resize(4);
      const float sum = own[0].first + own[1].first + own[2].first + own[3].first;
      for (auto& each : own) each.first /= sum;
    }
    for (std::size_t k = 0; k < own.size(); ++k) std::tie(weights.weights[k], weights.bones[k]) = own[k];
    return weights;
  }

  Result<void> add_triangles(const tinygltf::Primitive& primitive, std::size_t first) {
    std::vector<std::uint32_t> indices;
    if (primitive.indices >= 0) {
      MARROW_TRY(indices, read_indices(model_, primitive.indices, limits_));
    } else {
      for (std::size_t i = first; i < shape_.positions.size(); ++i)
        indices.push_back(static_cast<std::uint32_t>(i - first));
    }
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      std::array<std::uint16_t, 3> triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t corner = first + indices[i + k];
        if (corner >= shape_.positions.size())
          return fail(ErrorCode::Malformed, "a triangle refers to a vertex that does not exist", kNoOffset, "meshes");
        triangle[k] = static_cast<std::uint16_t>(corner);
      }
      shape_.triangles.push_back(triangle);
    }
    return {};
  }

  const tinygltf::Model& model_;
  const Limits& limits_;
  BodyShape shape_;
  std::set<std::string> partial_;  // attributes that only some primitives have
  std::size_t crowded_ = 0;        // vertices with more than four weights
  int last_positions_ = -1;
  std::size_t last_first_ = 0;
};

// Blender moves vertices that no bone moves by a joint of its own. They have no weights.
void drop_neutral_bone(BodyShape& shape) {
  for (VertexWeights& weights : shape.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (weights.bones[k] < shape.bones.size() && shape.bones[weights.bones[k]].name == "neutral_bone") {
        weights.weights[k] = 0.0f;
        weights.bones[k] = 0;
      }
}

Result<void> read_skin(const tinygltf::Model& model, int index, const NodeTree& tree, const std::vector<DMat4>& worlds,
                       const DMat4& game, const Limits& limits, Body& body) {
  if (static_cast<std::size_t>(index) >= model.skins.size())
    return fail(ErrorCode::Malformed, "its skin does not exist", kNoOffset, "nodes");
  const tinygltf::Skin& skin = model.skins[static_cast<std::size_t>(index)];
  FloatArray binds;
  if (skin.inverseBindMatrices >= 0) {
    MARROW_TRY(binds, read_floats(model, skin.inverseBindMatrices, 16, limits));
  }
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    const int node = skin.joints[i];
    if (node < 0 || static_cast<std::size_t>(node) >= tree.nodes.size())
      return fail(ErrorCode::Malformed, "a joint does not exist", kNoOffset, "skins[" + std::to_string(index) + "]");
    body.shape.bones.push_back({.name = tree.nodes[static_cast<std::size_t>(node)].name, .node = node, .bind = {}});
    body.rest.push_back(Mat4(game * worlds[static_cast<std::size_t>(node)]));
    Mat4 bind(1.0f);
    if (16 * i + 16 <= binds.values.size())
      for (int k = 0; k < 16; ++k) bind[k / 4][k % 4] = binds.values[16 * i + static_cast<std::size_t>(k)];
    body.inverse_binds.push_back(bind);
  }
  drop_neutral_bone(body.shape);
  return {};
}

const BodyRecord* record_of(const Records& records, const std::string& mesh, const std::string& node) {
  for (const std::string& name : {mesh, node})
    for (const auto& record : records)
      if (record)
        for (const BodyRecord& each : record->bodies)
          if (each.mesh == name) return &each;
  return nullptr;
}

}  // namespace

Result<std::vector<Body>> read_bodies(const tinygltf::Model& model, const NodeTree& tree, const Records& records,
                                      const ReadOptions& options, Notes& notes) {
  const std::vector<DMat4> worlds = world_matrices(tree);
  const DMat4 game = to_game(records, worlds, options);
  std::vector<Body> bodies;
  std::size_t total = 0;
  for (const std::size_t node : tree.order) {
    const tinygltf::Node& source = model.nodes[node];
    if (source.mesh < 0 || (records[node] && records[node]->kind == RecordKind::Bones)) continue;
    if (static_cast<std::size_t>(source.mesh) >= model.meshes.size())
      return fail(ErrorCode::Malformed, "its mesh does not exist", kNoOffset, "nodes[" + std::to_string(node) + "]");
    const tinygltf::Mesh& mesh = model.meshes[static_cast<std::size_t>(source.mesh)];
    Body body;
    MARROW_TRY(body.shape, ShapeReader(model, options.limits).read(mesh, notes));
    if (body.shape.triangles.empty()) continue;
    // Many nodes may use one mesh, so the expanded size is limited, not only the file size.
    total += body.shape.positions.size() * 100 + body.shape.triangles.size() * 6;
    if (total > options.limits.max_expanded_bytes)
      return fail(ErrorCode::LimitExceeded, "the meshes of the scene are too large together", kNoOffset, "meshes");
    body.shape.name = mesh.name;
    if (const BodyRecord* record = record_of(records, mesh.name, tree.nodes[node].name)) {
      body.shape.block = record->block;
      body.file = record->file;
      body.shape.name = record->shape;
    } else if (tree.nodes[node].name != mesh.name && !tree.nodes[node].name.empty()) {
      body.shape.name = tree.nodes[node].name;  // people rename objects, not meshes
    }
    body.shape.is_skinned = source.skin >= 0 && !body.shape.weights.empty();
    if (body.shape.is_skinned) {
      MARROW_CHECK(read_skin(model, source.skin, tree, worlds, game, options.limits, body));
      MARROW_CHECK(validate(body.shape));
    } else {
      body.shape.weights.clear();
    }
    body.place = Mat4(game * worlds[node]);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

}  // namespace marrow::gltf
