// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "batch.h"
#include "marrow/anvil/edit.h"
#include "marrow/anvil/games.h"
#include "marrow/anvil/names.h"
#include "marrow/anvil/skeleton.h"
#include "verb.h"

namespace marrow::cli {

/// What the verbs below `rig` share.

/// The compiled-in bone names with those of `--names`.
anvil::NameTable rig_names(const Arguments& arguments);
/// The game of `--game` or `--to`, which has to be one of Assassin's Creed.
std::optional<Game> rig_game(const Arguments& arguments, std::string_view option);

Result<anvil::Skeleton> read_rig(const std::string& path, const Arguments& arguments);
/// Writes to `-o` in the dialect of `--format`, else in the one the skeleton came in, for the game of `game_option`.
Result<void> write_rig(const anvil::Skeleton& skeleton, const Arguments& arguments,
                       std::string_view game_option = "--game");

/// A bone by name, as a positional or an option; a UsageError where neither was given.
std::uint32_t bone_argument(const Arguments& arguments, std::string_view positional, std::string_view option);
/// The text of such an argument.
std::string word_argument(const Arguments& arguments, std::string_view positional, std::string_view option);

/// Reads FILE, edits it, writes `-o` and tells what was done.
int run_edit(const Arguments& arguments,
             const std::function<Result<anvil::EditNotes>(anvil::Skeleton&, Outcome&)>& edit,
             std::string_view game_option = "--game");

Verb rig_merge_verb();
Verb rig_plan_verb();
Verb rig_new_addon_verb();
Verb rig_extract_addon_verb();
/// add-bone, remove-bone, rename, reparent, mirror.
std::vector<Verb> rig_bone_verbs();
/// set, add-modifier, remove-modifier, copy-modifiers, to-game.
std::vector<Verb> rig_modifier_verbs();

/// Options that most verbs of `rig` have.
Option rig_output_option();
Option rig_format_option();
Option rig_names_option();

}  // namespace marrow::cli
