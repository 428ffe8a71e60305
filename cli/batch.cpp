// SPDX-License-Identifier: MIT
#include "batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "marrow/ops/detect.h"
#include "progress.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// Walks one folder in order of name, so that runs are the same everywhere.
void walk(const fs::path& folder, const fs::path& relative, std::vector<Input>& inputs) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error))
    entries.push_back(entry);
  std::ranges::sort(entries, {}, [](const auto& entry) { return entry.path().filename(); });
  for (const auto& entry : entries) {
    const fs::path name = relative / entry.path().filename();
    if (entry.is_directory(error) && !entry.is_symlink(error))
      walk(entry.path(), name, inputs);
    else if (entry.is_regular_file(error) && is_candidate(entry.path()))
      inputs.push_back({entry.path(), name});
  }
}

struct Worker {
  const std::vector<Input>& inputs;
  const std::function<Outcome(const Input&)>& work;
  std::vector<Outcome>& outcomes;
  std::atomic<std::size_t>& next;
  Progress& progress;

  void operator()() const {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      outcomes[i] = work(inputs[i]);
      progress.advance();
    }
  }
};

std::size_t thread_count(const Arguments& arguments, std::size_t inputs) {
  const long long asked = arguments.integer("-j").value_or(static_cast<long long>(std::thread::hardware_concurrency()));
  if (asked < 1 && arguments.has("-j")) throw UsageError("-j takes a number of threads, at least 1");
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(asked, 1LL)), 1, std::max<std::size_t>(inputs, 1));
}

}  // namespace

std::vector<Input> expand_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& text : paths) {
    const fs::path path(text);
    std::error_code error;
    if (fs::is_directory(path, error))
      walk(path, {}, inputs);
    else
      inputs.push_back({path, path.filename()});
  }
  return inputs;
}

bool names_many(const std::vector<std::string>& paths) {
  std::error_code error;
  return paths.size() > 1 || (paths.size() == 1 && fs::is_directory(paths.front(), error));
}

fs::path output_path(const Input& input, const std::string& output, bool many, std::string_view extension) {
  std::error_code error;
  if (!many && !fs::is_directory(output, error)) return output;
  fs::path path = fs::path(output) / input.relative;
  if (!extension.empty()) path.replace_extension(extension);
  return path;
}

int run_batch(const std::vector<Input>& inputs, const Arguments& arguments,
              const std::function<Outcome(const Input&)>& work) {
  std::vector<Outcome> outcomes(inputs.size());
  {
    Progress progress(inputs.size(), arguments.has("-q"));
    std::atomic<std::size_t> next{0};
    const Worker worker{inputs, work, outcomes, next, progress};
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < thread_count(arguments, inputs.size()); ++i) threads.emplace_back(worker);
    worker();
  }
  bool any_failed = false, any_findings = false;
  Json array = Json::array();
  for (Outcome& outcome : outcomes) {
    for (const std::string& line : outcome.errors) fmt::print(stderr, "{}\n", line);
    if (!arguments.has("-q"))
      for (const std::string& line : outcome.notes) fmt::print(stderr, "note: {}\n", line);
    any_failed |= !outcome.errors.empty();
    any_findings |= outcome.findings;
    if (!outcome.json.is_null()) array.push_back(std::move(outcome.json));
    if (!arguments.has("--json")) std::fwrite(outcome.text.data(), 1, outcome.text.size(), stdout);
  }
  if (arguments.has("--json")) fmt::print("{}\n", array.dump(2, ' ', false, Json::error_handler_t::replace));
  if (any_failed) return kFailed;
  return any_findings ? kFindings : kDone;
}

std::string error_line(const fs::path& file, const Error& error) {
  return file.string() + ":" + (error.offset == kNoOffset ? " " : "") + describe(error);
}

std::string note_line(const fs::path& file, const Note& note) {
  return error_line(file, Error{ErrorCode::Malformed, note.message, note.offset, note.path});
}

fs::path take_file(std::string& path, std::span<const std::string> files, const fs::path& otherwise) {
  for (const std::string& file : files) {
    if (!path.starts_with(file)) continue;
    const std::string rest = path.substr(file.size());
    if (!rest.empty() && !rest.starts_with(": ")) continue;
    path = rest.empty() ? rest : rest.substr(2);
    return file;
  }
  return otherwise;
}

Outcome failed(const fs::path& file, const Error& error) {
  Outcome outcome;
  outcome.errors.push_back(error_line(file, error));
  return outcome;
}

Outcome passed_over(const fs::path& file, std::string_view why) {
  Outcome outcome;
  outcome.notes.push_back(file.string() + ": " + std::string(why) + ", passed over");
  return outcome;
}

}  // namespace marrow::cli
