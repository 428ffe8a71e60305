// SPDX-License-Identifier: MIT
#include "ops/collision/author.h"
#include "ops/collision/joints.h"
#include "ops/collision/ragdoll.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

InputInfo nif_input() { return {.role = "nif", .placeholder = "NIF", .help = "the file", .is_main = true}; }
InputInfo collision_input() {
  return {.role = "file", .placeholder = "FILE", .help = "NIF files, packfiles or folders", .is_main = true};
}

// A packfile called .nif, or a NIF called .hkx, is one that no program reads.
Result<void> check_format(const Json& format, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files)
    if (format.is_text() && file.extension != "." + format.text())
      return fail(ErrorCode::WrongKind,
                  "its collision is written as a file " + file.extension + ", not as " + format.text());
  return {};
}

Operation extract_row() {
  OperationInfo info{.name = "collision extract",
                     .summary = "copy collision out of a NIF: Fallout 4's into bare packfiles, Skyrim's into a NIF",
                     .details =
                         "Of several packfiles, name one, or give a folder as the output. The NIF of Skyrim's "
                         "collision has all nodes, and the other blocks byte for byte.",
                     .inputs = {nif_input()},
                     .output = OutputKind::Document,
                     .formats = {Format::Hkx, Format::Nif}};
  return {complete<BlockOptions, ExtractReport>(std::move(info)), &check_options<BlockOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const BlockOptions options, options_of<BlockOptions>(inputs));
            MARROW_TRY(const Document* document, inputs.document("nif", {.parts = Parts::None}));
            auto report = extract_collision(*document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document->name));
            if (auto named = check_format(call.options["format"], report->files); !named)
              return std::unexpected(inputs.located(std::move(named.error()), document->name));
            OperationResult result;
            result.report = to_json(*report);
            result.files = std::move(report->files);
            return result;
          }};
}

// A row that looks names up and takes no file.
template <class Report>
Operation names_row(std::string_view name, std::string_view summary, std::string_view rows,
                    Result<Report> (*function)(const FindNamesOptions&)) {
  OperationInfo info{.name = name, .summary = summary, .rows = rows};
  return {complete<FindNamesOptions, Report>(std::move(info)), &check_options<FindNamesOptions>,
          [=](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const FindNamesOptions options, options_of<FindNamesOptions>(inputs));
            MARROW_TRY(const Report report, function(options));
            return OperationResult{.report = to_json(report)};
          }};
}

Result<OperationResult> run_build(OperationCall& call) {
  CallInputs inputs(call);
  MARROW_TRY(const BuildCollisionOptions options, options_of<BuildCollisionOptions>(inputs));
  MARROW_TRY(const std::vector<const Document*> meshes,
             inputs.documents("mesh", load_options_of(options, Parts::Meshes)));
  if (meshes.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "mesh");
  Document document{.name = meshes.front()->name};
  if (!call.output_name.empty()) call.context.output_name = call.output_name;
  auto report = build_collision(meshes, options, document, call.context);
  if (!report) return std::unexpected(inputs.located(std::move(report.error()), document.name));
  OperationResult result;
  if (call.wants_files) {
    MARROW_TRY(result.files, save_for(call, document, {}));
  }
  report->saved(document, result.files);
  result.report = to_json(*report);
  return result;
}

Operation build_row() {
  OperationInfo info{
      .name = "collision build",
      .summary = "make collision from meshes: a packfile for Fallout 4, a NIF for Skyrim",
      .details =
          "Several objects give several bodies. A material of the file that has the name of one of "
          "the game's becomes the collision material, face by face in meshes. Collision that was "
          "exported, edited or not, comes back as the bodies that it was.",
      .inputs = {{.role = "mesh",
                  .placeholder = "MESH",
                  .help = ".obj (game units, Z up), .glb or .gltf (metres, Y up), or a NIF with visible shapes",
                  .is_list = true}},
      .output = OutputKind::Document,
      .formats = {Format::Hkx, Format::Xml, Format::Nif}};
  return {complete<BuildCollisionOptions, BuildCollisionReport>(std::move(info)), &check_options<BuildCollisionOptions>,
          &run_build, becomes_output("mesh", &run_build)};
}

Result<OperationResult> run_ragdoll(OperationCall& call) {
  CallInputs inputs(call);
  MARROW_TRY(const RagdollCollisionOptions options, options_of<RagdollCollisionOptions>(inputs));
  MARROW_TRY(const Document* skeleton, inputs.document("skeleton", {.parts = Parts::Skeletons}));
  Document document{.name = skeleton->name};
  if (!call.output_name.empty()) call.context.output_name = call.output_name;
  auto report = build_ragdoll(*skeleton, options, document, call.context);
  if (!report) return std::unexpected(inputs.located(std::move(report.error()), skeleton->name));
  OperationResult result;
  if (call.wants_files) {
    MARROW_TRY(result.files, save_for(call, document, {}));
  }
  result.report = to_json(*report);
  return result;
}

