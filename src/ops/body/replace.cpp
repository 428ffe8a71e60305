// SPDX-License-Identifier: MIT
#include "ops/body/replace.h"

#include <algorithm>
#include <map>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/shape.h"
#include "ops/body/bones.h"
#include "ops/body/changes.h"
#include "ops/body/find_mesh.h"
#include "ops/document/nif_edit.h"

namespace marrow {
namespace {

std::string_view file_name_of(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// A scene may hold several bodies: if any mesh is from this file, only those are.
std::vector<DocumentBody> meshes_for(const Document& document, const Document& edited) {
  const std::string_view own = file_name_of(document.name);
  const auto is_own = [&](const DocumentBody& body) { return equal_ignoring_case(file_name_of(body.file), own); };
  const bool has_own = std::ranges::any_of(edited.bodies, is_own);
  std::vector<DocumentBody> meshes;
  for (const DocumentBody& body : edited.bodies)
    if (!has_own || body.file.empty() || is_own(body)) meshes.push_back(body);
  return meshes;
}

bool is_wanted(const BodyShape& shape, const BodyReplaceOptions& options) {
  return options.shapes.empty() || std::ranges::find(options.shapes, shape.name) != options.shapes.end();
}

Result<ShapeChange> replace_shape(NifFile& nif, const BodyShape& shape, const EditedMesh& mesh, const Joints& joints) {
  ShapeChange change{.name = shape.name, .block = shape.block};
  MARROW_TRY(const std::vector<std::uint32_t> groups, triangle_groups(nif, shape));
  MARROW_TRY(const ShapeEdit edit, find_changes(shape, mesh, joints, groups, change));
  if (!change.changed()) return change;
  MARROW_CHECK(edit_shape(nif, shape, edit, &change.worst_rounding));
  return change;
}

Result<void> check_names(const std::vector<BodyShape>& shapes, const BodyReplaceOptions& options) {
  for (const std::string& name : options.shapes)
    if (std::ranges::find(shapes, name, &BodyShape::name) == shapes.end()) {
      std::string known;
      for (const BodyShape& shape : shapes) known += (known.empty() ? "'" : ", '") + shape.name + "'";
      return fail(ErrorCode::NotFound, "there is no shape '" + name + "'; the file has " + known, kNoOffset, "shape");
    }
  return {};
}

// Skins get the bones that their meshes have weights for. Returns their names, by shape.
Result<std::map<int, std::vector<std::string>>> add_missing_bones(NifFile& nif, const std::vector<BodyShape>& shapes,
                                                                  const std::vector<DocumentBody>& meshes,
                                                                  const std::vector<int>& match,
                                                                  const BodyReplaceOptions& options,
                                                                  std::optional<Game> game) {
  std::map<int, std::vector<std::string>> added;
  const BonePlaces skeleton(options.skeletons, game);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (match[i] < 0) continue;
    const BodyShape& shape = shapes[static_cast<std::size_t>(match[i])];
    if (!shape.is_skinned || !meshes[i].shape.is_skinned || !is_wanted(shape, options)) continue;
    std::vector<std::string>& known = added[match[i]];
    std::vector<std::string> names = missing_bones(meshes[i].shape, shape);
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); });
    MARROW_CHECK(add_bones(nif, shape, names, skeleton));
    known.insert(known.end(), names.begin(), names.end());
  }
  std::erase_if(added, [](const auto& each) { return each.second.empty(); });
  return added;
}

// What a mesh has and its shape cannot hold.
void note_what_goes(const BodyShape& mesh, const BodyShape& shape, Context& context) {
  const auto note = [&](const char* what) { context.note(what, "shape '" + shape.name + "'"); };
  if (!mesh.colors.empty() && shape.colors.empty())
    note("the shape has no vertex colours; those of the mesh are left out");
  if (!mesh.uvs.empty() && shape.uvs.empty()) note("the shape has no UVs; those of the mesh are left out");
  if (mesh.is_skinned && !shape.is_skinned) note("the shape has no skin; the weights of the mesh are left out");
  if (!mesh.is_skinned && shape.is_skinned)
    note("the mesh has lost its skin; vertices keep the weights of the shape, new ones have those of the nearest");
}

}  // namespace

void describe(FieldList& fields, BodyReplaceOptions& options) {
  fields.input("edited", options.edited,
               {.help = "the edited glTF file",
                .placeholder = "EDITED",
                .required = true,
                .positional = true,
                .parts = Parts::Bodies});
  fields.input("skeleton", options.skeletons,
               {.help = "the skeleton, for weights of bones that a shape does not have yet", .placeholder = "FILE"});
  fields("shape", options.shapes, {.help = "only this shape; may be given more than once", .placeholder = "NAME"});
}

