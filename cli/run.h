// SPDX-License-Identifier: MIT
#pragma once

#include "command.h"

namespace marrow::cli {

/// Runs a command on all of its inputs, prints the results and returns the exit code. Throws a UsageError.
int run_command(const Command& command);

}  // namespace marrow::cli
