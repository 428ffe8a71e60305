// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_export.h"

#include <algorithm>
#include <map>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/geometry/obj.h"
#include "marrow/gltf/write.h"
#include "marrow/model/collision_names.h"

namespace marrow {
namespace {

// The part of a mesh that has one material, with only the vertices that it uses.
gltf::Mesh part_of(const CollisionMesh& mesh, std::uint32_t crc) {
  gltf::Mesh part;
  part.name = mesh.name;
  part.placement = mesh.placement;
  part.material = material_name(crc);
  part.colour = Vec4(material_colour(crc), 1.0f);
  std::map<std::uint32_t, std::uint32_t> renumbered;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.materials[i] != crc) continue;
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t vertex = mesh.triangles[i][corner];
      const auto [found, is_new] = renumbered.try_emplace(vertex, static_cast<std::uint32_t>(part.positions.size()));
      if (is_new) part.positions.push_back(mesh.vertices[vertex]);
      corners[corner] = found->second;
    }
    part.triangles.push_back(corners);
  }
  return part;
}

Result<std::vector<std::byte>> to_gltf(std::span<const CollisionMesh> meshes, const CollisionExportOptions& options) {
  gltf::Scene scene;
  for (const CollisionMesh& mesh : meshes) {
    std::vector<std::uint32_t> materials = mesh.materials;
    std::ranges::sort(materials);
    materials.erase(std::ranges::unique(materials).begin(), materials.end());
    for (const std::uint32_t crc : materials) scene.meshes.push_back(part_of(mesh, crc));
  }
  gltf::WriteOptions write;
  write.container = options.format == OutputFormat::Gltf ? gltf::Container::Gltf : gltf::Container::Glb;
  write.units = options.units == Units::Game      ? gltf::Units::Game
                : options.units == Units::Blender ? gltf::Units::Blender
                                                  : gltf::Units::Metre;
  return gltf::write_gltf(scene, write);
}

}  // namespace

std::string collision_obj(std::span<const CollisionMesh> meshes, std::string_view mtl_name) {
  geometry::ObjFile file;
  std::map<std::uint32_t, std::uint16_t> index_of;
  for (const CollisionMesh& mesh : meshes) {
    geometry::ObjObject object{mesh.name, {}};
    for (const Vec3& vertex : mesh.vertices)
      object.mesh.vertices.push_back(mesh.placement.translation +
                                     mesh.placement.rotation * (mesh.placement.scale * vertex));
    object.mesh.triangles = mesh.triangles;
    for (const std::uint32_t crc : mesh.materials) {
      const auto [found, is_new] = index_of.try_emplace(crc, static_cast<std::uint16_t>(file.materials.size()));
      if (is_new) file.materials.push_back(material_name(crc));
      object.mesh.materials.push_back(found->second);
    }
    file.objects.push_back(std::move(object));
  }
  std::string text = "# Collision in game units, Z up; materials are collision materials.\n";
  if (!mtl_name.empty()) text += "mtllib " + std::string(mtl_name) + "\n";
  return text + geometry::write_obj(file);
}

std::string collision_mtl(std::span<const CollisionMesh> meshes) {
  std::map<std::uint32_t, Vec3> colours;
  for (const CollisionMesh& mesh : meshes)
    for (const std::uint32_t crc : mesh.materials) colours[crc] = material_colour(crc);
  std::string text;
  for (const auto& [crc, colour] : colours) {
    text += "newmtl " + material_name(crc) + "\nKd";
    for (int i = 0; i < 3; ++i) (text += ' ') += float_text(colour[i]);
    text += "\n";
  }
  return text;
}

Result<std::vector<CollisionMesh>> meshes_of(const CollisionFile& file, const CollisionExportOptions& options,
                                             Notes& notes) {
  std::vector<CollisionMesh> meshes;
  for (const CollisionEntry& entry : file.entries) {
    if (entry.kind == EmbeddedKind::Cloth || (options.block && entry.block != options.block)) continue;
    for (CollisionMesh& mesh : collision_meshes(entry, options.mesh, notes)) meshes.push_back(std::move(mesh));
  }
  if (options.block) MARROW_CHECK(find_entry(file, options.block));
  if (meshes.empty()) return fail(ErrorCode::NotFound, "there is no collision shape to export");
  return meshes;
}

Result<std::vector<std::byte>> export_collision(const CollisionFile& file, const CollisionExportOptions& options,
                                                Notes& notes) {
  MARROW_TRY(const std::vector<CollisionMesh> meshes, meshes_of(file, options, notes));
  switch (options.format) {
    case OutputFormat::Obj: {
      const std::string text = collision_obj(meshes, options.mtl_name);
      const auto bytes = as_bytes(text);
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    case OutputFormat::Glb:
    case OutputFormat::Gltf: return to_gltf(meshes, options);
    default: return fail(ErrorCode::InvalidArgument, "collision is exported as .obj, .glb or .gltf");
  }
}

}  // namespace marrow