void describe(FieldList& fields, ShapeChange& change) {
  fields("name", change.name);
  fields("block", change.block);
  fields("positions", change.positions, {.help = "vertices that moved"});
  fields("normals", change.normals, {.help = "normals that changed"});
  fields("turned_normals", change.turned_normals, {.help = "of these: turned with the surface"});
  fields("tangents", change.tangents, {.help = "tangents that were computed"});
  fields("uvs", change.uvs);
  fields("colors", change.colors);
  fields("weights", change.weights, {.help = "vertices with other weights"});
  fields("unweighted", change.unweighted,
         {.help = "vertices without weights in the edited file; they keep those of the nearest old one"});
  fields("added_vertices", change.added_vertices);
  fields("removed_vertices", change.removed_vertices);
  fields("added_triangles", change.added_triangles);
  fields("removed_triangles", change.removed_triangles);
  fields("added_bones", change.added_bones, {.help = "bones that the skin did not have"});
  fields("new_numbers", change.has_new_numbers,
         {.help = "true if vertices have other numbers than before; morph files count by them"});
  fields("worst_rounding", change.worst_rounding,
         {.help = "largest distance that a position is off by because of the format", .unit = "units"});
}

void describe(FieldList& fields, BodyReplaceReport& report) {
  fields("shapes", report.shapes, {.help = "shapes that have a mesh, with what changed"});
  fields("untouched", report.untouched, {.help = "shapes without a mesh, which stay as they are"});
  fields("left_out", report.left_out, {.help = "meshes that belong to no shape"});
}

Result<BodyReplaceReport> replace_bodies(Document& document, const BodyReplaceOptions& options, Context& context) {
  if (!document.nif())
    return fail(ErrorCode::WrongKind, "bodies are in NIF files; this is a " + std::string(title(document.format)));
  // Blocks of a NIF are not where glTF has its meshes, nor on joints at rest.
  if (options.edited->nif())
    return fail(ErrorCode::WrongKind, "meshes are taken from a glTF file; this is a NIF",
                Cure{"convert", {{"format", "glb"}}}, "edited");
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(std::vector<BodyShape> shapes, read_shapes(nif, {.limits = context.limits}));
  MARROW_CHECK(check_names(shapes, options));
  if (options.edited->bodies.empty() && !options.edited->meshes.empty())
    return fail(ErrorCode::InvalidArgument,
                "the glTF file was read without the skins of its meshes; give the file itself", kNoOffset, "edited");
  std::vector<DocumentBody> meshes = meshes_for(document, *options.edited);
  std::vector<int> match = match_shapes(shapes, meshes);
  const BonePlaces skeleton(options.skeletons, document.game);
  const BonePlaces places = skeleton.empty() ? BonePlaces(*document.nif()) : skeleton;
  find_by_place(shapes, places, meshes, match, context);

  MARROW_TRY(const auto added_bones, add_missing_bones(nif, shapes, meshes, match, options, document.game));
  if (!added_bones.empty()) {
    MARROW_TRY(shapes, read_shapes(nif, {.limits = context.limits}));
  }
  BodyReplaceReport report;
  std::map<int, EditedMesh> edited;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (match[i] < 0) {
      report.left_out.push_back(meshes[i].shape.name);
      context.note("no shape has this name; the mesh is left out", "mesh '" + meshes[i].shape.name + "'");
      continue;
    }
    const BodyShape& shape = shapes[static_cast<std::size_t>(match[i])];
    if (!is_wanted(shape, options)) continue;
    MARROW_TRY(EditedMesh mesh, bring_into_space(meshes[i], shape, Joints(shape), places));
    note_what_goes(meshes[i].shape, shape, context);
    const auto [found, is_new] = edited.try_emplace(match[i], std::move(mesh));
    if (is_new) continue;
    if (found->second.mesh.positions.size() + mesh.mesh.positions.size() > 0xFFFF)
      return fail(ErrorCode::Unrepresentable, "the parts have more than 65535 vertices together", kNoOffset,
                  "shape '" + shape.name + "'");
    append_mesh(found->second, std::move(mesh));
  }
  if (edited.empty())
    return fail(ErrorCode::NotFound,
                "no mesh of the glTF file belongs to a shape of the NIF; meshes are matched by name", Cure{"body list"},
                "edited");
  for (const auto& [index, mesh] : edited) {
    const BodyShape& shape = shapes[static_cast<std::size_t>(index)];
    MARROW_TRY(ShapeChange change, replace_shape(nif, shape, mesh, Joints(shape)));
    if (change.unweighted > 0)
      context.note("vertices without weights in the glTF file: " + std::to_string(change.unweighted) +
                       "; each keeps those of the nearest old vertex",
                   "shape '" + shape.name + "'");
    if (change.has_new_numbers)
      context.note("vertices have other numbers now; files of morphs that count them no longer fit",
                   "shape '" + shape.name + "'");
    if (const auto added = added_bones.find(index); added != added_bones.end()) change.added_bones = added->second;
    report.shapes.push_back(std::move(change));
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (!edited.contains(static_cast<int>(i)) && !shapes[i].triangles.empty()) {
      report.untouched.push_back(shapes[i].name);
      if (is_wanted(shapes[i], options))
        context.note("has no mesh in the glTF file and stays", "shape '" + shapes[i].name + "'");
    }
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return report;
}

}  // namespace marrow
