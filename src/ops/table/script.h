// SPDX-License-Identifier: MIT
// Scripts of edits: one verb per line, without the file and the output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/json.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/table/describe.h"

namespace marrow {

/// Whose verbs a script may use.
struct ScriptVerbs {
  std::string_view group;         ///< `rig `
  std::string_view self;          ///< `rig edit`, which it may not use
  std::string_view what;          ///< what the verbs edit, `a rig`
  std::optional<Game> game = {};  ///< of lines that take one and do not name it
  /// Returns the parts of the document that every edit looks at. All lines together may look at `most_seen`, so that a
  /// long script of edits that add parts does not take time with the square of its lines.
  std::size_t (*size)(const Document& document);
  std::size_t most_seen;
  std::string_view sized_as, parts;  ///< in the message, `a skeleton of `, ` bones`
};

/// Runs the edits of scripts on a document, one after the other, and calls `done(place, report)` after each. If a line
/// fails, the document is unchanged, and the error names the line.
Result<void> run_scripts(Document& document, std::span<const NamedText> scripts, const ScriptVerbs& verbs,
                         Context& context,
                         const std::function<void(const std::string& place, const Json& report)>& done);

}  // namespace marrow
