// SPDX-License-Identifier: MIT
#include "exchange/gltf/write_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_set>

#include <glm/geometric.hpp>

#include "core/try.h"

namespace marrow::gltf {
namespace {

bool is_finite(const Mat4& matrix) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row)
      if (!std::isfinite(matrix[column][row])) return false;
  return true;
}

// glTF has no number that is not one; what a viewer shows instead hardly matters.
template <class V>
std::vector<V> finite(const std::vector<V>& values, float otherwise) {
  std::vector<V> out = values;
  for (V& value : out)
    for (int i = 0; i < V::length(); ++i)
      if (!std::isfinite(value[i])) value[i] = otherwise;
  return out;
}

// A direction square to `normal`: its components in another order, with what lies along it removed.
Vec3 any_square_to(const Vec3& normal) {
  const Vec3 turned(normal.y, normal.z, normal.x);
  const Vec3 flat = turned - normal * glm::dot(turned, normal);
  return glm::dot(flat, flat) > 1e-12f ? glm::normalize(flat) : Vec3(1, 0, 0);
}

}  // namespace

VertexWeights joint_weights(const VertexWeights& stored, const std::vector<std::uint16_t>& joint_of) {
  VertexWeights joined;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(stored.weights[i] > 0.0f) || stored.bones[i] >= joint_of.size()) continue;
    const std::uint16_t joint = joint_of[stored.bones[i]];
    const auto used = std::span(joined.bones).first(count);
    const auto same = static_cast<std::size_t>(std::ranges::find(used, joint) - used.begin());
    joined.bones[same] = joint;
    joined.weights[same] += stored.weights[i];
    count = std::max(count, same + 1);
  }
  // A stable order, so that equal weights stay as they are.
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t k = i; k > 0 && joined.weights[k] > joined.weights[k - 1]; --k) {
      std::swap(joined.weights[k], joined.weights[k - 1]);
      std::swap(joined.bones[k], joined.bones[k - 1]);
    }
  const float sum = joined.weights[0] + joined.weights[1] + joined.weights[2] + joined.weights[3];
  if (!(sum > 0.0f)) return {.bones = {}, .weights = {1.0f, 0.0f, 0.0f, 0.0f}};
  for (float& weight : joined.weights) weight /= sum;
  return joined;
}

Vec3 unit_normal(const Vec3& stored) {
  const float length = glm::length(stored);
  return length > 1e-6f && std::isfinite(length) ? stored / length : Vec3(0, 0, 1);
}

Vec4 gltf_tangent(const Vec3& normal, const Vec3& along_u, const Vec3& along_v) {
  const Vec3 n = unit_normal(normal);
  Vec3 flat = along_u - n * glm::dot(along_u, n);
  const float length = glm::length(flat);
  flat = length > 1e-4f && std::isfinite(length) ? flat / length : any_square_to(n);
  const float side = glm::dot(glm::cross(n, flat), along_v);
  return Vec4(flat, side < 0.0f ? 1.0f : -1.0f);
}

Result<BodyRecord> BodyWriter::add(const Body& body, const ArmatureNodes& nodes, int root) {
  const BodyShape& shape = body.shape;
  for (const Vec3& position : shape.positions)
    if (!std::isfinite(position.x + position.y + position.z))
      return fail(ErrorCode::Unrepresentable, "a position is not finite", kNoOffset, "shape '" + shape.name + "'");
  MARROW_CHECK(validate(shape));
  const std::string name = unused_name(shape.name);
  std::vector<std::uint16_t> joint_of;
  const bool is_skinned = shape.is_skinned && body.armature && !shape.bones.empty();
  const int skin = is_skinned ? skin_of(body, nodes, joint_of) : -1;
  tinygltf::Mesh mesh;
  mesh.name = name;
  mesh.primitives.push_back(primitive_of(body, joint_of));
  document_.model.meshes.push_back(std::move(mesh));
  const int node = document_.add_node(name, {});
  tinygltf::Node& added = document_.model.nodes.back();
  added.mesh = static_cast<int>(document_.model.meshes.size()) - 1;
  added.skin = skin;
  if (is_skinned) {
    // A skinned mesh does not follow its parents, so it has none.
    document_.add_scene_root(node);
  } else {
    if (is_finite(body.place) && body.place != Mat4(1.0f))
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) added.matrix.push_back(short_double(body.place[column][row]));
    document_.add_child(body.parent == kNoBone ? root : nodes.first_bone + body.parent, node);
  }
  return BodyRecord{.mesh = name, .file = body.file, .block = shape.block, .shape = shape.name};
}

std::string BodyWriter::unused_name(const std::string& wanted) {
  const std::string stem = utf8_name(wanted);
  const int met = names_[stem]++;
  return met == 0 ? stem : stem + "_" + std::to_string(met + 1);
}

