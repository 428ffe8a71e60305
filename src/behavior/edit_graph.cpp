// SPDX-License-Identifier: MIT
// Edits of the graph: states, clips, transitions, nodes that go.
#include <algorithm>
#include <unordered_set>

#include "behavior/arrays.h"
#include "behavior/edit.h"
#include "behavior/element_indices.h"
#include "behavior/find.h"
#include "behavior/generators.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "core/nearest.h"
#include "core/try.h"
#include "havok/packfile/unreachable.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Fields;
using havok::FieldsView;
using havok::ObjectId;
using havok::Packfile;

constexpr std::int32_t kWildcardFlags = transition_flag::kLocalWildcard | transition_flag::kNoCondition;

std::vector<std::pair<ObjectId, std::int32_t>> states_of(const Packfile& file, ObjectId machine) {
  std::vector<std::pair<ObjectId, std::int32_t>> states;
  const havok::ArrayView list = file.at(machine).fields().array("states");
  for (std::uint32_t i = 0; i < list.size(); ++i)
    if (const auto* state = object_of(file, list.pointer(i), "hkbStateMachineStateInfo"))
      states.emplace_back(list.pointer(i), static_cast<std::int32_t>(state->fields().integer("stateId")));
  return states;
}

ObjectId state_of(const Packfile& file, ObjectId machine, std::int32_t number) {
  for (const auto& [id, each] : states_of(file, machine))
    if (each == number) return id;
  return {};
}

std::unexpected<Error> no_state(std::int32_t number, std::string_view option) {
  return fail(ErrorCode::BadOption, "the machine has no state " + std::to_string(number), kNoOffset,
              std::string(option));
}

// Returns the id for a new state.
Result<std::int32_t> state_number(const Packfile& file, ObjectId machine, std::optional<std::int32_t> wanted) {
  std::int64_t next = 0;
  for (const auto& [id, number] : states_of(file, machine)) {
    if (wanted == number)
      return fail(ErrorCode::BadOption, "the machine has a state " + std::to_string(number) + " already", kNoOffset,
                  "state");
    next = std::max<std::int64_t>(next, std::int64_t{number} + 1);
  }
  if (wanted) return *wanted;
  if (next > INT32_MAX) return fail(ErrorCode::BadOption, "no id is left; choose one", kNoOffset, "state");
  return static_cast<std::int32_t>(next);
}

std::int32_t event_index(const Packfile& file, std::string_view name) {
  const std::vector<std::string> events = texts_of(file, tables_of(file).strings, "eventNames");
  const auto found = std::ranges::find(events, name);
  return found == events.end() ? -1 : static_cast<std::int32_t>(found - events.begin());
}

// Appends a transition to the array that `member` of an object leads to, which is made if there is none.
void append_transition(Packfile& file, ObjectId holder, std::string_view member, std::int32_t event, std::int32_t to,
                       std::int32_t flags) {
  ObjectId list = file.at(holder).fields().view().pointer(member);
  if (!object_of(file, list, "hkbStateMachineTransitionInfoArray")) {
    list = add_node(file, "hkbStateMachineTransitionInfoArray");
    file.at(holder).fields().set_pointer(member, list);
  }
  Fields fields = file.at(list).fields();
  Fields added = fields.element("transitions", append_elements(fields, "transitions"));
  added.set_integer("eventId", event);
  added.set_integer("toStateId", to);
  added.set_integer("flags", flags);
  for (const std::string_view interval : {"triggerInterval", "initiateInterval"}) {
    added.record(interval).set_integer("enterEventId", -1);
    added.record(interval).set_integer("exitEventId", -1);
  }
}

ObjectId append_state(Packfile& file, ObjectId machine, std::string_view name, std::int32_t number,
                      ObjectId generator) {
  const ObjectId state = add_node(file, "hkbStateMachineStateInfo");
  Fields fields = file.at(state).fields();
  fields.set_pointer("generator", generator);
  fields.set_text("name", std::string(name));
  fields.set_integer("stateId", number);
  fields.set_real("probability", 1.0);
  fields.set_integer("enable", 1);
  append_pointer(file.at(machine).fields(), "states", state);
  return state;
}

