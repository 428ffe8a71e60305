// SPDX-License-Identifier: MIT
// What of a behaviour is active: the walk from its root through machines, blenders and clips, and the changes of states
// that events make on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "behavior/run.h"
#include "behavior/run_graph.h"

namespace marrow::behavior {

inline constexpr int kDeepestRunNode = 512;

/// A node of one of the files of a run.
struct NodeKey {
  std::size_t graph = 0;
  std::uint32_t node = 0;
  auto operator<=>(const NodeKey&) const = default;
};

struct MachineRun {
  const StateNode* now = nullptr;
  const StateNode* before = nullptr;  ///< of a blend, or the previous one
  double blend_begin = 0.0, blend_seconds = 0.0;
  std::uint64_t walk = 0;  ///< the last one that met it where it is not blended out

  bool is_blending(double at) const { return before && blend_seconds > 0.0 && at < blend_begin + blend_seconds; }
};

/// A node that is active, in the order of the walk.
struct ActiveNode {
  NodeKey key;
  double weight = 1.0;
  std::int64_t machine = -1;  ///< index of the machine around it, in the same list
  bool is_fading = false;     ///< inside a state that is blended out
  std::string_view state = {};
  int depth = 0;
};
class RunWalk {
 public:
  RunWalk(std::shared_ptr<const havok::Packfile> file, const RunFiles& files, const RunOptions& options);

  double now = 0.0;
  RunResult result = {};

  /// Walks from the root through all that is active now. Nodes that become active begin; those that no longer are end.
  /// The machines that were active before are given an event on the way, the outer ones first. Returns whether one
  /// reacted.
  bool update(const RunSent* event = nullptr);
  /// Returns when something changes by itself: a trigger, the end of a blend.
  double next_change() const;
  /// Sends the events of clips that are due.
  void fire_triggers();
  void send(std::string event, std::string sender);
  /// Delivers what has been sent, and what that sends.
  void deliver();

  /// Names something that is not evaluated, once.
  void leave_out(std::string what);
  /// True if events send each other without end.
  bool is_stopped() const { return is_stopped_; }
  /// Fails if walks or names have become more than a run may have.
  Result<void> within_limits() const;
  /// Counts the walk of a frame as no walk of events.
  void end_frame() { event_visits_ -= std::min(event_visits_, active_.size()); }
  /// Counts names that are kept. Returns false if they have become too long.
  bool keep_names(std::size_t bytes);

  const std::vector<std::unique_ptr<RunGraph>>& graphs() const { return graphs_; }
  const std::vector<ActiveNode>& active() const { return active_; }
  /// Returns the machine or clip that is active at a node; null if none is.
  const MachineRun* machine_at(const NodeKey& key) const;
  const RunClip* clip_at(const NodeKey& key) const;
  const RunGraph& graph_of(const NodeKey& key) const { return *graphs_[key.graph]; }
  const havok::Object& object_at(const NodeKey& key) const { return graph_of(key).file->objects[key.node]; }

 private:
  static constexpr std::string_view kReturnEvent = "returnToPreviousStateEventId";
  static constexpr std::array<std::string_view, 4> kMachineEvents = {"randomTransitionEventId",
                                                                     "transitionToNextHigherStateEventId",
                                                                     "transitionToNextLowerStateEventId", kReturnEvent};

  /// What a walk goes to below a node.
  struct Below {
    const ActiveNode& node;
    std::vector<ActiveNode>& list;
    ActiveNode& add(havok::ObjectId id, double weight);
  };

  std::size_t add_graph(std::shared_ptr<const havok::Packfile> file);
  void listen(const RunGraph& run);
  void work(std::size_t nodes);
  std::optional<double> value_of(std::string_view variable) const;
  double member(const NodeKey& key, std::string_view name) const;

  void enter_node(const ActiveNode& node, std::int64_t at, std::vector<ActiveNode>& below);
  void enter_machine(const MachineNode& machine, std::int64_t at, Below below);
  void enter_blender(Below below);
  void enter_file(Below below);
  void play(const NodeKey& key, const ClipNode& clip);
  void notify(const NodeKey& key, havok::ObjectId state, std::string_view member_name);

  const StateNode* state_numbered(const MachineNode& machine, std::int64_t number) const;
  const StateNode* start_state(const NodeKey& key, const MachineNode& machine);
  bool react(const NodeKey& key, MachineRun& run, const std::string& event);
  bool may_go(const NodeKey& key, const MachineNode& machine, const MachineRun& run, const Transition& each);
  NodeKey machine_behind(std::size_t graph, havok::ObjectId id) const;
  void start_nested(std::size_t graph, havok::ObjectId generator, std::int32_t number);
  void change(const NodeKey& key, MachineRun& run, const StateNode& target, double blend, const std::string& event);
  void begin_again(const NodeKey& machine, havok::ObjectId generator);
  void forget(const NodeKey& key, const NodeKey& machine);

  const RunFiles& files_;
  std::vector<std::unique_ptr<RunGraph>> graphs_;
  std::map<std::string, std::optional<std::size_t>> by_name_;
  std::map<std::string, double> values_;  // of variables, by their names in lower case
  std::map<NodeKey, MachineRun> machines_;
  std::map<NodeKey, RunClip> clips_;
  std::set<NodeKey> named_;                              // nodes of which it is known what is left out
  std::map<NodeKey, std::int32_t> nested_;               // states that machines start in when they become active
  std::vector<ActiveNode> active_, before_;              // of this walk and the one before it
  std::map<NodeKey, std::size_t> place_, place_before_;  // of the first of a key in them
  std::uint64_t walk_ = 0;
  std::size_t visits_ = 0, event_visits_ = 0, long_names_ = 0;
  std::unordered_set<std::string> heard_;  // events that machines answer, in lower case
  const RunSent* event_ = nullptr;         // that is given to machines in this walk
  bool has_reacted_ = false;
  std::deque<RunSent> queue_;
  std::set<std::string> told_;
  std::size_t sent_ = 0;
  bool is_stopped_ = false;
};

}  // namespace marrow::behavior
