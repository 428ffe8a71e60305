// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace marrow::cli {

/// The subject of a report: the input and, if something was written, the output.
struct ReportPlace {
  std::string path;
  std::string output;
  bool is_one_of_many = false;
  bool lists_all = false;  ///< findings one by one, instead of many of a kind as one
};

/// Formats the report of an operation as text for people. Empty if there is nothing to say.
using Wording = std::string (*)(const ReportPlace& place, const Json& report);

/// Returns the text formatter of an operation; null if there is none.
Wording find_wording(std::string_view operation);

}  // namespace marrow::cli
