// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ops/table/operation.h"
#include "ops/table/words.h"

namespace marrow::cli {

/// Exit codes, the same for every verb.
enum Exit : int { kDone = 0, kFailed = 1, kUsage = 2, kFound = 3 };

/// The command is wrong. Printed with a pointer to --help; exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One part of the inputs, for runs on several machines.
struct Shard {
  std::uint64_t index = 1;  ///< from 1
  std::uint64_t count = 1;
};

/// The parsed command line of an operation.
struct Command {
  const Operation* operation = nullptr;
  Json options = Json::object();
  std::map<std::string, std::vector<std::string>, std::less<>> files;  ///< paths by role of input
  std::map<std::string, std::string, std::less<>> extras;              ///< paths by option of `ExtraOutput`
  std::vector<std::string> words;                                      ///< that belong to no option, in order
  std::optional<std::string> output;
  std::optional<std::string> names;   ///< a file with more bone names
  std::optional<std::string> types;   ///< a file with the types of tagfiles
  std::optional<std::string> report;  ///< a file that gets a line per input
  std::optional<std::string> sarif;   ///< a file that gets the findings of all inputs
  std::optional<Shard> shard;
  std::optional<std::size_t> max_memory;  ///< bytes that the work on one input may take
  std::optional<long long> jobs;
  bool follow = false;              ///< links that lead out of a folder
  std::optional<std::string> data;  ///< the data folder of a game, or `auto`
  std::string match = {};           ///< a pattern of the files of folders and archives
  bool archives = false;            ///< archives in folders are folders, too
  bool force = false;               ///< replace files that are there
  bool all = false;                 ///< notes and findings one by one
  bool in_place = false, backup = true, resume = false, flagged = false, json = false, quiet = false, help = false;

  const OperationInfo& info() const { return operation->info; }
  bool has_format() const { return options.contains("format"); }
};

/// Returns the options that every verb takes, and those for its kind of output.
std::vector<FieldInfo> common_options(const OperationInfo& info);
/// Returns those of them that make a difference to a verb, which its help shows.
std::vector<FieldInfo> shown_options(const OperationInfo& info);
/// Returns the letters that stand for options: `-o` for `--output`.
std::span<const ShortOption> short_options();

/// Parses the words after the verb. Throws a UsageError.
Command parse_command(const Operation& operation, const std::vector<std::string>& words);

/// Returns the input whose files the operation runs on one by one; null if there is none.
const InputInfo* main_input(const OperationInfo& info);

/// Return the text of --help: for the program, for a group of verbs (`rig`), for a verb.
std::string program_help();
std::string group_help(std::string_view group);
std::string verb_help(const OperationInfo& info);
/// Returns the part of a usage line after the verb, e.g. `CLIP... -o OUT`.
std::string usage_line(const OperationInfo& info);

/// Return the man page and the shell completions of the program.
std::string man_page();
std::string completion(std::string_view shell);

}  // namespace marrow::cli
