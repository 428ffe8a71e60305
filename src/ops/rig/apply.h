// SPDX-License-Identifier: MIT
/// Modifiers between sidecars, presets and the files of the games.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct ApplyModifiersOptions {
  std::string_view modifiers = {};        ///< a sidecar, docs/modifiers/sidecar.md
  std::vector<std::string> bones = {};    ///< what `$bone` stands for: names or patterns
  std::optional<std::string> chain = {};  ///< the same as a chain, `FIRST..LAST`
  bool add = false;                       ///< beside the modifiers of the same class that a bone has
  bool force = false;                     ///< write what `check` calls an error
  std::optional<std::uint64_t> id_base = {};
  std::optional<Game> game = {};  ///< what it does not have is left out
};

struct AppliedModifier {
  std::string bone = {}, type = {};
  bool replaced = false;  ///< it took the place of one of its class
};

struct ApplyModifiersReport {
  std::size_t bones = 0;                        ///< of the skeleton
  std::vector<AppliedModifier> modifiers = {};  ///< that were written, in the order of bones
  std::vector<std::string> changes = {};        ///< what was done beside that, in sentences
};

struct ExtractModifiersOptions {
  std::vector<std::string> bones = {};   ///< only of these: names, patterns, chains
  std::optional<std::string> type = {};  ///< only this class
  bool all_fields = false;               ///< fields at their default too
};

struct ExtractModifiersReport {
  std::string sidecar = {};
  std::size_t modifiers = 0;

  SavedFile text() const;
};

void describe(FieldList& fields, ApplyModifiersOptions& options);
void describe(FieldList& fields, AppliedModifier& modifier);
void describe(FieldList& fields, ApplyModifiersReport& report);
void describe(FieldList& fields, ExtractModifiersOptions& options);
void describe(FieldList& fields, ExtractModifiersReport& report);

/// Writes the modifiers of a sidecar or preset into an Anvil skeleton, where the game finds them. They replace those of
/// their class on their bones: extracted and applied again they give the same file. The skeleton then moves as
/// `simulate` moves it with the sidecar. What the game cannot have is left out and noted; what no game can say
/// (`metres_per_unit`, a pendulum along another axis than X) is refused.
Result<ApplyModifiersReport> apply_modifiers(Document& document, const ApplyModifiersOptions& options,
                                             Context& context);

/// Writes the modifiers of an Anvil skeleton as a sidecar, to tune them or to use them on another skeleton. Applied to
/// the skeleton without them it gives the same modifiers.
Result<ExtractModifiersReport> extract_modifiers(const Document& document, const ExtractModifiersOptions& options,
                                                 Context& context);

}  // namespace marrow
