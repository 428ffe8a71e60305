// SPDX-License-Identifier: MIT
#include "archive/check.h"
#include "ops/archive/archive.h"
#include "ops/document/tree_name.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

std::shared_ptr<const ByteSource> source_of(const OperationInput& input) {
  return input.source ? input.source : std::make_shared<const ByteSourceView>(input.bytes);
}

/// What `check` finds in an archive.
struct CheckArchiveOptions {};
void describe(FieldList&, CheckArchiveOptions&) {}

Result<archive::Archive> archive_of(CallInputs& inputs, OperationCall& call) {
  const auto given = inputs.given("archive");
  if (given.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "archive");
  auto archive = archive::open_archive(source_of(*given.front()), call.context.limits);
  if (!archive) return in_file(std::move(archive.error()), given.front()->name);
  return archive;
}

InputInfo archives() {
  return {.role = "archive",
          .placeholder = "ARCHIVE",
          .help = "BSA or BA2 files, or folders with them",
          .kind = InputKind::Bytes,
          .is_main = true};
}

Operation list_row() {
  OperationInfo info{.name = "archive list",
                     .summary = "list the files in BSA and BA2 archives, without unpacking them",
                     .inputs = {archives()}};
  return {complete<ListArchiveOptions, ListArchiveReport>(std::move(info)), &check_options<ListArchiveOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const ListArchiveOptions options, options_of<ListArchiveOptions>(inputs));
            ListArchiveReport report;
            {
              MARROW_TRY(const archive::Archive archive, archive_of(inputs, call));
              report = list_archive(archive, options);
            }  // its tables are as large as the report
            return OperationResult{.report = to_json(report)};
          }};
}

Operation extract_row() {
  OperationInfo info{
      .name = "archive extract",
      .summary = "unpack the files of an archive into a folder",
      .details =
          "A name that would leave the folder is refused, and so is a file that differs from an "
          "earlier one in case\nonly; the others are extracted.",
      .inputs = {{.role = "archive", .placeholder = "ARCHIVE", .help = "a BSA or BA2 file", .kind = InputKind::Bytes}},
      .output = OutputKind::Files};
  return {complete<ExtractArchiveOptions, ExtractArchiveReport>(std::move(info)), &check_options<ExtractArchiveOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const ExtractArchiveOptions options, options_of<ExtractArchiveOptions>(inputs));
            MARROW_TRY(const archive::Archive archive, archive_of(inputs, call));
            OperationResult result;
            std::uint64_t held = 0;
            const auto keep = [&](SavedFile file) -> Result<void> {
              held += file.bytes.size();
              if (held > call.context.limits.max_expanded_bytes)
                return fail(ErrorCode::LimitExceeded, "all files together take more memory than allowed");
              if (call.wants_files) result.files.push_back(std::move(file));
              return {};
            };
            MARROW_TRY(const ExtractArchiveReport report,
                       call.put ? extract_archive(archive, options, call.context, call.put)
                                : extract_archive(archive, options, call.context, keep));
            result.report = to_json(report);
            return result;
          }};
}

Operation check_archive_row() {
  OperationInfo info{
      .name = "archive check",
      .summary = "report what would make the game lose files of an archive",
      .details =
          "Looks at order, hashes, names and sizes, and unpacks every file, but does not look at what is "
          "in them.\n"
          "Exit 0 if nothing is wrong, 3 if there is an error or a warning.",
      .inputs = {archives()}};
  return {complete<CheckArchiveOptions, CheckReport>(std::move(info)), &check_options<CheckArchiveOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const archive::Archive archive, archive_of(inputs, call));
            const CheckReport report{archive::check_archive(archive, call.context.limits)};
            return OperationResult{.report = to_json(report), .found = report.found()};
          }};
}

Operation pack_row() {
  OperationInfo info{
      .name = "archive pack",
      .summary = "pack a folder into an archive that the game loads",
      .details =
          "The same files give the same bytes on every machine. The game loads an archive by the name of a "
          "plugin:\nName.bsa with Name.esp, Name - Main.ba2 with Name.esp. Offsets end at 2 GiB: a larger folder "
          "is refused.",
      .inputs = {{.role = "file",
                  .placeholder = "FOLDER",
                  .help = "a folder, packed with the paths below it",
                  .kind = InputKind::Bytes,
                  .is_list = true}},
      .output = OutputKind::File,
      .extensions = {".bsa", ".ba2"}};
  return {complete<PackArchiveOptions, PackArchiveReport>(std::move(info)), &check_options<PackArchiveOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const PackArchiveOptions options, options_of<PackArchiveOptions>(inputs));
            std::vector<FileToPack> files;
            for (const OperationInput* input : inputs.given("file"))
              files.push_back({std::string(split_tree_name(input->name).below), source_of(*input)});
            OperationResult result;
            PackArchiveReport report;
            MARROW_TRY(SavedFile packed, pack_archive(files, options, call.context, report));
            if (call.wants_files) result.files.push_back(std::move(packed));
            result.report = to_json(report);
            return result;
          }};
}

}  // namespace

std::vector<Operation> archive_rows() { return {list_row(), extract_row(), check_archive_row(), pack_row()}; }

}  // namespace marrow
