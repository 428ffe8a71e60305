// SPDX-License-Identifier: MIT
// The words that reports share, and the tables of wordings, one per area.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "core/json.h"
#include "text.h"

namespace marrow::cli {

struct WordingRow {
  std::string_view operation;
  Wording wording;
};

std::span<const WordingRow> file_wordings();
std::span<const WordingRow> clip_wordings();
std::span<const WordingRow> body_wordings();
std::span<const WordingRow> edit_wordings();
std::span<const WordingRow> rig_wordings();
std::span<const WordingRow> collision_wordings();
std::span<const WordingRow> archive_wordings();
std::span<const WordingRow> cache_wordings();
std::span<const WordingRow> behavior_wordings();
std::span<const WordingRow> doctor_wordings();

/// Words the findings of a check.
std::string findings_text(const ReportPlace& place, const Json& report);

/// For operations whose output says everything.
std::string nothing(const ReportPlace& place, const Json& report);

/// Joins names with commas.
std::string joined(const Json& names);

/// Formats a number as JSON has it, in the fewest digits.
std::string number_text(const Json& number);

/// Formats numbers with four decimals, in parentheses.
std::string vector_text(const Json& numbers);

/// Returns the input and, if something was written, an arrow to the output.
std::string arrow(const ReportPlace& place);

/// Returns a count with its noun.
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace marrow::cli
