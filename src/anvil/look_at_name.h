// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/game.h"
#include "marrow/model/modifiers.h"

namespace marrow::anvil {

/// LookAt and AnvilLookAt are one modifier under two names. Gives it the name that the game has for it; true if that is
/// another one.
bool rename_look_at(marrow::Modifier& modifier, Game game);

}  // namespace marrow::anvil
