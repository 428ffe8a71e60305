// SPDX-License-Identifier: MIT
#include "ops/table/rows.h"

#include <algorithm>

#include "ops/behavior/check.h"
#include "ops/body/rig.h"
#include "ops/clip/compress.h"
#include "ops/clip/mirror.h"
#include "ops/clip/sample.h"
#include "ops/files/check.h"
#include "ops/files/convert.h"
#include "ops/files/diff.h"
#include "ops/files/dump.h"
#include "ops/files/info.h"
#include "ops/retarget/retarget.h"
#include "ops/rig/simulate.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

InputInfo main_input(std::string_view role, std::string_view placeholder, std::string_view help) {
  return {.role = role, .placeholder = placeholder, .help = help, .is_main = true};
}

const std::vector<Format> kClipFormats = {Format::Hkx, Format::Xml, Format::Glb, Format::Gltf, Format::Csv};

// Returns how a call will be saved, before there is a document.
Result<SaveOptions> save_asked_for(const OperationCall& call, SaveOptions save) {
  if (const Json* word = call.options.find("format")) {
    FieldInfo info{.name = "format"};
    described::Traits<std::optional<Format>>::fill(info);
    MARROW_CHECK(described::Traits<std::optional<Format>>::set(save.format, *word, info));
  }
  return save;
}

Result<OperationResult> run_convert(OperationCall& call) {
  CallInputs inputs(call);
  MARROW_TRY(ConvertOptions options, options_of<ConvertOptions>(inputs));
  options.save.port = options.save.game.has_value();
  const auto given = inputs.given("file");
  if (given.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "file");
  if (options.units) options.save.units = *options.units;
  if (options.scale.is_auto && !options.skeleton)
    return fail(ErrorCode::BadOption, "auto needs a skeleton", kNoOffset, "scale");
  MARROW_TRY(Document document, inputs.own_document("file", load_options(options)));
  read_source_with(document, load_options(options));  // it may have been in memory
  // A large file is a third of the memory that writing it takes.
  for (const OperationInput* input : given)
    if (input->owner) *input->owner = std::vector<std::byte>();
  std::string because;
  if (options.only_wrong) {
    options.save.game = wrong_for(document, options, call.context, because);
    if (!options.save.game)
      return OperationResult{
          .report = to_json(ConvertReport{.format = document.format, .is_unchanged = true, .because = because})};
  }
  auto report = convert(document, options, call.context);
  if (!report) return std::unexpected(inputs.located(std::move(report.error()), document.name));
  OperationResult result;
  if (call.wants_files) {
    MARROW_TRY(result.files, save_for(call, document, options.save));
  }
  report->saved(document, result.files);
  report->because = std::move(because);
  result.report = to_json(*report);
  return result;
}

Operation convert_row() {
  OperationInfo info{
      .name = "convert",
      .summary = "rewrite files for another game or in another format; folders keep their tree",
      .details = "Several files into one .glb or .gltf are merged; clips of the same skeleton are kept together.",
      .inputs = {main_input("file", "IN", "files or folders")},
      .output = OutputKind::Document,
      .formats = written_formats()};
  return {complete<ConvertOptions, ConvertReport>(std::move(info)), &check_options<ConvertOptions>, &run_convert,
          becomes_output("file", &run_convert)};
}

Result<OperationResult> run_merge(OperationCall& call) {
  CallInputs inputs(call);
  MARROW_TRY(const MergeOptions options, options_of<MergeOptions>(inputs));
  SaveOptions save = options.save;
  if (options.units) save.units = *options.units;
  if (!save.format) save.format = Format::Glb;
  Document merged;
  MergeReport report;
  const auto add = [&](const OperationInput& input) -> Result<void> {
    MARROW_TRY(Document document, inputs.own_document(input, {.parts = Parts::None,
                                                              .frames_per_second = options.fps.value,
                                                              .own_rate = options.fps.is_own}));
    MARROW_CHECK(convert(document,
                         {.save = save,
                          .skeleton = options.skeleton,
                          .second_skeleton = options.second_skeleton,
                          .is_part_of_many = true},
                         call.context));
    return merge_into(merged, std::move(document));
  };
  for (const OperationInput* input : inputs.given("file")) {
    auto done = add(*input);
    if (done)
      ++report.files;
    else
      report.failed.push_back({input->name, to_json(done.error())});
  }
  if (!merged.bodies.empty()) {
    const std::array skeletons = {options.skeleton, options.second_skeleton};
    MARROW_CHECK(place_bodies(merged, skeletons, call.context));
    embed_textures(merged, options.textures, call.context);
  }
  OperationResult result;
  if (report.files > 0 && call.wants_files) {
    MARROW_TRY(result.files, save_for(call, merged, save));
  }
  result.report = to_json(report);
  return result;
}

Operation merge_row() {
  OperationInfo info{.name = "merge",
                     .summary = "put the skeletons and clips of several files into one glTF file",
                     .inputs = {{.role = "file", .placeholder = "IN", .help = "files or folders", .is_list = true}},
                     .output = OutputKind::Document,
                     .formats = {Format::Glb, Format::Gltf}};
  return {complete<MergeOptions, MergeReport>(std::move(info)), &check_options<MergeOptions>, &run_merge,
          becomes_output("file", &run_merge)};
}

