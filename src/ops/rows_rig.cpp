// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_build.h"
#include "marrow/ops/rig_edit.h"
#include "marrow/ops/rig_list.h"
#include "marrow/ops/rig_merge.h"
#include "ops/define.h"
#include "ops/rows.h"

namespace marrow {
namespace {

const std::vector<Format> kRigFormats = {Format::AnvilStandard, Format::AnvilSchema};

// A row of `rig` that edits one skeleton.
template <class Options, class Report>
Operation rig_edit(std::string_view name, std::string_view summary,
                   Result<Report> (*function)(Document&, const Options&, Context&), std::string_view role = "file",
                   std::string_view placeholder = "FILE", std::string_view help = "the skeleton") {
  return edits({.name = name,
                .summary = summary,
                .inputs = {{.role = role, .placeholder = placeholder, .help = help, .is_main = true}},
                .formats = kRigFormats},
               Parts::None, function);
}

InputInfo rig_input() {
  return {.role = "file", .placeholder = "FILE", .help = "Anvil skeletons or folders of them", .is_main = true};
}

Operation fields_row() {
  OperationInfo info{.name = "rig fields",
                     .summary = "list the modifiers with every field: unit, range, default and effect",
                     .rows = "modifiers"};
  return {complete<ModifierFieldsOptions, ModifierFieldsReport>(std::move(info)),
          &check_options<ModifierFieldsOptions>, [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const ModifierFieldsOptions options, options_of<ModifierFieldsOptions>(inputs));
            MARROW_TRY(const ModifierFieldsReport report, modifier_fields_of(options));
            return OperationResult{.report = to_json(report)};
          }};
}

Operation hash_row() {
  OperationInfo info{.name = "rig hash",
                     .summary = "show the number of a bone name, and the name of a number",
                     .rows = "names"};
  return {complete<HashOptions, HashReport>(std::move(info)), &check_options<HashOptions>, [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const HashOptions options, options_of<HashOptions>(inputs));
            return OperationResult{.report = to_json(hash_names(options, call.context))};
          }};
}

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

std::vector<Operation> rig_rows() {
  OperationInfo plan{.name = "rig plan",
                     .summary = "show the result of a stack of addons, before the game loads it",
                     .inputs = {{.role = "base", .placeholder = "BASE", .help = "the main skeleton", .is_main = true}}};
  return {
      reads({.name = "rig list",
             .summary = "list the bones: tree, ids, poses, mirrors, modifiers",
             .inputs = {rig_input()}},
            Parts::None, &list_rig),
      reads({.name = "rig show",
             .summary = "show bones with every field of their modifiers",
             .inputs = {{.role = "file", .placeholder = "FILE", .help = "the skeleton", .is_main = true}}},
            Parts::None, &show_bones),
      fields_row(),
      rig_edit("rig merge", "put addons onto a skeleton as the game does", &merge_rig, "base", "BASE",
               "the main skeleton; the files may be in any order"),
      reads(std::move(plan), Parts::None, &plan_rig),
      rig_edit("rig new-addon", "start an addon: the bone to attach to, and paths to others", &new_addon, "base",
               "BASE", "the skeleton it is for"),
      rig_edit("rig extract-addon", "make an addon of the bones that a skeleton has and its base lacks", &extract_addon,
               "merged", "MERGED", "the skeleton with the new bones"),
      rig_edit("rig add-bone", "add a bone as the last child of another; id, hash, links and poses are set", &add_bone),
      rig_edit("rig remove-bone", "remove a bone; children move up, links to it are repaired and reported",
               &remove_bone),
      rig_edit("rig rename", "give a bone another name", &rename_bone),
      rig_edit("rig reparent", "change the parent of a bone; it stays where it is in the world", &reparent_bone),
      rig_edit("rig mirror", "make two bones each other's mirror, or create the other one", &mirror_bone),
      rig_edit("rig set", "set fields of the skeleton, of a bone or of a modifier", &set_fields),
      rig_edit("rig add-modifier", "add a modifier to a bone; other fields have their defaults", &add_modifier),
      rig_edit("rig remove-modifier", "remove a modifier from a bone", &remove_modifier),
      rig_edit("rig copy-modifiers", "copy modifiers between bones, also from another skeleton", &copy_modifiers),
      rig_edit("rig to-game", "port a skeleton to another game; what the game does not support is dropped and reported",
               &to_game),
      hash_row(),
  };
}

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
