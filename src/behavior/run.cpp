// SPDX-License-Identifier: MIT
#include "behavior/run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include "behavior/condition.h"
#include "behavior/find.h"
#include "behavior/generators.h"
#include "behavior/records.h"
#include "behavior/run_graph.h"
#include "behavior/run_omitted.h"
#include "behavior/tables.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;

constexpr std::size_t kMostRows = 10'000'000, kMostEvents = 100'000, kMostVisits = 200'000'000;
// What events may cost in nodes, beside one walk per frame: the file decides how many there are.
constexpr std::size_t kMostEventVisits = 16'000'000;
// Names up to `kUsualNames` bytes per row or event are free; what is more adds up to this at most.
constexpr std::size_t kUsualNames = 512, kMostLongNames = std::size_t{32} << 20;
constexpr int kDeepestNode = 512;

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

class BehaviorRun {
 public:
  BehaviorRun(std::shared_ptr<const havok::Packfile> file, const RunFiles& files, const RunOptions& options)
      : files_(files), options_(options) {
    add_graph(std::move(file));
    for (const auto& [name, value] : options.variables) values_[to_lower(name)] = value;
    result_.seconds = options.seconds;
  }

  Result<RunResult> run() {
    const double frame = 1.0 / options_.frames_per_second;
    std::vector<RunEvent> events = options_.events;
    std::ranges::stable_sort(events, {}, &RunEvent::seconds);
    std::size_t next_event = 0;
    update();
    deliver();
    for (std::size_t k = 0; static_cast<double>(k) * frame <= options_.seconds + 1e-9 && !is_stopped_;) {
      const double due = static_cast<double>(k) * frame;
      const double outside = next_event < events.size() ? events[next_event].seconds : kNever;
      now_ = std::max(now_, std::min({due, outside, next_change()}));
      update();
      fire_triggers();
      while (next_event < events.size() && events[next_event].seconds <= now_) send(events[next_event++].name, {});
      deliver();
      if (visits_ > kMostVisits)
        return fail(ErrorCode::LimitExceeded, "the run meets more than 200 million nodes; make it shorter");
      if (event_visits_ > kMostEventVisits)
        return fail(ErrorCode::LimitExceeded, "the events of the run meet more than 16 million nodes; make it shorter");
      if (now_ < due || next_change() <= now_) continue;
      ++k;
      event_visits_ -= std::min(event_visits_, active_.size());  // the walk of the frame
      write_rows();
      if (long_names_ > kMostLongNames)
        return fail(ErrorCode::LimitExceeded, "the names in the rows of the run take more than 32 MB; make it shorter");
      if (result_.rows.size() > kMostRows)
        return fail(ErrorCode::LimitExceeded, "the run has more than ten million rows; make it shorter");
    }
    tell_unknown_names();
    return std::move(result_);
  }

 private:
  // Misspelled names do nothing, which looks like a fault of the graph.
  void tell_unknown_names() {
    const auto any_graph = [&](auto has) { return std::ranges::any_of(graphs_, [&](const auto& each) { return has(each->graph); }); };
    for (const RunEvent& event : options_.events)
      if (!any_graph([&](const Graph& graph) { return find_event(graph, event.name) >= 0; }))
        leave_out("events that no behaviour of the run has: " + event.name);
    for (const auto& [name, value] : options_.variables)
      if (!any_graph([&](const Graph& graph) { return find_variable(graph, name) >= 0; }))
        leave_out("variables that no behaviour of the run has: " + name);
  }

  static constexpr std::string_view kReturnEvent = "returnToPreviousStateEventId";
  static constexpr std::array<std::string_view, 4> kMachineEvents = {
      "randomTransitionEventId", "transitionToNextHigherStateEventId", "transitionToNextLowerStateEventId", kReturnEvent};
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  void leave_out(std::string what) {
    if (told_.insert(what).second) result_.not_evaluated.push_back(std::move(what));
  }

  std::size_t add_graph(std::shared_ptr<const havok::Packfile> file) {
    graphs_.push_back(std::make_unique<RunGraph>(std::move(file)));
    if (graphs_.back()->graph.is_cut) leave_out("lists that nodes share so often that they take too much memory");
    for (const Variable& variable : graphs_.back()->graph.variables)
      values_.try_emplace(to_lower(variable.name),
                          variable.value.is_number() ? variable.value.number() : double(variable.value.boolean()));
    listen(*graphs_.back());
    return graphs_.size() - 1;
  }

