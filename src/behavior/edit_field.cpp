// SPDX-License-Identifier: MIT
// One member of a node, by its path. An element just after the last one of a list is made.
#include <array>

#include "behavior/arrays.h"
#include "behavior/edit.h"
#include "behavior/field_path.h"
#include "behavior/find.h"
#include "behavior/indices.h"
#include "behavior/records.h"
#include "behavior/tables.h"
#include "core/try.h"
#include "havok/object/layout.h"
#include "havok/object/numbers.h"
#include "havok/text/value_text.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Fields;
using havok::Kind;
using havok::Member;
using havok::ObjectId;
using havok::Packfile;

// An element of a list that is made for a value: indices in it lead nowhere until they are set.
void make_element(Fields record, const Member& member) {
  IndexTable table;
  const std::uint32_t at = append_elements(record, member.name);
  if (member.type.element != Kind::Record) return;
  Fields made = element_of(record, member, at);
  const auto clear = [&](Fields each, const Place&) {
    for (const IndexMember& index : table.of(each.view().type()))
      if (!havok::is_array(index.member->type.kind)) each.set_integer(index.member->name, -1);
    if (each.view().type().is_a("hkbVariableBindingSetBinding")) each.set_integer("bitIndex", -1);
  };
  for_each_record(made, Place{}, clear);
}

/// The value at the end of a path.
class FieldEdit {
 public:
  FieldEdit(Packfile& file, const NodeNames& names) : file_(file), names_(names) {}

  Result<void> run(ObjectId id, std::string_view path, std::string_view value) {
    Fields record = file_.at(id).fields();
    while (true) {
      MARROW_TRY(const PathStep step, take_step(path));
      MARROW_TRY(const Member* member, member_of(record.view().type(), step.member));
      const bool is_array = havok::is_array(member->type.kind);
      const std::uint64_t count = is_array ? record.view().ref(*member).array().count() : member->type.repeat;
      if (is_array && step.index && *step.index == count && may_grow(file_, id, member->name))
        make_element(record, *member);
      else if (step.index && *step.index >= count)
        return bad_field(std::string(step.member) + " has " + std::to_string(count) + " elements");
      if (!step.index && (is_array || member->type.repeat > 1))
        return bad_field(std::string(step.member) + " is a list; name an element, such as " + std::string(step.member) +
                         "[0]");
      const auto at = static_cast<std::uint32_t>(step.index.value_or(0));
      const Kind kind = is_array ? member->type.element : member->type.kind;
      if (kind == Kind::Record) {
        if (path.empty()) return bad_field(std::string(step.member) + " is a record; name one of its members");
        record = is_array ? element_of(record, *member, at) : record.record(*member, at);
        continue;
      }
      if (!path.empty()) return bad_field(std::string(step.member) + " has no members");
      return store(record, *member, at, kind, value);
    }
  }

 private:
  Result<void> store(Fields& record, const Member& member, std::uint32_t at, Kind kind, std::string_view value) {
    const bool is_array = havok::is_array(member.type.kind);
    if (kind == Kind::Text || kind == Kind::Pointer || kind == Kind::Variant) {
      ObjectId target;
      if (kind != Kind::Text) {
        MARROW_TRY(target, node_of(member, value));
      }
      havok::Ref& ref = is_array ? record.ref(member).array().mutable_refs()[at] : record.ref(member, at);
      if (kind == Kind::Text)
        ref.set_text(value);
      else
        ref.set_pointer(target);
      return {};
    }
    MARROW_TRY(const std::string text, with_index(record, member, value));
    const std::uint32_t size = is_array ? member.type.layout->pod_size : havok::element_of(kind).pod_size;
    const auto pods = is_array ? record.ref(member).array().mutable_pods().subspan(std::size_t{at} * size, size)
                               : record.pods().subspan(member.pod_offset + std::size_t{at} * size, size);
    std::string_view rest = text;
    std::vector<std::byte> bytes(pods.begin(), pods.end());
    if (!havok::take_value(rest, member.type, kind, bytes) || !trim(rest).empty() || !havok::is_finite(kind, bytes))
      return bad_field("\"" + std::string(value) + "\" is not a value of " + member.name);
    std::ranges::copy(bytes, pods.begin());
    return {};
  }

  Result<ObjectId> node_of(const Member& member, std::string_view value) const {
    if (value == "null" || value.empty()) return ObjectId{};
    const ObjectId id = names_.find(value);
    if (id.is_null()) return bad_field("there is no node \"" + std::string(value) + "\"");
    const havok::Class* wanted = member.type.record;
    if (wanted && !object_of(file_, id, wanted->name))
      return bad_field(std::string(value) + " is a " + std::string(file_.at(id).class_name()) + ", and " + member.name +
                       " leads to a " + wanted->name);
    return id;
  }

  // Events and variables by name become their index.
  Result<std::string> with_index(Fields& record, const Member& member, std::string_view value) {
    if (parse_int(value)) return std::string(value);
    for (const IndexMember& each : table_.of(record.view().type())) {
      if (each.member != &member || each.kind == IndexKind::Bone) continue;
      const Graph graph = read_graph(file_, names_);
      const std::int32_t index = each.kind == IndexKind::Event ? find_event(graph, value) : find_variable(graph, value);
      if (index < 0) return bad_field("there is neither an event nor a variable \"" + std::string(value) + "\"");
      return std::to_string(index);
    }
    return std::string(value);
  }

  Packfile& file_;
  const NodeNames& names_;
  IndexTable table_;
};

}  // namespace

Result<void> set_fields(Packfile& original, std::string_view node, std::span<const FieldValue> fields) {
  Packfile file = original;
  const NodeNames names(file);  // of before: a pointer that changes numbers a plain packfile anew
  const ObjectId id = names.find(node);
  if (id.is_null())
    return fail(ErrorCode::BadOption, "there is no node \"" + std::string(node) + "\"", kNoOffset, "node");
  if (!file.at(id).type)
    return fail(ErrorCode::Unsupported, std::string(file.at(id).class_name()) + " is a class that is not known");
  FieldEdit edit(file, names);
  for (const FieldValue& each : fields) MARROW_CHECK(edit.run(id, each.path, each.value));
  original = std::move(file);
  return {};
}

Result<void> set_field(Packfile& file, std::string_view node, std::string_view path, std::string_view value) {
  return set_fields(file, node, std::array{FieldValue{path, value}});
}

}  // namespace marrow::behavior
