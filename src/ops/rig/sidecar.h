// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "anvil/skeleton.h"
#include "marrow/model/game.h"
#include "marrow/model/rig.h"
#include "marrow/motion/sidecar.h"
#include "marrow/ops/document/context.h"

namespace marrow {

/// Returns the preset of that name; empty if there is none. For the empty name returns all names.
std::string_view find_preset(std::string_view name);
/// The same for colliders.
std::string_view find_colliders(std::string_view name);

/// Returns what becomes of modifiers of the same class.
inline motion::SameClass same_class(bool add) { return add ? motion::SameClass::Add : motion::SameClass::Replace; }

/// Makes the rig of an Anvil skeleton, with the modifiers of a sidecar, run as it will in the game once they are in the
/// file: with their object ids, and without what the game does not have, which is noted.
void run_as_in_game(const anvil::Skeleton& skeleton, std::span<const ModifierOrigin> origins,
                    const std::optional<Game>& game, Rig& rig, Context& context);

}  // namespace marrow
