// SPDX-License-Identifier: MIT
#include "runner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <new>
#include <span>

#include "core/hash.h"
#include "host.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "progress.h"
#include "store.h"
#include "text.h"

namespace marrow::cli {
namespace {

// What a file of a folder may lack without being at fault.
bool is_out_of_place(const Error& error, const std::string& file) {
  const bool is_lacking = error.code == ErrorCode::NoClip || error.code == ErrorCode::NoCollision ||
                          error.code == ErrorCode::NoSkeleton || error.code == ErrorCode::WrongKind;
  return is_lacking && error.file == file;
}

Outcome failed(Error error, const std::string& name, Outcome outcome = {}) {
  if (error.file.empty()) error.file = name;
  outcome.json = Json();
  outcome.json.set("path", name).set("error", to_json(error));
  outcome.error = std::move(error);
  return outcome;
}

// File names may have line ends, which would look like lines of the report.
ReportPlace place_to_print(ReportPlace place) {
  place.path = printable(place.path);
  place.output = printable(place.output);
  return place;
}

/// What is written may be larger than what is read by as much as options ask for: frames, rounds, pixels.
constexpr std::size_t kMoreIfAsked = 8;

bool asks_for_more(const Command& command) {
  constexpr std::array kAsking = {"fps", "times", "seconds", "length", "size"};
  if (command.info().is_bounded) return false;
  const bool lists_frames = command.info().name == "sample" && !command.options.contains("frames");
  return lists_frames || std::ranges::any_of(kAsking, [&](const char* name) { return command.options.contains(name); });
}

// All the work on a file may take what reading it may. Archives are read piece by piece, each with a bound of its own.
void bound_memory(const Command& command, std::span<const OperationInput> inputs, const Limits& limits,
                  MemoryAccount& account) {
  std::size_t size = 0;
  for (const OperationInput& each : inputs) {
    if (each.source) return;
    size += each.bytes.size();
  }
  const std::size_t bound = limits.most_memory(size);
  account.lower_cap(asks_for_more(command) ? kMoreIfAsked * bound : bound);
}

// Files that an operation names below the output folder, as paths.
Json with_outputs(const Json& report, const std::string& folder) {
  Json placed = Json::object(), files = Json::array();
  for (const Json& file : report["files"].items()) {
    Json each = file;
    if (each["output"].is_text()) each.set("output", folder + "/" + each["output"].text());
    files.push(std::move(each));
  }
  for (const auto& [key, value] : report.members()) placed.set(key, key == "files" ? files : value);
  return placed;
}

// The texts of a report that the command wants as files of their own. They refer to both.
Result<std::vector<FileToWrite>> extras_of(const Command& command, const Json& report) {
  std::vector<FileToWrite> extras;
  for (const ExtraOutput& extra : command.info().extras) {
    const auto path = command.extras.find(extra.option);
    if (path == command.extras.end()) continue;
    const Json& text = report[extra.field];
    if (!text.is_text())
      return fail(ErrorCode::BadOption, "there is nothing to save", kNoOffset, std::string(extra.option));
    extras.push_back({.path = path_of_text(path->second), .bytes = as_bytes(text.text())});
  }
  return extras;
}

}  // namespace

Error memory_error(const MemoryAccount& account) {
  if (!account.is_exceeded()) return {ErrorCode::LimitExceeded, "there is not enough memory for it"};
  const std::size_t kilobytes = account.exceeded() >> 10, megabytes = kilobytes >> 10;
  const std::string size = megabytes > 0 ? std::to_string(megabytes) + " MB" : std::to_string(kilobytes) + " KB";
  return {ErrorCode::LimitExceeded,
          "it takes more than " + size + " of memory, which is the limit for a file of its size (--max-memory)"};
}

Outcome Runner::run(const Input& input) const {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  const std::string name = text_of_path(input.path());
  MemoryAccount account(base_.limits.max_expanded_bytes);
  try {
    const CountMemory counted(&account);
    outcome = try_run(input, account);
  } catch (const std::bad_alloc&) {
    outcome = failed(memory_error(account), name);
  } catch (const std::exception& error) {
    outcome = failed({ErrorCode::Io, error.what()}, name);
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

Outcome Runner::try_run(const Input& input, MemoryAccount& account) const {
  const InputInfo* main = main_input(command_.info());
  const std::string name = text_of_path(input.path());
  Outcome outcome;
  Context context = base_;
  context.cap_memory = [&account](std::size_t bytes) { account.cap_more(bytes); };
  std::deque<std::vector<std::byte>> kept;
  if (input.problem) return failed(*input.problem, name);
  auto inputs = sides_.for_input(input, kept);
  if (!inputs) return failed(std::move(inputs.error()), name);
  if (main && main->kind == InputKind::Bytes) {
    auto source = open_source(input.path());
    if (!source) return failed(std::move(source.error()), name);
    inputs->push_back({.role = main->role, .name = name, .source = std::move(*source)});
  } else if (main && command_.files.contains(main->role)) {
    auto bytes = read_any(input.path(), context.limits);
    if (!bytes) return failed(std::move(bytes.error()), name);
    if (command_.report) outcome.input_hash = Hash64().add(*bytes).text();
    kept.push_back(std::move(*bytes));
    inputs->push_back({.role = main->role, .name = name, .bytes = kept.back(), .owner = &kept.back()});
  }
  if (!command_.max_memory) bound_memory(command_, *inputs, context.limits, account);
  std::unique_ptr<Progress> progress;
  if (!is_many_) {
    progress = std::make_unique<Progress>(1000, command_.quiet, "");
    context.progress = [&](double share) { return progress->reach(share), true; };
  }
  const Json options = outputs_.options_for(input);
  const bool prints = command_.info().output == OutputKind::Text && !outputs_.are_wanted();
  OperationCall call{.options = options,
                     .inputs = *inputs,
                     .context = context,
                     .wants_files = outputs_.are_wanted() || (prints && !wants_report()),
                     .wants_report = wants_report(),
                     .output_name = outputs_.stem_for(input)};
  for (const auto& [option, path] : command_.extras) call.extras.push_back(option);
  if (command_.info().output == OutputKind::Files) call.put = [&](const SavedFile& file) { return outputs_.put(file); };
  auto result = command_.operation->run(call);
  progress.reset();
  context.notes.tell_hidden();
  for (const Note& note : context.notes) outcome.notes.push_back(note_line(note, name));
  if (!result) {
    if (!input.is_from_folder || !is_out_of_place(result.error(), name))
      return failed(std::move(result.error()), name, std::move(outcome));
    outcome.is_skipped = true;
    outcome.notes = {{escaped(name + ": " + result.error().message + "; skipped"), result.error().message}};
    return outcome;
  }
  return finished(input, name, std::move(*result), context, std::move(outcome));
}

Outcome Runner::finished(const Input& input, const std::string& name, OperationResult result, const Context& context,
                         Outcome outcome) const {
  ReportPlace place{.path = name, .output = {}, .is_one_of_many = is_many_, .lists_all = command_.all};
  outcome.found = result.found;
  const auto extras = extras_of(command_, result.report);
  if (!extras) return failed(extras.error(), name, std::move(outcome));
  if (outputs_.are_wanted() && !result.files.empty()) {
    auto written = outputs_.write(input, result.files, *extras);
    if (!written) return failed(std::move(written.error()), name, std::move(outcome));
    place.output = outputs_.are_printed() ? "" : text_of_path(*written);
    outcome.output = place.output;
  } else if (auto written = outputs_.write_extras(*extras); !written) {
    return failed(std::move(written.error()), name, std::move(outcome));
  } else if (command_.info().output == OutputKind::Text && !outputs_.are_wanted() && !result.files.empty()) {
    outcome.text = as_text(result.files.front().bytes);
    // A pipe gets the text as it is; a terminal would obey what is in it.
    if (stdout_is_terminal()) outcome.text = escaped(outcome.text, true);
  }
  if (command_.info().output == OutputKind::Folder) result.report = with_outputs(result.report, place.output);
  const bool is_of_folder = command_.info().output == OutputKind::Files;
  if (is_of_folder) place.output = outcome.output = text_of_path(outputs_.folder());
  for (const Json& each : result.report["failed"].items()) {
    const Json& error = each["error"];
    std::string line = each["path"].text() + ": " + error["message"].text();
    // Of an archive the offset is its own.
    if (is_of_folder)
      line = name + ":" + (error["offset"].is_number() ? std::to_string(error["offset"].integer()) + ":" : "") + " " +
             line;
    outcome.failed.push_back(escaped(line));
  }
  const bool is_summary = !place.output.empty() && command_.info().name != "check";
  if (const Wording wording = find_wording(command_.info().name);
      wording && outcome.text.empty() && !outputs_.are_printed() && !(command_.quiet && is_summary))
    outcome.text = wording(place_to_print(place), escaped_report(result.report));
  // After the words: the report of an archive is large, and two copies of it at a time are enough.
  outcome.json = json_of(name, place.output, result.report, context);
  return outcome;
}

Json Runner::json_of(const std::string& name, const std::string& output, const Json& report,
                     const Context& context) const {
  const auto element = [&](const Json& fields) {
    Json json = Json::object();
    if (main_input(command_.info())) json.set("path", name);
    for (const auto& [key, value] : fields.members()) json.set(key, value);
    if (command_.info().output == OutputKind::Document) json.set("output", output.empty() ? Json() : Json(output));
    return json;
  };
  const std::string_view rows = command_.info().rows;
  if (!rows.empty()) {
    Json list = Json::array();
    for (const Json& each : report[rows].items()) list.push(element(each));
    return list;
  }
  Json json = element(report);
  if (!context.notes.empty()) {
    Json notes = Json::array();
    for (const Note& note : context.notes) notes.push(to_json(note));
    json.set("notes", std::move(notes));
  }
  return json;
}

}  // namespace marrow::cli
