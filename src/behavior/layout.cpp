// SPDX-License-Identifier: MIT
#include "behavior/layout.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>

#include "behavior/generators.h"
#include "behavior/pack_boxes.h"
#include "behavior/records.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;
using havok::Packfile;

constexpr double kGap = 12.0, kStateGap = 34.0;
constexpr double kTitleLetter = 0.58, kLineLetter = 6.3;  // width of a letter, by the size of the title, and in pixels
constexpr double kSmallestTitle = 12.0, kBoxPerTitle = 90.0;
constexpr std::size_t kLongestText = 60;

std::string shortened_text(std::string text) {
  if (text.size() > kLongestText) text = text.substr(0, kLongestText - 3) + "...";
  return text;
}

// Letters, not bytes.
double letters_of(std::string_view text) {
  return static_cast<double>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Boxes {
 public:
  Boxes(const Packfile& file, const NodeNames& names, const Graph& graph) : file_(file), names_(names), graph_(graph) {
    for (const MachineNode& machine : graph.machines) machines_.emplace(machine.id.index, &machine);
    for (const ClipNode& clip : graph.clips) clips_.emplace(clip.id.index, &clip);
  }

  std::vector<Box> make() {
    add(graph_.root, -1);
    // Parents come before what they hold; a list of open boxes instead of recursion, since files choose the depth.
    while (!open_.empty()) {
      const std::int32_t box = open_.front();
      open_.pop_front();
      fill(box);
    }
    for (const auto& [machine, box] : drawn_machines_) link_states(*machine, box);
    return std::move(boxes_);
  }

 private:
  std::int32_t add(ObjectId id, std::int32_t parent) {
    const auto index = static_cast<std::int32_t>(boxes_.size());
    std::vector<BoxLine> wrappers;
    id = unwrapped(id, index, wrappers);
    Box& box = boxes_.emplace_back();
    box.parent = parent;
    box.id = id;
    box.lines = std::move(wrappers);
    if (id.index >= file_.objects.size()) {
      box.kind = BoxKind::Link;
      box.title = "nothing";
      return index;
    }
    const havok::Object& object = file_.at(id);
    const std::string name = name_of_node(object);
    box.hint = std::string(names_.of(id)) + " " + std::string(object.class_name());
    box.title = shortened_text(name.empty() ? box.hint : name);
    if (const auto [known, is_new] = drawn_.try_emplace(id.index, index); !is_new) {
      box.kind = BoxKind::Link;
      box.same_as = known->second;
      box.title = "see " + std::string(names_.of(id)) + " " + box.title;
      return index;
    }
    if (const auto clip = clips_.find(id.index); clip != clips_.end()) {
      box.kind = BoxKind::Clip;
      box.lines.push_back({shortened_text(clip->second->animation + " (" + mode_text(clip->second->mode) + ")")});
      for (const Trigger& trigger : clip->second->triggers) {
        char time[32];
        std::snprintf(time, sizeof time, "%.4g s%s: ", static_cast<double>(trigger.time_seconds),
                      trigger.is_from_end ? " from end" : "");
        box.lines.push_back({shortened_text(time + event_name(graph_, trigger.event).value_or("no event"))});
      }
      return index;
    }
    if (object.type && object.type->is_a("hkbBehaviorReferenceGenerator"))
      box.lines.push_back({shortened_text("file " + std::string(object.fields().text("behaviorName").value_or("")))});
    box.kind = machines_.contains(id.index) ? BoxKind::Machine : BoxKind::Generator;
    if (object.type && object.type->is_a("hkbStateMachineStateInfo")) box.kind = BoxKind::State;
    if (box.kind == BoxKind::Generator && object.type) box.lines.push_back({object.type->name});
    open_.push_back(index);
    return index;
  }

  // A generator that only leads on to another one, or a child of a blender, is a line in what it leads to.
  ObjectId unwrapped(ObjectId id, std::int32_t index, std::vector<BoxLine>& wrappers) {
    while (id.index < file_.objects.size() && file_.at(id).type && !machines_.contains(id.index) &&
           !clips_.contains(id.index) && !drawn_.contains(id.index)) {
      const havok::Object& object = file_.at(id);
      if (object.type->is_a("hkbStateMachineStateInfo")) break;
      const std::vector<ObjectId> below = nodes_below(file_, id);
      if (below.size() != 1 || below.front() == id) break;
      drawn_.emplace(id.index, index);
      wrappers.push_back({shortened_text("in " + wrapper_text(id, object)), LineKind::Wrapper});
      id = below.front();
    }
    return id;
  }

  std::string wrapper_text(ObjectId id, const havok::Object& object) const {
    std::string text = std::string(names_.of(id)) + " " + name_of_node(object) + " (" + object.type->name;
    if (object.type->is_a("hkbBlenderGeneratorChild")) {
      char weight[32];
      std::snprintf(weight, sizeof weight, ", weight %.3g", object.fields().real("weight"));
      text += weight;
    }
    if (const ObjectId modifier = object.fields().pointer("modifier"); modifier.index < file_.objects.size())
      text += ", " + name_of_node(file_.at(modifier));
    return text + ")";
  }

  void fill(std::int32_t box) {
    const ObjectId id = boxes_[static_cast<std::size_t>(box)].id;
    if (const auto machine = machines_.find(id.index); machine != machines_.end()) {
      drawn_machines_.emplace_back(machine->second, box);
      for (const StateNode* state : in_reach_order(*machine->second)) {
        const std::int32_t child = add(state->id, box);
        Box& made = boxes_[static_cast<std::size_t>(child)];
        made.title = shortened_text(std::to_string(state->number) + " " + state->name);
        made.is_start = state->number == machine->second->start;
      }
      return;
    }
    for (const ObjectId below : nodes_below(file_, id)) add(below, box);
  }

  // The start state first, then what its transitions lead to, then the rest as it is.
  static std::vector<const StateNode*> in_reach_order(const MachineNode& machine) {
    std::unordered_map<std::int32_t, std::size_t> place;
    for (std::size_t i = 0; i < machine.states.size(); ++i) place.try_emplace(machine.states[i].number, i);
    std::unordered_map<std::int32_t, std::vector<std::int32_t>> leads;
    for (const Transition& each : machine.transitions)
      if (each.from) leads[*each.from].push_back(each.to);
    std::vector<const StateNode*> order;
    std::vector<bool> is_placed(machine.states.size());
    const auto take = [&](std::size_t i) {
      if (is_placed[i]) return;
      is_placed[i] = true;
      order.push_back(&machine.states[i]);
    };
    const auto follow_on = [&](std::size_t from) {
      for (std::size_t next = from; next < order.size(); ++next)
        for (const std::int32_t to : leads[order[next]->number])
          if (const auto found = place.find(to); found != place.end()) take(found->second);
    };
    if (const auto start = place.find(machine.start); start != place.end()) take(start->second);
    follow_on(0);
    for (std::size_t i = 0; i < machine.states.size(); ++i) {
      const std::size_t from = order.size();
      take(i);
      follow_on(from);
    }
    return order;
  }

  // Transitions become lines of the states that they lead out of; wildcards lines of those they lead to.
  void link_states(const MachineNode& machine, std::int32_t) {
    std::unordered_map<std::int32_t, std::int32_t> boxes;
    std::unordered_map<std::int32_t, const StateNode*> states;
    for (const StateNode& state : machine.states) {
      if (const auto found = drawn_.find(state.id.index); found != drawn_.end())
        boxes.try_emplace(state.number, found->second);
      states.try_emplace(state.number, &state);
    }
    for (const Transition& each : machine.transitions) {
      const std::string event = event_name(graph_, each.event).value_or("no event");
      const std::string condition = each.condition.empty() ? "" : " if " + each.condition;
      const auto target = boxes.find(each.to);
      if (!each.from) {
        if (target != boxes.end())
          boxes_[static_cast<std::size_t>(target->second)].lines.push_back(
              {shortened_text("any: " + event + condition), LineKind::Wildcard});
        continue;
      }
      const auto source = boxes.find(*each.from);
      if (source == boxes.end()) continue;
      const std::string to = states.contains(each.to) ? states[each.to]->name : "no state " + std::to_string(each.to);
      boxes_[static_cast<std::size_t>(source->second)].lines.push_back({shortened_text(event + condition + " > " + to),
                                                                        LineKind::Transition,
                                                                        target == boxes.end() ? -1 : target->second});
    }
  }

  const Packfile& file_;
  const NodeNames& names_;
  const Graph& graph_;
  std::vector<Box> boxes_;
  std::deque<std::int32_t> open_;
  std::unordered_map<std::uint32_t, const MachineNode*> machines_;
  std::unordered_map<std::uint32_t, const ClipNode*> clips_;
  std::unordered_map<std::uint32_t, std::int32_t> drawn_;
  std::vector<std::pair<const MachineNode*, std::int32_t>> drawn_machines_;
};

// Places what is inside a box, and gives the box its size.
void pack_inside(std::vector<Box>& boxes, const std::vector<std::int32_t>& children, Box& parent) {
  std::vector<PackedSize> sizes;
  std::vector<PackedPlace> places;
  for (const std::int32_t each : children) {
    const Box& box = boxes[static_cast<std::size_t>(each)];
    sizes.push_back({box.width, box.height});
  }
  const PackedSize inside = pack_boxes(sizes, parent.kind == BoxKind::Machine ? kStateGap : kGap, places);
  parent.title_size = std::max(kSmallestTitle, inside.width / kBoxPerTitle);
  const double top = parent.title_height() + kLineHeight * static_cast<double>(parent.lines.size()) + kPadding;
  for (std::size_t i = 0; i < children.size(); ++i) {
    Box& box = boxes[static_cast<std::size_t>(children[i])];
    box.x = kPadding + places[i].x;
    box.y = top + places[i].y;
  }
  parent.width = std::max(letters_of(parent.title) * kTitleLetter * parent.title_size + 24.0, inside.width);
  for (const BoxLine& line : parent.lines) parent.width = std::max(parent.width, letters_of(line.text) * kLineLetter);
  parent.width += 2.0 * kPadding;
  parent.height = children.empty() ? top : top + inside.height + kPadding;
}

}  // namespace

Layout lay_out_graph(const Packfile& file, const NodeNames& names, const Graph& graph) {
  Layout layout{Boxes(file, names, graph).make()};
  std::vector<std::vector<std::int32_t>> children(layout.boxes.size());
  for (std::size_t i = 0; i < layout.boxes.size(); ++i)
    if (layout.boxes[i].parent >= 0)
      children[static_cast<std::size_t>(layout.boxes[i].parent)].push_back(static_cast<std::int32_t>(i));
  // What is inside comes after its box, so that going backwards finds all sizes known.
  for (std::size_t i = layout.boxes.size(); i-- > 0;) pack_inside(layout.boxes, children[i], layout.boxes[i]);
  for (Box& box : layout.boxes) {
    if (box.parent < 0) continue;
    box.x += layout.boxes[static_cast<std::size_t>(box.parent)].x;
    box.y += layout.boxes[static_cast<std::size_t>(box.parent)].y;
  }
  if (!layout.boxes.empty()) {
    layout.width = layout.boxes.front().width;
    layout.height = layout.boxes.front().height;
  }
  return layout;
}

}  // namespace marrow::behavior
