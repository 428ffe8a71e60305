// SPDX-License-Identifier: MIT
// A run in time: frames, events that arrive, and the rows of what plays.
#include "behavior/run.h"

#include <algorithm>
#include <map>
#include <vector>

#include "behavior/find.h"
#include "behavior/run_walk.h"
#include "behavior/tables.h"
#include "core/try.h"

namespace marrow::behavior {
namespace {

constexpr std::size_t kMostRows = 10'000'000;

class BehaviorRun {
 public:
  BehaviorRun(std::shared_ptr<const havok::Packfile> file, const RunFiles& files, const RunOptions& options)
      : options_(options), walk_(std::move(file), files, options) {}

  Result<RunResult> run() {
    const double frame = 1.0 / options_.frames_per_second;
    std::vector<RunEvent> events = options_.events;
    std::ranges::stable_sort(events, {}, &RunEvent::seconds);
    std::size_t next_event = 0;
    walk_.update();
    walk_.deliver();
    for (std::size_t k = 0; static_cast<double>(k) * frame <= options_.seconds + 1e-9 && !walk_.is_stopped();) {
      const double due = static_cast<double>(k) * frame;
      const double outside = next_event < events.size() ? events[next_event].seconds : kNever;
      walk_.now = std::max(walk_.now, std::min({due, outside, walk_.next_change()}));
      walk_.update();
      walk_.fire_triggers();
      while (next_event < events.size() && events[next_event].seconds <= walk_.now)
        walk_.send(events[next_event++].name, {});
      walk_.deliver();
      MARROW_CHECK(walk_.within_limits());
      if (walk_.now < due || walk_.next_change() <= walk_.now) continue;
      ++k;
      walk_.end_frame();
      write_rows();
      MARROW_CHECK(walk_.within_limits());
      if (walk_.result.rows.size() > kMostRows)
        return fail(ErrorCode::LimitExceeded, "the run has more than ten million rows; make it shorter");
    }
    tell_unknown_names();
    return std::move(walk_.result);
  }

 private:
  // Misspelled names do nothing, which looks like a fault of the graph.
  void tell_unknown_names() {
    const auto any_graph = [&](auto has) {
      return std::ranges::any_of(walk_.graphs(), [&](const auto& each) { return has(each->graph); });
    };
    for (const RunEvent& event : options_.events)
      if (!any_graph([&](const Graph& graph) { return find_event(graph, event.name) >= 0; }))
        walk_.leave_out("events that no behaviour of the run has: " + event.name);
    for (const auto& [name, value] : options_.variables)
      if (!any_graph([&](const Graph& graph) { return find_variable(graph, name) >= 0; }))
        walk_.leave_out("variables that no behaviour of the run has: " + name);
  }

  std::uint32_t source_of(const NodeKey& key) {
    std::vector<RunSource>& sources = walk_.result.sources;
    const auto [entry, is_new] = sources_.try_emplace(key, static_cast<std::uint32_t>(sources.size()));
    if (is_new) {
      constexpr std::int32_t kMirror = 4;
      const ClipNode& clip = *walk_.graph_of(key).clips.at(key.node);
      sources.push_back({clip.animation, clip.crop_start_seconds, (clip.flags & kMirror) != 0});
    }
    return entry->second;
  }

  void write_rows() {
    const std::vector<ActiveNode>& active = walk_.active();
    std::vector<bool> plays(active.size());  // by machine: a clip plays in it
    for (const ActiveNode& node : active) {
      const RunClip* clip = walk_.clip_at(node.key);
      if (!clip) continue;
      if (node.machine >= 0) plays[static_cast<std::size_t>(node.machine)] = true;
      if (!write_row(node.machine, node.state, name_of_node(walk_.object_at(node.key)), clip->local(walk_.now),
                     node.weight, source_of(node.key)))
        return;
    }
    // The state of a machine in which nothing plays; machines stand before those inside them.
    for (std::size_t i = active.size(); i-- > 0;) {
      const ActiveNode& node = active[i];
      const MachineRun* machine = walk_.machine_at(node.key);
      if (!machine || !machine->now) continue;
      if (!plays[i] &&
          !write_row(static_cast<std::int64_t>(i), machine->now->name, {}, 0.0, node.weight, RunRow::kNoSource))
        return;
      if (node.machine >= 0) plays[static_cast<std::size_t>(node.machine)] = true;
    }
  }

  // Returns false if the names of all rows have become too long.
  bool write_row(std::int64_t machine, std::string_view state, std::string clip, double clip_seconds, double weight,
                 std::uint32_t source) {
    std::string name;
    if (machine >= 0) name = name_of_node(walk_.object_at(walk_.active()[static_cast<std::size_t>(machine)].key));
    if (!walk_.keep_names(name.size() + state.size() + clip.size())) return false;
    walk_.result.rows.push_back(
        {walk_.now, std::move(name), std::string(state), std::move(clip), clip_seconds, weight, source});
    return true;
  }

  const RunOptions& options_;
  RunWalk walk_;
  std::map<NodeKey, std::uint32_t> sources_;
};

}  // namespace

Result<RunResult> run_behavior(std::shared_ptr<const havok::Packfile> file, const RunFiles& files,
                               const RunOptions& options) {
  if (!(options.frames_per_second > 0.0) || !(options.seconds >= 0.0))
    return fail(ErrorCode::BadOption, "must be above 0", kNoOffset, "seconds");
  return BehaviorRun(std::move(file), files, options).run();
}

}  // namespace marrow::behavior
