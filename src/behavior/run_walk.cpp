// SPDX-License-Identifier: MIT
#include "behavior/run_walk.h"

#include <algorithm>

#include "behavior/find.h"
#include "behavior/generators.h"
#include "behavior/records.h"
#include "behavior/run_omitted.h"
#include "behavior/tables.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

constexpr std::size_t kMostEvents = 100'000, kMostVisits = 200'000'000;
// What events may cost in nodes, beside one walk per frame: the file decides how many there are.
constexpr std::size_t kMostEventVisits = 16'000'000;
// Names up to `kUsualNames` bytes per row or event are free; what is more adds up to this at most.
constexpr std::size_t kUsualNames = 512, kMostLongNames = std::size_t{32} << 20;

}  // namespace

using havok::ObjectId;

RunWalk::RunWalk(std::shared_ptr<const havok::Packfile> file, const RunFiles& files, const RunOptions& options)
    : files_(files) {
  add_graph(std::move(file));
  for (const auto& [name, value] : options.variables) values_[to_lower(name)] = value;
  result.seconds = options.seconds;
}

void RunWalk::leave_out(std::string what) {
  if (told_.insert(what).second) result.not_evaluated.push_back(std::move(what));
}

Result<void> RunWalk::within_limits() const {
  if (visits_ > kMostVisits)
    return fail(ErrorCode::LimitExceeded, "the run meets more than 200 million nodes; make it shorter");
  if (event_visits_ > kMostEventVisits)
    return fail(ErrorCode::LimitExceeded, "the events of the run meet more than 16 million nodes; make it shorter");
  if (long_names_ > kMostLongNames)
    return fail(ErrorCode::LimitExceeded, "the names in the rows of the run take more than 32 MB; make it shorter");
  return {};
}

bool RunWalk::keep_names(std::size_t bytes) {
  long_names_ += bytes - std::min(bytes, kUsualNames);
  return long_names_ <= kMostLongNames;
}

const MachineRun* RunWalk::machine_at(const NodeKey& key) const {
  const auto found = machines_.find(key);
  return found == machines_.end() ? nullptr : &found->second;
}

const RunClip* RunWalk::clip_at(const NodeKey& key) const {
  const auto found = clips_.find(key);
  return found == clips_.end() ? nullptr : &found->second;
}

std::size_t RunWalk::add_graph(std::shared_ptr<const havok::Packfile> file) {
  graphs_.push_back(std::make_unique<RunGraph>(std::move(file)));
  if (graphs_.back()->graph.is_cut) leave_out("lists that nodes share so often that they take too much memory");
  for (const Variable& variable : graphs_.back()->graph.variables)
    values_.try_emplace(to_lower(variable.name),
                        variable.value.is_number() ? variable.value.number() : double(variable.value.boolean()));
  listen(*graphs_.back());
  return graphs_.size() - 1;
}

// Events that no machine of any graph answers need no walk.
void RunWalk::listen(const RunGraph& run) {
  std::set<std::int32_t> events;
  for (const MachineNode& machine : run.graph.machines) {
    for (const Transition& each : machine.transitions) events.insert(each.event);
    const havok::FieldsView fields = run.file->at(machine.id).fields();
    for (const std::string_view member : kMachineEvents)
      events.insert(static_cast<std::int32_t>(fields.integer(member)));
  }
  for (const std::int32_t event : events)
    if (const auto name = event_name(run.graph, event)) heard_.insert(to_lower(*name));
}

void RunWalk::work(std::size_t nodes) {
  visits_ += nodes;
  event_visits_ += nodes;
}

