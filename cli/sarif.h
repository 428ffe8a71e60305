// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "files.h"
#include "outcome.h"

namespace marrow::cli {

/// The findings of a run as a SARIF 2.1.0 log, the form that code hosts show in a pull request (docs/sarif.md).
class SarifLog {
 public:
  /// Adds what `check` found in one file. A file that could not be read becomes a finding `E_UNREADABLE`.
  void add(const Input& input, const Outcome& outcome);

  /// Returns the whole log, ending with a line feed.
  std::string text() const;

 private:
  void add_result(const std::string& path, const Json& finding);

  std::map<std::string, std::string> rules_;  ///< the first message by code
  Json results_ = Json::array();
};

/// Returns the path as a URI reference: relative to the current folder if it is inside it, `file://` if not.
std::string uri_of(const std::filesystem::path& path);

}  // namespace marrow::cli
