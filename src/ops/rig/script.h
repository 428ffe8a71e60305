// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/rig/edit.h"
#include "ops/table/describe.h"

namespace marrow {

struct RigScriptOptions {
  std::vector<NamedText> scripts = {};
  std::optional<Game> game = {};  ///< of every line that does not name another
};

void describe(FieldList& fields, RigScriptOptions& options);

/// Runs the edits of a script on an Anvil skeleton: one verb of `rig` per line, as on a command line, without the file
/// and the output. Blank lines and what follows a `#` are skipped. Files that a line names are found beside the script,
/// or as they are. All of the edits are made or none; an error names the script and the line.
Result<RigEditReport> run_rig_script(Document& document, const RigScriptOptions& options, Context& context);

}  // namespace marrow