std::optional<double> RunWalk::value_of(std::string_view variable) const {
  const auto found = values_.find(to_lower(variable));
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

// The value of a member: that of the variable which drives it, or its own.
double RunWalk::member(const NodeKey& key, std::string_view name) const {
  if (const Variable* variable = graph_of(key).driver({key.node}, name))
    if (const auto value = value_of(variable->name)) return *value;
  return object_at(key).fields().real(name);
}

bool RunWalk::update(const RunSent* event) {
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
    if (node.depth > kDeepestRunNode || active_.size() > graph.file->objects.size() * 4 + 1000) {
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

ActiveNode& RunWalk::Below::add(ObjectId id, double weight) {
  ActiveNode& child = list.emplace_back(node);
  child.key.node = id.index;
  child.weight = node.weight * weight;
  child.depth = node.depth + 1;
  return child;
}

void RunWalk::enter_node(const ActiveNode& node, std::int64_t at, std::vector<ActiveNode>& below) {
  const RunGraph& graph = graph_of(node.key);
  const havok::Object& object = object_at(node.key);
  if (named_.insert(node.key).second)
    for (std::string& text : omitted_of_node(graph, {node.key.node})) leave_out(std::move(text));
  Below to{node, below};
  if (const auto machine = graph.machines.find(node.key.node); machine != graph.machines.end())
    return enter_machine(*machine->second, at, to);
  if (const auto clip = graph.clips.find(node.key.node); clip != graph.clips.end())
    return play(node.key, *clip->second);
  if (object.type->is_a("hkbManualSelectorGenerator")) {
    const havok::ArrayView list = object.fields().array("generators");
    const double selected = member(node.key, "selectedGeneratorIndex");
    if (selected >= 0.0 && selected < list.size()) to.add(list.pointer(static_cast<std::uint32_t>(selected)), 1.0);
    return;
  }
  if (object.type->is_a("hkbBlenderGenerator")) return enter_blender(to);
  if (object.type->is_a("hkbBehaviorReferenceGenerator")) return enter_file(to);
  if (object.type->is_a("hkbModifierGenerator")) {
    to.add(object.fields().pointer("generator"), 1.0);
    return;
  }
  if (object.type->is_a("BSOffsetAnimationGenerator")) {
    to.add(object.fields().pointer("pDefaultGenerator"), 1.0);
    return;
  }
  const std::vector<ObjectId> nodes = nodes_below(*graph.file, {node.key.node});
  if (nodes.empty()) leave_out("generators: " + object.type->name);
  for (const ObjectId id : nodes) to.add(id, 1.0);
}

void RunWalk::enter_machine(const MachineNode& machine, std::int64_t at, Below below) {
  const ActiveNode& node = below.node;
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
  if (run.is_blending(now)) {
    share = (now - run.blend_begin) / run.blend_seconds;
    ActiveNode& old = below.add(run.before->generator, 1.0 - share);
    old.machine = at;
    old.is_fading = true;
    old.state = run.before->name;
  }
  ActiveNode& current = below.add(run.now->generator, share);
  current.machine = at;
  current.state = run.now->name;
}

// Weights of children: by the place of the parameter between theirs, or their share of the sum.
void RunWalk::enter_blender(Below below) {
  const NodeKey& key = below.node.key;
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
    if (share < 1.0) below.add(children[i].second, 1.0 - share);
    if (share > 0.0) below.add(children[i + 1].second, share);
    return;
  }
  double sum = 0.0;
  for (const auto& [weight, id] : children) sum += std::max(weight, 0.0);
  for (const auto& [weight, id] : children)
    if (weight > 0.0) below.add(id, weight / sum);
}

void RunWalk::enter_file(Below below) {
  const ActiveNode& node = below.node;
  const std::string name(object_at(node.key).fields().text("behaviorName").value_or(""));
  const auto [entry, is_new] = by_name_.try_emplace(to_lower(name));
  if (is_new) {
    if (auto file = files_.behavior ? files_.behavior(name) : nullptr)
      entry->second = add_graph(std::move(file));
    else
      leave_out("behaviours that are not at hand: " + name);
  }
  if (!entry->second) return;
  ActiveNode& child = below.list.emplace_back(node);
  child.key = {*entry->second, graphs_[*entry->second]->graph.root.index};
  child.depth = node.depth + 1;
}

void RunWalk::play(const NodeKey& key, const ClipNode& clip) {
  if (clips_.contains(key)) return;
  std::optional<RunAnimation> animation = files_.animation ? files_.animation(clip.animation) : std::nullopt;
  if (!animation) leave_out("lengths of animations that are not at hand: " + clip.animation);
  if (clip.mode >= 2) leave_out("triggers of clips that are " + mode_text(clip.mode));
  double speed = member(key, "playbackSpeed");
  const double enforced = object_at(key).fields().real("enforcedDuration");
  if (enforced > 0.0 && animation)
    speed = (animation->duration_seconds - clip.crop_start_seconds - clip.crop_end_seconds) / enforced;
  if (speed < 0.0) leave_out("clips that play backwards: without triggers, from their start time");
  const double fraction = member(key, "userControlledTimeFraction");
  clips_.emplace(key, RunClip(graph_of(key), clip, animation, speed, fraction, now));
}

double RunWalk::next_change() const {
  double next = kNever;
  for (const auto& [key, clip] : clips_) next = std::min(next, clip.next());
  for (const auto& [key, run] : machines_)
    if (run.is_blending(now)) next = std::min(next, run.blend_begin + run.blend_seconds);
  return next;
}

void RunWalk::fire_triggers() {
  for (auto& [key, clip] : clips_)
    while (clip.next() <= now && !is_stopped_) send(clip.take().event, name_of_node(object_at(key)));
}

void RunWalk::notify(const NodeKey& key, ObjectId state, std::string_view member_name) {
  for (std::string& event : graph_of(key).notified(state, member_name))
    send(std::move(event), name_of_node(graph_of(key).file->at(state)));
}

void RunWalk::send(std::string event, std::string sender) {
  if (++sent_ > kMostEvents) {
    leave_out("events after the first 100000: the run stops");
    is_stopped_ = true;
    return;
  }
  keep_names(event.size() + sender.size());
  queue_.push_back({now, std::move(event), std::move(sender)});
}

void RunWalk::deliver() {
  while (!queue_.empty() && !is_stopped_ && visits_ <= kMostVisits && event_visits_ <= kMostEventVisits) {
    RunSent event = std::move(queue_.front());
    queue_.pop_front();
    // What machines around it have changed is met by a second walk.
    if (heard_.contains(to_lower(event.event)) && update(&event)) update();
    result.sent.push_back(std::move(event));
  }
}

}  // namespace marrow::behavior
