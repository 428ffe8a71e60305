// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_build.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/model/collision_names.h"

namespace marrow {
namespace {

bool is_part_of(const DocumentMesh& mesh, const DocumentMesh& before) {
  return mesh.name == before.name && mesh.placement == before.placement && !mesh.mesh.materials.empty() &&
         !before.mesh.materials.empty() && mesh.mesh.materials.front() != before.mesh.materials.front();
}

void append_part(const DocumentMesh& part, std::size_t first_material, geometry::TriangleMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const Transform& at = part.placement;
  const bool is_placed = at != Transform{};
  for (const Vec3& p : part.mesh.vertices)
    mesh.vertices.push_back(is_placed ? at.translation + at.rotation * (at.scale * p) : p);
  for (std::size_t i = 0; i < part.mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = part.mesh.triangles[i];
    mesh.triangles.push_back({first + a, first + b, first + c});
    const std::size_t own = i < part.mesh.materials.size() ? part.mesh.materials[i] : 0;
    mesh.materials.push_back(static_cast<std::uint16_t>(own + first_material));
  }
}

// Objects of several files become one system; the materials of each keep their names.
void append_document(const Document& document, BuildInput& input) {
  const std::size_t first = input.materials.size();
  for (std::size_t i = 0; i < document.meshes.size(); ++i) {
    const DocumentMesh& mesh = document.meshes[i];
    const bool is_part = is_gltf(document.format) && i > 0 && is_part_of(mesh, document.meshes[i - 1]);
    if (!is_part) input.objects.push_back({mesh.name, {}});
    append_part(mesh, first, input.objects.back().mesh);
  }
  input.materials.insert(input.materials.end(), document.materials.begin(), document.materials.end());
  if (document.materials.empty()) input.materials.emplace_back();
}

}  // namespace

Result<BuildInput> build_input(std::span<const Document* const> documents) {
  BuildInput input;
  for (const Document* document : documents) {
    if (document->meshes.empty())
      return in_file({ErrorCode::WrongKind, "collision is built from meshes, and there are none in a " +
                                                std::string(title(document->format))},
                     document->name);
    append_document(*document, input);
  }
  std::erase_if(input.objects, [](const BuildObject& object) { return object.mesh.triangles.empty(); });
  if (input.objects.empty()) return fail(ErrorCode::InvalidArgument, "the file contains no triangles to build from");
  return input;
}

void describe(FieldList& fields, BuildCollisionOptions& options) {
  BuildOptions& build = options.build;
  fields("shape", options.shape,
         {.help = "what each object becomes: hull, mesh, box, sphere, capsule, cylinder, decompose, compound (children of "
                  "one body), by-name (what its name begins or ends with); NAME=KIND for objects by name",
          .placeholder = "KIND",
          .required = true});
  fields("fit", build.fit, {.help = "where spheres, capsules and cylinders lie", .placeholder = "SIDE"});
  fields("material", options.material,
         {.help = "used if the file names no collision material: wood, Material_Wood, a CRC in hex",
          .placeholder = "NAME"});
  fields("mass", build.mass_kg,
         {.help = "makes the body dynamic; a mesh stays static",
          .unit = "kilograms",
          .placeholder = "KG",
          .min = 0,
          .above_min = true});
  fields("layer", options.layer,
         {.help = "collision layer", .placeholder = "NAME", .otherwise = "STATIC, ANIMSTATIC or CLUTTER, by motion"});
  fields("motion", build.motion, {.help = "how it moves", .placeholder = "KIND"});
  fields("friction", build.friction,
         {.help = "friction of the surface", .placeholder = "F", .min = 0, .otherwise = "0.5"});
  fields("restitution", build.restitution,
         {.help = "restitution of the surface", .placeholder = "R", .min = 0, .otherwise = "0.4"});
  fields(
      "units", options.input_units,
      {.help = "length unit of the mesh", .placeholder = "UNITS", .otherwise = "game units for .obj, metres for glTF"});
  fields("radius", build.convex_radius,
         {.help = "convex radius; hulls are shrunk by it", .unit = "Havok units", .placeholder = "R", .min = 0});
  fields("pieces", build.max_pieces,
         {.help = "maximum number of hulls of a decomposition", .placeholder = "N", .min = 1, .max = 1000});
  fields("hull_vertices", build.max_vertices,
         {.help = "maximum number of vertices of a hull",
          .placeholder = "N",
          .min = 4,
          .max = geometry::kMaxHullVertices});
  fields("concavity", build.max_concavity,
         {.help = "how far hulls may be from the mesh",
          .unit = "game units",
          .placeholder = "D",
          .min = 0,
          .otherwise = "2.5 % of its size"});
}

void describe(FieldList& fields, BuiltBody& body) {
  fields("body", body.body);
  fields("name", body.name);
}

void describe(FieldList& fields, BuiltDecomposition& decomposition) {
  fields("object", decomposition.object);
  fields("hulls", decomposition.hulls);
  fields("volume_error", decomposition.volume_error,
         {.help = "of all hulls together, as a share of the mesh; 0 if the mesh is open"});
  fields("worst_distance", decomposition.worst_distance,
         {.help = "between the surfaces of the mesh and of all hulls", .unit = "game units"});
  fields("coverage", decomposition.coverage, {.help = "the share of the mesh that is in a hull"});
}

void describe(FieldList& fields, BuildCollisionReport& report) {
  fields("bytes", report.bytes, {.unit = "bytes"});
  fields("count", report.count, {.help = "number of bodies"});
  fields("bodies", report.bodies, {.help = "the object of each body"});
  fields("decompositions", report.decompositions, {.help = "how well hulls stand for the objects that were decomposed"});
}

void BuildCollisionReport::saved(const Document&, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files) bytes += file.bytes.size();
}

Result<BuildCollisionReport> build_collision(std::span<const Document* const> meshes,
                                             const BuildCollisionOptions& options, Document& document,
                                             Context& context) {
  MARROW_TRY(const BuildInput input, build_input(meshes));
  BuildOptions build = options.build;
  build.shape = options.shape.shape.value_or(BuildShape::Hull);
  build.rules = options.shape.rules;
  if (options.material) {
    const auto found = find_material(*options.material);
    if (!found) return fail(ErrorCode::BadOption, found.error().message, kNoOffset, "material");
    build.material = *found;
  }
  if (options.layer) {
    const auto found = find_layer(*options.layer);
    if (!found) return fail(ErrorCode::BadOption, found.error().message, kNoOffset, "layer");
    build.layer = *found;
  }
  document.format = Format::Hkx;
  document.game = Game::Fallout4;
  document.parts = Parts::Collision;
  DocumentCollision& collision = document.collision.emplace_back();
  BuildCollisionReport report;
  MARROW_TRY(collision.system, build_system(input, build, context.notes, &report.decompositions));
  report.count = collision.system.bodies.size();
  if (report.count == input.objects.size())
    for (std::size_t i = 0; i < input.objects.size(); ++i) report.bodies.push_back({i, input.objects[i].name});
  return report;
}

}  // namespace marrow
