// SPDX-License-Identifier: MIT
#include "behavior/check_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "behavior/expression.h"
#include "behavior/generators.h"
#include "behavior/graph_mends.h"
#include "behavior/member_path.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "behavior/texts.h"
#include "core/nearest.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::Kind;
using havok::ObjectId;
using havok::Packfile;

class GraphCheck {
 public:
  GraphCheck(const Packfile& file, const Graph& graph, Report& report)
      : file_(file), graph_(graph), report_(report), mends_(file, report) {
    const auto add_name = [&](const std::string& name) {
      if (words_.insert(to_lower(name)).second) names_.emplace_back(name);
    };
    for (const Variable& variable : graph.variables) add_name(variable.name);
    for (const std::string& event : graph.events) add_name(event);
    for (const Binding& binding : graph.bindings) bound_[binding.id.index].push_back(&binding);
    for (const MachineNode& machine : graph.machines) machines_.emplace(machine.id.index, &machine);
    property_types_ = types_of(file, tables_of(file).data, "characterPropertyInfos");
  }

  void run() {
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i) {
      if (!file_.objects[i].type) continue;
      check_generators({i});
      check_selector({i});
      check_expressions({i});
    }
    for (const MachineNode& machine : graph_.machines) check_machine(machine);
    check_bindings();
    check_cycles();
  }

 private:
  bool is_bound(ObjectId id, std::string_view member) const {
    const auto found = bound_.find(id.index);
    return found != bound_.end() &&
           std::ranges::any_of(found->second, [&](const Binding* each) { return each->member == member; });
  }

  std::string titled(ObjectId id) const {
    const std::string name = name_of_node(file_.at(id));
    return std::string(file_.at(id).class_name()) + (name.empty() ? "" : " \"" + name + "\"");
  }

  void check_generators(ObjectId id) {
    const FieldsView fields = file_.at(id).fields();
    for (const GeneratorMember* row : generators_.of(fields.type())) {
      const havok::Member& member = *fields.type().find(row->member);
      if (!havok::is_array(member.type.kind)) {
        if (row->is_required || !fields.ref(member).pointer().is_null())
          check_led_to(id, *row, fields.ref(member).pointer(), std::string(row->member));
        continue;
      }
      const auto refs = fields.ref(member).array().refs();
      if (refs.empty() && row->is_required) missing(id, std::string(row->member), "is empty");
      for (std::size_t i = 0; i < refs.size(); ++i)
        check_led_to(id, *row, refs[i].pointer(), std::string(row->member) + "[" + std::to_string(i) + "]");
    }
  }

  void check_led_to(ObjectId id, const GeneratorMember& row, ObjectId to, const std::string& path) {
    if (to.is_null()) return missing(id, path, "leads to nothing");
    if (object_of(file_, to, row.leads_to)) return;
    missing(id, path,
            "leads to " + report_.node(to) + ", a " + std::string(file_.at(to).class_name()) + " and not a " +
                std::string(row.leads_to));
  }

  void missing(ObjectId id, const std::string& path, const std::string& how) {
    report_.error("BHV_NO_GENERATOR", id, path,
                  titled(id) + ": " + path + " " + how +
                      ": the character T-poses or the game crashes when it is entered. Give it a generator",
                  mends_.of_generator(id, path));
  }

  void check_selector(ObjectId id) {
    const FieldsView fields = file_.at(id).fields();
    if (!fields.type().is_a("hkbManualSelectorGenerator")) return;
    const std::int64_t selected = fields.integer("selectedGeneratorIndex");
    const std::int64_t count = fields.array("generators").size();
    if (count == 0 || (selected >= 0 && selected < count) || is_bound(id, "selectedGeneratorIndex")) return;
    report_.add("BHV_SELECTOR", Level::Warning, id, "selectedGeneratorIndex",
                titled(id) + " selects generator " + std::to_string(selected) + " of " + std::to_string(count) +
                    ", and no variable sets it: the character T-poses",
                report_.set(id, "selectedGeneratorIndex", "0"));
  }

  void check_machine(const MachineNode& machine) {
    std::unordered_map<std::int32_t, const StateNode*> states;
    for (const StateNode& state : machine.states) {
      const auto [first, is_new] = states.try_emplace(state.number, &state);
      if (is_new) continue;
      report_.error("BHV_STATE_TWICE", state.id, "stateId",
                    "\"" + state.name + "\" and \"" + first->second->name + "\" of machine \"" + machine.name +
                        "\" both have id " + std::to_string(state.number) +
                        ": the second is never entered, and events lead to the wrong state",
                    report_.set(state.id, "stateId", std::to_string(free_state(machine))));
    }
    if (machine.states.empty()) return;
    if (machine.start_mode == 0 && !states.contains(machine.start) && !is_bound(machine.id, "startStateId"))
      report_.error("BHV_START_STATE", machine.id, "startStateId",
                    "machine \"" + machine.name + "\" starts in state " + std::to_string(machine.start) +
                        ", which it does not have: the character T-poses",
                    report_.set(machine.id, "startStateId", std::to_string(machine.states.front().number)));
    for (const Transition& transition : machine.transitions) check_transition(machine, states, transition);
  }

  // An id for the second of two states: one that transitions wait for, or the next.
  static std::int64_t free_state(const MachineNode& machine) {
    std::unordered_set<std::int32_t> taken;
    std::int64_t next = 0;
    for (const StateNode& state : machine.states) {
      taken.insert(state.number);
      next = std::max<std::int64_t>(next, std::int64_t{state.number} + 1);
    }
    for (const Transition& transition : machine.transitions)
      if (!taken.contains(transition.to) && transition.to >= 0) return transition.to;
    return next;
  }

  void check_transition(const MachineNode& machine, const std::unordered_map<std::int32_t, const StateNode*>& states,
                        const Transition& transition) {
    const std::string path = "transitions[" + std::to_string(transition.element) + "]";
    const auto target = states.find(transition.to);
    if (target == states.end()) {
      const auto event = event_name(graph_, transition.event);
      report_.error("BHV_TRANSITION", transition.holder, path + ".toStateId",
                    "machine \"" + machine.name + "\" has no state " + std::to_string(transition.to) + ": " +
                        (event ? "event \"" + *event + "\"" : std::string("the transition")) +
                        " does nothing, or the game crashes",
                    report_.set(transition.holder, path + ".toStateId", std::to_string(machine.states.front().number)));
      return;
    }
    if ((transition.flags & transition_flag::kToNested) == 0) return;
    const MachineNode* nested = machine_behind(target->second->generator);
    if (!nested) return;
    const auto has = [&](const StateNode& state) { return state.number == transition.to_nested; };
    if (std::ranges::any_of(nested->states, has)) return;
    report_.add("BHV_NESTED_STATE", Level::Info, transition.holder, path + ".toNestedStateId",
                "machine \"" + nested->name + "\" has no state " + std::to_string(transition.to_nested) +
                    ", so it starts in its start state");
  }

  // The machine that a state plays, perhaps through nodes that only add to it.
  const MachineNode* machine_behind(ObjectId id) const {
    constexpr int kMost = 64;  // longer chains are cycles
    for (int i = 0; i < kMost; ++i) {
      if (const auto found = machines_.find(id.index); found != machines_.end()) return found->second;
      if (const auto* modified = object_of(file_, id, "hkbModifierGenerator"))
        id = modified->fields().pointer("generator");
      else if (const auto* tagged = object_of(file_, id, "BSiStateTaggingGenerator"))
        id = tagged->fields().pointer("pDefaultGenerator");
      else
        return nullptr;
    }
    return nullptr;
  }

  void check_bindings() {
    for (const auto& [index, bindings] : bound_) {
      const havok::Object& holder = file_.objects[index];
      const ObjectId set = holder.fields().pointer("variableBindingSet");
      for (std::size_t i = 0; i < bindings.size(); ++i)
        check_binding({index}, set, *bindings[i], "bindings[" + std::to_string(i) + "]");
    }
  }

  void check_binding(ObjectId holder, ObjectId set, const Binding& binding, const std::string& path) {
    const auto target = follow(file_, file_.at(holder), binding.member);
    if (!target) {
      report_.error("BHV_BINDING", set, path + ".memberPath",
                    report_.node(holder) + " " + titled(holder) + " has no member \"" + binding.member +
                        "\": the variable has no effect, or the game crashes",
                    binding_cure(holder, set, binding.member, path));
      return;
    }
    if (!target->member) return;
    const auto at = static_cast<std::size_t>(binding.variable);
    const std::size_t count = binding.is_property ? property_types_.size() : graph_.variables.size();
    if (binding.variable < 0 || at >= count) return;
    const VariableType type = binding.is_property ? property_types_[at] : graph_.variables[at].type;
    const havok::Type& member = target->member->type;
    if (drives(type, havok::is_array(member.kind) && target->is_element ? member.element : member.kind)) return;
    report_.add("BHV_BINDING_TYPE", Level::Info, set, path,
                "a " + std::string(to_string(type)) + " drives " + binding.member + " of " + titled(holder) +
                    ", which has another type: its bits are reinterpreted");
  }

  // The member of the holder that is spelled nearly like it, if the path has no steps.
  Cure binding_cure(ObjectId holder, ObjectId set, std::string_view member, const std::string& path) {
    constexpr int kMostGuesses = 200;  // each looks at all members
    if (++guesses_ > kMostGuesses) return report_.remove_element(set, path);
    std::vector<std::string_view> members;
    for (const havok::Class* type : file_.at(holder).type->lineage())
      for (const havok::Member& each : type->members) members.emplace_back(each.name);
    const std::string_view meant = nearest_name(member, members);
    return meant.empty() ? report_.remove_element(set, path) : report_.set(set, path + ".memberPath", meant);
  }

  static bool drives(VariableType type, Kind kind) {
    switch (type) {
      case VariableType::Bool: return kind == Kind::Bool;
      case VariableType::Int8:
      case VariableType::Int16:
      case VariableType::Int32: return havok::is_integer(kind) && kind != Kind::Bool;
      case VariableType::Real: return kind == Kind::Real;
      case VariableType::Pointer: return kind == Kind::Pointer || kind == Kind::Variant;
      case VariableType::Vector3:
      case VariableType::Vector4: return kind == Kind::Vector4;
      case VariableType::Quaternion: return kind == Kind::Quaternion;
      default: return false;
    }
  }

  void check_expressions(ObjectId id) {
    for_each_expression(file_.at(id), [&](FieldsView record, std::string_view member, const Place& place) {
      check_words(id, place.text(member), record.text(member).value_or(std::string_view()));
    });
  }

  bool is_known(const ExpressionWord& word) const {
    return word.is_function || is_keyword(word.text) || words_.contains(to_lower(word.text));
  }

  void check_words(ObjectId id, const std::string& path, std::string_view expression) {
    constexpr std::size_t kMostShown = 200;  // each of its words may name it
    const std::string shown(expression.substr(0, kMostShown));
    const std::string shown_end = expression.size() > kMostShown ? "..." : "";
    std::optional<Meant> meant;
    for (const ExpressionWord& word : words_of(expression)) {
      if (is_known(word)) continue;
      if (!meant) meant = as_meant(expression);
      report_.add("BHV_EXPRESSION", Level::Warning, id, path,
                  "\"" + std::string(word.text) + "\" in \"" + shown + shown_end +
                      "\" is neither a variable nor an event of the file: the expression does nothing",
                  meant->guessed.contains(to_lower(word.text))
                      ? report_.set(id, path, meant->text)
                      : Cure{"behavior add-variable", {{"name", std::string(word.text)}}});
    }
  }

  /// An expression with its words as they were probably meant.
  struct Meant {
    std::string text = {};
    std::set<std::string> guessed = {};  ///< words that were replaced, in lower case
  };

  // Gives words that are nearly the name of a variable or event that name.
  Meant as_meant(std::string_view expression) {
    Meant meant{std::string(expression)};
    constexpr std::size_t kLongest = 2000;
    if (expression.size() > kLongest) return meant;
    for (const ExpressionWord& word : words_of(expression)) {
      constexpr int kMostGuesses = 200;  // each looks at all names
      if (is_known(word) || ++guesses_ > kMostGuesses) continue;
      if (const std::string_view name = nearest_name(word.text, names_); !name.empty()) {
        meant.text = with_renamed(meant.text, word.text, name);
        meant.guessed.insert(to_lower(word.text));
      }
    }
    return meant;
  }

  // A generator that contains itself, found without recursion: a node that is met again while it is open.
  void check_cycles() {
    enum class Mark : std::uint8_t { New, Open, Done };
    std::vector<Mark> marks(file_.objects.size(), Mark::New);
    struct Step {
      std::uint32_t node;
      std::vector<ObjectId> below;
      std::size_t next = 0;
    };
    std::vector<Step> open;
    const auto enter = [&](std::uint32_t node) {
      marks[node] = Mark::Open;
      open.push_back({node, nodes_below(file_, {node}, generators_)});
    };
    // From the graphs first: then it is the pointer back up that is found, and not one on the way down.
    std::vector<ObjectId> starts = objects_of(file_, "hkbBehaviorGraph");
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i) starts.push_back({i});
    for (const ObjectId start : starts) {
      if (marks[start.index] != Mark::New || !file_.at(start).type) continue;
      enter(start.index);
      while (!open.empty()) {
        Step& step = open.back();
        if (step.next == step.below.size()) {
          marks[step.node] = Mark::Done;
          open.pop_back();
          continue;
        }
        const std::uint32_t to = step.below[step.next++].index;
        if (marks[to] == Mark::New) {
          enter(to);
        } else if (marks[to] == Mark::Open) {
          const std::string path = mends_.path_to({step.node}, {to});
          report_.error("BHV_CYCLE", {step.node}, path,
                        titled({step.node}) + " leads back to " + report_.node({to}) + " " + titled({to}) +
                            ", which contains it: the game recurses without end and crashes",
                        mends_.of_generator({step.node}, path));
        }
      }
    }
  }

  const Packfile& file_;
  const Graph& graph_;
  Report& report_;
  std::unordered_set<std::string> words_;  // events and variables, in lower case
  std::vector<std::string_view> names_;    // the same, as they are
  GraphMends mends_;
  std::map<std::uint32_t, std::vector<const Binding*>> bound_;
  std::unordered_map<std::uint32_t, const MachineNode*> machines_;
  std::vector<VariableType> property_types_;
  GeneratorTable generators_;
  int guesses_ = 0;
};

}  // namespace

void check_graph(const Packfile& file, const Graph& graph, Report& report) { GraphCheck(file, graph, report).run(); }

}  // namespace marrow::behavior
