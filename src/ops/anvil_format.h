// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "marrow/anvil/names.h"
#include "marrow/model/game.h"
#include "marrow/ops/context.h"

namespace marrow {

/// Returns the bone names that are compiled in, with those of the context.
anvil::NameTable bone_names(const Context& context);

/// Returns `game` if it is one of the Anvil family or none. Fails with `WrongGame`.
Result<std::optional<Game>> anvil_game(const std::optional<Game>& game);

}  // namespace marrow
