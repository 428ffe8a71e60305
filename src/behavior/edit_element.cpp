// SPDX-License-Identifier: MIT
// Elements of lists that go: a transition, a binding, a trigger, a child.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "behavior/arrays.h"
#include "behavior/edit.h"
#include "behavior/element_indices.h"
#include "behavior/field_path.h"
#include "behavior/generators.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "core/try.h"
#include "havok/packfile/unreachable.h"

namespace marrow::behavior {
namespace {

using havok::Fields;
using havok::ObjectId;
using havok::Packfile;

/// A list inside a node.
struct FoundList {
  Fields record;
  const havok::Member* member;
  bool is_outermost;  ///< of the node itself, not of a record in it
};

// Follows a path to a list; the last step has no index.
Result<FoundList> find_list(Packfile& file, ObjectId id, std::string_view path) {
  Fields record = file.at(id).fields();
  for (bool is_outermost = true;; is_outermost = false) {
    MARROW_TRY(const PathStep step, take_step(path));
    MARROW_TRY(const havok::Member* member, member_of(record.view().type(), step.member));
    const bool is_array = havok::is_array(member->type.kind);
    if (path.empty()) {
      if (!is_array) return bad_field(std::string(step.member) + " is not a list");
      return FoundList{record, member, is_outermost};
    }
    const std::uint64_t count = is_array ? record.view().ref(*member).array().count() : member->type.repeat;
    if ((is_array ? member->type.element : member->type.kind) != havok::Kind::Record)
      return bad_field(std::string(step.member) + " has no members");
    const std::uint64_t at = step.index.value_or(0);
    if (is_array != step.index.has_value() || at >= count)
      return bad_field(std::string(step.member) + " has " + std::to_string(count) + " elements; name one of them");
    record = is_array ? element_of(record, *member, static_cast<std::uint32_t>(at))
                      : record.record(*member, static_cast<std::uint32_t>(at));
  }
}

class ElementRemoval {
 public:
  ElementRemoval(Packfile& file, ObjectId node) : file_(file), names_(file), node_(node) {}

  Result<void> run(std::string_view path, const std::set<std::uint32_t>& indices) {
    MARROW_TRY(const FoundList list, find_list(file_, node_, path));
    const std::uint32_t count = list.record.view().ref(*list.member).array().count();
    if (*indices.rbegin() >= count) return bad_field(std::string(path) + " has " + std::to_string(count) + " elements");
    MARROW_CHECK(may_go(list, indices, count));
    std::vector<bool> is_gone(count);
    for (const std::uint32_t i : indices) is_gone[i] = true;
    if (list.is_outermost && file_.at(node_).type->is_a("hkbVariableBindingSet") && list.member->name == "bindings") {
      remove_bindings(file_, node_, is_gone);
      return {};
    }
    if (list.is_outermost) move_element_indices(file_, node_, list.member->name, is_gone);
    remove_elements(list.record, list.member->name, is_gone);
    return {};
  }

 private:
  Result<void> may_go(const FoundList& list, const std::set<std::uint32_t>& indices, std::uint32_t count) const {
    const std::string& name = list.member->name;
    for (const std::uint32_t i : indices)
      if (list.is_outermost && !may_shrink(file_, node_, name, i))
        return fail(ErrorCode::InvalidArgument,
                    name + "[" + std::to_string(i) +
                        "] is part of a table that other nodes name by its indices; remove " +
                        "the event or variable instead",
                    Cure{"behavior remove"});
    for (const GeneratorMember* row : generator_members(list.record.view().type())) {
      if (row->member != name || !row->is_required) continue;
      if (indices.size() == count)
        return fail(ErrorCode::InvalidArgument,
                    std::string(names_.of(node_)) + " cannot be without " + name + "; remove the node instead",
                    Cure{"behavior remove", {{"node", std::string(names_.of(node_))}}});
      if (row->leads_to == "hkbStateMachineStateInfo") MARROW_CHECK(states_may_go(list, indices));
    }
    return {};
  }

  // Transitions lead to a state: it goes as a node, unless it is listed twice.
  Result<void> states_may_go(const FoundList& list, const std::set<std::uint32_t>& indices) const {
    const auto refs = list.record.view().ref(*list.member).array().refs();
    for (const std::uint32_t i : indices) {
      const ObjectId state = refs[i].pointer();
      bool stays = !object_of(file_, state, "hkbStateMachineStateInfo");
      for (std::uint32_t other = 0; other < refs.size() && !stays; ++other)
        stays = !indices.contains(other) && refs[other].pointer() == state;
      if (stays) continue;
      return fail(
          ErrorCode::InvalidArgument,
          "transitions lead to state " + std::string(names_.of(state)) + "; remove the node, and they go with it",
          Cure{"behavior remove", {{"node", std::string(names_.of(state))}}});
    }
    return {};
  }

  Packfile& file_;
  NodeNames names_;
  ObjectId node_;
};

Result<std::vector<std::string>> removed_elements(Packfile& original, std::string_view node,
                                                  std::span<const std::string> paths) {
  Packfile file = original;
  const NodeNames names(file);
  const ObjectId id = names.find(node);
  if (id.is_null())
    return fail(ErrorCode::BadOption, "there is no node \"" + std::string(node) + "\"", kNoOffset, "node");
  if (!file.at(id).type)
    return fail(ErrorCode::Unsupported, std::string(file.at(id).class_name()) + " is a class that is not known");
  std::map<std::string, std::set<std::uint32_t>, std::greater<>> lists;  // inner ones before those around them
  for (const std::string& path : paths) {
    const std::size_t bracket = path.find_last_of('[');
    std::string_view last = std::string_view(path).substr(path.find_last_of('.') + 1);
    MARROW_TRY(const PathStep step, take_step(last));
    if (!step.index || *step.index >= UINT32_MAX)
      return bad_field("\"" + path + "\" is not an element, such as transitions[2]");
    lists[path.substr(0, bracket)].insert(static_cast<std::uint32_t>(*step.index));
  }
  const std::vector<bool> before = havok::reachable(file);
  ElementRemoval removal(file, id);
  for (const auto& [path, indices] : lists) MARROW_CHECK(removal.run(path, indices));
  const std::vector<bool> after = havok::reachable(file);
  std::vector<std::string> gone;
  for (std::uint32_t i = 0; i < after.size(); ++i)
    if (before[i] && !after[i]) gone.emplace_back(names.of({i}));
  havok::drop_unreachable(file, before);
  original = std::move(file);
  return gone;
}

}  // namespace

Result<std::vector<std::string>> remove_list_elements(Packfile& original, std::string_view node,
                                                      std::span<const std::string> paths) {
  auto gone = removed_elements(original, node, paths);
  if (!gone && gone.error().path == "field") gone.error().path = "element";
  return gone;
}

}  // namespace marrow::behavior
