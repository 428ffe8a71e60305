// SPDX-License-Identifier: MIT
#include "havok/text/tagfile_fields.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "core/utf8.h"
#include "havok/object/layout.h"
#include "havok/text/number.h"
#include "havok/text/tagfile_names.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_names.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace tagfile {

std::string_view word_of(Kind kind) {
  if (element_of(kind).pod_size == 1) return "byte";
  if (is_integer(kind)) return "int";
  if (kind == Kind::Half) return "real";
  switch (float_count(kind)) {
    case 1: return "real";
    case 4: return "vec4";
    case 12: return "vec12";
    case 16: return "vec16";
    default: break;
  }
  switch (kind) {
    case Kind::Text: return kString;
    case Kind::Pointer:
    case Kind::Variant: return kRef;
    case Kind::Record: return kStruct;
    default: return "void";
  }
}

}  // namespace tagfile

namespace {

bool is_list(const pugi::xml_node& node) {
  const std::string_view tag = node.name();
  return tag == tagfile::kArray || tag == tagfile::kTuple;
}

pugi::xml_node first_element(const pugi::xml_node& node) {
  return node.find_child([](const pugi::xml_node& child) { return child.type() == pugi::node_element; });
}

bool is_number(Kind kind) { return is_integer(kind) || kind == Kind::Half || float_count(kind) > 0; }

/// True if a value of this element converts to the kind. Numbers of any width convert to each other, and an object
/// converts to a record: older versions have pointers where newer ones hold records in place.
bool fits(std::string_view tag, Kind kind) {
  if (tag == tagfile::word_of(kind)) return true;
  if (tag == "byte" || tag == "int" || tag == "real") return is_number(kind) && float_count(kind) <= 1;
  return tag == tagfile::kRef && kind == Kind::Record;
}

bool fits(const pugi::xml_node& node, const Type& type) {
  const bool wants_list = is_array(type.kind) || type.repeat > 1;
  const Kind kind = is_array(type.kind) ? type.element : type.kind;
  if (wants_list != is_list(node)) return false;
  if (!wants_list) return fits(node.name(), kind);
  if (const pugi::xml_node entry = first_element(node)) return fits(entry.name(), kind);
  return is_number(kind) || element_of(kind).ref_count > 0 || kind == Kind::Record;
}

std::optional<float> parse_tag_float(std::string_view word) {
  if (!word.starts_with('x')) return parse_float(word);
  std::uint32_t bits = 0;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits, 16);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return std::bit_cast<float>(bits);
}

/// Tagfiles do not distinguish signed from unsigned: a value in range as either is accepted.
std::optional<std::int64_t> parse_tag_integer(std::string_view word, Kind kind) {
  auto value = parse_int(word);
  if (!value)
    if (const auto large = parse_uint(word)) value = static_cast<std::int64_t>(*large);
  if (!value)
    if (const auto real = parse_tag_float(word); real && *real >= -1e9f && *real <= 1e9f)
      value = static_cast<std::int64_t>(*real);
  const std::size_t bits = element_of(kind).pod_size * 8;
  if (!value || bits == 64) return value;
  const std::int64_t end = std::int64_t{1} << bits;
  return *value >= -end / 2 && *value < end ? value : std::nullopt;
}

