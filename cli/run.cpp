// SPDX-License-Identifier: MIT
#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <memory>
#include <thread>

#include "files.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "output.h"
#include "progress.h"
#include "text.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

/// What one file gave. Text and JSON are printed in the order of the inputs, whatever the order of the work.
struct Outcome {
  std::string text;                 ///< for people, to stdout
  Json json;                        ///< for programs, with --json
  std::optional<Error> error;       ///< makes the file a failed one
  std::vector<std::string> failed;  ///< lines for further inputs that failed
  std::vector<std::string> notes;   ///< to stderr, without failing
  bool is_skipped = false;          ///< the verb has nothing to do with this file of a folder
  bool found = false;
};

// How each kind of mistake is cured on a command line.
std::string_view cure(const Error& error, const OperationInfo& info) {
  switch (error.code) {
    case ErrorCode::NeedsSkeleton: return "give it with --skeleton FILE";
    case ErrorCode::NeedsGame: return info.name == "convert" ? "give --to GAME" : "give --game GAME, or write .glb";
    case ErrorCode::NeedsChoice:
      if (info.name == "simulate") return "name it with --bone";
      return error.path == "block" ? "say which with --block N" : "choose with --clip, or give a folder for all";
    default: return {};
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F)
      out += c;
    else
      out += fmt::format("\\x{:02x}", byte);
  }
  return out;
}

// `file:offset: path: message`, the form of every error line.
std::string error_line(const Error& error, const OperationInfo& info) {
  std::string line = error.file + ":" + (error.offset == kNoOffset ? " " : "") + describe(error);
  if (const std::string_view how = cure(error, info); !how.empty()) line += "; " + std::string(how);
  return escaped(line);
}

std::string note_line(const Note& note, const std::string& file) {
  Error error{ErrorCode::Malformed, note.message, note.offset, note.path, note.file.empty() ? file : note.file};
  return escaped(error.file + ":" + (error.offset == kNoOffset ? " " : "") + describe(error));
}

// What a file of a folder may lack without being at fault.
bool is_out_of_place(const Error& error, const std::string& file) {
  const bool is_lacking = error.code == ErrorCode::NoClip || error.code == ErrorCode::NoCollision ||
                          error.code == ErrorCode::NoSkeleton || error.code == ErrorCode::WrongKind;
  return is_lacking && error.file == file;
}

/// The files beside the main input, read and parsed once for the whole run.
class SideInputs {
 public:
  SideInputs(const Command& command, Context& context) : command_(command) {
    const InputInfo* main = main_input(command.info());
    for (const InputInfo& info : command.info().inputs)
      if (&info != main)
        if (const auto found = command.files.find(info.role); found != command.files.end())
          for (const std::string& path : found->second) add(info, path, context);
  }

  const std::optional<Error>& error() const { return error_; }

  /// Returns the inputs of one run; a text input that is a folder gives the file of the same name in it.
  Result<std::vector<OperationInput>> for_input(const Input& input, std::deque<std::vector<std::byte>>& kept) const {
    std::vector<OperationInput> inputs = inputs_;
    for (const auto& [info, folder] : folders_) {
      const fs::path path = (folder / input.relative).replace_extension(".txt");
      auto bytes = read_file(path);
      if (!bytes) return in_file(std::move(bytes.error()), text_of_path(path));
      kept.push_back(std::move(*bytes));
      inputs.push_back({.role = info->role, .name = text_of_path(path), .bytes = kept.back()});
    }
    return inputs;
  }

 private:
  void add(const InputInfo& info, const std::string& text, Context& context) {
    std::error_code ignored;
    const fs::path path = path_of_text(text);
    if (info.kind == InputKind::Text && !info.is_list && fs::is_directory(path, ignored)) {
      folders_.emplace_back(&info, path);
      return;
    }
    if (info.is_list) {
      for (const Input& input : expand_inputs({text})) read(info, input.path, context);
      return;
    }
    if (info.builtin && !fs::exists(path, ignored) && !text.empty() && !info.builtin(text).empty()) {
      inputs_.push_back({.role = info.role, .name = text});
      return;
    }
    read(info, path, context);
  }

  void read(const InputInfo& info, const fs::path& path, Context& context) {
    const std::string name = text_of_path(path);
    auto bytes = read_file(path);
    if (bytes && bytes->empty()) bytes = fail(ErrorCode::Truncated, "the file is empty", 0);
    if (!bytes) {
      if (info.builtin) bytes.error().message += "; presets are " + std::string(info.builtin({}));
      if (!error_) error_ = in_file(std::move(bytes.error()), name).error();
      return;
    }
    bytes_.push_back(std::move(*bytes));
    OperationInput input{.role = info.role, .name = name, .bytes = bytes_.back()};
    const bool is_mesh = info.role == "mesh" || (info.role == "file" && info.is_list);
    if (info.kind != InputKind::Text && !is_mesh) {
      auto document = load(bytes_.back(), {.name = name, .parts = info.parts}, context);
      if (document && info.kind == InputKind::Skeleton && !main_skeleton(*document))
        document = std::unexpected(main_skeleton(*document).error());
      if (!document) {
        if (!error_) error_ = std::move(document.error());
        return;
      }
      documents_.push_back(std::move(*document));
      input.document = &documents_.back();
    }
    inputs_.push_back(std::move(input));
  }

