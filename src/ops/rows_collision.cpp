// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_build.h"
#include "ops/define.h"
#include "ops/rows.h"

namespace marrow {
namespace {

InputInfo nif_input() { return {.role = "nif", .placeholder = "NIF", .help = "the file", .is_main = true}; }
InputInfo collision_input() {
  return {.role = "file", .placeholder = "FILE", .help = "NIF files, packfiles or folders", .is_main = true};
}

Operation extract_row() {
  OperationInfo info{.name = "collision extract",
                     .summary = "copy a system from a NIF into a bare packfile",
                     .inputs = {nif_input()},
                     .output = OutputKind::Document,
                     .formats = {Format::Hkx}};
  return {complete<BlockOptions, ExtractReport>(std::move(info)), &check_options<BlockOptions>, [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const BlockOptions options, options_of<BlockOptions>(inputs));
            MARROW_TRY(const Document* document, inputs.document("nif", {.parts = Parts::None}));
            auto report = extract_collision(*document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document->name));
            OperationResult result;
            result.report = to_json(*report);
            result.files.push_back({{}, ".hkx", std::move(report->bytes)});
            return result;
          }};
}

Operation build_row() {
  OperationInfo info{.name = "collision build",
                     .summary = "make a packfile from meshes, to attach to the nodes of a NIF",
                     .details =
                         "Several objects give several bodies. A material of the file that has the name of one of "
                         "the game's becomes the collision material, face by face in meshes.",
                     .inputs = {{.role = "mesh",
                                 .placeholder = "MESH",
                                 .help = ".obj (game units, Z up), .glb or .gltf (metres, Y up)",
                                 .is_list = true}},
                     .output = OutputKind::Document,
                     .formats = {Format::Hkx, Format::Xml}};
  return {complete<BuildCollisionOptions, BuildCollisionReport>(std::move(info)), &check_options<BuildCollisionOptions>, [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const BuildCollisionOptions options, options_of<BuildCollisionOptions>(inputs));
            MARROW_TRY(const std::vector<const Document*> meshes,
                       inputs.documents("mesh", load_options_of(options, Parts::Meshes)));
            if (meshes.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "mesh");
            Document document{.name = meshes.front()->name};
            auto report = build_collision(meshes, options, document, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document.name));
            OperationResult result;
            if (call.wants_files) {
              MARROW_TRY(result.files, save_for(call, document, {}));
            }
            report->saved(document, result.files);
            result.report = to_json(*report);
            return result;
          }};
}

}  // namespace

std::vector<Operation> collision_rows() {
  return {
      reads({.name = "collision list",
             .summary = "list every physics system, ragdoll and cloth, with its bodies, shapes and constraints",
             .details = "Numbers are the file's own: kilograms, and Havok units of 69.99125 game units for lengths and "
                        "speeds.",
             .inputs = {collision_input()},
             .rows = "systems"},
            Parts::Collision, &list_collision),
      edits({.name = "collision export",
             .summary = "write the shapes as a mesh: one object per shape, coloured by material, where the nodes are",
             .details = "An .obj comes with an .mtl of the same name. `build` reads these files.",
             .inputs = {collision_input()},
             .formats = {Format::Obj, Format::Glb, Format::Gltf}},
            Parts::Collision, &export_collision),
      extract_row(),
      edits({.name = "collision replace",
             .summary = "replace a system of a NIF with a packfile; nothing else changes",
             .inputs = {nif_input()}},
            Parts::Collision, &replace_collision),
      edits({.name = "collision attach",
             .summary = "attach a packfile to nodes of a NIF, each with one of its bodies",
             .inputs = {nif_input()}},
            Parts::Collision, &attach_collision),
      edits({.name = "collision set",
             .summary = "change bodies: mass, motion, surface, material, layer, place",
             .inputs = {collision_input()}},
            Parts::Collision, &set_collision),
      build_row(),
  };
}

}  // namespace marrow