bool take_number(std::string_view& text, const Type& type, Kind kind, std::span<std::byte> pods) {
  const std::uint32_t floats = float_count(kind);
  if (floats == 0 && kind != Kind::Half) {
    const std::string_view before = text;
    const auto value = parse_tag_integer(take_token(text), kind);
    if (value) return store_integer(kind, pods, *value), true;
    text = before;
    return take_value(text, type, kind, pods);  // the name of an enum value, or true or false
  }
  for (std::uint32_t i = 0; i < std::max(floats, 1u); ++i) {
    const auto value = parse_tag_float(take_token(text));
    if (!value) return false;
    if (kind == Kind::Half)
      store_real(kind, pods, double{*value});
    else
      std::memcpy(pods.data() + i * sizeof(float), &*value, sizeof(float));
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> TagfileFields::take_pointed() { return std::exchange(pointed_, {}); }

bool TagfileFields::read(std::uint32_t index, Array& body) {
  const auto& [node, type] = sources_[index];
  uses_.resize(sources_.size());
  enter(std::string(node.attribute(tagfile::kId).value()) + " (" + type->name + ")");
  if (!spend(node, type->layout, 1)) return false;
  body = Array(type->layout, 1);
  uses_[index].open = true;
  const bool read = read_record(node, fields_at(type->layout, body, 0), 0);
  uses_[index].open = false;
  return read;
}

void TagfileFields::skip(const pugi::xml_node& node, std::string code, const Class& type, std::string_view member,
                         std::string why) {
  if (options_.findings && skipped_.insert(type.name + "." + std::string(member)).second)
    find(Level::Warning, std::move(code), std::move(why), node);
}

bool TagfileFields::read_record(const pugi::xml_node& node, Fields fields, std::uint32_t depth) {
  if (depth > options_.limits.max_depth) return refuse(node, "records are nested too deep", ErrorCode::LimitExceeded);
  const Class& type = fields.view().type();
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    const char* name = child.attribute(tagfile::kName).value();
    const Member* member = type.find(name);
    if (!member) {
      if (has_ignored_member(type, name)) continue;
      skip(child, "W_UNKNOWN_MEMBER", type, name, type.name + " has no '" + name + "'; it is left out");
    } else if (!fits(child, member->type)) {
      skip(child, "W_MEMBER_TYPE", type, name,
           type.name + "." + name + " is a <" + child.name() +
               ">, which cannot be converted to the type that this version "
               "has; it is left out");
    } else if (!read_member(child, *member, fields, depth)) {
      error().path = "." + member->name + error().path;
      return false;
    }
  }
  return true;
}

bool TagfileFields::read_member(const pugi::xml_node& node, const Member& member, Fields& fields, std::uint32_t depth) {
  if (is_array(member.type.kind)) return read_array(node, member.type, fields.ref(member), depth);
  if (member.type.repeat > 1) return read_repeats(node, member, fields, depth);
  return read_value(node, member, fields, 0, depth);
}

bool TagfileFields::read_repeats(const pugi::xml_node& node, const Member& member, Fields& fields,
                                 std::uint32_t depth) {
  const Type& type = member.type;
  const Element& one = element_of(type.kind);
  const auto too_many = [&] {
    return refuse(node, "more values than the " + std::to_string(type.repeat) + " that fit");
  };
  std::uint32_t i = 0;
  if (is_number(type.kind)) {
    const NodeText whole(node);
    for (std::string_view text = whole.view(); !at_end(text); ++i) {
      if (i == type.repeat) return too_many();
      if (!take_number(text, type, type.kind,
                       fields.pods().subspan(member.pod_offset + i * one.pod_size, one.pod_size)))
        return refuse(node, "element " + std::to_string(i) + " is not a value of its type");
    }
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    if (i == type.repeat) return too_many();
    if (!read_value(child, member, fields, i++, depth)) return false;
  }
  return true;
}

bool TagfileFields::read_value(const pugi::xml_node& node, const Member& member, Fields& fields, std::uint32_t i,
                               std::uint32_t depth) {
  const Kind kind = member.type.kind;
  if (kind == Kind::Record) return read_struct(node, fields.record(member, i), depth + 1);
  const Element& one = element_of(kind);
  if (one.ref_count > 0) return read_ref(node, kind, fields.ref(member, i));
  return read_number(node, member.type, kind,
                     fields.pods().subspan(member.pod_offset + i * one.pod_size, one.pod_size));
}

bool TagfileFields::read_struct(const pugi::xml_node& node, Fields fields, std::uint32_t depth) {
  if (std::string_view(node.name()) != tagfile::kRef) return read_record(node, fields, depth);
  const NodeText whole(node);
  std::string_view text = whole.view();
  ObjectId id;
  if (!find_object(node, take_token(text), id)) return false;
  if (id.is_null()) return true;
  const auto& [object, type] = sources_[id.index];
  if (!type) return true;  // reported already
  const Class& wanted = fields.view().type();
  if (!type->is_a(wanted.name)) {
    skip(node, "W_MEMBER_TYPE", *type, wanted.name,
         "a record of " + wanted.name + " is wanted, and the object is a " + type->name + "; it is left out");
    return true;
  }
  Use& use = uses_[id.index];
  if (use.open) return refuse(node, "the object contains itself");
  // Many references to a large object would cost its size each time.
  if (std::exchange(use.inlined, true)) return copy_shared(object, id.index, fields, depth);
  use.open = true;
  const bool read = read_record(object, fields, depth);
  use.open = false;
  return read;
}

bool TagfileFields::copy_shared(const pugi::xml_node& node, std::uint32_t index, Fields fields, std::uint32_t depth) {
  const Element& element = fields.view().type().layout;
  const std::pair key(index, element.record);
  auto found = shared_.find(key);
  if (found == shared_.end()) {
    const std::uint64_t before = budget();
    if (!spend(node, element, 1)) return false;
    Array record(element, 1);
    uses_[index].open = true;
    const bool read = read_record(node, fields_at(element, record, 0), depth);
    uses_[index].open = false;
    if (!read) return false;
    found = shared_.emplace(key, Shared{std::move(record), before - budget()}).first;
  }
  const auto& [record, bytes] = found->second;
  if (!spend(node, bytes)) return false;
  std::ranges::copy(record.pods(), fields.pods().begin());
  std::ranges::copy(record.refs(), fields.refs().begin());
  return true;
}

bool TagfileFields::read_number(const pugi::xml_node& node, const Type& type, Kind kind, std::span<std::byte> pods) {
  const NodeText whole(node);
  std::string_view text = whole.view();
  if (take_number(text, type, kind, pods) && at_end(text)) return true;
  return refuse(node, "'" + std::string(trim(whole.view().substr(0, 40))) + "' is not a value of its type");
}

bool TagfileFields::read_ref(const pugi::xml_node& node, Kind kind, Ref& ref) {
  const NodeText whole(node);
  std::string_view text = whole.view();
  ref.reset();
  if (kind != Kind::Text) return read_pointer(node, take_token(text), ref);
  if (text == xml::kNullText) return true;
  std::string bytes;
  if (!node.attribute(xml::kLatin1).as_bool()) {
    bytes = text;
  } else {
    auto read = bytes_of_latin1(text);
    if (!read) return refuse(node, "a latin1 text has characters past 255");
    bytes = std::move(*read);
  }
  ref.set_text(bytes);
  return true;
}

bool TagfileFields::find_object(const pugi::xml_node& node, std::string_view word, ObjectId& id) {
  id = {};
  if (word.empty() || word == "null" || word == "#null") return true;
  const auto found = ids_.find(word);
  if (found != ids_.end()) return id = ObjectId{found->second}, true;
  // Numbering starts at 1, so some tools write 0 for null.
  if (word == "#0000") return true;
  return refuse(node, "the object " + std::string(word) + " is not in the file");
}

bool TagfileFields::read_pointer(const pugi::xml_node& node, std::string_view word, Ref& ref) {
  ObjectId id;
  if (!find_object(node, word, id)) return false;
  // An object of unknown class is left out, and so are references to it.
  if (id.is_null() || !sources_[id.index].type) return true;
  ref.set_pointer(id);
  if (!std::exchange(uses_[id.index].pointed, true)) pointed_.push_back(id.index);
  return true;
}

bool TagfileFields::read_array(const pugi::xml_node& node, const Type& type, Ref& ref, std::uint32_t depth) {
  const Element& element = *type.layout;
  ref.reset();
  Array& array = ref.array();
  const bool read = element.record          ? read_records(node, element, array, depth)
                    : element.ref_count > 0 ? read_refs(node, element, array)
                                            : read_numbers(node, type, array);
  if (!read) return false;
  const pugi::xml_attribute size = node.attribute(tagfile::kSize);
  if (size && size.as_uint() != array.count())
    find(Level::Warning, "W_ARRAY_SIZE",
         std::string("size says ") + size.value() + ", there are " + std::to_string(array.count()), node);
  return true;
}

bool TagfileFields::read_records(const pugi::xml_node& node, const Element& element, Array& array,
                                 std::uint32_t depth) {
  const auto is_entry = [](const pugi::xml_node& child) { return child.type() == pugi::node_element; };
  const auto children = node.children();
  const auto count = static_cast<std::uint32_t>(std::count_if(children.begin(), children.end(), is_entry));
  if (!spend(node, element, count)) return false;
  array = Array(element, count);
  std::uint32_t i = 0;
  for (const pugi::xml_node child : children) {
    if (!is_entry(child)) continue;
    if (!read_struct(child, fields_at(element, array, i), depth + 1)) {
      error().path = "[" + std::to_string(i) + "]" + error().path;
      return false;
    }
    ++i;
  }
  return true;
}

bool TagfileFields::read_refs(const pugi::xml_node& node, const Element& element, Array& array) {
  std::vector<Ref> refs;
  for (const pugi::xml_node child : node.children())
    if (child.type() == pugi::node_element &&
        (!spend(child, element, 1) || !read_ref(child, element.kind, refs.emplace_back())))
      return false;
  if (element.kind != Kind::Text) {
    const NodeText whole(node);
    std::string_view text = whole.view();
    for (std::string_view word = take_token(text); !word.empty(); word = take_token(text))
      if (!spend(node, element, 1) || !read_pointer(node, word, refs.emplace_back())) return false;
  }
  array = Array(element, std::move(refs));
  return true;
}

bool TagfileFields::read_numbers(const pugi::xml_node& node, const Type& type, Array& array) {
  const Element& element = *type.layout;
  std::vector<std::byte> pods;
  const auto append = [&] {
    pods.resize(pods.size() + element.pod_size);
    return std::span(pods).last(element.pod_size);
  };
  const NodeText whole(node);
  for (std::string_view text = whole.view(); !at_end(text);) {
    if (!spend(node, element, 1)) return false;
    if (!take_number(text, type, element.kind, append()))
      return refuse(node,
                    "element " + std::to_string(pods.size() / element.pod_size - 1) + " is not a value of its type");
  }
  for (const pugi::xml_node child : node.children())
    if (child.type() == pugi::node_element &&
        (!spend(child, element, 1) || !read_number(child, type, element.kind, append())))
      return false;
  array = Array(element, pods);
  return true;
}

}  // namespace marrow::havok