  const Command& command_;
  std::vector<OperationInput> inputs_;
  std::vector<std::pair<const InputInfo*, fs::path>> folders_;
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<Document> documents_;
  std::optional<Error> error_;
};

class Runner {
 public:
  Runner(const Command& command, const SideInputs& sides, const Outputs& outputs, const Context& base, bool is_many)
      : command_(command), sides_(sides), outputs_(outputs), base_(base), is_many_(is_many) {}

  Outcome run(const Input& input) const {
    const InputInfo* main = main_input(command_.info());
    const std::string name = text_of_path(input.path);
    Outcome outcome;
    Context context = base_;
    std::deque<std::vector<std::byte>> kept;
    const auto failed = [&](Error error) {
      if (error.file.empty()) error.file = name;
      outcome.json.set("path", name).set("error", to_json(error));
      outcome.error = std::move(error);
      return std::move(outcome);
    };
    auto inputs = sides_.for_input(input, kept);
    if (!inputs) return failed(std::move(inputs.error()));
    const bool has_main = main && command_.files.contains(main->role);
    if (has_main) {
      auto bytes = read_file(input.path, context.limits);
      if (!bytes) return failed(std::move(bytes.error()));
      kept.push_back(std::move(*bytes));
      inputs->push_back({.role = main->role, .name = name, .bytes = kept.back()});
    }
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
    auto result = command_.operation->run(call);
    progress.reset();
    for (const Note& note : context.notes) outcome.notes.push_back(note_line(note, name));
    if (!result) {
      if (input.is_from_folder && is_out_of_place(result.error(), name)) {
        outcome.is_skipped = true;
        outcome.notes = {escaped(name + ": " + result.error().message + "; skipped")};
        return outcome;
      }
      return failed(std::move(result.error()));
    }
    return told(input, name, std::move(*result), context, std::move(outcome));
  }

 private:
  bool wants_report() const { return command_.json && !prints_json_text(); }
  // `dump --json` prints the text itself, which is JSON.
  bool prints_json_text() const { return command_.options["format"].text() == "json" && command_.info().name == "dump"; }

  Outcome told(const Input& input, const std::string& name, OperationResult result, const Context& context,
               Outcome outcome) const {
    ReportPlace place{.path = name, .output = {}, .is_one_of_many = is_many_};
    outcome.found = result.found;
    if (outputs_.are_wanted() && !result.files.empty()) {
      auto written = outputs_.write(input, result.files);
      if (!written) {
        Error error = std::move(written.error());
        if (error.file.empty()) error.file = name;
        outcome.json.set("path", name).set("error", to_json(error));
        outcome.error = std::move(error);
        return outcome;
      }
      place.output = outputs_.are_printed() ? "" : text_of_path(*written);
    } else if (command_.info().output == OutputKind::Text && !outputs_.are_wanted() && !result.files.empty()) {
      outcome.text = as_text(result.files.front().bytes);
    }
    for (const ExtraOutput& extra : command_.info().extras)
      if (const auto path = command_.extras.find(extra.option); path != command_.extras.end())
        write_extra(path->second, extra, result.report[extra.field], outcome);
    for (const Json& failed : result.report["failed"].items())
      outcome.failed.push_back(escaped(failed["path"].text() + ": " + failed["error"]["message"].text()));
    outcome.json = json_of(name, place.output, result.report, context);
    const bool is_summary = !place.output.empty() && command_.info().name != "check";
    if (const Wording wording = find_wording(command_.info().name);
        wording && outcome.text.empty() && !outputs_.are_printed() && !(command_.quiet && is_summary))
      outcome.text = wording(place, result.report);
    return outcome;
  }

  static void write_extra(const std::string& path, const ExtraOutput& extra, const Json& text, Outcome& outcome) {
    if (!text.is_text()) {
      outcome.error = Error{ErrorCode::BadOption, "there is nothing to save", kNoOffset, std::string(extra.option)};
      return;
    }
    if (auto written = write_file(path_of_text(path), as_bytes(text.text())); !written) {
      written.error().file = path;
      outcome.error = std::move(written.error());
    }
  }

  Json json_of(const std::string& name, const std::string& output, const Json& report, const Context& context) const {
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

  const Command& command_;
  const SideInputs& sides_;
  const Outputs& outputs_;
  const Context& base_;
  bool is_many_;
};

std::vector<Outcome> run_all(const std::vector<Input>& inputs, const Command& command, const Runner& runner) {
  std::vector<Outcome> outcomes(inputs.size());
  Progress progress(inputs.size(), command.quiet);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      outcomes[i] = runner.run(inputs[i]);
      progress.advance();
    }
  };
  const auto cores = static_cast<long long>(std::max(std::thread::hardware_concurrency(), 1u));
  const auto wanted = static_cast<std::size_t>(command.jobs.value_or(cores));
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(wanted, inputs.size()); ++i) threads.emplace_back(work);
  work();
  return outcomes;
}

