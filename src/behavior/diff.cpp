// SPDX-License-Identifier: MIT
#include "behavior/diff.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "behavior/graph.h"
#include "behavior/patch_node.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "behavior/value_texts.h"
#include "core/json.h"

namespace marrow::behavior {
namespace {

using havok::FieldsView;
using havok::Member;
using havok::ObjectId;
using havok::Packfile;

constexpr std::size_t kLongestValue = 160;

std::string shortened_value(std::string text) {
  if (text.size() > kLongestValue) text = text.substr(0, kLongestValue - 3) + "...";
  return text;
}

// Objects that hold tables, which are compared by name.
bool holds_tables(std::string_view class_name) {
  return class_name == "hkbBehaviorGraphStringData" || class_name == "hkbVariableValueSet" ||
         class_name == "hkbBehaviorGraphData";
}

/// The nodes of a file by a name that does not change when others come or go.
class NamedNodes {
 public:
  explicit NamedNodes(const Packfile& file) : file_(file), names_(file.objects.size()) {
    std::vector<ObjectId> open = {file.root};
    if (file.root.index < names_.size()) names_[file.root.index] = "root";
    while (!open.empty()) {
      const ObjectId id = open.back();
      open.pop_back();
      if (id.index >= names_.size()) continue;
      order_.push_back(id);
      std::vector<ObjectId> below;
      for_each_pointer_place(file.at(id), [&](const Place& place, ObjectId to) {
        if (to.index >= names_.size() || !names_[to.index].empty()) return;
        names_[to.index] = unused(name_for(id, place, to));
        below.push_back(to);
      });
      open.insert(open.end(), below.rbegin(), below.rend());
    }
    for (const ObjectId id : order_) by_key_.emplace(key_of(id), id);
  }

  const std::vector<ObjectId>& order() const { return order_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name_of(ObjectId id) const { return names_[id.index]; }
  /// The class belongs to the name: a state often is called like the clip that it plays.
  std::string key_of(ObjectId id) const { return std::string(file_.at(id).class_name()) + '\n' + names_[id.index]; }
  ObjectId find(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? ObjectId{} : found->second;
  }

 private:
  std::string name_for(ObjectId from, const Place& place, ObjectId to) const {
    const havok::Object& object = file_.at(to);
    std::string name = name_of_node(object);
    // States of many machines have one name.
    if (object.type && object.type->is_a("hkbStateMachineStateInfo")) return names_[from.index] + "/" + name;
    return name.empty() ? names_[from.index] + "." + place.text() : name;
  }

  // Names grow with the depth of nodes without one, which a file chooses.
  std::string unused(std::string name) {
    constexpr std::size_t kLongestName = 200;
    if (name.size() > kLongestName) name = "..." + name.substr(name.size() - kLongestName / 2);
    const std::size_t count = ++used_[name];
    return count == 1 ? name : name + " (" + std::to_string(count) + ")";
  }

  const Packfile& file_;
  std::vector<std::string> names_;
  std::vector<ObjectId> order_;
  std::unordered_map<std::string, std::size_t> used_;
  std::unordered_map<std::string, ObjectId> by_key_;
};

std::string kind_of_node(const havok::Object& object) {
  if (!object.type) return "node";
  if (object.type->is_a("hkbStateMachine")) return "machine";
  if (object.type->is_a("hkbStateMachineStateInfo")) return "state";
  return object.type->is_a("hkbClipGenerator") ? "clip" : "node";
}

class GraphDiff {
 public:
  GraphDiff(const Packfile& a, const Packfile& b, std::size_t most)
      : a_(a),
        b_(b),
        most_(most),
        nodes_a_(a),
        nodes_b_(b),
        indices_a_(index_names_of(a)),
        indices_b_(index_names_of(b)),
        texts_a_(nodes_a_.names(), &indices_a_),
        texts_b_(nodes_b_.names(), &indices_b_) {}

