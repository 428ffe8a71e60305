// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "files.h"
#include "marrow/core/file.h"
#include "outcome.h"

namespace marrow::cli {

/// The findings of a run as a SARIF 2.1.0 log, the form that code hosts show in a pull request (docs/sarif.md). Written
/// as they come: a hundred thousand files take no more memory than one.
class SarifLog {
 public:
  /// Throws a UsageError if the file cannot be written.
  explicit SarifLog(const std::string& path);

  /// Adds what `check` found in one file. A file that could not be read becomes a finding `E_UNREADABLE`.
  void add(const Input& input, const Outcome& outcome);

  /// Ends the log, which then is there under its name.
  void finish();

 private:
  void add_result(const std::string& path, const Json& finding);
  void write(std::string_view text);

  std::map<std::string, std::string> rules_;  ///< the first message by code
  std::size_t results_ = 0;
  FileInPieces file_;
};

/// Returns the path as a URI reference: relative to the current folder if it is inside it, `file://` if not.
std::string uri_of(const std::filesystem::path& path);

}  // namespace marrow::cli
