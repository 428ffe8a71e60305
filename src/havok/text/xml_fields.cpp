// SPDX-License-Identifier: MIT
#include "havok/text/xml_fields.h"

#include <algorithm>

#include "core/utf8.h"
#include "havok/object/layout.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_names.h"
#include "marrow/core/text.h"

namespace marrow::havok {

void XmlFields::enter(std::string object) {
  XmlReport::enter(std::move(object));
  reported_.clear();
}

bool XmlFields::read(const pugi::xml_node& node, const Class& type, Array& body) {
  if (!spend(node, type.layout, 1)) return false;
  body = Array(type.layout, 1);
  return read_record(node, fields_at(type.layout, body, 0), 0);
}

bool XmlFields::read_record(const pugi::xml_node& node, Fields fields, std::uint32_t depth) {
  if (depth > options_.limits.max_depth) return refuse(node, "records are nested too deep", ErrorCode::LimitExceeded);
  std::vector<const Member*> seen;
  for (const pugi::xml_node param : node.children(xml::kParam))
    if (!read_param(param, fields, depth, seen)) return false;
  if (options_.findings) report_missing(node, fields.view().type(), seen);
  return true;
}

bool XmlFields::read_param(const pugi::xml_node& param, Fields& fields, std::uint32_t depth,
                           std::vector<const Member*>& seen) {
  const char* name = param.attribute(xml::kName).value();
  const Class& type = fields.view().type();
  const Member* member = type.find(name);
  if (!member) {
    // Some tools write members that Havok does not serialise; they carry no information.
    if (!has_ignored_member(type, name))
      find(Level::Warning, "W_UNKNOWN_PARAM", type.name + " has no '" + name + "'; it is left out", param);
    return true;
  }
  if (options_.findings) seen.push_back(member);
  if (read_member(param, *member, fields, depth)) return true;
  error().path = "." + member->name + error().path;
  return false;
}

// Reported once per object and member: an array of records that all lack it is one fault.
void XmlFields::report_missing(const pugi::xml_node& node, const Class& type, std::vector<const Member*>& seen) {
  std::ranges::sort(seen);
  if (const auto twice = std::ranges::adjacent_find(seen); twice != seen.end())
    find(Level::Warning, "W_REPEATED_PARAM", type.name + " has '" + (*twice)->name + "' twice; the last one counts",
         node);
  for (const Class* each : type.lineage())
    for (const Member& member : each->members) {
      if (member.is_ignored || std::ranges::binary_search(seen, &member) || !reported_.insert(&member).second) continue;
      find(Level::Warning, "W_MISSING_PARAM", type.name + " lacks '" + member.name + "'; zero or empty is used", node);
    }
}

bool XmlFields::read_member(const pugi::xml_node& param, const Member& member, Fields& fields, std::uint32_t depth) {
  const Type& type = member.type;
  if (is_array(type.kind)) return read_array(param, type, fields.ref(member), depth);
  if (type.kind == Kind::Record) {
    std::uint32_t i = 0;
    for (const pugi::xml_node child : param.children(xml::kObject)) {
      if (i == type.repeat) return refuse(child, "more records than the " + std::to_string(type.repeat) + " that fit");
      if (!read_record(child, fields.record(member, i++), depth + 1)) return false;
    }
    return true;
  }
  if (type.kind == Kind::Text && type.repeat == 1) return read_text(param, fields.ref(member));
  if (type.kind == Kind::Text) {
    std::uint32_t i = 0;
    for (const pugi::xml_node child : param.children(xml::kString))
      if (i < type.repeat && !read_text(child, fields.ref(member, i++))) return false;
    return true;
  }
  const NodeText whole(param);
  std::string_view text = whole.view();
  for (std::uint32_t i = 0; i < type.repeat; ++i)
    if (!read_single(param, text, member, fields, i)) return false;
  if (!at_end(text)) return refuse(param, "'" + std::string(trim(text.substr(0, 40))) + "' is left over");
  return true;
}

bool XmlFields::read_single(const pugi::xml_node& param, std::string_view& text, const Member& member, Fields& fields,
                            std::uint32_t i) {
  const Element& element = element_of(member.type.kind);
  if (element.ref_count > 0) return read_pointer(param, take_token(text), fields.ref(member, i));
  const std::string_view before = text;
  if (take_value(text, member.type, member.type.kind,
                 fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size)))
    return true;
  return refuse(param, "'" + std::string(trim(before.substr(0, 40))) + "' is not a value of its type");
}

