// SPDX-License-Identifier: MIT
#include "ops/behavior/run.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "behavior/graph.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/behavior/project_folder.h"
#include "ops/behavior/run_clip.h"
#include "ops/behavior/source.h"
#include "ops/table/csv.h"

namespace marrow {
namespace {

using PackfilePointer = std::shared_ptr<const havok::Packfile>;

behavior::RunAnimation run_animation(const Clip& clip) {
  behavior::RunAnimation animation{.duration_seconds = clip.duration_seconds};
  for (const AnnotationTrack& track : clip.annotation_tracks)
    for (const Annotation& each : track.annotations) animation.events.emplace_back(each.time_seconds, each.text);
  return animation;
}

/// What is walked, and the rig of its character.
struct Walked {
  PackfilePointer file;
  std::string rig = {};  ///< empty: no character was given
};

// The behaviour that is walked: the file itself, or that of the first character of a project.
Result<Walked> walked_of(PackfilePointer file, const ProjectFolder& folder, const std::string& name) {
  Walked walked;
  behavior::FileKind kind = behavior::kind_of(*file);
  if (kind == behavior::FileKind::Project) {
    const std::vector<std::string> characters = behavior::read_project(*file);
    file = characters.empty() ? nullptr : folder.packfile(characters.front());
    if (!file)
      return in_file(
          {ErrorCode::NotFound, "the character " + (characters.empty() ? std::string() : characters.front()) +
                                    " is not below the folder of the project"},
          name);
    kind = behavior::kind_of(*file);
  }
  if (kind == behavior::FileKind::Character) {
    const behavior::Character character = behavior::read_character(*file);
    walked.rig = character.rig.value_or("");
    const std::string wanted = character.behavior.value_or("");
    file = folder.packfile(wanted);
    if (!file)
      return in_file({ErrorCode::NotFound, "the behaviour " + wanted + " is not below the folder of the project"},
                     name);
    kind = behavior::kind_of(*file);
  }
  if (kind != behavior::FileKind::Behavior)
    return in_file({ErrorCode::WrongKind, "the file holds no behaviour graph"}, name);
  walked.file = std::move(file);
  return walked;
}

// The skeleton that was given, or the character's own.
Result<const Document*> rig_of(const Walked& walked, const BehaviorRunOptions& options, ProjectFolder& folder,
                               const std::string& name, Context& context) {
  if (options.skeleton) return options.skeleton;
  const auto rig = walked.rig.empty() ? nullptr : folder.document(walked.rig);
  if (!rig)
    return in_file(
        {ErrorCode::NeedsSkeleton,
         walked.rig.empty() ? "a behaviour has no rig; name the project, or a skeleton"
                            : "the rig " + walked.rig + " is not below the folder of the project; name a skeleton"},
        name);
  context.held.push_back(rig);
  return rig.get();
}

Result<SavedFile> saved_clip(const Document& clip, const BehaviorRunOptions& options, Context& context) {
  constexpr std::array<Format, 4> kFormats = {Format::Csv, Format::Hkx, Format::Xml, Format::Glb};
  const SaveOptions save_options{.format = kFormats[static_cast<std::size_t>(options.format)],
                                 .game = clip.game ? clip.game : std::optional(Game::SkyrimSe)};
  MARROW_TRY(std::vector<SavedFile> files, save(clip, save_options, context));
  return std::move(files.front());
}

Result<std::vector<behavior::RunEvent>> events_of(const std::vector<std::string>& texts) {
  std::vector<behavior::RunEvent> events;
  for (const std::string& text : texts)
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string_view each = trim(std::string_view(text).substr(from, comma - from));
      from = comma + 1;
      if (each.empty()) continue;
      const std::size_t at = each.find_last_of('@');
      const auto seconds = at == std::string_view::npos ? std::optional(0.0) : parse_double(each.substr(at + 1));
      if (!seconds || !(*seconds >= 0.0) || *seconds > 1e6)
        return fail(ErrorCode::BadOption, "\"" + std::string(each) + "\" is not NAME@SECONDS", kNoOffset, "events");
      events.push_back({std::string(each.substr(0, at)), *seconds});
    }
  return events;
}

Result<std::vector<std::pair<std::string, double>>> variables_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string_view value =
        equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1);
    std::optional<double> number = parse_double(value);
    if (equal_ignoring_case(value, "true")) number = 1.0;
    if (equal_ignoring_case(value, "false")) number = 0.0;
    if (!number || !std::isfinite(static_cast<float>(*number)) || equals == 0)
      return fail(ErrorCode::BadOption, "\"" + text + "\" is not NAME=NUMBER", kNoOffset, "set");
    variables.emplace_back(text.substr(0, equals), *number);
  }
  return variables;
}

