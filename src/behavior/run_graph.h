// SPDX-License-Identifier: MIT
// One behaviour file as a run needs it: everything found by its node.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "behavior/graph.h"
#include "behavior/run.h"

namespace marrow::behavior {

/// The time of what does not come.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct RunGraph {
  explicit RunGraph(std::shared_ptr<const havok::Packfile> given);

  std::shared_ptr<const havok::Packfile> file;
  NodeNames names;
  Graph graph;
  std::unordered_map<std::uint32_t, const MachineNode*> machines;
  std::unordered_map<std::uint32_t, const ClipNode*> clips;
  std::unordered_map<std::uint32_t, std::vector<const Binding*>> bindings;

  /// Returns the variable that drives a member of a node; null if none does.
  const Variable* driver(havok::ObjectId id, std::string_view member) const;
  /// Returns the events that an `enterNotifyEvents` or `exitNotifyEvents` of a state sends.
  std::vector<std::string> notified(havok::ObjectId state, std::string_view member) const;
};

/// A trigger of a clip in local time.
struct RunTrigger {
  double seconds = 0.0;
  std::string event;
  bool is_acyclic = false;  ///< only in the first loop
};

/// A clip that plays.
class RunClip {
 public:
  RunClip() = default;
  /// `fraction` is where a clip stands whose time is set from outside.
  RunClip(const RunGraph& graph, const ClipNode& clip, const std::optional<RunAnimation>& animation, double speed,
          double fraction, double now);

  /// Returns the local time at a time.
  double local(double now) const;
  /// Returns when the next trigger is due; infinity if none is left.
  double next() const;
  /// Takes the next trigger off.
  const RunTrigger& take();

 private:
  void move_on();

  std::vector<RunTrigger> triggers_;
  double begin_ = 0.0;   // when it became active
  double offset_ = 0.0;  // local time then
  double speed_ = 1.0;
  double duration_ = 0.0;  // infinite if it is not known
  std::int32_t mode_ = 0;
  std::size_t at_ = 0;  // next trigger
  double loop_ = 0.0;   // whole loops before it
};

}  // namespace marrow::behavior