  std::vector<GraphDifference> run() {
    compare_names("event", entries(a_, indices_a_.events, "eventInfos"), entries(b_, indices_b_.events, "eventInfos"));
    compare_names("variable", variables(a_), variables(b_));
    compare_names("property", entries(a_, indices_a_.properties, "characterPropertyInfos"),
                  entries(b_, indices_b_.properties, "characterPropertyInfos"));
    for (const ObjectId id : nodes_a_.order()) compare_node(id);
    for (const ObjectId id : nodes_b_.order())
      if (nodes_a_.find(nodes_b_.key_of(id)).is_null() && !holds_tables(b_.at(id).class_name()))
        add(kind_of_node(b_.at(id)), nodes_b_.name_of(id), {}, {}, std::string(b_.at(id).class_name()));
    return std::move(out_);
  }

 private:
  using Entries = std::map<std::string, std::string>;  // what is known of each name

  void add(std::string kind, std::string object, std::string field, std::optional<std::string> left,
           std::optional<std::string> right) {
    if (out_.size() >= most_) return;
    for (auto* side : {&left, &right})
      if (*side) *side = shortened_value(std::move(**side));
    out_.push_back({std::move(kind), std::move(object), std::move(field), std::move(left), std::move(right)});
  }

  static Entries entries(const Packfile& file, const std::vector<std::string>& names, std::string_view infos) {
    Entries all;
    const ObjectId data = tables_of(file).data;
    const std::uint32_t count = count_of(file, data, infos);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      std::string text;
      if (i < count) {
        const FieldsView info = file.at(data).fields().array(infos).record(i);
        const FieldsView role = infos == "eventInfos" ? info : info.record("role");
        text = "flags " + std::to_string(role.integer("flags"));
        if (infos != "eventInfos")
          text += ", " + std::string(to_string(static_cast<VariableType>(info.integer("type")))) + ", role " +
                  std::to_string(role.integer("role"));
      }
      all.emplace(names[i], std::move(text));
    }
    return all;
  }

  static Entries variables(const Packfile& file) {
    const Tables tables = tables_of(file);
    Entries all = entries(file, texts_of(file, tables.strings, "variableNames"), "variableInfos");
    for (const Variable& variable :
         variables_of(file, tables.strings, "variableNames", tables.data, "variableInfos", tables.values))
      if (const auto found = all.find(variable.name); found != all.end())
        found->second += ", value " + to_text(variable.value);
    return all;
  }

  void compare_names(const std::string& kind, const Entries& left, const Entries& right) {
    for (const auto& [name, text] : left) {
      const auto other = right.find(name);
      if (other == right.end())
        add(kind, name, {}, text.empty() ? kind : text, {});
      else if (other->second != text)
        add(kind, name, "values", text, other->second);
    }
    for (const auto& [name, text] : right)
      if (!left.contains(name)) add(kind, name, {}, {}, text.empty() ? kind : text);
  }

  void compare_node(ObjectId id) {
    const havok::Object& left = a_.at(id);
    if (holds_tables(left.class_name())) return;
    const ObjectId partner = nodes_b_.find(nodes_a_.key_of(id));
    kind_ = kind_of_node(left);
    object_ = nodes_a_.name_of(id);
    if (partner.is_null()) return add(kind_, object_, {}, std::string(left.class_name()), {});
    const havok::Object& right = b_.at(partner);
    if (!left.type || left.type != right.type) {
      if (!(left == right)) add(kind_, object_, {}, "other content", "other content");
      return;
    }
    compare_records(left.fields(), right.fields(), {});
  }

  void compare_records(const FieldsView& left, const FieldsView& right, const std::string& path) {
    for (const havok::Class* type : left.type().lineage())
      for (const Member& member : type->members) {
        if (member.is_ignored) continue;
        const std::string place = path + member.name;
        switch (shape_of(member.type)) {
          case Shape::Leaf:
            if (std::string l = texts_a_.element(left, member, 0), r = texts_b_.element(right, member, 0); l != r)
              add(kind_, object_, place, std::move(l), std::move(r));
            break;
          case Shape::Record: compare_records(left.record(member), right.record(member), place + "."); break;
          case Shape::List: compare_lists(left, right, member, place); break;
        }
      }
  }

