// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "marrow/core/error.h"
#include "ops/table/operation.h"

namespace marrow::cli {

/// A note as it is printed, and what it has in common with others of its kind: the message without numbers and names.
struct NoteLine {
  std::string text;
  std::string kind;
};

/// What one file gave.
struct Outcome {
  std::string text;                 ///< for people, to stdout
  Json json;                        ///< for programs, with --json
  std::string output;               ///< the file or folder that was written
  std::string input_hash;           ///< of the content of the input
  std::optional<Error> error;       ///< makes the file a failed one
  std::vector<std::string> failed;  ///< lines for further inputs that failed
  std::vector<NoteLine> notes;      ///< to stderr, without failing
  double seconds = 0.0;
  bool is_skipped = false;  ///< the verb has nothing to do with this file of a folder
  bool is_resumed = false;  ///< done by an earlier run
  bool found = false;

  bool has_failed() const { return error.has_value() || !failed.empty(); }
};

/// Returns `file:offset: path: message; cure`, the form of every error line: one line of at most 500 characters.
std::string error_line(const Error& error, const OperationInfo& info);
NoteLine note_line(const Note& note, const std::string& file);
/// Returns text as it may go to a terminal, so that a name in a file or of a file cannot steer it. Line ends stay if
/// asked for.
std::string escaped(std::string_view text, bool keep_lines = false);
/// Returns a report whose texts, none of which has lines of its own, may go to a terminal.
Json escaped_report(const Json& report);

}  // namespace marrow::cli
