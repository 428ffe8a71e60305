// SPDX-License-Identifier: MIT
#include "ops/rig/apply.h"
#include "ops/rig/edit.h"
#include "ops/rig/list.h"
#include "ops/rig/merge.h"
#include "ops/rig/script.h"
#include "ops/rig/table.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

const std::vector<Format> kRigFormats = {Format::AnvilStandard, Format::AnvilSchema, Format::Json};

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

Operation add_modifier_row() {
  Operation row =
      rig_edit("rig add-modifier", "add a modifier to a bone; it starts with values that move, once it has its targets",
               &add_modifier);
  row.info.explained_by = "rig fields";
  row.info.details = "With the name of a modifier, help lists its fields.";
  return row;
}

Operation script_row() {
  Operation row = rig_edit("rig edit", "run a script of edits: all of them or none", &run_rig_script);
  row.info.details =
      "A script has one verb of rig per line, with its words as on a command line, without FILE and -o. Blank lines "
      "and "
      "what follows a # are skipped. Files that a line names are found beside the script.";
  return row;
}

Operation fields_row() {
  OperationInfo info{.name = "rig fields",
                     .summary = "list the modifiers with every field: unit, range, default and effect",
                     .rows = "modifiers"};
  return {complete<ModifierFieldsOptions, ModifierFieldsReport>(std::move(info)), &check_options<ModifierFieldsOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const ModifierFieldsOptions options, options_of<ModifierFieldsOptions>(inputs));
            MARROW_TRY(const ModifierFieldsReport report, modifier_fields_of(options));
            return OperationResult{.report = to_json(report)};
          }};
}

Operation hash_row() {
  OperationInfo info{
      .name = "rig hash", .summary = "show the number of a bone name, and the name of a number", .rows = "names"};
  return {complete<HashOptions, HashReport>(std::move(info)), &check_options<HashOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const HashOptions options, options_of<HashOptions>(inputs));
            return OperationResult{.report = to_json(hash_names(options, call.context))};
          }};
}

// A row without a main input whose result is a text.
template <class Options, class Report>
Operation prints_once(OperationInfo info, Result<Report> (*function)(const Options&, Context&)) {
  info.output = OutputKind::Text;
  return {complete<Options, Report>(std::move(info)), &check_options<Options>,
          [=](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const Options options, options_of<Options>(inputs));
            MARROW_TRY(const Report report, function(options, call.context));
            OperationResult result;
            if (call.wants_files) result.files.push_back(report.text());
            if (call.wants_report) result.report = to_json(report);
            return result;
          }};
}

Operation table_row() {
  return prints_once({.name = "rig table",
                      .summary = "list what refers to skeletons in a BuildTable, or change ids in it",
                      .details = "The layout of BuildTables is not published: every byte but the ids stays as it is.",
                      .text_extension = ".xml"},
                     &build_table);
}

Operation learn_names_row() {
  return prints_once({.name = "rig names",
                      .summary = "learn the names of bones from skeletons, as a dictionary for other runs",
                      .details = "Names that only the grammar of bone names gives (side, number, prefix, suffix) are "
                                 "marked in the file; a second source should confirm them.",
                      .text_extension = ".txt"},
                     &learn_names);
}

}  // namespace

std::vector<Operation> rig_rows() {
  OperationInfo plan{.name = "rig plan",
                     .summary = "show the result of a stack of addons, before the game loads it",
                     .details = "The files may be in any order; a folder stands for the skeletons in it.",
                     .inputs = {{.role = "base",
                                 .placeholder = "BASE",
                                 .help = "the main skeleton, or a folder of skeletons",
                                 .is_main = true,
                                 .rest = "addon"}}};
  return {
      reads({.name = "rig list",
             .summary = "list the bones: tree, ids, poses, mirrors, modifiers",
             .inputs = {rig_input()}},
            Parts::None, &list_rig),
      reads({.name = "rig show",
             .summary = "show bones with every field of their modifiers, or the skeleton itself",
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
      add_modifier_row(),
      rig_edit("rig remove-modifier", "remove a modifier from a bone", &remove_modifier),
      rig_edit("rig copy-modifiers",
               "copy modifiers between bones or whole chains, also from another skeleton, also mirrored",
               &copy_modifiers),
      rig_edit("rig apply", "write a sidecar or a preset into a skeleton, as modifiers of the game", &apply_modifiers),
      prints({.name = "rig extract-modifiers",
              .summary = "write the modifiers of a skeleton as a sidecar, to tune them or to use them elsewhere",
              .inputs = {{.role = "file", .placeholder = "FILE", .help = "the skeleton", .is_main = true}},
              .text_extension = ".json"},
             Parts::None, &extract_modifiers),
      rig_edit("rig renumber", "give every object a new id, with every reference, for a copy that stands beside a file",
               &renumber_rig),
      script_row(),
      rig_edit("rig to-game", "port a skeleton to another game; what the game does not support is dropped and reported",
               &to_game),
      hash_row(),
      learn_names_row(),
      table_row(),
  };
}

}  // namespace marrow
