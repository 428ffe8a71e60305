// SPDX-License-Identifier: MIT
// Load and save of OBJ. Game units, Z up; materials are collision materials.
#include <algorithm>
#include <map>

#include "core/try.h"
#include "exchange/obj/obj.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/joint_shapes.h"
#include "ops/collision/mesh.h"
#include "ops/collision/record.h"
#include "ops/document/format_rows.h"

namespace marrow {
namespace {

constexpr std::string_view kHeader =
    "# Collision in game units, Z up, where its nodes are; materials are collision materials.\n"
    "# An .obj cannot carry which node a body is on, what kind of shape it is, its convex radius, mass, motion, "
    "layer,\n"
    "# surface and joints. Comments at the end keep them for Marrow; programs that drop comments lose them. Put such "
    "a\n"
    "# file back by replacing the collision, which finds bodies by the names of objects, or work with .glb.\n";

// What an object takes beside its vertices, until it is a shape of a body or written again.
constexpr std::size_t kPerObject = 4096;

// The record of the collision, in lines that importers with short buffers get over.
constexpr std::string_view kRecordPrefix = "#marrow ";
constexpr std::size_t kRecordColumns = 120;

std::string record_lines(std::string_view record) {
  std::string text;
  for (; !record.empty(); record.remove_prefix(std::min(kRecordColumns, record.size())))
    ((text += kRecordPrefix) += record.substr(0, kRecordColumns)) += '\n';
  return text;
}

std::string record_in(std::string_view text) {
  std::string record;
  std::size_t at = text.starts_with(kRecordPrefix) ? 0 : text.find("\n#marrow ");
  if (at != 0 && at != std::string_view::npos) ++at;
  for (; at < text.size() && text.substr(at).starts_with(kRecordPrefix);) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at + kRecordPrefix.size(), end - at - kRecordPrefix.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    record += line;
    at = end + 1;
  }
  return record;
}

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
      if (is_new) file.materials.push_back(material_name(crc, mesh.game));
      object.mesh.materials.push_back(found->second);
    }
    file.objects.push_back(std::move(object));
  }
  return file;
}

// Joints come behind the shapes, to be looked at.
void add_joints(std::span<const DocumentCollision> systems, geometry::ObjFile& file) {
  const std::vector<JointMesh> joints = joint_meshes(systems);
  if (joints.empty()) return;
  const auto material = static_cast<std::uint16_t>(file.materials.size());
  file.materials.emplace_back(kJointMaterial);
  for (const JointMesh& joint : joints) {
    geometry::ObjObject& object = file.objects.emplace_back(joint.name, geometry::TriangleMesh{});
    object.mesh.vertices = joint.vertices;
    object.mesh.triangles = joint.triangles;
    object.mesh.materials.assign(joint.triangles.size(), material);
  }
}

std::string mtl_of(std::span<const CollisionMesh> meshes) {
  std::map<std::uint32_t, Vec3> colours;
  CollisionGame game = CollisionGame::Fallout4;
  for (const CollisionMesh& mesh : meshes) {
    game = mesh.game;
    for (const std::uint32_t crc : mesh.materials) colours[crc] = material_colour(crc);
  }
  std::string text;
  for (const auto& [crc, colour] : colours) {
    text += "newmtl " + material_name(crc, game) + "\nKd";
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
  document.collision_record = record_in(as_text(bytes));
  const float scale = options.units == Units::Metre ? 1.0f / kMetresPerGameUnit : 1.0f;
  for (geometry::ObjObject& object : file.objects) {
    if (is_joint_object(object.name)) continue;
    if (!context.limits.charge(kPerObject))
      return fail(ErrorCode::LimitExceeded,
                  std::to_string(file.objects.size()) + " objects are too many for a file of its size; join some");
    for (Vec3& vertex : object.mesh.vertices) vertex *= scale;
    document.meshes.push_back({.name = std::move(object.name), .mesh = std::move(object.mesh)});
  }
  return document;
}

Result<std::vector<SavedFile>> save_obj(const Document& document, const SaveOptions& options, Context& context) {
  if (document.collision.empty()) {
    // The visible shapes of a NIF are never its collision, whether somebody has asked for them or not.
    if (document.meshes.empty() || document.nif()) return cannot_hold(Format::Obj, document);
    geometry::ObjFile file{{}, document.materials};
    for (const DocumentMesh& mesh : document.meshes) {
      geometry::ObjObject& object = file.objects.emplace_back(mesh.name, mesh.mesh);
      for (Vec3& vertex : object.mesh.vertices)
        vertex = mesh.placement.translation + mesh.placement.rotation * (mesh.placement.scale * vertex);
    }
    return std::vector<SavedFile>{text_file(".obj", geometry::write_obj(file))};
  }
  MARROW_TRY(const std::vector<CollisionMesh> meshes, shown_meshes(document, {.solid = options.solid}, context.notes));
  if (options.show) context.note("an .obj has no transparency, and shows the collision alone; write a .glb to look at");
  std::string text(kHeader);
  if (!options.name.empty()) text += "mtllib " + options.name + ".mtl\n";
  geometry::ObjFile file = obj_of(meshes);
  add_joints(document.collision, file);
  std::vector<SavedFile> files = {text_file(
      ".obj", text + geometry::write_obj(file) + record_lines(write_collision_record(document, options.solid)))};
  if (!options.name.empty()) files.push_back(text_file(".mtl", mtl_of(meshes)));
  return files;
}

}  // namespace marrow
