// SPDX-License-Identifier: MIT
#include "behavior/graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

#include "behavior/records.h"
#include "behavior/tables.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::ObjectId;
using havok::Packfile;

constexpr std::array<std::string_view, 10> kTypes = {"invalid", "bool",    "int8",    "int16",   "int32",
                                                     "real",    "pointer", "vector3", "vector4", "quaternion"};
constexpr std::array<std::string_view, 4> kModes = {"single", "looping", "user", "ping-pong"};

std::string text_of(FieldsView fields, std::string_view member) {
  return std::string(fields.text(member).value_or(std::string_view()));
}

std::optional<std::string> optional_text(FieldsView fields, std::string_view member) {
  const auto text = fields.text(member);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

std::int32_t int_of(FieldsView fields, std::string_view member) {
  return static_cast<std::int32_t>(fields.integer(member));
}

float real_of(FieldsView fields, std::string_view member) { return static_cast<float>(fields.real(member)); }

/// What the elements of lists take together. Any number of nodes may share one list, and each has its elements: the
/// first that has it pays nothing, so that files of any size are read, and the others share what is left.
class ListBudget {
 public:
  /// The elements of a list are about to be taken.
  template <class Element>
  void open(ObjectId list, std::size_t elements) {
    constexpr std::size_t kMostText = 64;  // of a name or condition, on the average
    if (!opened_.insert(list.index).second) return;
    const std::size_t more = std::min(elements * (sizeof(Element) + kMostText), kMostGranted - granted_);
    granted_ += more;
    left_ += more;
  }
  /// False if an element with texts of so many bytes is too much.
  template <class Element>
  bool take(std::size_t text_bytes = 0) {
    const std::size_t bytes = sizeof(Element) + text_bytes;
    is_cut_ |= bytes > left_;
    if (!is_cut_) left_ -= bytes;
    return !is_cut_;
  }
  bool is_cut() const { return is_cut_; }

 private:
  static constexpr std::size_t kMostGranted = std::size_t{256} << 20;
  std::unordered_set<std::uint32_t> opened_;
  std::size_t granted_ = 0;
  std::size_t left_ = std::size_t{16} << 20;  // the largest behaviours of the games take a twentieth of it
  bool is_cut_ = false;
};

ClipNode clip_of(const Packfile& file, ObjectId id, ListBudget& budget) {
  const FieldsView fields = file.at(id).fields();
  ClipNode clip{.id = id,
                .name = text_of(fields, "name"),
                .animation = text_of(fields, "animationName"),
                .speed = real_of(fields, "playbackSpeed"),
                .crop_start_seconds = real_of(fields, "cropStartAmountLocalTime"),
                .crop_end_seconds = real_of(fields, "cropEndAmountLocalTime"),
                .start_seconds = real_of(fields, "startTime"),
                .mode = int_of(fields, "mode"),
                .flags = int_of(fields, "flags")};
  const havok::Object* triggers = object_of(file, fields.pointer("triggers"), "hkbClipTriggerArray");
  if (!triggers) return clip;
  const havok::ArrayView list = triggers->fields().array("triggers");
  budget.open<Trigger>(fields.pointer("triggers"), list.size());
  for (std::uint32_t i = 0; i < list.size() && budget.take<Trigger>(); ++i) {
    const FieldsView each = list.record(i);
    clip.triggers.push_back(
        {int_of(each.record("event"), "id"), real_of(each, "localTime"), each.integer("relativeToEndOfClip") != 0});
  }
  return clip;
}

void add_transitions(const Packfile& file, ObjectId holder, std::optional<std::int32_t> from,
                     std::vector<Transition>& out, ListBudget& budget) {
  const havok::Object* array = object_of(file, holder, "hkbStateMachineTransitionInfoArray");
  if (!array) return;
  const havok::ArrayView list = array->fields().array("transitions");
  budget.open<Transition>(holder, list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const FieldsView each = list.record(i);
    Transition transition{.from = from,
                          .to = int_of(each, "toStateId"),
                          .event = int_of(each, "eventId"),
                          .flags = int_of(each, "flags") & 0xFFFF,
                          .priority = int_of(each, "priority"),
                          .from_nested = int_of(each, "fromNestedStateId"),
                          .to_nested = int_of(each, "toNestedStateId"),
                          .holder = holder,
                          .element = i};
    if (const auto* effect = object_of(file, each.pointer("transition"), "hkbBlendingTransitionEffect"))
      transition.blend_seconds = real_of(effect->fields(), "duration");
    if (const auto* condition = object_of(file, each.pointer("condition"), "hkbExpressionCondition"))
      transition.condition = text_of(condition->fields(), "expression");
    else if (const auto* words = object_of(file, each.pointer("condition"), "hkbStringCondition"))
      transition.condition = text_of(words->fields(), "conditionString");
    if (!budget.take<Transition>(transition.condition.size())) return;
    out.push_back(std::move(transition));
  }
}

MachineNode machine_of(const Packfile& file, ObjectId id, ListBudget& budget) {
  const FieldsView fields = file.at(id).fields();
  MachineNode machine{.id = id,
                      .name = text_of(fields, "name"),
                      .start = int_of(fields, "startStateId"),
                      .start_mode = int_of(fields, "startStateMode"),
                      .sync_variable = int_of(fields, "syncVariableIndex")};
  add_transitions(file, fields.pointer("wildcardTransitions"), std::nullopt, machine.transitions, budget);
  const havok::ArrayView states = fields.array("states");
  budget.open<StateNode>(id, states.size());
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    const havok::Object* state = object_of(file, states.pointer(i), "hkbStateMachineStateInfo");
    if (!state) continue;
    const FieldsView each = state->fields();
    if (!budget.take<StateNode>(each.text("name").value_or(std::string_view()).size())) break;
    machine.states.push_back({.id = states.pointer(i),
                              .number = int_of(each, "stateId"),
                              .name = text_of(each, "name"),
                              .generator = each.pointer("generator")});
    add_transitions(file, each.pointer("transitions"), machine.states.back().number, machine.transitions, budget);
  }
  return machine;
}

