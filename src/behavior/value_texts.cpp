// SPDX-License-Identifier: MIT
#include "behavior/value_texts.h"

#include <algorithm>
#include <array>

#include "behavior/patch_node.h"
#include "behavior/tables.h"
#include "havok/object/layout.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_source.h"

namespace marrow::behavior {
namespace {

using havok::Element;
using havok::FieldsView;
using havok::Kind;
using havok::Member;

std::string text_of_ref(const havok::Ref& ref) {
  std::string escaped;
  havok::append_escaped(escaped, ref.text().value_or(havok::xml::kNullText));
  return escaped;
}

// Six decimals as everywhere in patches, unless they would change the value.
std::string number_text(const havok::Type& type, Kind kind, std::span<const std::byte> pods) {
  std::string plain, exact;
  havok::append_value(plain, type, kind, pods, havok::NumberStyle::Fixed);
  std::array<std::byte, 8> read{};
  std::string_view rest = plain;
  if (havok::take_value(rest, type, kind, read) && std::ranges::equal(pods, std::span(read).first(pods.size())))
    return plain;
  havok::append_value(exact, type, kind, pods);
  return exact;
}

}  // namespace

IndexNames index_names_of(const havok::Packfile& file) {
  const havok::ObjectId strings = tables_of(file).strings;
  return {texts_of(file, strings, "eventNames"), texts_of(file, strings, "variableNames"),
          texts_of(file, strings, "characterPropertyNames")};
}

std::string ValueTexts::element(const FieldsView& fields, const Member& member, std::uint32_t i) const {
  const havok::Type& type = member.type;
  const bool is_array = havok::is_array(type.kind);
  const Element& layout = is_array ? *type.layout : havok::element_of(type.kind);
  const auto refs = is_array ? fields.ref(member).array().refs() : fields.refs().subspan(member.ref_offset);
  const auto pods = is_array ? fields.ref(member).array().pods() : fields.pods().subspan(member.pod_offset);
  if (layout.kind == Kind::Text) return text_of_ref(refs[i]);
  if (layout.ref_count > 0) {
    const havok::ObjectId id = refs[i].pointer();
    return id.index < nodes_.size() ? nodes_[id.index] : "null";
  }
  const auto lanes = written_lanes(layout.kind);
  if (!lanes.empty())
    return number_text(
        type, Kind::Real,
        pods.subspan(i / lanes.size() * layout.pod_size + lanes[i % lanes.size()] * sizeof(float), sizeof(float)));
  if (std::string name = name_of_index(fields, member); !name.empty()) return name;
  return number_text(type, layout.kind, pods.subspan(std::size_t{i} * layout.pod_size, layout.pod_size));
}

// An index that a patch's base does not have is written by its name: other mods move it.
std::string ValueTexts::name_of_index(const FieldsView& fields, const Member& member) const {
  if (!indices_ || member.type.repeat > 1 || havok::is_array(member.type.kind)) return {};
  const auto& members = table_.of(fields.type());
  const auto found = std::ranges::find(members, &member, &IndexMember::member);
  if (found == members.end() || found->kind == IndexKind::Bone) return {};
  // Bindings may be to a property of the character, which has a table of its own.
  const bool is_property = member.name == "variableIndex" && fields.integer("bindingType") != 0;
  const bool is_event = found->kind == IndexKind::Event;
  if (is_property && indices_->as_marks) return {};
  const auto& names = is_property ? indices_->properties : is_event ? indices_->events : indices_->variables;
  const std::size_t known = is_property ? 0 : is_event ? indices_->known_events : indices_->known_variables;
  const std::int64_t index = fields.integer(member.name);
  if (index < static_cast<std::int64_t>(known) || index >= static_cast<std::int64_t>(names.size())) return {};
  const std::string& name = names[static_cast<std::size_t>(index)];
  if (!indices_->as_marks) return name;
  std::string mark = is_event ? "$eventID[" : "$variableID[";
  havok::append_escaped(mark, name);
  return mark + "]$";
}

std::uint32_t size_of_list(const FieldsView& fields, const Member& member) {
  const std::uint32_t count =
      havok::is_array(member.type.kind) ? fields.ref(member).array().count() : member.type.repeat;
  const auto lanes = static_cast<std::uint32_t>(written_lanes(element_kind(member.type)).size());
  return lanes > 0 ? count * lanes : count;
}

FieldsView record_at(const FieldsView& fields, const Member& member, std::uint32_t i) {
  if (havok::is_array(member.type.kind)) return fields_at(*member.type.layout, fields.ref(member).array(), i);
  return fields.record(member, i);
}

}  // namespace marrow::behavior
