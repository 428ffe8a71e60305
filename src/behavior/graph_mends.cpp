// SPDX-License-Identifier: MIT
#include "behavior/graph_mends.h"

#include <algorithm>
#include <unordered_set>

#include "behavior/edit.h"
#include "behavior/records.h"
#include "havok/packfile/unreachable.h"

namespace marrow::behavior {

using havok::ObjectId;

void GraphMends::find_cut_off() {
  cut_off_.emplace();
  const std::vector<bool> is_reached = havok::reachable(file_);
  std::vector<bool> is_led_to(is_reached.size());
  for (std::uint32_t i = 0; i < is_reached.size(); ++i)
    if (!is_reached[i])
      for_each_pointer_place(file_.objects[i], [&](const Place&, ObjectId to) {
        if (to.index < is_led_to.size() && to.index != i) is_led_to[to.index] = true;
      });
  for (std::uint32_t i = 0; i < is_reached.size(); ++i)
    if (!is_reached[i] && !is_led_to[i] && file_.objects[i].type) cut_off_->push_back({i});
}

bool GraphMends::holds(ObjectId root, ObjectId node) {
  std::vector<ObjectId> open = {root};
  std::unordered_set<std::uint32_t> seen;
  while (!open.empty()) {
    const ObjectId at = open.back();
    open.pop_back();
    if (at == node) return true;
    if (!seen.insert(at.index).second) continue;
    for (const ObjectId below : nodes_below(file_, at, table_)) open.push_back(below);
  }
  return false;
}

Cure GraphMends::of_generator(ObjectId node, std::string_view path) {
  constexpr std::size_t kMostTied = 100;
  constexpr int kMostTries = 20;  // each looks at the whole graph
  if (++tries_ > kMostTries) return report_.set(node);
  const std::string_view list = path.substr(0, path.find('['));
  const auto rows = generator_members(*file_.at(node).type);
  const auto row = std::ranges::find(rows, list, &GeneratorMember::member);
  if (row == rows.end()) return report_.set(node);
  if (!cut_off_) find_cut_off();
  std::vector<std::string> tied;
  const havok::Member& member = *file_.at(node).type->find(list);
  const bool is_list = havok::is_array(member.type.kind), is_element = path.size() > list.size();
  for (const ObjectId each : *cut_off_)
    if (tied.size() < kMostTied && object_of(file_, each, (*row)->leads_to) && !holds(each, node))
      tied.push_back(std::string(path) + (is_list && !is_element ? "[" + std::to_string(tied.size()) + "]" : "") + "=" +
                     report_.node(each));
  if (tied.size() == 1 || (is_list && !is_element && !tied.empty()))
    return {"behavior set", {{"node", report_.node(node)}, {"field", std::move(tied)}}};
  if (is_element && file_.at(node).fields().ref(member).array().count() > 1) return report_.remove_element(node, path);
  havok::Packfile without = file_;
  if (remove_node(without, report_.node(node))) return report_.remove(node);
  return report_.set(node);
}

std::string GraphMends::path_to(ObjectId node, ObjectId to) {
  const havok::FieldsView fields = file_.at(node).fields();
  for (const GeneratorMember* row : table_.of(fields.type())) {
    if (!row->is_node) continue;
    const havok::Member& member = *fields.type().find(row->member);
    if (!havok::is_array(member.type.kind)) {
      if (fields.ref(member).pointer() == to) return std::string(row->member);
      continue;
    }
    const auto refs = fields.ref(member).array().refs();
    for (std::size_t i = 0; i < refs.size(); ++i)
      if (refs[i].pointer() == to) return std::string(row->member) + "[" + std::to_string(i) + "]";
  }
  return {};
}

}  // namespace marrow::behavior