ObjectId append_clip(Packfile& file, const NewClip& clip) {
  const ObjectId id = add_node(file, "hkbClipGenerator");
  Fields fields = file.at(id).fields();
  fields.set_text("name", clip.name);
  fields.set_text("animationName", clip.animation);
  fields.set_real("playbackSpeed", clip.speed);
  fields.set_integer("animationBindingIndex", -1);
  fields.set_integer("mode", clip.mode);
  if (clip.triggers.empty()) return id;
  const ObjectId triggers = add_node(file, "hkbClipTriggerArray");
  file.at(id).fields().set_pointer("triggers", triggers);
  Fields list = file.at(triggers).fields();
  append_elements(list, "triggers", static_cast<std::uint32_t>(clip.triggers.size()));
  for (std::uint32_t i = 0; i < clip.triggers.size(); ++i) {
    Fields trigger = list.element("triggers", i);
    trigger.set_real("localTime", clip.triggers[i].time_seconds);
    trigger.record("event").set_integer("id", event_index(file, clip.triggers[i].event));
  }
  return id;
}

/// Takes nodes out of a graph, with all that cannot be without them.
class Removal {
 public:
  explicit Removal(Packfile& file) : file_(file), names_(file) {}

  Result<std::vector<std::string>> run(ObjectId first) {
    MARROW_CHECK(gather(first));
    std::vector<bool> before = havok::reachable(file_);
    for (const std::uint32_t i : going_) before[i] = true;  // also what nothing led to
    std::vector<std::string> gone;
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i)
      if (!going_.contains(i)) cut_pointers({i});
    const std::vector<bool> after = havok::reachable(file_);
    for (std::uint32_t i = 0; i < after.size(); ++i)
      if (before[i] && !after[i]) gone.emplace_back(names_.of({i}));
    havok::drop_unreachable(file_, before);
    return gone;
  }

 private:
  /// A node that cannot be without another one.
  struct Holder {
    std::uint32_t index;
    bool has_list;  ///< it may lose the other one, unless that is the last of its list
  };

  // Collects the nodes that go: whatever must play one of them goes too.
  Result<void> gather(ObjectId first) {
    find_holders();
    std::vector<ObjectId> open = {first};
    going_.insert(first.index);
    while (!open.empty()) {
      const ObjectId node = open.back();
      open.pop_back();
      for (const Holder& each : holders_[node.index]) {
        const std::uint32_t i = each.index;
        if (going_.contains(i) || (each.has_list && --left_[i] > 0)) continue;
        const havok::Object& holder = file_.objects[i];
        const bool may_go = holder.type->is_a("hkbStateMachineStateInfo") ||
                            holder.type->is_a("hkbBlenderGeneratorChild") ||
                            holder.type->is_a("BSBoneSwitchGeneratorBoneData");
        if (!may_go)
          return fail(ErrorCode::InvalidArgument,
                      std::string(names_.of({i})) + " " + std::string(holder.class_name()) + " cannot be without " +
                          std::string(names_.of(node)) + "; give it another generator first, or remove it",
                      Cure{"behavior set", {{"node", std::string(names_.of({i}))}}});
        going_.insert(i);
        open.push_back({i});
      }
    }
    return {};
  }

  // A class has at most one list that must not be empty; what is in it twice counts twice.
  void find_holders() {
    holders_.resize(file_.objects.size());
    left_.resize(file_.objects.size());
    for (std::uint32_t i = 0; i < holders_.size(); ++i) {
      if (!file_.at({i}).type) continue;
      const FieldsView fields = std::as_const(file_).at({i}).fields();
      for (const GeneratorMember* row : generator_members(fields.type())) {
        if (!row->is_required) continue;
        const havok::Member& member = *fields.type().find(row->member);
        const bool has_list = havok::is_array(member.type.kind);
        const auto add = [&](ObjectId to) {
          if (to.index < holders_.size()) holders_[to.index].push_back({i, has_list});
        };
        if (!has_list) {
          add(fields.ref(member).pointer());
          continue;
        }
        left_[i] = fields.ref(member).array().count();
        for (const havok::Ref& ref : fields.ref(member).array().refs()) add(ref.pointer());
      }
    }
  }

  // Pointers of lists go; single ones become null. Machines lose the transitions to states that go.
  void cut_pointers(ObjectId id) {
    bool is_touched = false;
    for_each_pointer_place(std::as_const(file_).at(id),
                           [&](const Place&, ObjectId to) { is_touched |= going_.contains(to.index); });
    if (!is_touched) return;
    if (file_.at(id).type->is_a("hkbStateMachine")) forget_states(id);
    for_each_record(file_.at(id), [&](Fields record, const Place& place) {
      for (const havok::Class* type : record.view().type().lineage())
        for (const havok::Member& member : type->members) {
          if (member.is_ignored) continue;
          if (member.type.kind == havok::Kind::Pointer || member.type.kind == havok::Kind::Variant) {
            for (std::uint32_t i = 0; i < member.type.repeat; ++i)
              if (going_.contains(record.view().ref(member, i).pointer().index)) record.ref(member, i).reset();
          } else if (havok::is_array(member.type.kind) && member.type.element == havok::Kind::Pointer) {
            std::vector<bool> is_gone;
            for (const havok::Ref& ref : record.view().ref(member).array().refs())
              is_gone.push_back(going_.contains(ref.pointer().index));
            if (place.text().empty()) move_element_indices(file_, id, member.name, is_gone);
            remove_elements(record, member.name, is_gone);
          }
        }
    });
  }

  void forget_states(ObjectId machine) {
    std::unordered_set<std::int64_t> gone;
    std::optional<std::int64_t> first;
    std::vector<ObjectId> lists = {std::as_const(file_).at(machine).fields().pointer("wildcardTransitions")};
    for (const auto& [id, number] : states_of(file_, machine)) {
      if (going_.contains(id.index)) {
        gone.insert(number);
        continue;
      }
      if (!first) first = number;
      lists.push_back(std::as_const(file_).at(id).fields().pointer("transitions"));
    }
    for (const ObjectId list : lists) {
      if (!object_of(file_, list, "hkbStateMachineTransitionInfoArray")) continue;
      Fields fields = file_.at(list).fields();
      const havok::ArrayView transitions = fields.view().array("transitions");
      std::vector<bool> is_gone;
      for (std::uint32_t i = 0; i < transitions.size(); ++i)
        is_gone.push_back(gone.contains(transitions.record(i).integer("toStateId")));
      remove_elements(fields, "transitions", is_gone);
    }
    Fields fields = file_.at(machine).fields();
    if (first && gone.contains(fields.view().integer("startStateId"))) fields.set_integer("startStateId", *first);
  }

  Packfile& file_;
  NodeNames names_;
  std::unordered_set<std::uint32_t> going_;
  std::vector<std::vector<Holder>> holders_;
  std::vector<std::uint32_t> left_;  // elements of the list of each node that do not go
};

