// SPDX-License-Identifier: MIT
#include "journal.h"

#include <cerrno>
#include <system_error>

#include "core/hash.h"
#include "core/lines.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "own_files.h"
#include "store.h"

namespace marrow::cli {
namespace {

constexpr std::string_view kLineStart = "{\"path\"";  // of every line

std::string_view status_of(const Outcome& outcome) {
  if (outcome.has_failed()) return "failed";
  if (outcome.is_skipped) return "skipped";
  return outcome.found ? "found" : "done";
}

}  // namespace

Journal::Journal(const Command& command, std::string options_hash)
    : options_hash_(std::move(options_hash)), is_resumed_(command.resume) {
  if (!command.report) return;
  const auto path = path_of_text(*command.report);
  if (is_resumed_)
    read(*command.report);
  else
    refuse_foreign_file("report", *command.report, kLineStart, "a report");
  // A new report is a new file: the old one may have other names, and one of them may be an input.
  if (!is_resumed_ && is_file(path))
    if (const auto made = write_file(path, {}); !made)
      throw UsageError("--report: " + *command.report + " " + made.error().message);
  const auto file = open_to_write(path, is_resumed_);
  if (!file) throw UsageError("--report: " + *command.report + " " + file.error().message);
  file_ = *file;
}

Journal::~Journal() {
  if (file_) std::fclose(file_);
}

void Journal::read(const std::string& path) {
  const auto bytes = read_file(path_of_text(path));
  if (!bytes) return;  // the first run has none
  std::string whole;
  for (const TextLine& each : Lines(as_text(*bytes)))
    if (const auto line = parse_json(each.text); line && line->is_object()) {
      lines_[(*line)["path"].text()] = {(*line)["status"].text(), (*line)["output"].text(),
                                        (*line)["input_hash"].text(), (*line)["options_hash"].text()};
      (whole += each.text) += '\n';
    } else if (!each.text.starts_with(kLineStart) && !kLineStart.starts_with(each.text)) {
      throw UsageError("--report: " + path + " is not a report of an earlier run; give another name, or no --resume");
    }
  // A line that was cut off when a run was killed says nothing, and what is added must not be glued to it. The whole
  // lines go to a new file first: a run that is killed here loses none.
  if (whole == as_text(*bytes)) return;
  if (const auto written = write_file(path_of_text(path), as_bytes(whole)); !written)
    throw UsageError("--report: " + path + " " + written.error().message);
}

std::optional<Outcome> Journal::done_before(const Input& input) const {
  const auto found = lines_.find(text_of_path(input.path()));
  if (!is_resumed_ || found == lines_.end()) return std::nullopt;
  const Line& line = found->second;
  if (line.status == "failed" || line.options_hash != options_hash_) return std::nullopt;
  if (!line.output.empty() && !path_exists(path_of_text(line.output))) return std::nullopt;
  const auto bytes = read_any(input.path());
  if (!bytes || Hash64().add(*bytes).text() != line.input_hash) return std::nullopt;
  Outcome outcome;
  outcome.is_resumed = true;
  outcome.is_skipped = line.status == "skipped";
  outcome.found = line.status == "found";
  return outcome;
}

void Journal::add(const Input& input, const Outcome& outcome) {
  if (!file_ || outcome.is_resumed) return;
  Json line = Json::object();
  line.set("path", text_of_path(input.path()));
  line.set("output", outcome.output.empty() ? Json() : Json(outcome.output));
  line.set("status", status_of(outcome));
  if (outcome.error)
    line.set("error", to_json(*outcome.error));
  else if (!outcome.failed.empty())
    line.set("error", outcome.failed.front());
  else
    line.set("error", nullptr);
  line.set("seconds", outcome.seconds).set("input_hash", outcome.input_hash).set("options_hash", options_hash_);
  const std::string text = to_text(line, false) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
    throw std::system_error(errno, std::generic_category(), "the report cannot be written");
}

}  // namespace marrow::cli
