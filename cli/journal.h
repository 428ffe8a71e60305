// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "command.h"
#include "files.h"
#include "outcome.h"

namespace marrow::cli {

/// The report of a run: one line of JSON per file, written as the files finish. An interrupted run continues from it.
class Journal {
 public:
  /// Opens the report that the command asks for, if any; with --resume, reads what it lists first. `options_hash`
  /// stands for everything but the file that decides the result. Throws a UsageError if the report cannot be written.
  Journal(const Command& command, std::string options_hash);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Returns the outcome of a file that the report lists as done, if the file has not changed since, the options are
  /// the same and what was written still exists.
  std::optional<Outcome> done_before(const Input& input) const;

  /// Adds a line and hands it to the system at once.
  void add(const Input& input, const Outcome& outcome);

 private:
  struct Line {
    std::string status, output, input_hash, options_hash;
  };
  void read(const std::string& path);

  std::string options_hash_;
  std::map<std::string, Line> lines_;  // the last of each path
  std::FILE* file_ = nullptr;
  bool is_resumed_ = false;
};

}  // namespace marrow::cli