// Edits work on a copy, so that a failure leaves the file as it was. Objects share what does not change.
template <class T, class Edit>
Result<T> on_copy(Packfile& file, Edit edit) {
  Packfile copy = file;
  Result<T> done = edit(copy);
  if (done) file = std::move(copy);
  return done;
}

Result<void> link_state(Packfile& file, ObjectId machine, const std::string& on, Added& added) {
  if (on.empty()) return {};
  append_transition(file, machine, "wildcardTransitions", event_index(file, on), added.number, kWildcardFlags);
  return {};
}

}  // namespace

Result<ObjectId> find_machine(const Packfile& file, const NodeNames& names, std::string_view machine) {
  if (const ObjectId id = names.find(machine); object_of(file, id, "hkbStateMachine")) return id;
  std::vector<ObjectId> found;
  std::vector<std::string> known;
  for (const ObjectId id : objects_of(file, "hkbStateMachine")) {
    known.push_back(name_of_node(file.at(id)));
    if (known.back() == machine) found.push_back(id);
  }
  if (found.size() == 1) return found.front();
  std::string message = "there is no machine \"" + std::string(machine) + "\"" + did_you_mean(machine, known);
  if (found.size() > 1) {
    message =
        std::to_string(found.size()) + " machines are named \"" + std::string(machine) + "\"; name one by its node:";
    for (const ObjectId id : found) message += " " + std::string(names.of(id));
  }
  return fail(ErrorCode::BadOption, std::move(message), kNoOffset, "machine");
}

