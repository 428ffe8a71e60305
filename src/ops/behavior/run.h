// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/run.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// What a run is written as.
enum class RunFormat : std::uint8_t { Csv, Hkx, Xml, Glb };
template <>
struct ChoiceWords<RunFormat> {
  static constexpr std::array<std::string_view, 4> words = {"csv", "hkx", "xml", "glb"};
};

struct BehaviorRunOptions {
  std::vector<std::string> events = {};     ///< `NAME@SECONDS`, also several joined by commas
  std::vector<std::string> variables = {};  ///< `NAME=VALUE`
  double seconds = 5.0;
  double fps = 30.0;
  RunFormat format = RunFormat::Csv;
  const Document* skeleton = nullptr;  ///< of the clip
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
  SavedFile file = {};

  /// Returns rows of `time,machine,state,clip,clip_time,weight`, one per clip that plays at a frame, or the clip.
  const SavedFile& text() const { return file; }
};

void describe(FieldList& fields, BehaviorRunOptions& options);
void describe(FieldList& fields, RunChangeReport& change);
void describe(FieldList& fields, RunEventReport& event);
void describe(FieldList& fields, BehaviorRunReport& report);

/// Walks a behaviour, or the first character of a project. Files around it are read by `Context::lookup`; what is not
/// at hand is noted. Fails with `WrongKind` on other files, and for a clip with `NeedsSkeleton` or `NotFound` if the
/// rig or all animations are missing.
Result<BehaviorRunReport> run_behavior(const Document& document, const BehaviorRunOptions& options, Context& context);

}  // namespace marrow
