// SPDX-License-Identifier: MIT
// The operations on patches of behaviours.
#include "marrow/ops/behavior/patch.h"
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
            MARROW_TRY(const BehaviorPatchReport report,
                       patch_behaviors(tree_of(inputs, "base"), tree_of(inputs, "mods"), options, call.context,
                                       result.files));
            result.report = to_json(report);
            return result;
          }};
}

}  // namespace

std::vector<Operation> patch_rows() { return {patch_row()}; }

}  // namespace marrow
