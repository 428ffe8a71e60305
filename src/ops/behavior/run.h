// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "behavior/run.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct BehaviorRunOptions {
  std::vector<std::string> events = {};     ///< `NAME@SECONDS`, also several joined by commas
  std::vector<std::string> variables = {};  ///< `NAME=VALUE`
  double seconds = 5.0;
  double fps = 30.0;
};

struct RunChangeReport {
  double time = 0.0;
  std::string machine, from, to, event;
};

struct RunEventReport {
  double time = 0.0;
  std::string event, sender;
};

struct BehaviorRunReport {
  std::size_t rows = 0;
  std::vector<RunChangeReport> changes = {};
  std::vector<RunEventReport> sent = {};
  std::vector<std::string> not_evaluated = {};
  std::string csv = {};

  /// Returns `time,machine,state,clip,clip_time,weight`, one row per clip that plays at a frame.
  SavedFile text() const;
};

void describe(FieldList& fields, BehaviorRunOptions& options);
void describe(FieldList& fields, RunChangeReport& change);
void describe(FieldList& fields, RunEventReport& event);
void describe(FieldList& fields, BehaviorRunReport& report);

/// Walks a behaviour, or the first character of a project. Files around it are read by `Context::lookup`; what is not
/// at hand is noted. Fails with `WrongKind` on other files.
Result<BehaviorRunReport> run_behavior(const Document& document, const BehaviorRunOptions& options, Context& context);

}  // namespace marrow
