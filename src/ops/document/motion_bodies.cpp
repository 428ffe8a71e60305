// SPDX-License-Identifier: MIT
#include "ops/document/motion_bodies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>

#include "marrow/model/pose.h"

namespace marrow {
namespace {

constexpr std::size_t kMostVertices = 65535;  // of a shape, whose triangles have 16 bits per corner

BindTransform bind_of(const Transform& rest) {
  const Transform inverted = inverse(rest);
  BindTransform bind{.translation = inverted.translation, .scale = inverted.scale.x};
  const glm::mat3 turn = glm::mat3_cast(inverted.rotation);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      bind.rotation[3 * row + column] = turn[static_cast<int>(column)][static_cast<int>(row)];
  return bind;
}

/// Makes shapes of one mesh: a vertex per corner that differs, as many shapes as its vertices need.
class ShapeMaker {
 public:
  ShapeMaker(const SourceMesh& mesh, const MotionSource& source, const std::vector<Transform>& rest, double scale)
      : mesh_(mesh), source_(source), rest_(rest) {
    const auto k = static_cast<float>(scale);
    place_ = glm::mat4_cast(source.space.turn) * mesh.place;
    for (int column = 0; column < 4; ++column)
      for (int row = 0; row < 3; ++row) place_[column][row] *= k;
    const bool is_skinned = std::ranges::any_of(mesh.bindings, [](const SourceMesh::Binding& each) {
      return each.bone != kNoBone && !each.influences.empty();
    });
    if (!is_skinned && mesh.bone != kNoBone) {
      parent_ = mesh.bone;
      const Transform up = inverse(rest[static_cast<std::size_t>(mesh.bone)]);
      place_ = matrix_of(up) * place_;
    }
    if (is_skinned) find_weights();
  }

  std::vector<DocumentBody> make() {
    std::size_t corner = 0;
    start();
    for (const auto& polygon : mesh_.polygons) {
      for (std::size_t i = 2; i < polygon.size(); ++i) {
        if (shape_.positions.size() + 3 > kMostVertices) finish();
        const std::array<std::size_t, 3> corners = {0, i - 1, i};
        std::array<std::uint16_t, 3> triangle{};
        for (std::size_t c = 0; c < 3; ++c) triangle[c] = vertex(polygon[corners[c]], corner + corners[c]);
        shape_.triangles.push_back(triangle);
      }
      corner += polygon.size();
    }
    finish();
    return std::move(bodies_);
  }

 private:
  using Key = std::array<std::uint32_t, 6>;  // vertex, and the bits of normal and UV

  void find_weights() {
    weights_.resize(mesh_.vertices.size());
    for (const SourceMesh::Binding& binding : mesh_.bindings) {
      if (binding.bone == kNoBone || binding.influences.empty()) continue;
      const auto bone = static_cast<std::uint16_t>(bones_.size());
      bones_.push_back(binding.bone);
      for (const SourceMesh::Influence& influence : binding.influences) {
        VertexWeights& to = weights_[influence.vertex];
        // The four strongest stay.
        const auto least = static_cast<std::size_t>(std::ranges::min_element(to.weights) - to.weights.begin());
        if (!(influence.weight > to.weights[least])) continue;
        to.bones[least] = bone;
        to.weights[least] = influence.weight;
      }
    }
    for (VertexWeights& each : weights_) {
      float sum = 0.0f;
      for (const float weight : each.weights) sum += weight;
      for (float& weight : each.weights) weight = sum > 0.0f ? weight / sum : 0.0f;
      if (!(sum > 0.0f)) each.weights[0] = 1.0f;
    }
  }

  void start() {
    shape_ = BodyShape();
    shape_.type = "Mesh";
    shape_.name = mesh_.name;
    known_.clear();
  }

  std::uint16_t vertex(std::uint32_t index, std::size_t corner) {
    const Vec3 normal = corner < mesh_.normals.size() ? mesh_.normals[corner] : Vec3(0.0f);
    const glm::vec2 uv = corner < mesh_.uvs.size() ? mesh_.uvs[corner] : glm::vec2(0.0f);
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    const Key key = {index, bits(normal.x), bits(normal.y), bits(normal.z), bits(uv.x), bits(uv.y)};
    const auto [found, is_new] = known_.try_emplace(key, static_cast<std::uint16_t>(shape_.positions.size()));
    if (!is_new) return found->second;
    shape_.positions.push_back(Vec3(place_ * Vec4(mesh_.vertices[index], 1.0f)));
    if (!mesh_.normals.empty()) {
      const Vec3 turned = glm::inverse(glm::transpose(glm::mat3(place_))) * normal;
      const float length = std::sqrt(glm::dot(turned, turned));
      shape_.normals.push_back(length > 0.0f && std::isfinite(length) ? turned / length : Vec3(0, 0, 1));
    }
    if (!mesh_.uvs.empty()) shape_.uvs.push_back(Vec2(uv.x, 1.0f - uv.y));
    if (!weights_.empty()) shape_.weights.push_back(weights_[index]);
    return found->second;
  }

  void finish() {
    if (!shape_.triangles.empty()) {
      DocumentBody& body = bodies_.emplace_back();
      shape_.is_skinned = !bones_.empty();
      for (const std::int32_t bone : bones_) {
        const auto at = static_cast<std::size_t>(bone);
        shape_.bones.push_back({.name = source_.bones[at].name, .bind = bind_of(rest_[at])});
      }
      body.shape = std::move(shape_);
      body.skeleton = 0;
      body.rig_bones = bones_;
      body.rig_parent = parent_;
    }
    start();
  }

  const SourceMesh& mesh_;
  const MotionSource& source_;
  const std::vector<Transform>& rest_;
  glm::mat4 place_{1.0f};
  std::int32_t parent_ = kNoBone;
  std::vector<VertexWeights> weights_;
  std::vector<std::int32_t> bones_;
  BodyShape shape_;
  std::map<Key, std::uint16_t> known_;
  std::vector<DocumentBody> bodies_;
};

}  // namespace

void add_bodies(const MotionSource& source, const SourceOptions& options, Document& document, Notes& notes) {
  if (source.meshes.empty()) return;
  const Skeleton skeleton =
      document.skeletons.empty() ? skeleton_from(source, options, notes) : document.skeletons.front().skeleton;
  std::vector<Transform> rest;
  for (const Bone& bone : skeleton.bones) rest.push_back(bone.rest);
  local_to_model(skeleton, rest, rest);
  for (const SourceMesh& mesh : source.meshes)
    for (DocumentBody& body : ShapeMaker(mesh, source, rest, units_per_source_unit(source, options)).make())
      document.bodies.push_back(std::move(body));
}

}  // namespace marrow