void append_seconds(std::string& out, double value) {
  // A microsecond is finer than any game; floats would show the noise of 1/30.
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6f", value);
  std::string_view view(text.data());
  while (view.ends_with('0')) view.remove_suffix(1);
  if (view.ends_with('.')) view.remove_suffix(1);
  out += view == "-0" ? "0" : view;
}

std::string csv_of(const behavior::RunResult& result) {
  std::string csv = "time,machine,state,clip,clip_time,weight\n";
  for (const behavior::RunRow& row : result.rows) {
    append_seconds(csv, row.seconds);
    for (const std::string& text : {row.machine, row.state, row.clip}) {
      csv += ',';
      append_csv_text(csv, text);
    }
    for (const double number : {row.clip_seconds, row.weight}) {
      csv += ',';
      append_seconds(csv, number);
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace

void describe(FieldList& fields, BehaviorRunOptions& options) {
  fields("events", options.events,
         {.help = "events and when they arrive, joined by commas", .placeholder = "NAME@SECONDS"});
  fields("set", options.variables, {.help = "start value of a variable", .placeholder = "NAME=VALUE"});
  fields("seconds", options.seconds, {.help = "how long it runs", .unit = "seconds", .min = 0, .max = 100000});
  fields("fps", options.fps, {.help = "rows or frames per second", .min = 0, .max = 1000, .above_min = true});
  fields("format", options.format, {.help = "rows, or one clip that all that plays is blended into"});
  fields.input("skeleton", options.skeleton,
               {.help = "of the clip", .placeholder = "FILE", .otherwise = "the character's rig"});
}

void describe(FieldList& fields, RunChangeReport& change) {
  fields("time", change.time, {.unit = "seconds"});
  fields("machine", change.machine);
  fields("from", change.from, {.help = "state"});
  fields("to", change.to, {.help = "state"});
  fields("event", change.event);
}

void describe(FieldList& fields, RunEventReport& event) {
  fields("time", event.time, {.unit = "seconds"});
  fields("event", event.event);
  fields("sender", event.sender, {.help = "clip or state; empty: from outside"});
}

void describe(FieldList& fields, BehaviorRunReport& report) {
  fields("rows", report.rows, {.help = "number of rows"});
  fields("changes", report.changes, {.help = "of state"});
  fields("sent", report.sent, {.help = "all events"});
  fields("not_evaluated", report.not_evaluated, {.help = "what the graph has and the run leaves out"});
}

Result<BehaviorRunReport> run_behavior(const Document& document, const BehaviorRunOptions& options, Context& context) {
  MARROW_TRY(const PackfilePointer given, behavior_file(document, context));
  ProjectFolder folder(document.name, behavior::kind_of(*given), context);
  MARROW_TRY(const Walked walked, walked_of(given, folder, document.name));
  behavior::RunOptions run{.seconds = options.seconds, .frames_per_second = options.fps};
  MARROW_TRY(run.events, events_of(options.events));
  MARROW_TRY(run.variables, variables_of(options.variables));
  const behavior::RunFiles files{
      .behavior = [&](const std::string& name) { return folder.packfile(name); },
      .animation = [&](const std::string& name) -> std::optional<behavior::RunAnimation> {
        const auto found = folder.document(name);
        return found && !found->clips.empty() ? std::optional(run_animation(found->clips.front().clip)) : std::nullopt;
      }};
  MARROW_TRY(const behavior::RunResult result, behavior::run_behavior(walked.file, files, run));
  BehaviorRunReport report{.rows = result.rows.size(), .not_evaluated = result.not_evaluated};
  for (const behavior::RunChange& each : result.changes)
    report.changes.push_back({each.seconds, each.machine, each.from, each.to, each.event});
  for (const behavior::RunSent& each : result.sent) report.sent.push_back({each.seconds, each.event, each.sender});
  if (options.format == RunFormat::Csv) {
    const std::string csv = csv_of(result);
    const auto bytes = as_bytes(csv);
    report.file = {.extension = ".csv", .bytes = {bytes.begin(), bytes.end()}};
  } else {
    MARROW_TRY(const Document* rig, rig_of(walked, options, folder, document.name, context));
    MARROW_TRY(const Document clip, clip_of_run(result, options.fps, *rig, folder, context));
    MARROW_TRY(report.file, saved_clip(clip, options, context));
  }
  for (const std::string& each : result.not_evaluated) context.note("not evaluated: " + each);
  return report;
}

}  // namespace marrow
