// SPDX-License-Identifier: MIT
#include "ops/body/vertex_key.h"

#include <bit>
#include <map>
#include <vector>

namespace marrow {

VertexKey vertex_key(const BodyShape& mesh, std::size_t vertex, const StoredParts& parts) {
  VertexKey key{};
  std::size_t at = 0;
  const auto put = [&](const auto& value) {
    for (int k = 0; k < value.length(); ++k) key[at++] = std::bit_cast<std::uint32_t>(value[k] + 0.0f);  // -0 is 0
  };
  put(mesh.positions[vertex]);
  if (parts.uvs) put(mesh.uvs[vertex]);
  if (parts.normals) put(mesh.normals[vertex]);
  if (parts.colors) put(mesh.colors[vertex]);
  for (std::size_t k = 0; k < 4 && parts.weights; ++k) {
    const float weight = mesh.weights[vertex].weights[k];
    key[at++] = std::bit_cast<std::uint32_t>(weight);
    key[at++] = weight > 0.0f ? mesh.weights[vertex].bones[k] : 0u;
  }
  return key;
}

void join_split_corners(BodyShape& mesh, const StoredParts& parts, std::size_t count) {
  if (mesh.positions.size() <= count) return;
  std::map<VertexKey, std::uint16_t> met;
  std::vector<std::uint16_t> number, first;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const auto [same, is_new] = met.try_emplace(vertex_key(mesh, i, parts), static_cast<std::uint16_t>(first.size()));
    if (is_new) first.push_back(static_cast<std::uint16_t>(i));
    number.push_back(same->second);
  }
  if (first.size() != count) return;
  const auto join = [&](auto& values) {
    if (values.size() != number.size()) return;
    auto joined = values;
    joined.clear();
    for (const std::uint16_t i : first) joined.push_back(values[i]);
    values = std::move(joined);
  };
  for (auto& triangle : mesh.triangles)
    for (std::uint16_t& corner : triangle) corner = number[corner];
  join(mesh.normals);
  join(mesh.uvs);
  join(mesh.colors);
  join(mesh.weights);
  join(mesh.positions);
}

}  // namespace marrow
