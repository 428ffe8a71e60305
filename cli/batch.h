// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "journal.h"
#include "runner.h"

namespace marrow::cli {

/// Runs a command on all files, several at once, and prints what each gave as soon as it and all before it are done: in
/// the order of the inputs, whatever the order of the work. Returns the exit code. Throws a UsageError if an option
/// turns out to be wrong.
int run_batch(const std::vector<Input>& inputs, const Command& command, const Runner& runner, Journal& journal,
              bool is_from_folders);

/// Write to stdout, and hand to the system what was written. Throw if that fails.
void print(std::string_view text);
void flush();

}  // namespace marrow::cli
