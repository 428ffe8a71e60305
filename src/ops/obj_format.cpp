// SPDX-License-Identifier: MIT
// Load and save of OBJ. Game units, Z up; materials are collision materials.
#include <map>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/geometry/obj.h"
#include "marrow/model/collision_names.h"
#include "marrow/ops/collision_mesh.h"
#include "ops/format_rows.h"

namespace marrow {
namespace {

constexpr std::string_view kHeader = "# Collision in game units, Z up; materials are collision materials.\n";

geometry::ObjFile obj_of(std::span<const CollisionMesh> meshes) {
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
  return file;
}

std::string mtl_of(std::span<const CollisionMesh> meshes) {
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

SavedFile text_file(std::string_view extension, std::string_view text) {
  const auto bytes = as_bytes(text);
  return {{}, std::string(extension), {bytes.begin(), bytes.end()}};
}

}  // namespace

Result<Document> load_obj(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  MARROW_TRY(geometry::ObjFile file, geometry::read_obj(as_text(bytes), context.limits));
  Document document;
  document.materials = std::move(file.materials);
  const float scale = options.units == Units::Metre ? 1.0f / kMetresPerGameUnit : 1.0f;
  for (geometry::ObjObject& object : file.objects) {
    for (Vec3& vertex : object.mesh.vertices) vertex *= scale;
    document.meshes.push_back({.name = std::move(object.name), .mesh = std::move(object.mesh)});
  }
  return document;
}

Result<std::vector<SavedFile>> save_obj(const Document& document, const SaveOptions& options, Context& context) {
  if (document.collision.empty()) {
    if (document.meshes.empty()) return cannot_hold(Format::Obj, document);
    geometry::ObjFile file{{}, document.materials};
    for (const DocumentMesh& mesh : document.meshes) {
      geometry::ObjObject& object = file.objects.emplace_back(mesh.name, mesh.mesh);
      for (Vec3& vertex : object.mesh.vertices)
        vertex = mesh.placement.translation + mesh.placement.rotation * (mesh.placement.scale * vertex);
    }
    return std::vector<SavedFile>{text_file(".obj", geometry::write_obj(file))};
  }
  MARROW_TRY(const std::vector<CollisionMesh> meshes, shown_meshes(document, {.solid = options.solid}, context.notes));
  std::string text(kHeader);
  if (!options.name.empty()) text += "mtllib " + options.name + ".mtl\n";
  std::vector<SavedFile> files = {text_file(".obj", text + geometry::write_obj(obj_of(meshes)))};
  if (!options.name.empty()) files.push_back(text_file(".mtl", mtl_of(meshes)));
  return files;
}

}  // namespace marrow