Operation check_row() {
  OperationInfo info{.name = "check",
                     .summary = "report what would crash, T-pose or jitter in the game, before the game does",
                     .details =
                         "A fix repairs whatever has only one correct repair.\n"
                         "Exit 0 if nothing is wrong, 3 if there is an error or a warning, 1 if the format of a "
                         "file is not supported.",
                     .inputs = {main_input("file", "PATH", "files or folders")},
                     .output = OutputKind::Document,
                     .output_is_optional = true,
                     .output_flag = "fix",
                     .is_bounded = true};
  return {complete<CheckOptions, CheckReport>(std::move(info)), &check_options<CheckOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const CheckOptions options, options_of<CheckOptions>(inputs));
            const auto given = inputs.given("file");
            if (given.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "file");
            const OperationInput& file = *given.front();
            CheckedFile checked;
            if (file.document) {
              checked.document = *file.document;
            } else {
              MARROW_TRY(checked, load_to_check(file.bytes, file.name, call.context));
            }
            CheckReport report{checked.findings};
            if (checked.document) {
              MARROW_TRY(report, check(*checked.document, options, call.context));
            }
            OperationResult result;
            result.report = to_json(report);
            result.found = report.found();
            if (!call.wants_files) return result;
            if (!checked.document) {
              MARROW_TRY(checked.document,
                         without_dangling(file.bytes, file.name, std::move(checked.error), call.context));
            }
            MARROW_TRY(const Document document, fixed(*checked.document, options, call.context));
            MARROW_TRY(result.files, save_for(call, document, {.game = options.game}));
            // The written bytes count: writing sets counts and indices that the document still states.
            MARROW_TRY(CheckReport left, check(result.files.front().bytes, file.name, options, call.context));
            FixReport both{std::move(report.findings), std::move(left.findings)};
            result.report = to_json(both);
            result.found = both.found();
            return result;
          },
          // Repairs a document in memory; what cannot be repaired is what is left to be found.
          [](Document& document, OperationCall& call) -> Result<Json> {
            Json own = Json::object();  // a cure says `fix`, which here goes without saying
            for (const auto& [name, value] : call.options.members())
              if (name != "fix") own.set(name, value);
            OperationCall made{.options = own, .inputs = call.inputs, .context = call.context};
            CallInputs inputs(made);
            MARROW_TRY(const CheckOptions options, options_of<CheckOptions>(inputs));
            MARROW_TRY(CheckReport before, check(document, options, call.context));
            MARROW_TRY(document, fixed(document, options, call.context));
            MARROW_TRY(CheckReport left, check(document, options, call.context));
            return to_json(FixReport{std::move(before.findings), std::move(left.findings)});
          }};
}

Operation diff_row() {
  OperationInfo info{.name = "diff",
                     .summary = "compare two files by meaning; exit 3 if they differ",
                     .inputs = {{.role = "a", .placeholder = "A", .help = "a file"},
                                {.role = "b", .placeholder = "B", .help = "another file of the same kind"}}};
  return {complete<DiffOptions, DiffReport>(std::move(info)), &check_options<DiffOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(const DiffOptions options, options_of<DiffOptions>(inputs));
            MARROW_TRY(const Document* a, inputs.document("a", {.parts = Parts::None}));
            MARROW_TRY(const Document* b, inputs.document("b", {.parts = Parts::None}));
            auto report = diff(*a, *b, options, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), a->name));
            return OperationResult{.report = to_json(*report), .found = report->found()};
          }};
}

Operation info_row() {
  OperationInfo info_of_row{.name = "info",
                            .summary = "show what files contain: format, game, classes, skeletons, clips",
                            .inputs = {main_input("file", "PATH", "files or folders")},
                            .is_bounded = true};
  return {complete<InfoOptions, InfoReport>(std::move(info_of_row)), &check_options<InfoOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            const auto given = inputs.given("file");
            if (given.empty()) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "file");
            MARROW_TRY(const InfoOptions options, options_of<InfoOptions>(inputs));
            MARROW_TRY(const Document* document, inputs.document("file", {.parts = Parts::None}));
            MARROW_TRY(const InfoReport report, info(*document, options, call.context));
            return OperationResult{.report = to_json(report)};
          }};
}

