// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace marrow::cli {

/// Exit codes, one contract for every verb.
enum Exit : int { kDone = 0, kFailed = 1, kUsage = 2, kFindings = 3 };

/// The user asked for something that cannot be; printed with a pointer to --help, exit 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the user typed, as the verb's table describes it.
class Arguments {
 public:
  std::map<std::string, std::vector<std::string>, std::less<>> values;  ///< by positional or option name

  bool has(std::string_view name) const { return values.contains(name); }
  /// The value of an option or a single positional; nothing where it was not given.
  std::optional<std::string> find(std::string_view name) const;
  /// The same where the table says that it is required.
  const std::string& get(std::string_view name) const;
  /// All values of a repeated positional or option.
  std::vector<std::string> all(std::string_view name) const;
  /// A number, or a UsageError that names the option.
  std::optional<double> number(std::string_view name) const;
  std::optional<long long> integer(std::string_view name) const;
};

/// One word after the verb: `CLIP`, or `PATH...` for one or more, `[ADDON...]` for any number, `[OUT]` for at most one.
struct Positional {
  std::string_view name;
  std::string_view help;
};

/// `--name VALUE`; a flag where `value` is empty. `--mass KG` may be given many times where `repeats` is set.
struct Option {
  std::string_view name;  ///< `--to`, or `-o,--output`
  std::string_view value;
  std::string_view help;
  bool required = false;
  bool repeats = false;
  std::vector<std::string_view> choices = {};
  bool one_each = false;  ///< a repeated one takes one value each time, so that positionals may follow it
};

/// A verb of the program as data; `cli/parse.cpp` turns the table into a parser and into --help.
struct Verb {
  std::string_view name;
  std::string_view summary;
  std::vector<Positional> positionals = {};
  std::vector<Option> options = {};
  int (*run)(const Arguments&) = nullptr;
  std::vector<Verb> verbs = {};   ///< `annotations list`, `rig merge`
  std::string_view details = {};  ///< shown at the end of --help
};

/// Parses the command line against the table and runs the verb; returns the exit code.
int run_program(const std::vector<Verb>& verbs, int argc, char** argv);

}  // namespace marrow::cli
