// SPDX-License-Identifier: MIT
#pragma once

#include "command.h"
#include "memory.h"
#include "outcome.h"
#include "output.h"
#include "side_inputs.h"

namespace marrow::cli {

/// Says that the memory of an account ended.
Error memory_error(const MemoryAccount& account);

/// Runs a command on one file at a time. Safe to use from several threads.
class Runner {
 public:
  Runner(const Command& command, const SideInputs& sides, const Outputs& outputs, const Context& base, bool is_many)
      : command_(command), sides_(sides), outputs_(outputs), base_(base), is_many_(is_many) {}

  /// Whatever goes wrong makes this file a failed one, also if there is no memory left for it.
  Outcome run(const Input& input) const;

 private:
  Outcome try_run(const Input& input, MemoryAccount& account) const;
  Outcome finished(const Input& input, const std::string& name, OperationResult result, const Context& context,
                   Outcome outcome) const;
  Json json_of(const std::string& name, const std::string& output, const Json& report, const Context& context) const;
  bool wants_report() const { return command_.json && !prints_json_text(); }
  // `dump --json` prints the text itself, which is JSON.
  bool prints_json_text() const {
    return command_.options["format"].text() == "json" && command_.info().name == "dump";
  }

  const Command& command_;
  const SideInputs& sides_;
  const Outputs& outputs_;
  const Context& base_;
  bool is_many_;
};

}  // namespace marrow::cli