  // A record as one text: what an element of a list is found by.
  static void append_record(const ValueTexts& texts, const FieldsView& fields, const std::string& path,
                            std::string& out) {
    for (const havok::Class* type : fields.type().lineage())
      for (const Member& member : type->members) {
        if (member.is_ignored) continue;
        const std::string place = path + member.name;
        if (shape_of(member.type) == Shape::Leaf)
          out += (out.empty() ? "" : ", ") + place + " " + texts.element(fields, member, 0);
        else if (shape_of(member.type) == Shape::Record)
          append_record(texts, fields.record(member), place + ".", out);
        else
          for (std::uint32_t i = 0; i < size_of_list(fields, member); ++i) {
            const std::string inner = place + "[" + std::to_string(i) + "]";
            if (element_class(member.type))
              append_record(texts, record_at(fields, member, i), inner + ".", out);
            else
              out += (out.empty() ? "" : ", ") + inner + " " + texts.element(fields, member, i);
          }
      }
  }

  static std::string element_text(const ValueTexts& texts, const FieldsView& fields, const Member& member,
                                  std::uint32_t i) {
    if (!element_class(member.type)) return texts.element(fields, member, i);
    const FieldsView record = record_at(fields, member, i);
    std::string text;
    if (record.type().is_a("hkbStateMachineTransitionInfo"))
      text = "on " + texts.element(record, *record.type().find("eventId"), 0) + " to state " +
             std::to_string(record.integer("toStateId"));
    append_record(texts, record, {}, text);
    return text;
  }

  static std::vector<std::string> elements(const ValueTexts& texts, const FieldsView& fields, const Member& member) {
    std::vector<std::string> all;
    for (std::uint32_t i = 0; i < size_of_list(fields, member); ++i)
      all.push_back(element_text(texts, fields, member, i));
    return all;
  }

  void compare_lists(const FieldsView& left, const FieldsView& right, const Member& member, const std::string& path) {
    std::vector<std::string> l = elements(texts_a_, left, member), r = elements(texts_b_, right, member);
    if (l == r) return;
    if (member.name == "states") {
      std::ranges::sort(l);
      std::ranges::sort(r);
    }
    std::size_t head = 0, tail = 0;
    const std::size_t most = std::min(l.size(), r.size());
    while (head < most && l[head] == r[head]) ++head;
    while (head + tail < most && l[l.size() - 1 - tail] == r[r.size() - 1 - tail]) ++tail;
    const std::size_t end_l = l.size() - tail, end_r = r.size() - tail;
    const auto place = [&](std::size_t i) { return path + "[" + std::to_string(i) + "]"; };
    std::size_t at = head;
    for (; at < std::min(end_l, end_r); ++at) {
      if (l[at] == r[at]) continue;
      if (element_class(member.type) && end_l == end_r) {
        const auto i = static_cast<std::uint32_t>(at);
        compare_records(record_at(left, member, i), record_at(right, member, i), place(at) + ".");
      } else {
        add(kind_, object_, place(at), l[at], r[at]);
      }
    }
    for (std::size_t i = at; i < end_l; ++i) add(kind_, object_, place(i), l[i], {});
    for (std::size_t i = at; i < end_r; ++i) add(kind_, object_, place(i), {}, r[i]);
  }

  const Packfile& a_;
  const Packfile& b_;
  std::size_t most_;
  NamedNodes nodes_a_, nodes_b_;
  IndexNames indices_a_, indices_b_;
  ValueTexts texts_a_, texts_b_;
  std::string kind_, object_;  // of the node that is compared
  std::vector<GraphDifference> out_;
};

}  // namespace

std::vector<GraphDifference> diff_graphs(const Packfile& a, const Packfile& b, std::size_t most) {
  return GraphDiff(a, b, most).run();
}

}  // namespace marrow::behavior
