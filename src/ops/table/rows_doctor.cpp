// SPDX-License-Identifier: MIT
#include "ops/document/tree_name.h"
#include "ops/files/doctor.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

Operation doctor_row() {
  OperationInfo info{
      .name = "doctor",
      .summary =
          "examine a mod folder on one page: what is in it, for which game, what would crash, T-pose or be ignored",
      .details =
          "Without a folder: what this installation can do.\n"
          "Exit 0 if nothing is wrong, 3 if there is an error or a warning.",
      .inputs = {{.role = "file",
                  .placeholder = "FOLDER",
                  .help = "a folder or an archive, with the paths that the game will see",
                  .kind = InputKind::Bytes,
                  .is_required = false,
                  .is_list = true}}};
  return {complete<DoctorOptions, DoctorReport>(std::move(info)), &check_options<DoctorOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const DoctorOptions options, options_of<DoctorOptions>(inputs));
            std::vector<ExaminedFile> files;
            for (const OperationInput* each : inputs.given("file")) {
              const TreeName name = split_tree_name(each->name);
              files.push_back({std::string(name.below),
                               each->source ? each->source : std::make_shared<const ByteSourceView>(each->bytes),
                               std::string(name.folder)});
            }
            MARROW_TRY(const DoctorReport report, examine(files, options, call.context));
            return OperationResult{.report = to_json(report), .found = report.found()};
          }};
}

}  // namespace

std::vector<Operation> doctor_rows() { return {doctor_row()}; }

}  // namespace marrow
