// SPDX-License-Identifier: MIT
// Reports in words. Operations give data; this is how the command line says it.
#include "text.h"

#include <fmt/format.h>

#include <algorithm>

#include "text_words.h"

namespace marrow::cli {

std::string nothing(const ReportPlace&, const Json&) { return {}; }

std::string joined(const Json& names) {
  std::string text;
  for (const Json& name : names.items()) text += (text.empty() ? "" : ", ") + name.text();
  return text;
}

std::string number_text(const Json& number) { return to_text(number, false); }

std::string vector_text(const Json& numbers) {
  std::string text;
  for (const Json& number : numbers.items()) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", number.number());
  return "(" + text + ")";
}

std::string arrow(const ReportPlace& place) {
  return place.output.empty() ? place.path : place.path + " -> " + place.output;
}

Wording find_wording(std::string_view operation) {
  for (const auto rows :
       {file_wordings(), clip_wordings(), edit_wordings(), body_wordings(), rig_wordings(), collision_wordings(),
        archive_wordings(), cache_wordings(), behavior_wordings(), doctor_wordings()})
    if (const auto found = std::ranges::find(rows, operation, &WordingRow::operation); found != rows.end())
      return found->wording;
  return nullptr;
}

}  // namespace marrow::cli
