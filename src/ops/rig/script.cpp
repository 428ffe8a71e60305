// SPDX-License-Identifier: MIT
#include "ops/rig/script.h"

#include "core/try.h"
#include "ops/rig/merge.h"
#include "ops/table/script.h"

namespace marrow {
namespace {

/// Most bones that all lines of a script may look at together. Each edit looks at every bone of the skeleton, so that
/// a script that adds bones would take time with the square of its lines. 15,000 lines on the 255 bones that a game
/// loads are within it, and take about two seconds.
constexpr std::size_t kMostBonesSeen = 4'000'000;

std::size_t bones_of(const Document& document) { return document.anvil() ? document.anvil()->bones.size() : 0; }

}  // namespace

void describe(FieldList& fields, RigScriptOptions& options) {
  fields.input("script", options.scripts,
               {.help = "edits, one per line: a verb of rig with its words, without FILE and -o",
                .placeholder = "SCRIPT",
                .required = true,
                .positional = true});
  fields("game", options.game, {.help = "the game of all lines that do not name one", .placeholder = "GAME"});
}

Result<RigEditReport> run_rig_script(Document& document, const RigScriptOptions& options, Context& context) {
  MARROW_CHECK(anvil_skeleton(document));
  RigEditReport report;
  const ScriptVerbs verbs{.group = "rig ",
                          .self = "rig edit",
                          .what = "a rig",
                          .game = options.game,
                          .size = &bones_of,
                          .most_seen = kMostBonesSeen,
                          .sized_as = "a skeleton of ",
                          .parts = " bones"};
  MARROW_CHECK(run_scripts(document, options.scripts, verbs, context, [&](const std::string& place, const Json& done) {
    for (const Json& change : done["changes"].items()) report.changes.push_back(place + ": " + change.text());
    for (const Json& user : done["breaks"].items()) report.breaks.push_back({user["path"].text(), user["why"].text()});
  }));
  MARROW_TRY(const anvil::Skeleton* skeleton, anvil_skeleton(std::as_const(document)));
  report.bones = skeleton->bones.size();
  return report;
}

}  // namespace marrow
