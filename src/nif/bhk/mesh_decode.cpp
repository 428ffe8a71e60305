// SPDX-License-Identifier: MIT
// Triangles of a compressed mesh: docs/formats/bhk.md, "Compressed meshes".
#include <glm/gtc/quaternion.hpp>

#include <map>

#include "nif/bhk/mesh_data.h"
#include "nif/bhk/shape_reader.h"

namespace marrow::bhk {
namespace {

std::unexpected<Error> wrong(std::string message) { return fail(ErrorCode::Malformed, std::move(message)); }

/// A material may be named by its place or, in big triangles without one, by 0xFFFF.
std::uint16_t material_index(std::uint32_t index, std::size_t count) {
  return index < count ? static_cast<std::uint16_t>(index) : std::uint16_t{0xFFFF};
}

struct Placement {
  Quat rotation = make_quat(0, 0, 0, 1);
  Vec3 translation{0.0f};
};

// Adds the triangles of one chunk. Points that the chunk repeats become one vertex.
Result<void> add_chunk(const nif::Record& chunk, std::uint32_t number, float step, const std::vector<Placement>& places,
                       MeshShape& mesh) {
  const std::string name = "chunk " + std::to_string(number);
  const auto place = chunk.get<std::uint16_t>("transform");
  if (place >= places.size()) return wrong(name + " has a transform that is not there");
  const std::array<float, 4> origin = chunk.reals<4>("translation");
  const std::vector<std::uint16_t> numbers = chunk.values<std::uint16_t>("vertices");
  std::map<std::array<std::uint16_t, 3>, std::uint32_t> known;
  std::vector<std::uint32_t> vertices;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    const std::array<std::uint16_t, 3> grid = {numbers[i], numbers[i + 1], numbers[i + 2]};
    const auto [found, is_new] = known.try_emplace(grid, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) {
      const Vec3 p(origin[0] + step * static_cast<float>(grid[0]), origin[1] + step * static_cast<float>(grid[1]),
                   origin[2] + step * static_cast<float>(grid[2]));
      mesh.vertices.push_back(places[place].rotation * p + places[place].translation);
    }
    vertices.push_back(found->second);
  }
  const std::uint16_t material = material_index(chunk.get<std::uint32_t>("material"), mesh.materials.size());
  Result<void> result;
  const auto indices = chunk.values<std::uint16_t>("indices");
  const auto strips = chunk.values<std::uint16_t>("strips");
  const auto fault = for_each_triangle(indices, strips, [&](const ChunkTriangle& each) {
    for (const std::uint16_t corner : each.corners)
      if (corner >= vertices.size()) return false;
    mesh.faces.push_back({{vertices[each.corners[0]], vertices[each.corners[1]], vertices[each.corners[2]]},
                          material,
                          chunk_key(number, each)});
    return true;
  });
  if (fault == ChunkFault::Index) return wrong(name + " has an index that is not there");
  if (fault == ChunkFault::Strips) return wrong(name + " has strips that are longer than its indices");
  return {};
}

}  // namespace

Result<MeshShape> decode_mesh(const nif::Record& data) {
  MeshShape mesh;
  struct Material {
    std::uint32_t crc, filter;
  };
  for (const Material& each : data.values<Material>("materials")) mesh.materials.push_back({each.filter, each.crc});
  std::vector<Placement> places;
  for (const auto& [tx, ty, tz, tw, x, y, z, w] : data.values<std::array<float, 8>>("transforms"))
    places.push_back({make_quat(x, y, z, w), {tx, ty, tz}});
  for (const auto& [x, y, z, w] : data.values<std::array<float, 4>>("big_vertices"))
    mesh.vertices.emplace_back(x, y, z);
  const std::size_t big_count = mesh.vertices.size();
  const std::span<const std::byte> big = data.bytes("big_triangles");
  for (std::size_t at = 0; at + kBigTriangleBytes <= big.size(); at += kBigTriangleBytes) {
    const BigTriangle triangle = big_triangle(big.subspan(at));
    for (const std::uint16_t corner : triangle.corners)
      if (corner >= big_count) return wrong("a big triangle has a vertex that is not there");
    mesh.faces.push_back({{triangle.corners[0], triangle.corners[1], triangle.corners[2]},
                          material_index(triangle.material, mesh.materials.size()),
                          static_cast<std::uint32_t>(at / kBigTriangleBytes)});
  }
  const float step = data.get<float>("error");
  const std::vector<nif::Record>& chunks = data.records("chunks");
  for (std::size_t i = 0; i < chunks.size(); ++i)
    if (auto added = add_chunk(chunks[i], static_cast<std::uint32_t>(i), step, places, mesh); !added)
      return std::unexpected(std::move(added.error()));
  mesh.section_count = static_cast<std::uint32_t>(chunks.size());
  return mesh;
}

}  // namespace marrow::bhk
