// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "marrow/core/finding.h"
#include "marrow/model/game.h"
#include "marrow/ops/document/context.h"

namespace marrow {

/// Follows the behaviour projects among files that are checked together, read by `Context::lookup`, and returns what is
/// wrong across them by file, for `Context::projects`. Files that cannot be read are left out: they have findings of
/// their own. Null if there is no project.
std::shared_ptr<const std::map<std::string, Findings>> projects_among(std::span<const std::string> names,
                                                                      std::optional<Game> game, Context& context);

}  // namespace marrow
