// SPDX-License-Identifier: MIT
#include "exchange/gltf/show_bones.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>

#include "marrow/model/pose.h"

namespace marrow::gltf {
namespace {

// Blender's octahedron: its waist is at a tenth of the length, and a tenth of it wide to each side.
constexpr float kWaist = 0.1f;
// The greatest length of a bone without a child to point at, as a share of the skeleton's size.
constexpr float kLeaf = 0.04f;

struct Segment {
  Vec3 head, tail;
};

std::vector<Segment> bone_segments(const Skeleton& skeleton) {
  const std::size_t count = skeleton.bones.size();
  std::vector<Transform> local(count), model(count);
  for (std::size_t i = 0; i < count; ++i) local[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, local, model);

  std::vector<Vec3> child_sum(count, Vec3(0.0f));
  std::vector<int> child_count(count, 0);
  Vec3 low(0.0f), high(0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    low = glm::min(low, model[i].translation);
    high = glm::max(high, model[i].translation);
    if (skeleton.bones[i].parent == kNoBone) continue;
    const auto parent = static_cast<std::size_t>(skeleton.bones[i].parent);
    child_sum[parent] += model[i].translation;
    ++child_count[parent];
  }
  const float size = std::max(glm::length(high - low), 1e-3f);

  std::vector<Segment> segments(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 head = model[i].translation;
    Vec3 along(0.0f);
    if (child_count[i] > 0) along = child_sum[i] / static_cast<float>(child_count[i]) - head;
    if (glm::length(along) < 0.004f * size && skeleton.bones[i].parent != kNoBone) {
      const Segment& parent = segments[static_cast<std::size_t>(skeleton.bones[i].parent)];
      along = 0.5f * (parent.tail - parent.head);
      if (const float length = glm::length(along); length > kLeaf * size) along *= kLeaf * size / length;
    }
    if (!(glm::length(along) >= 0.004f * size)) along = model[i].rotation * Vec3(0, 0.02f * size, 0);
    segments[i] = {head, head + along};
  }
  return segments;
}

void add_octahedron(BoneMesh& mesh, const Segment& segment, std::uint16_t bone) {
  const Vec3 along = segment.tail - segment.head;
  const Vec3 axis = glm::normalize(along);
  const Vec3 helper = std::abs(axis.z) < 0.9f ? Vec3(0, 0, 1) : Vec3(1, 0, 0);
  const Vec3 side = glm::normalize(glm::cross(axis, helper));
  const Vec3 front = glm::cross(axis, side);
  const float width = kWaist * glm::length(along);
  const Vec3 waist = segment.head + kWaist * along;
  const std::array ring = {waist + width * side, waist + width * front, waist - width * side, waist - width * front};
  const auto triangle = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = glm::normalize(glm::cross(b - a, c - a));
    for (const Vec3& corner : {a, b, c}) {
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.push_back(corner);
      mesh.normals.push_back(normal);
      mesh.bones.push_back(bone);
    }
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &here = ring[i], &next = ring[(i + 1) % 4];
    triangle(segment.tail, here, next);
    triangle(segment.head, next, here);
  }
}

}  // namespace

BoneMesh make_bone_mesh(const Skeleton& skeleton) {
  BoneMesh mesh;
  const std::vector<Segment> segments = bone_segments(skeleton);
  for (std::size_t i = 0; i < segments.size(); ++i) add_octahedron(mesh, segments[i], static_cast<std::uint16_t>(i));
  return mesh;
}

}  // namespace marrow::gltf