  // Events that no machine of any graph answers need no walk.
  void listen(const RunGraph& run) {
    std::set<std::int32_t> events;
    for (const MachineNode& machine : run.graph.machines) {
      for (const Transition& each : machine.transitions) events.insert(each.event);
      const havok::FieldsView fields = run.file->at(machine.id).fields();
      for (const std::string_view member : kMachineEvents) events.insert(static_cast<std::int32_t>(fields.integer(member)));
    }
    for (const std::int32_t event : events)
      if (const auto name = event_name(run.graph, event)) heard_.insert(to_lower(*name));
  }

  void work(std::size_t nodes) {
    visits_ += nodes;
    event_visits_ += nodes;
  }
  void keep_names(std::size_t bytes) { long_names_ += bytes - std::min(bytes, kUsualNames); }

  const RunGraph& graph_of(const NodeKey& key) const { return *graphs_[key.graph]; }
  const havok::Object& object_at(const NodeKey& key) const { return graph_of(key).file->objects[key.node]; }

  std::optional<double> value_of(std::string_view variable) const {
    const auto found = values_.find(to_lower(variable));
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  // The value of a member: that of the variable which drives it, or its own.
  double member(const NodeKey& key, std::string_view name) const {
    if (const Variable* variable = graph_of(key).driver({key.node}, name))
      if (const auto value = value_of(variable->name)) return *value;
    return object_at(key).fields().real(name);
  }

  // Walks from the root through all that is active now. Nodes that become active begin; those that no longer are end.
  // The machines that were active before are given an event on the way, the outer ones first. Returns whether one reacted.
  bool update(const RunSent* event = nullptr) {
    has_reacted_ = false;
    event_ = event;
    ++walk_;
    active_.swap(before_);
    place_.swap(place_before_);
    active_.clear();
    place_.clear();
    std::vector<ActiveNode> open = {{.key = {0, graphs_[0]->graph.root.index}}};
    while (!open.empty()) {
      ActiveNode node = std::move(open.back());
      open.pop_back();
      const RunGraph& graph = graph_of(node.key);
      if (node.key.node >= graph.file->objects.size() || !object_at(node.key).type) continue;
      if (node.depth > kDeepestNode || active_.size() > graph.file->objects.size() * 4 + 1000) {
        leave_out("nodes that contain themselves");
        continue;
      }
      const auto at = static_cast<std::int64_t>(active_.size());
      place_.emplace(node.key, active_.size());
      active_.push_back(node);
      std::vector<ActiveNode> below;
      enter_node(active_.back(), at, below);
      open.insert(open.end(), below.rbegin(), below.rend());
    }
    std::erase_if(machines_, [&](const auto& each) { return !place_.contains(each.first); });
    std::erase_if(clips_, [&](const auto& each) { return !place_.contains(each.first); });
    work(active_.size());
    return has_reacted_;
  }

  void enter_node(const ActiveNode& node, std::int64_t at, std::vector<ActiveNode>& below) {
    const RunGraph& graph = graph_of(node.key);
    const havok::Object& object = object_at(node.key);
    if (named_.insert(node.key).second)
      for (std::string& text : omitted_of_node(graph, {node.key.node})) leave_out(std::move(text));
    const auto add = [&](ObjectId id, double weight) -> ActiveNode& {
      ActiveNode& child = below.emplace_back(node);
      child.key.node = id.index;
      child.weight = node.weight * weight;
      child.depth = node.depth + 1;
      return child;
    };
    if (const auto machine = graph.machines.find(node.key.node); machine != graph.machines.end())
      return enter_machine(node, *machine->second, at, add);
    if (const auto clip = graph.clips.find(node.key.node); clip != graph.clips.end()) return play(node.key, *clip->second);
    if (object.type->is_a("hkbManualSelectorGenerator")) {
      const havok::ArrayView list = object.fields().array("generators");
      const double selected = member(node.key, "selectedGeneratorIndex");
      if (selected >= 0.0 && selected < list.size()) add(list.pointer(static_cast<std::uint32_t>(selected)), 1.0);
      return;
    }
    if (object.type->is_a("hkbBlenderGenerator")) return enter_blender(node.key, add);
    if (object.type->is_a("hkbBehaviorReferenceGenerator")) return enter_file(node, below);
    if (object.type->is_a("hkbModifierGenerator")) {
      add(object.fields().pointer("generator"), 1.0);
      return;
    }
    if (object.type->is_a("BSOffsetAnimationGenerator")) {
      add(object.fields().pointer("pDefaultGenerator"), 1.0);
      return;
    }
    const std::vector<ObjectId> nodes = nodes_below(*graph.file, {node.key.node});
    if (nodes.empty()) leave_out("generators: " + object.type->name);
    for (const ObjectId id : nodes) add(id, 1.0);
  }

  template <class Add>
  void enter_machine(const ActiveNode& node, const MachineNode& machine, std::int64_t at, const Add& add) {
    const NodeKey key = node.key;
    auto [entry, is_new] = machines_.try_emplace(key);
    MachineRun& run = entry->second;
    if (is_new) {
      run.now = start_state(key, machine);
      if (run.now) notify(key, run.now->id, "enterNotifyEvents");
    } else if (event_ && run.walk != walk_ && !node.is_fading) {
      has_reacted_ |= react(key, run, event_->event);
    }
    if (!node.is_fading) run.walk = walk_;
    if (!run.now) return;
    double share = 1.0;
    if (run.is_blending(now_)) {
      share = (now_ - run.blend_begin) / run.blend_seconds;
      ActiveNode& old = add(run.before->generator, 1.0 - share);
      old.machine = at;
      old.is_fading = true;
      old.state = run.before->name;
    }
    ActiveNode& current = add(run.now->generator, share);
    current.machine = at;
    current.state = run.now->name;
  }

  const StateNode* state_numbered(const MachineNode& machine, std::int64_t number) const {
    const auto found = std::ranges::find(machine.states, number, [](const StateNode& s) { return std::int64_t{s.number}; });
    return found == machine.states.end() ? nullptr : &*found;
  }

  const StateNode* start_state(const NodeKey& key, const MachineNode& machine) {
    if (const auto pending = nested_.find(key); pending != nested_.end()) {
      const std::int32_t number = pending->second;
      nested_.erase(pending);
      if (const StateNode* state = state_numbered(machine, number)) return state;
    }
    if (machine.start_mode == 1 && machine.sync_variable >= 0) {
      const auto& variables = graph_of(key).graph.variables;
      const auto at = static_cast<std::size_t>(machine.sync_variable);
      const auto value = at < variables.size() ? value_of(variables[at].name) : std::nullopt;
      if (const StateNode* state = value ? state_numbered(machine, static_cast<std::int64_t>(*value)) : nullptr)
        return state;
    }
    if (machine.start_mode == 2) leave_out("random start states: the start state is taken");
    if (machine.start_mode == 3) leave_out("start states by a chooser: the start state is taken");
    return state_numbered(machine, static_cast<std::int64_t>(member(key, "startStateId")));
  }

  // Weights of children: by the place of the parameter between theirs, or their share of the sum.
  template <class Add>
  void enter_blender(const NodeKey& key, const Add& add) {
    constexpr std::int64_t kParametric = 16;
    const havok::FieldsView fields = object_at(key).fields();
    const std::int64_t flags = fields.integer("flags");
    const havok::ArrayView list = fields.array("children");
    std::vector<std::pair<double, ObjectId>> children;
    for (std::uint32_t i = 0; i < list.size(); ++i)
      if (const auto* child = object_of(*graph_of(key).file, list.pointer(i), "hkbBlenderGeneratorChild"))
        children.emplace_back(member({key.graph, list.pointer(i).index}, "weight"), child->fields().pointer("generator"));
    if (children.empty()) return;
    if ((flags & kParametric) != 0) {
      std::ranges::stable_sort(children, {}, [](const auto& each) { return each.first; });
      const double at = std::clamp(member(key, "blendParameter"), children.front().first, children.back().first);
      std::size_t i = 0;
      while (i + 2 < children.size() && at > children[i + 1].first) ++i;
      const double width = children.size() > 1 ? children[i + 1].first - children[i].first : 0.0;
      const double share = width > 0.0 ? (at - children[i].first) / width : 0.0;
      if (share < 1.0) add(children[i].second, 1.0 - share);
      if (share > 0.0) add(children[i + 1].second, share);
      return;
    }
    double sum = 0.0;
    for (const auto& [weight, id] : children) sum += std::max(weight, 0.0);
    for (const auto& [weight, id] : children)
      if (weight > 0.0) add(id, weight / sum);
  }

  void enter_file(const ActiveNode& node, std::vector<ActiveNode>& below) {
    const std::string name(object_at(node.key).fields().text("behaviorName").value_or(""));
    const auto [entry, is_new] = by_name_.try_emplace(to_lower(name));
    if (is_new) {
      if (auto file = files_.behavior ? files_.behavior(name) : nullptr)
        entry->second = add_graph(std::move(file));
      else
        leave_out("behaviours that are not at hand: " + name);
    }
    if (!entry->second) return;
    ActiveNode& child = below.emplace_back(node);
    child.key = {*entry->second, graphs_[*entry->second]->graph.root.index};
    child.depth = node.depth + 1;
  }

  void play(const NodeKey& key, const ClipNode& clip) {
    if (clips_.contains(key)) return;
    std::optional<RunAnimation> animation = files_.animation ? files_.animation(clip.animation) : std::nullopt;
    if (!animation) leave_out("lengths of animations that are not at hand: " + clip.animation);
    if (clip.mode >= 2) leave_out("triggers of clips that are " + mode_text(clip.mode));
    double speed = member(key, "playbackSpeed");
    const double enforced = object_at(key).fields().real("enforcedDuration");
    if (enforced > 0.0 && animation) speed = animation->duration_seconds / enforced;
    const double fraction = member(key, "userControlledTimeFraction");
    clips_.emplace(key, RunClip(graph_of(key), clip, animation, speed, fraction, now_));
  }

  // When something changes by itself: a trigger, the end of a blend.
  double next_change() const {
    double next = kNever;
    for (const auto& [key, clip] : clips_) next = std::min(next, clip.next());
    for (const auto& [key, run] : machines_)
      if (run.is_blending(now_)) next = std::min(next, run.blend_begin + run.blend_seconds);
    return next;
  }

  void fire_triggers() {
    for (auto& [key, clip] : clips_)
      while (clip.next() <= now_ && !is_stopped_) send(clip.take().event, name_of_node(object_at(key)));
  }

  void notify(const NodeKey& key, ObjectId state, std::string_view member_name) {
    for (std::string& event : graph_of(key).notified(state, member_name))
      send(std::move(event), name_of_node(graph_of(key).file->at(state)));
  }

  void send(std::string event, std::string sender) {
    if (++sent_ > kMostEvents) {
      leave_out("events after the first 100000: the run stops");
      is_stopped_ = true;
      return;
    }
    keep_names(event.size() + sender.size());
    queue_.push_back({now_, std::move(event), std::move(sender)});
  }

  void deliver() {
    while (!queue_.empty() && !is_stopped_ && visits_ <= kMostVisits && event_visits_ <= kMostEventVisits) {
      RunSent event = std::move(queue_.front());
      queue_.pop_front();
      // What machines around it have changed is met by a second walk.
      if (heard_.contains(to_lower(event.event)) && update(&event)) update();
      result_.sent.push_back(std::move(event));
    }
  }

  // Takes the transition of highest priority that the event allows.
  bool react(const NodeKey& key, MachineRun& run, const std::string& event) {
    const RunGraph& graph = graph_of(key);
    const MachineNode& machine = *graph.machines.at(key.node);
    if (!run.now) return false;
    const Transition* best = nullptr;
    for (const Transition& each : machine.transitions) {
      if (each.from && *each.from != run.now->number) continue;
      const auto name = event_name(graph.graph, each.event);
      constexpr std::size_t kPerNode = 64;  // bytes of text that take as long as a node
      work(1 + (name ? name->size() / kPerNode : 0));
      if (!name || !equal_ignoring_case(*name, event) || !may_go(key, machine, run, each)) continue;
      const auto rank = [](const Transition& t) { return std::pair(t.priority, t.from.has_value()); };
      if (!best || rank(each) > rank(*best)) best = &each;
    }
    const auto fields = object_at(key).fields();
    if (!best) {
      const auto names_event = [&](std::string_view member_name) {
        const auto name = event_name(graph.graph, static_cast<std::int32_t>(fields.integer(member_name)));
        return name && equal_ignoring_case(*name, event);
      };
      for (const std::string_view other : kMachineEvents)
        if (other != kReturnEvent && names_event(other)) leave_out("events of machines: " + std::string(other));
      if (!names_event(kReturnEvent) || !run.before) return false;
      return change(key, run, *run.before, 0.0, event), true;
    }
    const StateNode* target = state_numbered(machine, best->to);
    for (std::string& text : omitted_of_transition(graph, *best, target == run.now)) leave_out(std::move(text));
    change(key, run, *target, best->blend_seconds.value_or(0.0f), event);
    if ((best->flags & transition_flag::kToNested) != 0) start_nested(key.graph, target->generator, best->to_nested);
    return true;
  }

  bool may_go(const NodeKey& key, const MachineNode& machine, const MachineRun& run, const Transition& each) {
    if ((each.flags & transition_flag::kDisabled) != 0) return false;
    const StateNode* target = state_numbered(machine, each.to);
    if (!target || member({key.graph, target->id.index}, "enable") == 0.0) return false;
    if (!each.from && target == run.now && (each.flags & transition_flag::kToItself) == 0) return false;
    if ((each.flags & 3) != 0) leave_out("intervals of transitions: taken at any time");
    if ((each.flags & transition_flag::kGlobalWildcard) != 0)
      leave_out("global wildcards of machines that are not active");
    if ((each.flags & transition_flag::kFromNested) != 0) {
      const auto nested = machines_.find(machine_behind(key.graph, run.now->generator));
      if (nested == machines_.end() || !nested->second.now || nested->second.now->number != each.from_nested) return false;
    }
    if ((each.flags & transition_flag::kNoCondition) != 0 || each.condition.empty()) return true;
    constexpr std::size_t kPerNode = 8;  // characters of a condition that take as long as a node
    work(each.condition.size() / kPerNode);
    const auto holds = evaluate(each.condition, [&](std::string_view name) { return value_of(name); });
    if (!holds) leave_out("conditions: " + each.condition + " (the transition is not taken)");
    return holds && *holds != 0.0;
  }

  // The machine that a generator is, perhaps behind nodes that only add to it.
  NodeKey machine_behind(std::size_t graph, ObjectId id) const {
    for (int i = 0; i < kDeepestNode; ++i) {
      const NodeKey key{graph, id.index};
      if (id.index >= graphs_[graph]->file->objects.size() || graphs_[graph]->machines.contains(id.index)) return key;
      const std::vector<ObjectId> below = nodes_below(*graphs_[graph]->file, id);
      if (below.size() != 1) return key;
      id = below.front();
    }
    return {graph, id.index};
  }

  void start_nested(std::size_t graph, ObjectId generator, std::int32_t number) {
    const NodeKey key = machine_behind(graph, generator);
    if (const auto run = machines_.find(key); run != machines_.end()) {
      if (const StateNode* state = state_numbered(*graphs_[graph]->machines.at(key.node), number)) run->second.now = state;
    } else if (graphs_[graph]->machines.contains(key.node)) {
      nested_[key] = number;
    }
  }

  void change(const NodeKey& key, MachineRun& run, const StateNode& target, double blend, const std::string& event) {
    const MachineNode& machine = *graph_of(key).machines.at(key.node);
    keep_names(machine.name.size() + run.now->name.size() + target.name.size() + event.size());
    result_.changes.push_back({now_, machine.name, run.now->name, target.name, event});
    begin_again(key, target.generator);
    if (machine.sync_variable >= 0) leave_out("variables that machines keep their state in");
    notify(key, run.now->id, "exitNotifyEvents");
    notify(key, target.id, "enterNotifyEvents");
    const bool is_same = run.now == &target;
    run.before = run.now;
    run.now = &target;
    run.blend_begin = now_;
    run.blend_seconds = is_same ? 0.0 : blend;
  }

  // What a state plays begins when it is entered, also if it has not ended: entered from itself, or while it fades.
  void begin_again(const NodeKey& machine, ObjectId generator) {
    const auto place = place_before_.find(machine);
    if (place == place_before_.end()) return;
    const auto at = before_.begin() + static_cast<std::ptrdiff_t>(place->second);
    auto node = at + 1;
    const auto is_below = [&](const ActiveNode& top) { return node != before_.end() && node->depth > top.depth; };
    while (is_below(*at)) {
      const ActiveNode& top = *node++;
      const bool begins = top.depth == at->depth + 1 && top.key == NodeKey{machine.graph, generator.index};
      if (begins) forget(top.key, machine);
      for (; begins && is_below(top); ++node) forget(node->key, machine);
    }
  }
  void forget(const NodeKey& key, const NodeKey& machine) {
    if (key == machine) return;  // a machine that contains itself
    machines_.erase(key);
    clips_.erase(key);
  }

  std::uint32_t source_of(const NodeKey& key) {
    const auto [entry, is_new] = sources_.try_emplace(key, static_cast<std::uint32_t>(result_.sources.size()));
    if (is_new) {
      constexpr std::int32_t kMirror = 4;
      const ClipNode& clip = *graph_of(key).clips.at(key.node);
      result_.sources.push_back({clip.animation, clip.crop_start_seconds, (clip.flags & kMirror) != 0});
    }
    return entry->second;
  }

  void write_rows() {
    std::vector<bool> plays(active_.size());  // by machine: a clip plays in it
    for (const ActiveNode& node : active_) {
      const auto clip = clips_.find(node.key);
      if (clip == clips_.end()) continue;
      if (node.machine >= 0) plays[static_cast<std::size_t>(node.machine)] = true;
      write_row(node.machine, node.state, name_of_node(object_at(node.key)), clip->second.local(now_), node.weight,
                source_of(node.key));
      if (long_names_ > kMostLongNames) return;
    }
    // The state of a machine in which nothing plays; machines stand before those inside them.
    for (std::size_t i = active_.size(); i-- > 0;) {
      const ActiveNode& node = active_[i];
      const auto machine = machines_.find(node.key);
      if (machine == machines_.end() || !machine->second.now) continue;
      if (!plays[i])
        write_row(static_cast<std::int64_t>(i), machine->second.now->name, {}, 0.0, node.weight, RunRow::kNoSource);
      if (node.machine >= 0) plays[static_cast<std::size_t>(node.machine)] = true;
      if (long_names_ > kMostLongNames) return;
    }
  }

  void write_row(std::int64_t machine, std::string_view state, std::string clip, double clip_seconds, double weight,
                 std::uint32_t source) {
    std::string name;
    if (machine >= 0) name = name_of_node(object_at(active_[static_cast<std::size_t>(machine)].key));
    keep_names(name.size() + state.size() + clip.size());
    if (long_names_ > kMostLongNames) return;
    result_.rows.push_back({now_, std::move(name), std::string(state), std::move(clip), clip_seconds, weight, source});
  }

  const RunFiles& files_;
  const RunOptions& options_;
  std::vector<std::unique_ptr<RunGraph>> graphs_;
  std::map<std::string, std::optional<std::size_t>> by_name_;
  std::map<std::string, double> values_;  // of variables, by their names in lower case
  std::map<NodeKey, MachineRun> machines_;
  std::map<NodeKey, RunClip> clips_;
  std::map<NodeKey, std::uint32_t> sources_;
  std::set<NodeKey> named_;  // nodes of which it is known what is left out
  std::map<NodeKey, std::int32_t> nested_;  // states that machines start in when they become active
  std::vector<ActiveNode> active_, before_;  // of this walk and the one before it
  std::map<NodeKey, std::size_t> place_, place_before_;  // of the first of a key in them
  std::uint64_t walk_ = 0;
  std::size_t visits_ = 0, event_visits_ = 0, long_names_ = 0;
  std::unordered_set<std::string> heard_;  // events that machines answer, in lower case
  const RunSent* event_ = nullptr;  // that is given to machines in this walk
  bool has_reacted_ = false;
  std::deque<RunSent> queue_;
  std::set<std::string> told_;
  RunResult result_;
  double now_ = 0.0;
  std::size_t sent_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

Result<RunResult> run_behavior(std::shared_ptr<const havok::Packfile> file, const RunFiles& files,
                               const RunOptions& options) {
  if (!(options.frames_per_second > 0.0) || !(options.seconds >= 0.0))
    return fail(ErrorCode::BadOption, "must be above 0", kNoOffset, "seconds");
  return BehaviorRun(std::move(file), files, options).run();
}

}  // namespace marrow::behavior