Operation simulate_row() {
  OperationInfo info{
      .name = "simulate",
      .summary = "run bone modifiers over a clip or the rest pose, and bake the result",
      .details =
          "Presets: cape, chain, hair, ponytail, pouch, scabbard; colliders: body. "
          "docs/modifiers/sidecar.md explains\nhow to write more.\n"
          "CSV: frame,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz in local space. With a clip, frame 0 "
          "is settled;\nwithout one it is the rest pose.\n"
          "Results agree at every frame rate; docs/modifiers has a page per modifier.",
      .inputs = {},
      .output = OutputKind::Document,
      .formats = {Format::Csv, Format::Glb, Format::Gltf, Format::Hkx, Format::Xml},
      .output_is_optional = true,
      .extras = {{"save_modifiers", "sidecar", "write the modifiers there, to change them and use them again"},
                 {"plot", "plot", "draw angles and limits of bones over time there, as SVG", true}}};
  info = complete<SimulateOptions, SimulateReport>(std::move(info));
  info.inputs.push_back({.role = "clip",
                         .placeholder = "CLIP",
                         .help = "the animation (default: the rest pose); or several, or a folder, and OUT is one",
                         .is_positional = false,
                         .is_required = false,
                         .is_main = true});
  return {std::move(info), &check_options<SimulateOptions>,
          [](OperationCall& call) -> Result<OperationResult> {
            CallInputs inputs(call);
            MARROW_TRY(SimulateOptions options, options_of<SimulateOptions>(inputs));
            options.plot = std::ranges::find(call.extras, "plot") != call.extras.end();
            if (!options.plot && !options.plot_bones.empty())
              return fail(ErrorCode::BadOption, "needs a plot to be drawn in", kNoOffset, "plot_bone");
            if (!call.wants_files && !options.explain && !options.plot)
              return fail(ErrorCode::BadOption, "is missing; only an explanation or a plot goes without", kNoOffset,
                          "output");
            MARROW_TRY(SaveOptions save,
                       save_asked_for(
                           call, {.game = options.game, .show_bones = !options.hide_bones, .bound = options.bound}));
            Document document{.name = options.rig.skeleton->name};
            if (!inputs.given("clip").empty()) {
              MARROW_TRY(document,
                         inputs.own_document("clip", {.parts = Parts::Skeletons | Parts::Frames, .dense_clips = true}));
              if (document.clips.empty())
                return in_file({ErrorCode::NoClip, "the file contains no clip"}, document.name);
            }
            const std::string name = document.name;
            const Format usual = document.clips.empty() ? Format::Csv : Format::Hkx;
            auto report = simulate(document, options, save.format.value_or(usual), call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), name));
            OperationResult result;
            if (call.wants_files) {
              MARROW_TRY(result.files, save_for(call, document, save));
            }
            result.report = to_json(*report);
            return result;
          },
          [](Document& document, OperationCall& call) -> Result<Json> {
            CallInputs inputs(call);
            MARROW_TRY(const SimulateOptions options, options_of<SimulateOptions>(inputs));
            MARROW_CHECK(read_parts(document, Parts::Skeletons | Parts::Frames, call.context));
            if (document.clips.empty()) return in_file({ErrorCode::NoClip, "the file contains no clip"}, document.name);
            const std::string name = document.name;
            auto report = simulate(document, options, Format::Hkx, call.context);
            if (!report) return std::unexpected(inputs.located(std::move(report.error()), name));
            return to_json(*report);
          }};
}

}  // namespace

std::vector<Operation> file_rows() {
  return {info_row(),
          convert_row(),
          merge_row(),
          check_row(),
          diff_row(),
          prints({.name = "dump",
                  .summary = "print every object and field of a packfile or block of a NIF, with value and offset",
                  .inputs = {main_input("file", "FILE", "a packfile, binary or XML, or a NIF")},
                  .text_extension = ".txt"},
                 Parts::None, &dump)};
}

std::vector<Operation> animation_rows() {
  return {
      edits({.name = "retarget",
             .summary = "play clips on another skeleton, also of another game",
             .details = "Bones are mapped by name, by the names of Skyrim, Fallout 4, Anvil and HumanIK (Mixamo) rigs, "
                        "and by their place. The report lists which were mapped, guessed and left out.",
             .inputs = {main_input("clip", "CLIP", "files or folders with clips")},
             .formats = kClipFormats,
             .extras = {{"save_map", "map", "write the map that was used, to be edited and given again"}}},
            Parts::Skeletons | Parts::Frames, &retarget),
      prints({.name = "sample",
              .summary = "print the pose of every track of a clip at any frames, as CSV",
              .details = "Columns: frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz, and bone if the skeleton is given.\n"
                         "Numbers read back as the same bits.",
              .inputs = {main_input("clip", "CLIP", "animations; several, or a folder, with -o")},
              .text_extension = ".csv"},
             Parts::Skeletons | Parts::Clips, &sample),
      edits({.name = "compress",
             .summary = "encode clips again, smaller, within a bound on the error that you set",
             .details = "The error is the difference between what the game will decode and the original clip, at every "
                        "quarter of a frame. Events, root motion, bindings and all other objects stay unchanged.",
             .inputs = {main_input("clip", "CLIP", "clips, or folders of them")}},
            Parts::Clips, &compress),
      edits(
          {.name = "mirror",
           .summary = "swap left and right in clips",
           .details = "Bones are paired by their mirror bones (Anvil) or by names. Bones on one side only, such as "
                      "a\nweapon in the right hand, keep their own motion. FootLeft becomes FootRight in events, and\n"
                      "SyncLeft becomes SyncRight.",
           .inputs = {main_input("clip", "CLIP", "files or folders with clips")},
           .formats = kClipFormats},
          Parts::Skeletons | Parts::Frames, &mirror),
      simulate_row(),
  };
}

}  // namespace marrow
