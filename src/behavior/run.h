// SPDX-License-Identifier: MIT
/// A behaviour walked in time: which states are active and which clips play when events arrive. Start states,
/// transitions on events, selectors, clip times and triggers are evaluated exactly; everything else that the graph has
/// is named in the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::behavior {

/// What a run must know of an animation.
struct RunAnimation {
  double duration_seconds = 0.0;
  std::vector<std::pair<double, std::string>> events = {};  ///< annotations: time and text
};

/// Where a run finds the files around its first behaviour.
struct RunFiles {
  /// Returns the behaviour of a name below the project; null if it is not there.
  std::function<std::shared_ptr<const havok::Packfile>(const std::string& name)> behavior;
  /// Returns an animation of a name below the project; nothing if it is not there.
  std::function<std::optional<RunAnimation>(const std::string& name)> animation;
};

struct RunEvent {
  std::string name;
  double seconds = 0.0;
};

struct RunOptions {
  std::vector<RunEvent> events = {};                           ///< sent from outside
  std::vector<std::pair<std::string, double>> variables = {};  ///< instead of the start values
  double seconds = 5.0;
  double frames_per_second = 30.0;
};

/// A clip generator that played.
struct RunSource {
  std::string animation;
  double crop_start_seconds = 0.0;
  bool is_mirrored = false;
};

/// A clip that plays at a time, or a state in which none does.
struct RunRow {
  static constexpr std::uint32_t kNoSource = UINT32_MAX;

  double seconds = 0.0;
  std::string machine;  ///< the innermost state machine around it
  std::string state;    ///< the state that it is in
  std::string clip;     ///< empty: none plays in the state
  double clip_seconds = 0.0;
  double weight = 0.0;
  std::uint32_t source = 0;  ///< of `RunResult::sources`; `kNoSource` without a clip
};

/// A change of state.
struct RunChange {
  double seconds = 0.0;
  std::string machine, from, to, event;
};

/// An event that was sent, and by whom: empty for one from outside.
struct RunSent {
  double seconds = 0.0;
  std::string event, sender;
};

struct RunResult {
  double seconds = 0.0;
  std::vector<RunSource> sources;
  std::vector<RunRow> rows;
  std::vector<RunChange> changes;
  std::vector<RunSent> sent;
  std::vector<std::string> not_evaluated;  ///< each once, in the order in which it was met
};

/// Walks a behaviour. Safe on damaged graphs: cycles and endless events stop with an entry in `not_evaluated`. Fails
/// with `LimitExceeded` if the run would have more than ten million rows, would meet more than 200 million nodes (16
/// million for events), or would repeat long names for more than 32 MB.
Result<RunResult> run_behavior(std::shared_ptr<const havok::Packfile> file, const RunFiles& files,
                               const RunOptions& options);

}  // namespace marrow::behavior