bool print(std::string_view text) { return std::fwrite(text.data(), 1, text.size(), stdout) == text.size(); }

int report(const std::vector<Outcome>& outcomes, const Command& command, bool is_from_folders) {
  bool any_failed = false, any_found = false, any_done = false, is_printed = true;
  Json array = Json::array();
  for (const Outcome& outcome : outcomes) {
    // An option that is wrong is wrong for every file.
    if (outcome.error && outcome.error->code == ErrorCode::BadOption)
      throw UsageError("--" + spelled(outcome.error->path) + ": " + outcome.error->message);
    if (outcome.error) fmt::print(stderr, "{}\n", error_line(*outcome.error, command.info()));
    for (const std::string& line : outcome.failed) fmt::print(stderr, "{}\n", line);
    if (!command.quiet)
      for (const std::string& line : outcome.notes) fmt::print(stderr, "note: {}\n", line);
    any_failed |= outcome.error.has_value() || !outcome.failed.empty();
    any_found |= outcome.found;
    any_done |= !outcome.is_skipped;
    if (outcome.json.is_array())
      for (const Json& each : outcome.json.items()) array.push(each);
    else if (!outcome.json.is_null())
      array.push(outcome.json);
    if (!command.json || !outcome.text.empty()) {
      const bool is_text = !command.json || command.info().name == "dump";
      if (is_text) is_printed &= print(outcome.text);
    }
  }
  if (is_from_folders && !any_done) {
    fmt::print(stderr, "there is no file to work on in the folder\n");
    any_failed = true;
  }
  if (command.json && command.info().name != "dump") {
    const bool is_one_object = !main_input(command.info()) && command.info().rows.empty() && array.size() == 1;
    is_printed &= print(to_text(is_one_object ? array.items().front() : array) + "\n");
  }
  if (std::fflush(stdout) != 0 || !is_printed) {
    fmt::print(stderr, "stdout cannot be written\n");
    return kFailed;
  }
  if (any_failed) return kFailed;
  return any_found ? kFound : kDone;
}

Result<void> read_names(const Command& command, Context& context) {
  if (!command.names) return {};
  const auto bytes = read_file(path_of_text(*command.names));
  if (!bytes) return in_file(bytes.error(), *command.names);
  for (std::string_view text = as_text(*bytes); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = trim(text.substr(0, end)); !line.empty()) context.bone_names.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

}  // namespace

int run_command(const Command& typed) {
  Command command = typed;
  if (command.json && command.info().name == "dump") command.options.set("format", "json");
  const InputInfo* main = main_input(command.info());
  const auto given = main ? command.files.find(main->role) : command.files.end();
  const bool has_files = given != command.files.end();
  // Without files of its own an operation runs once, named after its first input.
  std::vector<Input> inputs;
  if (has_files) {
    inputs = expand_inputs(given->second);
  } else {
    for (const InputInfo& info : command.info().inputs)
      if (const auto found = command.files.find(info.role); inputs.empty() && found != command.files.end())
        inputs = {{path_of_text(found->second.front()), path_of_text(found->second.front()).filename()}};
    if (inputs.empty()) inputs.emplace_back();
  }
  const bool is_many = has_files && names_many(given->second);
  const Lookup lookup = disk_lookup();
  Context context{.lookup = &lookup};
  std::optional<Error> first_error;
  if (auto names = read_names(command, context); !names) first_error = names.error();
  // Several files into one glTF file are merged.
  if (command.info().name == "convert" && is_many && command.output) {
    const auto by_name = format_of_extension(text_of_path(path_of_text(*command.output).extension()));
    const auto asked = find_format(command.options["format"].text());
    if (by_name && is_gltf(*by_name) && (!asked || is_gltf(*asked))) {
      command.operation = find_operation("merge");
      if (!asked) command.options.set("format", to_string(*by_name));
      std::vector<std::string> files;
      for (const Input& input : inputs) files.push_back(text_of_path(input.path));
      command.files["file"] = files;
      inputs.resize(1);
      return run_command(command);
    }
  }
  const Outputs outputs(command, has_files ? inputs : std::vector<Input>{}, is_many);
  const SideInputs sides(command, context);
  if (!first_error) first_error = sides.error();
  if (first_error) {
    fmt::print(stderr, "{}\n", error_line(*first_error, command.info()));
    if (command.json) print(to_text(Json(Json::Array{Json().set("path", first_error->file).set("error", to_json(*first_error))})) + "\n");
    return kFailed;
  }
  context.notes.clear();
  const bool is_several = inputs.size() > 1;
  const Runner runner(command, sides, outputs, context, is_several);
  return report(run_all(inputs, command, runner), command, has_files && is_many);
}

}  // namespace marrow::cli
