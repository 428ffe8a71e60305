// SPDX-License-Identifier: MIT
#include "batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "host.h"
#include "marrow/core/file.h"
#include "progress.h"
#include "sarif.h"

namespace marrow::cli {
namespace {

/// Ends a run whose reader has closed the pipe.
struct ClosedPipe {};

/// What became of the files of a run.
class Summary {
 public:
  void add(const Outcome& outcome) {
    if (outcome.has_failed())
      ++failed_;
    else if (outcome.is_skipped)
      ++skipped_;
    else if (outcome.is_resumed || outcome.json["unchanged"] == Json(true) || outcome.json["kept"] == Json(true))
      ++unchanged_;
    else
      ++done_;
  }

  /// Returns "12 done, 3 unchanged, 1 failed; 4 notes of 2 kinds".
  std::string text(std::size_t notes, std::size_t kinds) const {
    if (done_ == 0 && failed_ == 0 && unchanged_ > 0)
      return fmt::format("nothing to do: {} {} right as {}", unchanged_, unchanged_ == 1 ? "file is" : "files are",
                         unchanged_ == 1 ? "it is" : "they are");
    std::string line = fmt::format("{} done", done_);
    const auto append = [&](std::size_t count, std::string_view what) {
      if (count > 0) line += fmt::format(", {} {}", count, what);
    };
    append(unchanged_, "unchanged");
    append(skipped_, "skipped");
    append(failed_, "failed");
    if (notes > 0)
      line +=
          fmt::format("; {} {} of {} {}", notes, notes == 1 ? "note" : "notes", kinds, kinds == 1 ? "kind" : "kinds");
    return line;
  }

 private:
  std::size_t done_ = 0, unchanged_ = 0, skipped_ = 0, failed_ = 0;
};

/// Prints outcomes one after the other.
class Printer {
 public:
  Printer(const Command& command, bool is_one_object, bool is_many)
      : command_(command), is_one_object_(is_one_object), is_many_(is_many) {
    is_json_ = command.json && command.info().name != "dump";
  }

  void add(const Outcome& outcome) {
    if (outcome.error && !outcome.is_skipped) note_usage(*outcome.error);
    if (!outcome.error && !outcome.is_skipped) any_right_ = true;
    if (outcome.error) fail(error_line(*outcome.error, command_.info()));
    for (const std::string& line : outcome.failed) fail(line);
    if (!command_.quiet) print_notes(outcome.notes);
    summary_.add(outcome);
    any_failed_ |= outcome.has_failed();
    any_found_ |= outcome.found;
    any_done_ |= !outcome.is_skipped;
    if (!is_json_) {
      print(outcome.text);
    } else if (outcome.json.is_array()) {
      for (const Json& each : outcome.json.items()) add_element(each);
    } else if (!outcome.json.is_null()) {
      add_element(outcome.json);
    }
    flush();
  }

  int finish(bool is_from_folders) {
    if (is_usage_ && !any_right_ && !usage_.empty()) throw UsageError(usage_);
    for (const Kind& kind : kinds_)
      if (kind.hidden > 0)
        fmt::print(stderr, "note: {} more of this kind; --all lists each: {}\n", kind.hidden, kind.first);
    if (is_from_folders && !any_done_) {
      fmt::print(stderr, "there is no file to work on in the folder\n");
      any_failed_ = true;
    }
    if (is_json_ && !is_one_object_) print(elements_ == 0 ? "[]\n" : "\n]\n");
    flush();
    if (is_many_ && !command_.quiet) fmt::print(stderr, "{}\n", summary_.text(note_count(), kinds_.size()));
    for (const std::string& line : failures_) fmt::print(stderr, "{}\n", line);
    if (any_failed_) return kFailed;
    return any_found_ ? kFound : kDone;
  }

 private:
  /// More notes of one kind than this are not printed, only counted.
  static constexpr std::size_t kMostOfAKind = 3;

  struct Kind {
    std::string first;
    std::size_t printed = 0, hidden = 0;
  };

  // An option that is wrong for every file is wrong. One file of many may lack what an option names.
  void note_usage(const Error& error) {
    if (error.code != ErrorCode::BadOption) {
      is_usage_ = false;
      return;
    }
    std::string text = "--" + spelled(error.path) + ": " + error.message;
    if (!is_many_) throw UsageError(text);
    is_usage_ = is_usage_ && (usage_.empty() || usage_ == text);
    usage_ = std::move(text);
  }

  // Of many files, failures come last, where they are seen.
  void fail(const std::string& line) {
    if (is_many_)
      failures_.push_back(line);
    else
      fmt::print(stderr, "{}\n", line);
  }

  std::size_t note_count() const {
    std::size_t count = 0;
    for (const Kind& kind : kinds_) count += kind.printed + kind.hidden;
    return count;
  }

  void print_notes(const std::vector<NoteLine>& notes) {
    for (const NoteLine& note : notes) {
      const auto [place, is_new] = places_.try_emplace(note.kind, kinds_.size());
      if (is_new) kinds_.push_back({.first = note.text});
      Kind& kind = kinds_[place->second];
      if (!command_.all && kind.printed >= kMostOfAKind) {
        ++kind.hidden;
        continue;
      }
      ++kind.printed;
      fmt::print(stderr, "note: {}\n", note.text);
    }
  }

  // Elements of one array, as they come. Indented as `to_text` does it for the whole.
  void add_element(const Json& element) {
    const std::string text = to_text(element);
    if (is_one_object_) return print(text + "\n");
    std::string out = elements_++ == 0 ? "[\n  " : ",\n  ";
    out.reserve(text.size() + text.size() / 8);
    for (const char c : text) c == '\n' ? out += "\n  " : out += c;
    print(out);
  }