// One joint per node and bind transform: glTF allows no joint twice, and a skin may list a node several times.
int BodyWriter::skin_of(const Body& body, const ArmatureNodes& nodes, std::vector<std::uint16_t>& joint_of) {
  tinygltf::Skin skin;
  std::vector<Mat4> binds;
  std::map<std::pair<int, std::array<float, 16>>, std::size_t> joint_at;  // by the bone's node and bind transform
  std::unordered_set<int> met;
  for (std::size_t i = 0; i < body.shape.bones.size(); ++i) {
    const std::int32_t bone = i < body.joints.size() ? body.joints[i] : kNoBone;
    int node = bone == kNoBone ? nodes.root : nodes.first_bone + bone;
    Mat4 bind = matrix_of(body.shape.bones[i].bind);
    if (!is_finite(bind)) bind = Mat4(1.0f);
    std::array<float, 16> numbers;
    std::copy_n(&bind[0][0], numbers.size(), numbers.begin());
    const auto [same, is_new] = joint_at.try_emplace({node, numbers}, skin.joints.size());
    if (!is_new) {
      joint_of.push_back(static_cast<std::uint16_t>(same->second));
      continue;
    }
    if (!met.insert(node).second) {
      // The node again with another bind transform: a joint in the same place stands for it.
      const std::string name = document_.model.nodes[static_cast<std::size_t>(node)].name;
      const int twin = document_.add_node(name, {});
      document_.add_child(node, twin);
      node = twin;
    }
    joint_of.push_back(static_cast<std::uint16_t>(skin.joints.size()));
    skin.joints.push_back(node);
    binds.push_back(bind);
  }
  skin.skeleton = nodes.root;
  skin.inverseBindMatrices = document_.add_floats(flat(binds), 16, false);
  document_.model.skins.push_back(std::move(skin));
  return static_cast<int>(document_.model.skins.size()) - 1;
}

tinygltf::Primitive BodyWriter::primitive_of(const Body& body, const std::vector<std::uint16_t>& joint_of) {
  const BodyShape& shape = body.shape;
  const std::size_t count = shape.positions.size();
  constexpr int kVertices = TINYGLTF_TARGET_ARRAY_BUFFER;
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.attributes["POSITION"] = document_.add_floats(flat(shape.positions), 3, true, kVertices);
  if (shape.normals.size() == count) {
    std::vector<Vec3> normals;
    for (const Vec3& normal : shape.normals) normals.push_back(unit_normal(normal));
    primitive.attributes["NORMAL"] = document_.add_floats(flat(normals), 3, false, kVertices);
    if (shape.bitangents.size() == count && shape.tangents.size() == count && shape.uvs.size() == count) {
      std::vector<Vec4> tangents;
      for (std::size_t i = 0; i < count; ++i)
        tangents.push_back(gltf_tangent(shape.normals[i], shape.bitangents[i], shape.tangents[i]));
      primitive.attributes["TANGENT"] = document_.add_floats(flat(tangents), 4, false, kVertices);
    }
  }
  if (shape.uvs.size() == count)
    primitive.attributes["TEXCOORD_0"] = document_.add_floats(flat(finite(shape.uvs, 0.0f)), 2, false, kVertices);
  if (shape.colors.size() == count) {
    std::vector<Vec4> colors = finite(shape.colors, 1.0f);
    for (Vec4& color : colors) color = glm::clamp(color, Vec4(0.0f), Vec4(1.0f));
    primitive.attributes["COLOR_0"] = document_.add_floats(flat(colors), 4, false, kVertices);
  }
  if (!joint_of.empty() && shape.weights.size() == count) {
    std::vector<std::uint16_t> joints;
    std::vector<Vec4> weights;
    for (const VertexWeights& stored : shape.weights) {
      const VertexWeights joined = joint_weights(stored, joint_of);
      joints.insert(joints.end(), joined.bones.begin(), joined.bones.end());
      weights.emplace_back(joined.weights[0], joined.weights[1], joined.weights[2], joined.weights[3]);
    }
    primitive.attributes["JOINTS_0"] = document_.add_joints(joints);
    primitive.attributes["WEIGHTS_0"] = document_.add_floats(flat(weights), 4, false, kVertices);
  }
  std::vector<std::uint32_t> indices;
  for (const auto& triangle : shape.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
  primitive.indices = document_.add_indices(indices);
  primitive.material = material_of(body);
  return primitive;
}

int BodyWriter::material_of(const Body& body) {
  const BodyMaterial& from = body.shape.material;
  const int index = document_.add_material(from.name.empty() ? body.shape.name : from.name, Vec4(1.0f));
  tinygltf::Material& material = document_.model.materials.back();
  material.doubleSided = from.is_double_sided;
  material.alphaMode = from.alpha == AlphaMode::Blend ? "BLEND" : from.alpha == AlphaMode::Mask ? "MASK" : "OPAQUE";
  if (from.alpha == AlphaMode::Mask) material.alphaCutoff = short_double(from.alpha_threshold);
  tinygltf::Value::Array textures;
  for (const std::string& texture : from.textures) textures.emplace_back(utf8_name(texture));
  if (!textures.empty())
    material.extras = tinygltf::Value(tinygltf::Value::Object{{"textures", tinygltf::Value(std::move(textures))}});
  // Slot 0 is the diffuse map, slot 1 the normal map.
  const auto texture = [&](std::size_t slot) {
    return slot < body.images.size() && !body.images[slot].empty() ? texture_of(body.images[slot], from.textures[slot])
                                                                   : -1;
  };
  material.pbrMetallicRoughness.baseColorTexture.index = texture(0);
  if (!from.has_model_space_normals) material.normalTexture.index = texture(1);
  return index;
}

int BodyWriter::texture_of(const std::vector<std::byte>& bytes, const std::string& name) {
  for (std::size_t i = 0; i < document_.model.images.size(); ++i)
    if (document_.model.images[i].name == utf8_name(name)) return static_cast<int>(i);
  tinygltf::Image image;
  image.name = utf8_name(name);
  image.mimeType = "image/png";
  image.bufferView = document_.add_bytes(bytes);
  document_.model.images.push_back(std::move(image));
  tinygltf::Texture texture;
  texture.source = static_cast<int>(document_.model.images.size()) - 1;
  document_.model.textures.push_back(std::move(texture));
  return static_cast<int>(document_.model.textures.size()) - 1;
}

}  // namespace marrow::gltf
