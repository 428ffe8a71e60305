// SPDX-License-Identifier: MIT
#include "verbs.h"

#include <algorithm>
#include <vector>

#include "doctor.h"
#include "view.h"

namespace marrow::cli {
namespace {

Operation view_verb() {
  OperationInfo info{.name = kView,
                     .summary = "make a page that shows files in the browser, and open it",
                     .details =
                         "The page needs no network and no server: the files and the whole viewer are inside it.\n"
                         "The skeleton that lies near a clip is put into it too. It is opened if there is a display;\n"
                         "without -o it is written to the folder for temporary files.",
                     .inputs = {{.role = "file", .placeholder = "PATH", .help = "files or folders", .is_list = true}},
                     .output = OutputKind::Text,
                     .text_extension = ".html"};
  FieldInfo no_open;
  no_open.name = "no_open";
  no_open.type = FieldType::Flag;
  no_open.text.help = "only write the page";
  info.options.push_back(no_open);
  return {std::move(info), [](const Json&) -> Result<void> { return {}; },
          [](OperationCall&) -> Result<OperationResult> { return OperationResult{}; }};
}

}  // namespace

std::span<const Operation> verbs() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> rows(operations().begin(), operations().end());
    std::ranges::find(rows, kDoctor, [](const Operation& row) { return row.info.name; })[0] = doctor_verb();
    rows.push_back(view_verb());
    return rows;
  }();
  return all;
}

const Operation* find_verb(std::string_view name) {
  // The whole list is for help: a copy of all rows.
  if (name == kView) return &verbs().back();
  if (name == kDoctor) {
    static const Operation doctor = doctor_verb();
    return &doctor;
  }
  return find_operation(name);
}

}  // namespace marrow::cli
