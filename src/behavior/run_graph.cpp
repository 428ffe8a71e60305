// SPDX-License-Identifier: MIT
#include "behavior/run_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "behavior/records.h"

namespace marrow::behavior {
namespace {

constexpr std::int32_t kLooping = 1, kUser = 2, kPingPong = 3;
constexpr std::int32_t kNoAnnotations = 16;

}  // namespace

RunGraph::RunGraph(std::shared_ptr<const havok::Packfile> given)
    : file(std::move(given)), names(*file), graph(read_graph(*file, names)) {
  for (const MachineNode& machine : graph.machines) machines.emplace(machine.id.index, &machine);
  for (const ClipNode& clip : graph.clips) clips.emplace(clip.id.index, &clip);
  for (const Binding& binding : graph.bindings) bindings[binding.id.index].push_back(&binding);
}

const Variable* RunGraph::driver(havok::ObjectId id, std::string_view member) const {
  const auto found = bindings.find(id.index);
  if (found == bindings.end()) return nullptr;
  for (const Binding* each : found->second)
    if (!each->is_property && each->member == member && each->variable >= 0 &&
        static_cast<std::size_t>(each->variable) < graph.variables.size())
      return &graph.variables[static_cast<std::size_t>(each->variable)];
  return nullptr;
}

std::vector<std::string> RunGraph::notified(havok::ObjectId state, std::string_view member) const {
  std::vector<std::string> events;
  const havok::Object* info = object_of(*file, state, "hkbStateMachineStateInfo");
  const havok::Object* list =
      info ? object_of(*file, info->fields().pointer(member), "hkbStateMachineEventPropertyArray") : nullptr;
  if (!list) return events;
  const havok::ArrayView array = list->fields().array("events");
  for (std::uint32_t i = 0; i < array.size(); ++i)
    if (auto name = event_name(graph, static_cast<std::int32_t>(array.record(i).integer("id"))))
      events.push_back(std::move(*name));
  return events;
}

RunClip::RunClip(const RunGraph& graph, const ClipNode& clip, const std::optional<RunAnimation>& animation,
                 double speed, double fraction, double now)
    : begin_(now), offset_(clip.start_seconds), speed_(speed), duration_(kNever), mode_(clip.mode) {
  if (animation)
    duration_ = std::max(0.0, animation->duration_seconds - clip.crop_start_seconds - clip.crop_end_seconds);
  const havok::Object* list =
      object_of(*graph.file, graph.file->at(clip.id).fields().pointer("triggers"), "hkbClipTriggerArray");
  for (std::size_t i = 0; i < clip.triggers.size(); ++i) {
    const Trigger& each = clip.triggers[i];
    const auto event = event_name(graph.graph, each.event);
    const double seconds = each.is_from_end ? duration_ + each.time_seconds : each.time_seconds;
    if (!event || !std::isfinite(seconds)) continue;
    const havok::FieldsView record = list->fields().array("triggers").record(static_cast<std::uint32_t>(i));
    triggers_.push_back({seconds, *event, record.integer("acyclic") != 0});
  }
  if (animation && (clip.flags & kNoAnnotations) == 0)
    for (const auto& [seconds, event] : animation->events)
      if (const double local = seconds - clip.crop_start_seconds; local >= 0.0 && local <= duration_)
        triggers_.push_back({local, event, false});
  std::ranges::stable_sort(triggers_, {}, &RunTrigger::seconds);
  if (mode_ == kUser) offset_ = std::isfinite(duration_) ? fraction * duration_ : 0.0;
  if (mode_ == kUser || mode_ == kPingPong) triggers_.clear();
  while (at_ < triggers_.size() && triggers_[at_].seconds < offset_) ++at_;
  move_on();
}

double RunClip::local(double now) const {
  const double raw = mode_ == kUser ? offset_ : offset_ + (now - begin_) * speed_;
  if (!std::isfinite(duration_)) return raw;
  if (duration_ <= 0.0) return 0.0;
  if (mode_ == kLooping) return raw - std::floor(raw / duration_) * duration_;
  if (mode_ == kPingPong) {
    const double around = raw - std::floor(raw / (2.0 * duration_)) * 2.0 * duration_;
    return around <= duration_ ? around : 2.0 * duration_ - around;
  }
  return std::clamp(raw, 0.0, duration_);
}

// Steps over the end of a loop, and over triggers that only the first loop has.
void RunClip::move_on() {
  const bool loops = mode_ == kLooping && std::isfinite(duration_) && duration_ > 0.0;
  const auto is_cyclic = [](const RunTrigger& each) { return !each.is_acyclic; };
  while (true) {
    if (at_ == triggers_.size()) {
      if (!loops || std::ranges::none_of(triggers_, is_cyclic)) return;
      at_ = 0;
      loop_ += 1.0;
    }
    if (loop_ == 0.0 || is_cyclic(triggers_[at_])) return;
    ++at_;
  }
}

double RunClip::next() const {
  if (at_ >= triggers_.size() || !(speed_ > 0.0)) return kNever;
  const double shift = loop_ > 0.0 ? loop_ * duration_ : 0.0;
  if (loop_ == 0.0 && triggers_[at_].seconds > duration_) return kNever;
  return begin_ + (shift + triggers_[at_].seconds - offset_) / speed_;
}

const RunTrigger& RunClip::take() {
  const RunTrigger& taken = triggers_[at_++];
  move_on();
  return taken;
}

}  // namespace marrow::behavior