void add_bindings(const Packfile& file, ObjectId id, std::vector<Binding>& out, ListBudget& budget) {
  const havok::Object* set =
      object_of(file, file.at(id).fields().pointer("variableBindingSet"), "hkbVariableBindingSet");
  if (!set) return;
  const havok::ArrayView list = set->fields().array("bindings");
  budget.open<Binding>(file.at(id).fields().pointer("variableBindingSet"), list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const FieldsView each = list.record(i);
    if (!budget.take<Binding>(each.text("memberPath").value_or(std::string_view()).size())) return;
    out.push_back({id, text_of(each, "memberPath"), int_of(each, "variableIndex"), each.integer("bindingType") == 1});
  }
}

}  // namespace

FileKind kind_of(const Packfile& file) {
  FileKind kind = FileKind::Other;
  for (const havok::Object& object : file.objects) {
    const std::string_view name = object.class_name();
    if (!object.type) continue;
    if (name == "hkbBehaviorGraph") return FileKind::Behavior;
    if (name == "hkbCharacterStringData" || name == "hkbCharacterData") kind = FileKind::Character;
    if ((name == "hkbProjectData" || name == "hkbProjectStringData") && kind == FileKind::Other)
      kind = FileKind::Project;
  }
  return kind;
}

std::string_view to_string(FileKind kind) {
  constexpr std::array<std::string_view, 4> kWords = {"other", "project", "character", "behavior"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view to_string(VariableType type) {
  const auto at = static_cast<std::size_t>(static_cast<int>(type) + 1);
  return at < kTypes.size() ? kTypes[at] : kTypes[0];
}

std::optional<VariableType> find_variable_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name);
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<VariableType>(found - kTypes.begin() - 1);
}

bool is_quad(VariableType type) {
  return type == VariableType::Vector3 || type == VariableType::Vector4 || type == VariableType::Quaternion;
}

Graph read_graph(const Packfile& file, const NodeNames& names) {
  Graph graph;
  const std::vector<ObjectId> graphs = objects_of(file, "hkbBehaviorGraph");
  if (!graphs.empty()) {
    const FieldsView fields = file.at(graphs.front()).fields();
    graph.id = graphs.front();
    graph.name = text_of(fields, "name");
    graph.root = fields.pointer("rootGenerator");
  }
  const Tables tables = tables_of(file);
  graph.events = texts_of(file, tables.strings, "eventNames");
  graph.properties = texts_of(file, tables.strings, "characterPropertyNames");
  graph.variables = variables_of(file, tables.strings, "variableNames", tables.data, "variableInfos", tables.values);
  ListBudget budget;
  for (const ObjectId id : names.in_order()) {
    const havok::Object& object = file.at(id);
    if (!object.type) continue;
    if (object.type->is_a("hkbBindable")) add_bindings(file, id, graph.bindings, budget);
    if (object.type->is_a("hkbClipGenerator")) graph.clips.push_back(clip_of(file, id, budget));
    if (object.type->is_a("hkbStateMachine")) graph.machines.push_back(machine_of(file, id, budget));
    if (object.type->is_a("hkbBehaviorReferenceGenerator"))
      graph.references.push_back(text_of(object.fields(), "behaviorName"));
  }
  graph.is_cut = budget.is_cut();
  return graph;
}

Result<Graph> read_whole_graph(const Packfile& file, const NodeNames& names) {
  Graph graph = read_graph(file, names);
  if (graph.is_cut)
    return fail(ErrorCode::LimitExceeded,
                "its nodes share lists so often that they take too much memory; no game does that");
  return graph;
}

Character read_character(const Packfile& file) {
  Character character;
  const Tables tables = character_tables_of(file);
  if (const auto* strings = object_of(file, tables.strings, "hkbCharacterStringData")) {
    const FieldsView fields = strings->fields();
    character.name = optional_text(fields, "name");
    character.rig = optional_text(fields, "rigName");
    character.ragdoll = optional_text(fields, "ragdollName");
    character.behavior = optional_text(fields, "behaviorFilename");
    character.animations = texts_of(file, tables.strings, "animationNames");
  }
  character.properties = variables_of(file, tables.strings, "characterPropertyNames", tables.data,
                                      "characterPropertyInfos", tables.values);
  return character;
}

std::vector<std::string> read_project(const Packfile& file) {
  const std::vector<ObjectId> strings = objects_of(file, "hkbProjectStringData");
  return strings.empty() ? std::vector<std::string>{} : texts_of(file, strings.front(), "characterFilenames");
}

std::optional<std::string> event_name(const Graph& graph, std::int32_t event) {
  if (event < 0 || static_cast<std::size_t>(event) >= graph.events.size()) return std::nullopt;
  return graph.events[static_cast<std::size_t>(event)];
}

std::string mode_text(std::int32_t mode) {
  const auto at = static_cast<std::size_t>(mode);
  return mode >= 0 && at < kModes.size() ? std::string(kModes[at]) : std::to_string(mode);
}

std::string name_of_node(const havok::Object& object) {
  if (!object.type || !object.type->find("name")) return {};
  const havok::Member* member = object.type->find("name");
  return member->type.kind == havok::Kind::Text ? text_of(object.fields(), "name") : std::string();
}

}  // namespace marrow::behavior
