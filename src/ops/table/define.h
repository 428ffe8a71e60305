// SPDX-License-Identifier: MIT
// How rows of the table of operations are made out of typed functions.
#pragma once

#include <concepts>
#include <deque>
#include <type_traits>

#include "core/try.h"
#include "ops/clip/choose_clip.h"
#include "ops/clip/edit.h"
#include "ops/document/as_saved.h"
#include "ops/document/origin.h"
#include "ops/table/operation.h"

namespace marrow {

/// The inputs of one call, parsed when they are asked for and alive until it returns.
class CallInputs {
 public:
  CallInputs(OperationCall& call) : call_(call) {}

  /// Returns the files that were given for a role.
  std::vector<const OperationInput*> given(std::string_view role) const;
  /// Parses the file of a role, or all of them. Fails with `BadOption` if a required one is missing.
  Result<const Document*> document(std::string_view role, const LoadOptions& options);
  Result<std::vector<const Document*>> documents(std::string_view role, const LoadOptions& options);
  /// The same as a value of the caller's own.
  Result<Document> own_document(std::string_view role, const LoadOptions& options);
  Result<Document> own_document(const OperationInput& input, const LoadOptions& options);
  /// Returns a document that has the parts, or a copy that does.
  Result<const Document*> with_parts(const Document& document, Parts parts);

  /// Gives an error the name of the file it is in: errors may name the role of an input; all others are in `main`.
  Error located(Error error, const std::string& main) const;

  /// Fills options from the call's JSON and inputs. `format` is not one of them: it belongs to saving.
  Result<void> fill(FieldList& fields);

 private:
  Result<const Document*> parsed(const OperationInput& input, LoadOptions options);
  Result<void> bind(FieldSlot& slot);

  OperationCall& call_;
  std::deque<Document> documents_;
};

/// Returns how the call asks for a document to be saved.
Result<SaveOptions> saving_of(const OperationCall& call, SaveOptions options);
/// Saves what an operation made, as the call asks for.
Result<std::vector<SavedFile>> save_for(const OperationCall& call, const Document& document, SaveOptions options);

/// Makes a document what running an operation on it writes: the edit of an operation whose result is another file.
/// `role` is the input that the document is.
std::function<Result<Json>(Document&, OperationCall&)> becomes_output(
    std::string_view role, std::function<Result<OperationResult>(OperationCall&)> run);

/// What a document is saved as is an option of every operation that writes one, and not one of its own fields.
Json without_format(FieldList& fields, const Json& options);

/// Fails unless the document is of a format that the operation takes.
Result<void> takes(std::string_view operation, const Document& document, bool is_taken);

template <class Options>
Result<Options> options_of(CallInputs& inputs) {
  Options options{};
  FieldList fields;
  describe(fields, options);
  MARROW_CHECK(inputs.fill(fields));
  return options;
}

template <class Options>
SaveOptions save_options_of(const Options& options) {
  SaveOptions save;
  if constexpr (requires { options.save; }) save = options.save;
  if constexpr (requires { options.game; }) save.game = options.game;
  if constexpr (requires { options.bound; }) save.bound = options.bound;
  return save;
}

/// Returns the skeleton that was given for clips; null if there is none.
template <class Options>
const Skeleton* clip_skeleton_of(const Options& options) {
  if constexpr (requires {
                  { options.skeleton } -> std::convertible_to<const Skeleton*>;
                })
    return options.skeleton;
  if constexpr (requires {
                  { options.choice.skeleton } -> std::convertible_to<const Skeleton*>;
                })
    return options.choice.skeleton;
  return nullptr;
}

/// Readies a document that was edited for the format that it is saved in.
template <class Options>
Result<void> ready_for_saving(const OperationCall& call, const Options& options, Document& document) {
  MARROW_TRY(const SaveOptions save, saving_of(call, save_options_of(options)));
  std::string clip;
  if constexpr (requires {
                  { options.edit } -> std::convertible_to<ClipEditOptions>;
                })
    clip = options.edit.clip;
  return fit_clips_to_format(document, saved_format(document, save), clip, clip_skeleton_of(options), call.context);
}

template <class Options>
LoadOptions load_options_of(const Options& options, Parts parts) {
  LoadOptions load{.parts = parts};
  if constexpr (requires { options.input_units; }) load.units = options.input_units;
  if constexpr (requires { options.source_fps; }) load.frames_per_second = options.source_fps;
  if constexpr (requires { options.parts(); }) load.parts = parts | options.parts();
  return load;
}

template <class Options>
Result<void> check_options(const Json& options) {
  Options checked{};
  FieldList fields;
  describe(fields, checked);
  return described::record_from(fields, without_format(fields, options));
}

/// Completes a row: options and report are described by their types.
template <class Options, class Report>
OperationInfo complete(OperationInfo info) {
  info.options = fields_of<Options>();
  info.report = fields_of<Report>();
  // Inputs that are fields of the options come after those of the row.
  for (const FieldInfo& field : info.options)
    if (field.type == FieldType::Input)
      info.inputs.push_back({.role = field.name,
                             .placeholder = field.text.placeholder,
                             .help = field.text.help,
                             .kind = field.input,
                             .is_positional = field.text.positional,
                             .is_required = field.text.required,
                             .is_list = field.is_list,
                             .is_pair = field.is_pair,
                             .parts = field.text.parts,
                             .builtin = field.text.builtin});
  std::erase_if(info.options, [](const FieldInfo& field) { return field.type == FieldType::Input; });
  return info;
}

/// An operation that reads one document and reports.
template <class Options, class Report>
Operation reads(OperationInfo info, Parts parts,
                Result<Report> (*function)(const Document&, const Options&, Context&)) {
  const std::string_view main = info.inputs.front().role;
  info.is_bounded = true;
  return {complete<Options, Report>(std::move(info)), &check_options<Options>,
          [=](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const Options options, options_of<Options>(inputs));
            MARROW_TRY(const Document* document, inputs.document(main, load_options_of(options, parts)));
            auto report = function(*document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document->name));
            OperationResult result;
            result.report = to_json(*report);
            if constexpr (requires { report->found(); }) result.found = report->found();
            return result;
          }};
}

