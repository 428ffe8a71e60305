// SPDX-License-Identifier: MIT
// The operations on patches of behaviours.
#include "ops/behavior/patch.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

std::vector<TreeFile> tree_of(const CallInputs& inputs, std::string_view role) {
  std::vector<TreeFile> files;
  for (const OperationInput* each : inputs.given(role)) files.push_back({each->name, each->bytes});
  return files;
}

Operation patch_row() {
  OperationInfo info{
      .name = "behavior patch",
      .summary = "apply mods in Nemesis' form to behaviours, characters and animation caches",
      .details =
          "Mods are applied in the order given, those of a folder by name; what comes later wins. Give the game's own "
          "files:\npatches address nodes by the numbers that those have. Only what a mod changes is written, by its "
          "path below\nthe folder that was given. Conflicts and everything that does not fit are in the notes.",
      .inputs = {{.role = "base",
                  .placeholder = "BASE",
                  .help = "behaviours, characters and caches of the game, or folders of them",
                  .kind = InputKind::Tree,
                  .is_list = true},
                 {.role = "mods",
                  .placeholder = "DIR",
                  .help = "mods, or folders of mods",
                  .kind = InputKind::Tree,
                  .is_positional = false,
                  .is_list = true,
                  .takes_all = true}},
      .output = OutputKind::Folder};
  return {complete<BehaviorPatchOptions, BehaviorPatchReport>(std::move(info)), &check_options<BehaviorPatchOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const BehaviorPatchOptions options, options_of<BehaviorPatchOptions>(inputs));
            OperationResult result;
            MARROW_TRY(
                const BehaviorPatchReport report,
                patch_behaviors(tree_of(inputs, "base"), tree_of(inputs, "mods"), options, call.context, result.files));
            result.report = to_json(report);
            return result;
          }};
}

Operation make_patch_row() {
  OperationInfo info{
      .name = "behavior make-patch",
      .summary = "write a mod in Nemesis' form that makes an edited behaviour of the game's",
      .details =
          "Nodes are paired by name: edit the game's file as XML or as a packfile with node ids, which keep the names. "
          "DIR is\nthe mod; applying it to BASE gives EDITED again.",
      .inputs = {{.role = "base", .placeholder = "BASE", .help = "the file of the game"},
                 {.role = "edited", .placeholder = "EDITED", .help = "the same file, edited"}},
      .output = OutputKind::Folder};
  return {complete<MakePatchOptions, MakePatchReport>(std::move(info)), &check_options<MakePatchOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const MakePatchOptions options, options_of<MakePatchOptions>(inputs));
            MARROW_TRY(const Document* base, inputs.document("base", {.parts = Parts::None}));
            MARROW_TRY(const Document* edited, inputs.document("edited", {.parts = Parts::None}));
            OperationResult result;
            auto report = make_behavior_patch(*base, *edited, options, call.context, result.files);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), edited->name));
            result.report = to_json(*report);
            return result;
          }};
}

}  // namespace

std::vector<Operation> patch_rows() { return {patch_row(), make_patch_row()}; }

}  // namespace marrow