Result<Added> add_clip(Packfile& original, const NewClip& clip) {
  return on_copy<Added>(original, [&](Packfile& file) -> Result<Added> {
    MARROW_TRY(const ObjectId machine, find_machine(file, NodeNames(file), clip.machine));
    Added added;
    MARROW_TRY(added.number, state_number(file, machine, clip.state));
    std::vector<std::string> events;
    for (const NewTrigger& trigger : clip.triggers) events.push_back(trigger.event);
    if (!clip.on.empty()) events.push_back(clip.on);
    MARROW_TRY(added.events, add_events(file, events));
    added.generator = append_clip(file, clip);
    added.state = append_state(file, machine, clip.name, added.number, added.generator);
    MARROW_CHECK(link_state(file, machine, clip.on, added));
    return added;
  });
}

Result<Added> add_state(Packfile& original, const NewState& state) {
  return on_copy<Added>(original, [&](Packfile& file) -> Result<Added> {
    const NodeNames names(file);
    MARROW_TRY(const ObjectId machine, find_machine(file, names, state.machine));
    Added added{.state = {}, .generator = names.find(state.generator)};
    if (!object_of(file, added.generator, "hkbGenerator"))
      return fail(ErrorCode::BadOption, "\"" + state.generator + "\" is not a generator of the file", kNoOffset,
                  "generator");
    MARROW_TRY(added.number, state_number(file, machine, state.state));
    if (!state.on.empty()) {
      MARROW_TRY(added.events, add_events(file, std::vector{state.on}));
    }
    added.state = append_state(file, machine, state.name, added.number, added.generator);
    MARROW_CHECK(link_state(file, machine, state.on, added));
    return added;
  });
}

Result<std::vector<std::string>> add_transition(Packfile& original, std::string_view machine_name,
                                                std::optional<std::int32_t> from, std::int32_t to,
                                                std::string_view event) {
  using Names = std::vector<std::string>;
  return on_copy<Names>(original, [&](Packfile& file) -> Result<Names> {
    MARROW_TRY(const ObjectId machine, find_machine(file, NodeNames(file), machine_name));
    if (state_of(file, machine, to).is_null()) return no_state(to, "to");
    const ObjectId source = from ? state_of(file, machine, *from) : machine;
    if (source.is_null()) return no_state(*from, "from");
    MARROW_TRY(Names added, add_events(file, Names{std::string(event)}));
    append_transition(file, source, from ? "transitions" : "wildcardTransitions", event_index(file, event), to,
                      from ? transition_flag::kNoCondition : kWildcardFlags);
    return added;
  });
}

Result<std::vector<std::string>> remove_node(Packfile& original, std::string_view node) {
  using Names = std::vector<std::string>;
  return on_copy<Names>(original, [&](Packfile& file) -> Result<Names> {
    const ObjectId id = NodeNames(file).find(node);
    if (id.is_null())
      return fail(ErrorCode::BadOption, "there is no node \"" + std::string(node) + "\"", kNoOffset, "node");
    if (id == file.root) return fail(ErrorCode::InvalidArgument, "the root cannot be removed");
    return Removal(file).run(id);
  });
}

}  // namespace marrow::behavior