/// An operation that changes a document, which is then saved.
template <class Options, class Report>
Operation edits(OperationInfo info, Parts parts, Result<Report> (*function)(Document&, const Options&, Context&)) {
  const std::string_view main = info.inputs.front().role;
  info.output = OutputKind::Document;
  return {complete<Options, Report>(std::move(info)), &check_options<Options>,
          [=](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const Options options, options_of<Options>(inputs));
            MARROW_TRY(Document document, inputs.own_document(main, load_options_of(options, parts)));
            if (!call.output_name.empty()) call.context.output_name = call.output_name;
            auto report = function(document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document.name));
            MARROW_CHECK(leave_motion_source(document, call.context));
            OperationResult result;
            if (call.wants_files) {
              MARROW_CHECK(ready_for_saving(call, options, document));
              MARROW_TRY(result.files, save_for(call, document, save_options_of(options)));
              if constexpr (requires { report->keeps_input(document, result.files, call.context); })
                if (const std::span<const std::byte> given = inputs.given(main).front()->bytes;
                    !given.empty() && report->keeps_input(document, result.files, call.context))
                  result.files.front().bytes.assign(given.begin(), given.end());
            }
            if constexpr (requires { report->saved(document, result.files); }) report->saved(document, result.files);
            result.report = to_json(*report);
            if constexpr (requires { report->found(); }) result.found = report->found();
            return result;
          },
          [=](Document& document, OperationCall& call) -> Result<Json> {
            CallInputs inputs(call);
            MARROW_TRY(const Options options, options_of<Options>(inputs));
            MARROW_CHECK(settle(document, call.context));
            MARROW_CHECK(read_parts(document, load_options_of(options, parts).parts, call.context));
            if (!call.output_name.empty()) call.context.output_name = call.output_name;
            auto report = function(document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document.name));
            MARROW_CHECK(leave_motion_source(document, call.context));
            return to_json(*report);
          }};
}

/// An operation that turns a document into a text.
template <class Options, class Report>
Operation prints(OperationInfo info, Parts parts,
                 Result<Report> (*function)(const Document&, const Options&, Context&)) {
  const std::string_view main = info.inputs.front().role;
  info.output = OutputKind::Text;
  return {complete<Options, Report>(std::move(info)), &check_options<Options>,
          [=](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const Options options, options_of<Options>(inputs));
            LoadOptions load = load_options_of(options, parts);
            // What is needed may depend on what the document is.
            if constexpr (requires(const Document& document) { options.parts_of(document); }) load.parts = Parts::None;
            MARROW_TRY(const Document* document, inputs.document(main, load));
            if constexpr (requires { options.parts_of(*document); }) {
              MARROW_TRY(document, inputs.with_parts(*document, options.parts_of(*document)));
            }
            auto report = function(*document, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), document->name));
            OperationResult result;
            if (call.wants_files) result.files.push_back(report->text());
            if (call.wants_report) result.report = to_json(*report);
            return result;
          }};
}

}  // namespace marrow