Operation ragdoll_row() {
  OperationInfo info{.name = "collision ragdoll",
                     .summary = "make a ragdoll from a skeleton and a table of bodies, to attach to a NIF",
                     .details =
                         "The table has one row per body; only `bone` is required. Columns: bone, shape (capsule, box, "
                         "sphere), radius, half_extents, from, to, length (game units), mass (kilograms), layer, part, "
                         "joint (ragdoll, limited-hinge, hinge, ball, prismatic, fixed), twist, cone, plane, angle "
                         "(degrees), distance (game units), normal, axis (in the space of the bone), friction. In CSV, "
                         "numbers of one cell are separated by spaces. Each body "
                         "hangs on the next bone above that has one. Rows of one side are mirrored to the other. The "
                         "result keeps the names of bones, by which the nodes are found when it is put into a NIF.",
                     .inputs = {{.role = "skeleton",
                                 .placeholder = "SKELETON",
                                 .help = "the skeleton: skeleton.hkx, skeleton.nif or glTF",
                                 .is_main = true}},
                     .output = OutputKind::Document,
                     .formats = {Format::Hkx, Format::Xml, Format::Nif}};
  return {complete<RagdollCollisionOptions, RagdollReport>(std::move(info)), &check_options<RagdollCollisionOptions>,
          &run_ragdoll, becomes_output("skeleton", &run_ragdoll)};
}

}  // namespace

std::vector<Operation> collision_rows() {
  return {
      reads({.name = "collision list",
             .summary = "list every physics system, ragdoll and cloth, with its bodies, shapes and constraints",
             .details = "Of Skyrim and Fallout 4 alike. Numbers are the file's own: kilograms, and Havok units of "
                        "69.99125 game units for lengths and speeds.",
             .inputs = {collision_input()},
             .rows = "systems"},
            Parts::Collision, &list_collision),
      edits(
          {.name = "collision export",
           .summary = "write the shapes as a mesh: one object per shape, coloured by material, where the nodes are",
           .details =
               "The mesh, edited or not, can be put back into its file, or built into a packfile: the same bodies, in "
               "the same order, with the same properties. A .glb carries all of them through Blender, if custom "
               "properties are exported there. An .obj comes with an .mtl of the same name; what it cannot carry "
               "is in comments, and is found by name if another program drops those.",
           .inputs = {collision_input()},
           .formats = {Format::Obj, Format::Glb, Format::Gltf}},
          Parts::Collision, &export_collision),
      extract_row(),
      edits({.name = "collision replace",
             .summary = "put an edited export back, or replace a system with another one; nothing else changes",
             .details =
                 "Of an export, only shapes whose objects have changed are built anew; untouched it gives the same "
                 "bytes. Objects are matched by name, and by their triangles if they were renamed, joined or "
                 "separated. Where an object is in the scene counts, whatever node holds it. A copy is added to the "
                 "body of its original; the body of a deleted object is removed.",
             .inputs = {{.role = "nif",
                         .placeholder = "NIF",
                         .help = "the file; with an export also a packfile",
                         .is_main = true}}},
            Parts::Collision, &replace_collision),
      edits({.name = "collision attach",
             .summary = "attach collision to nodes of a NIF, each with one of its bodies",
             .details = "It comes from a packfile or from a NIF of Skyrim, and is ported if the other game made it. A "
                        "ragdoll with names of bones finds its nodes by them.",
             .inputs = {nif_input()}},
            Parts::Collision, &attach_collision),
      edits({.name = "collision detach",
             .summary = "take collision off nodes, with bodies and systems that no other node uses",
             .inputs = {nif_input()}},
            Parts::Collision, &detach_collision),
      edits({.name = "collision set-shape",
             .summary = "replace the shape of a body; mass, motion, layer, surface and joints stay",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "a NIF or a packfile", .is_main = true}}},
            Parts::Collision, &set_shape_of),
      edits({.name = "collision add-body",
             .summary = "add a body to a system, on a node of the NIF that has none",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "a NIF or a packfile", .is_main = true}}},
            Parts::Collision, &add_body_to),
      edits({.name = "collision remove-body",
             .summary = "remove a body; nodes and joints that use it are updated",
             .inputs = {collision_input()}},
            Parts::Collision, &remove_body_of),
      edits({.name = "collision set",
             .summary = "change bodies: mass, motion, surface, material, layer, place",
             .inputs = {collision_input()}},
            Parts::Collision, &set_collision),
      reads({.name = "collision joints",
             .summary = "list joints: type, bodies, pivots, axes, limits, friction, motors",
             .details = "Angles are degrees, lengths game units, in the space of each body.",
             .inputs = {collision_input()},
             .rows = "joints"},
            Parts::Collision, &list_joints),
      edits({.name = "collision add-joint",
             .summary = "join two bodies of a system, or a body and the world",
             .details =
                 "Pivot and axes are given in the space of the body, or taken from a node, bone or other body; both "
                 "bodies get them where they are in the file. In a ragdoll, a body without a bone gets one.",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "a NIF or a packfile", .is_main = true}}},
            Parts::Collision, &add_joint),
      edits({.name = "collision set-joint",
             .summary = "change joints: kind, place, limits, friction, motors; nothing else changes",
             .details =
                 "A motor that other joints share is copied first. A bone of a ragdoll gets the parent that its body "
                 "hangs on.",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "a NIF or a packfile", .is_main = true}}},
            Parts::Collision, &set_joints),
      edits({.name = "collision remove-joint",
             .summary = "remove joints; the bodies stay",
             .details = "In a ragdoll, the bone of a joint goes with it; joints of bones below go first or together.",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "a NIF or a packfile", .is_main = true}}},
            Parts::Collision, &remove_joints),
      ragdoll_row(),
      build_row(),
      names_row("collision materials", "list the materials of Fallout 4 or Skyrim, or search them", "materials",
                &find_materials),
      names_row("collision layers", "list the collision layers of Fallout 4 or Skyrim, or search them", "layers",
                &find_layers),
  };
}

}  // namespace marrow
