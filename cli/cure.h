// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/json.h"

namespace marrow::cli {

/// Words a cure (`{operation, options}`) as a command: known options have their values, the others that it needs their
/// placeholders, e.g. `marrow rig reparent FILE Head PARENT -o OUT`. Empty if there is none. With `file`, that takes
/// the place of the main input.
std::string cure_command(const Json& cure, const std::string& file = {});
/// Returns the command as a line below a finding.
std::string cure_line(const Json& cure, const std::string& file = {});

}  // namespace marrow::cli