  const Command& command_;
  bool is_one_object_, is_many_, is_json_ = false;
  Summary summary_;
  std::vector<std::string> failures_;
  std::size_t elements_ = 0;
  bool any_failed_ = false, any_found_ = false, any_done_ = false, any_right_ = false;
  std::string usage_;  // what was wrong with an option
  bool is_usage_ = true;
  std::map<std::string, std::size_t> places_;  // of kinds of notes
  std::vector<Kind> kinds_;                    // in the order of their first
};

/// Hands out files to threads and puts what they give back in order. Threads do not run further ahead than a window, so
/// that memory does not grow with the number of files.
class Line {
 public:
  Line(std::size_t count, std::size_t window) : count_(count), window_(window) {}

  /// Returns the next file to work on; nothing if there are no more.
  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return stopped_ || next_ >= count_ || next_ < printed_ + window_; });
    if (stopped_ || next_ >= count_) return std::nullopt;
    return next_++;
  }

  /// Takes what a file gave. Whoever closes a gap prints: `use` is called in order, by one thread at a time.
  template <class Use>
  void put(std::size_t index, Outcome outcome, const Use& use) {
    std::unique_lock lock(mutex_);
    waiting_.emplace(index, std::move(outcome));
    while (!stopped_ && !waiting_.empty() && waiting_.begin()->first == printed_) {
      const auto node = waiting_.extract(waiting_.begin());
      try {
        use(node.key(), node.mapped());
      } catch (...) {
        error_ = std::current_exception();
        stopped_ = true;
      }
      ++printed_;
    }
    moved_.notify_all();
  }

  /// Ends the run with the exception that is being handled, unless it has ended.
  void stop() {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stopped_ = true;
    moved_.notify_all();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  std::size_t count_, window_, next_ = 0, printed_ = 0;
  std::map<std::size_t, Outcome> waiting_;
  std::exception_ptr error_;
  bool stopped_ = false;
};

// Ends the program when memory has ended outside the work on a file: a file alone would only fail.
[[noreturn]] void end_without_memory(const char* message) {
  static std::mutex once;
  once.lock();  // never unlocked: one thread says it
  std::fputs(message, stderr);
  std::fflush(stdout);
  remove_unfinished_files();
  std::_Exit(kFailed);
}

// What may not throw, as a destructor, cannot be undone: the run ends, without half files.
[[noreturn]] void end_what_cannot_go_on() {
  end_without_memory("marrow: the work cannot go on, probably for want of memory\n");
}

}  // namespace

std::size_t thread_count(const Command& command) {
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  // More threads than that only take memory from each other.
  const std::size_t most = std::max<std::size_t>(64, 2 * cores);
  return std::min(command.jobs ? static_cast<std::size_t>(*command.jobs) : cores, most);
}

std::vector<std::jthread> start_threads(std::size_t count, const std::function<void()>& work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() + 1 < count)
      threads.emplace_back([work] {
        try {
          work();
        } catch (const std::bad_alloc&) {
          end_without_memory("marrow: there is not enough memory\n");
        }
      });
  } catch (const std::system_error&) {
    // Fewer threads give the same files, later.
  }
  return threads;
}

namespace {

// Whoever reads a pipe may close it when it has seen enough: that is no failure. Files are still written.
bool is_pipe_closed = false;

void stdout_failed() {
  if (errno != EPIPE) throw std::system_error(errno, std::generic_category(), "stdout cannot be written");
  is_pipe_closed = true;
}

}  // namespace

void print(std::string_view text) {
  if (is_pipe_closed) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return stdout_failed();
  static const bool is_watched = stdout_is_terminal();
  if (is_watched) flush();
}

void flush() {
  if (!is_pipe_closed && std::fflush(stdout) != 0) stdout_failed();
}

int run_batch(const std::vector<Input>& inputs, const Command& command, const Runner& runner, Journal& journal,
              bool is_from_folders) {
  std::set_terminate(end_what_cannot_go_on);
  const bool is_one_object = !main_input(command.info()) && command.info().rows.empty() && inputs.size() == 1;
  Printer printer(command, is_one_object, is_from_folders && inputs.size() > 1);
  Progress progress(inputs.size(), command.quiet);
  std::optional<SarifLog> findings;
  if (command.sarif) findings.emplace(*command.sarif);
  const std::size_t wanted = std::min(thread_count(command), inputs.size());
  Line line(inputs.size(), 64 + 8 * wanted);
  const auto use = [&](std::size_t index, const Outcome& outcome) {
    progress.pause();
    journal.add(inputs[index], outcome);
    printer.add(outcome);
    if (is_pipe_closed && !command.output && !command.in_place) throw ClosedPipe();
    if (findings) findings->add(inputs[index], outcome);
    progress.advance();
  };
  const auto work = [&] {
    try {
      while (const auto index = line.next()) {
        const Input& input = inputs[*index];
        auto before = journal.done_before(input);
        Outcome outcome = before ? std::move(*before) : runner.run(input);
        line.put(*index, std::move(outcome), use);
      }
    } catch (const std::bad_alloc&) {
      end_without_memory("marrow: there is not enough memory\n");
    } catch (...) {
      line.stop();
    }
  };
  {
    const auto threads = start_threads(wanted, work);
    work();
  }
  try {
    line.rethrow();
  } catch (const ClosedPipe&) {
    return kDone;
  }
  if (findings) findings->finish();
  return printer.finish(is_from_folders);
}

}  // namespace marrow::cli