bool XmlFields::read_pointer(const pugi::xml_node& node, std::string_view word, Ref& ref) {
  ref.reset();
  if (word.empty() || word == "null" || word == "#null") return true;
  const auto found = ids_.find(word);
  if (found == ids_.end() && cuts_dangling_) return true;
  if (found == ids_.end())
    return refuse(node, "the object " + std::string(word) + " is not in the file", ErrorCode::NotFound);
  ref.set_pointer(found->second);
  return true;
}

bool XmlFields::read_text(const pugi::xml_node& node, Ref& ref) {
  const NodeText text(node);
  ref.reset();
  if (text.view() == xml::kNullText) return true;
  std::string bytes;
  if (node.attribute(xml::kLatin1).as_bool()) {
    auto read = bytes_of_latin1(text.view());
    if (!read) return refuse(node, "a latin1 text has characters past 255");
    bytes = std::move(*read);
  } else {
    bytes = text.view();
  }
  ref.set_text(bytes);
  return true;
}

bool XmlFields::read_array(const pugi::xml_node& param, const Type& type, Ref& ref, std::uint32_t depth) {
  const Element& element = *type.layout;
  ref.reset();
  Array& array = ref.array();
  const bool read = element.record          ? read_records(param, element, array, depth)
                    : element.ref_count > 0 ? read_refs(param, element, array)
                                            : read_numbers(param, type, array);
  if (!read) return false;
  const pugi::xml_attribute count = param.attribute(xml::kCount);
  if (count && count.as_uint() != array.count())
    find(Level::Warning, "W_NUMELEMENTS",
         std::string("numelements says ") + count.value() + ", there are " + std::to_string(array.count()), param);
  return true;
}

bool XmlFields::read_records(const pugi::xml_node& param, const Element& element, Array& array, std::uint32_t depth) {
  const auto children = param.children(xml::kObject);
  const auto count = static_cast<std::uint32_t>(std::distance(children.begin(), children.end()));
  if (!spend(param, element, count)) return false;
  array = Array(element, count);
  std::uint32_t i = 0;
  for (const pugi::xml_node child : children) {
    if (!read_record(child, fields_at(element, array, i), depth + 1)) {
      error().path = "[" + std::to_string(i) + "]" + error().path;
      return false;
    }
    ++i;
  }
  return true;
}

bool XmlFields::read_refs(const pugi::xml_node& param, const Element& element, Array& array) {
  std::vector<Ref> refs;
  if (element.kind == Kind::Text) {
    for (const pugi::xml_node child : param.children(xml::kString))
      if (!spend(child, element, 1) || !read_text(child, refs.emplace_back())) return false;
  } else {
    const NodeText whole(param);
    std::string_view text = whole.view();
    for (std::string_view word = take_token(text); !word.empty(); word = take_token(text)) {
      if (!spend(param, element, 1) || !read_pointer(param, word, refs.emplace_back())) return false;
      if (cuts_dangling_ && refs.back().pointer().is_null() && word != "null" && word != "#null") refs.pop_back();
    }
  }
  array = Array(element, std::move(refs));
  return true;
}

bool XmlFields::read_numbers(const pugi::xml_node& param, const Type& type, Array& array) {
  const Element& element = *type.layout;
  const NodeText whole(param);
  std::vector<std::byte> pods;
  for (std::string_view text = whole.view(); !at_end(text);) {
    if (!spend(param, element, 1)) return false;
    const std::size_t at = pods.size();
    pods.resize(at + element.pod_size);
    if (!take_value(text, type, element.kind, std::span(pods).subspan(at)))
      return refuse(param, "element " + std::to_string(at / element.pod_size) + " is not a value of its type");
  }
  array = Array(element, pods);
  return true;
}

}  // namespace marrow::havok
