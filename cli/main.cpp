// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "alias.h"
#include "batch.h"
#include "command.h"
#include "core/nearest.h"
#include "drop.h"
#include "files.h"
#include "host.h"
#include "marrow/core/file.h"
#include "outcome.h"
#include "run.h"
#include "text.h"
#include "verbs.h"
#include "version.h"
#include "view.h"

namespace marrow::cli {
namespace {

// The operation that the first one or two words name, and how many they are.
std::pair<const Operation*, std::size_t> verb_of(const std::vector<std::string>& words) {
  // No verb of one word is the first of two.
  if (const Operation* one = find_verb(words[0])) return {one, 1};
  const Operation* two = words.size() > 1 ? find_verb(words[0] + " " + words[1]) : nullptr;
  return {two, two ? 2 : 1};
}

[[noreturn]] void refuse_verb(const std::vector<std::string>& words) {
  const bool is_group = !group_help(words[0]).empty();
  const std::string typed = is_group && words.size() > 1 ? words[0] + " " + words[1] : words[0];
  std::vector<std::string_view> known;
  for (const Operation& each : verbs()) known.push_back(each.info.name);
  for (const AliasRow& each : aliases()) known.push_back(each.typed.substr(0, each.typed.find(' ')));
  throw UsageError((is_group ? "there is no verb '" : "there is no verb or file '") + typed + "'" +
                   did_you_mean(typed, known));
}

// Help on a verb and, if a word after it is something that another operation explains, on that.
std::string help_on(const Command& command) {
  const OperationInfo& info = command.info();
  const Operation* explains = info.explained_by.empty() ? nullptr : find_operation(info.explained_by);
  if (!explains) return verb_help(info);
  for (const std::string& word : command.words) {
    const Json options = Json().set(explains->info.options.front().name, word);
    Context context;
    OperationCall call{.options = options, .inputs = {}, .context = context};
    if (const auto result = explains->run(call)) return find_wording(explains->info.name)({}, result->report);
  }
  return verb_help(info);
}

int run(std::vector<std::string> words) {
  const auto show = [](const std::string& text) { return print(text), kDone; };
  if (words.empty()) {
    show(program_help());
    throw UsageError("a verb is missing");
  }
  if (words[0] == "help") {  // `help VERB` as other programs have it
    words.erase(words.begin());
    words.push_back("--help");
  }
  if (words[0] == "--help" || words[0] == "-h") return show(program_help());
  if (words[0] == "--version" || words[0] == "-V") return show(version_text());
  if (words[0] == "--man") return show(man_page());
  if (words[0] == "--completion") {
    const std::string text = words.size() > 1 ? completion(words[1]) : "";
    if (text.empty()) throw UsageError("--completion takes bash, zsh or fish");
    return show(text);
  }
  std::string note;
  words = without_aliases(std::move(words), note);
  if (!note.empty()) std::fprintf(stderr, "note: %s\n", escaped(note).c_str());
  auto [operation, count] = verb_of(words);
  if (!operation) {
    const std::string help = group_help(words[0]);
    if (!help.empty() && (words.size() == 1 || words[1] == "--help" || words[1] == "-h")) {
      show(help);
      return words.size() == 1 ? kUsage : kDone;
    }
    // A file dragged onto the program is a question about the file.
    if (!help.empty() || words[0].starts_with('-') || !path_exists(path_of_text(words[0]))) refuse_verb(words);
    operation = find_verb("info");
    count = 0;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  const Command command = parse_command(*operation, words);
  if (command.help) return show(help_on(command));
  return operation->info.name == kView ? run_view(command) : run_command(command);
}

int failed(const char* why) {
  std::fprintf(stderr, "marrow: %s\n", escaped(why).c_str());
  return kFailed;
}

// Runs a command and reports what it throws.
int try_run(const std::vector<std::string>& words) {
  try {
    const int done = run(words);
    flush();
    return done;
  } catch (const UsageError& error) {
    const Operation* verb = words.empty() ? nullptr : verb_of(words).first;
    const std::string name = verb ? std::string(verb->info.name) + " " : "";
    std::fprintf(stderr, "marrow: %s\nRun marrow %s--help for more information.\n", escaped(error.what()).c_str(),
                 name.c_str());
    return kUsage;
  } catch (const std::bad_alloc&) {
    return failed("there is not enough memory");
  } catch (const std::exception& error) {
    return failed(error.what());
  }
}

int run_in_own_window(Start start, const std::vector<std::string>& words) {
  const DropHost host{
      .run = try_run,
      .show = [](const std::string& text) { print(text), flush(); },
      .wait_for_key = wait_for_key,
      .can_show = has_viewer_page(),
  };
  if (start == Start::DroppedFiles) return run_dropped(words, host);
  host.show(welcome_text());
  host.wait_for_key();
  return kDone;
}

}  // namespace
}  // namespace marrow::cli

int main(int argc, char** argv) {
  using namespace marrow::cli;
  prepare_streams();
  clean_up_when_stopped(marrow::remove_unfinished_files);
  const std::vector<std::string> words = arguments(argc, argv);
  const auto exists = [](const std::string& path) { return marrow::path_exists(marrow::path_of_text(path)); };
  const Start start = start_of(words, has_own_window(), exists);
  return start == Start::Command ? try_run(words) : run_in_own_window(start, words);
}
