// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "journal.h"
#include "runner.h"

namespace marrow::cli {

/// Runs a command on all files, several at once, and prints what each gave as soon as it and all before it are done: in
/// the order of the inputs, whatever the order of the work. Returns the exit code. Throws a UsageError if an option
/// turns out to be wrong.
int run_batch(const std::vector<Input>& inputs, const Command& command, const Runner& runner, Journal& journal,
              bool is_from_folders);

/// Returns how many threads a command may use: one per processor unless the user asked for another number.
std::size_t thread_count(const Command& command);

/// Starts up to `count` - 1 threads, fewer if the system refuses; the caller is to call `work` as well.
std::vector<std::jthread> start_threads(std::size_t count, const std::function<void()>& work);

/// Write to stdout, and hand to the system what was written. Throw if that fails.
void print(std::string_view text);
void flush();

}  // namespace marrow::cli
