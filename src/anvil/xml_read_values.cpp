// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "anvil/xml_reader.h"
#include "core/float_list.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {

using pugi::xml_node;

namespace {

// The text of an element may be its own value instead of a child: the document is parsed with `parse_embed_pcdata`.
bool has_content(xml_node node) {
  if (!trim(node.value()).empty()) return true;
  for (const xml_node child : node.children())
    if (is_element(child) || (child.type() == pugi::node_pcdata && !trim(child.value()).empty()) ||
        child.type() == pugi::node_cdata)
      return true;
  return false;
}

// True for values of several parts, in the form of either dialect: children, or `( x, y, z, w )`.
bool is_group(const XmlElement& element, std::string_view text) {
  return trim(text).starts_with('(') || has_element_children(element.node());
}

// Finds the one kind of element that a node may contain. False if there are others; `found` is empty if there is none.
bool find_only(xml_node node, std::string_view tag, xml_node& found) {
  for (xml_node child = node.first_child(); child; child = child.next_sibling()) {
    if (!is_element(child)) continue;
    if (child.name() != tag) return false;
    if (!found) found = child;
  }
  return true;
}

// The index of `X`, `Y`, `Z` and `W`; 4 for other tags.
std::size_t axis_of(const char* tag) {
  constexpr std::string_view axes = "XYZW";
  return tag[0] != '\0' && tag[1] == '\0' ? std::min(axes.find(tag[0]), axes.size()) : axes.size();
}

}  // namespace

Result<Understood> XmlReader::read(const XmlElement& element, const Target&, float& value) {
  const std::string_view text = element.text();
  if (is_group(element, text)) return Understood::No;
  MARROW_TRY(value, read_number(element.node(), text));
  return Understood::Yes;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target&, bool& value) {
  const std::string_view text = trim(element.text());
  if (is_group(element, text)) return Understood::No;
  if (equal_ignoring_case(text, "true") || text == "1")
    value = true;
  else if (equal_ignoring_case(text, "false") || text == "0")
    value = false;
  else
    return refuse(element.node(), quoted(text) + " is neither true nor false");
  return Understood::Yes;
}

// A word that differs from the table's word for that number is kept with it.
void XmlReader::read_word(const XmlElement& element, const Target& target, std::int64_t value) {
  const bool standard = dialect_ == Dialect::Standard;
  const bool named = (standard ? std::string_view(element[Word::Type]) : element.tag()) == "Enum";
  if (!named) return;
  const std::string_view type = element[standard ? Word::EnumName : Word::Type];
  const std::string_view word = element[standard ? Word::ValueName : Word::Value];
  const EnumWords* words = target.slot.words;
  const bool known = words && value >= 0 && static_cast<std::size_t>(value) < words->words.size();
  const bool usual_place = words && !(standard && target.slot.plain_in_standard);
  if (usual_place && type == words->type &&
      (known ? word == words->words[static_cast<std::size_t>(value)] : word.empty() || word == std::to_string(value)))
    return;
  target.kept.labels.push_back({target.field, value, std::string(type), std::string(word)});
}

template <class Integer>
Result<Understood> XmlReader::read_integer(const XmlElement& element, const Target& target, Integer& value) {
  const std::string_view text = element.text();
  if (is_group(element, text)) return Understood::No;
  const auto number = parse_int(text);
  if (!number) return refuse(element.node(), quoted(text) + " is not a whole number");
  if (!std::in_range<Integer>(*number))
    return refuse(element.node(), quoted(text) + " does not fit into " + std::to_string(8 * sizeof(Integer)) + " bits");
  value = static_cast<Integer>(*number);
  read_word(element, target, *number);
  return Understood::Yes;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, std::uint8_t& value) {
  return read_integer(element, target, value);
}
Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, std::int32_t& value) {
  return read_integer(element, target, value);
}
Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, std::uint32_t& value) {
  return read_integer(element, target, value);
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, Computed& value) {
  std::uint32_t number = 0;
  MARROW_TRY(const Understood understood, read_integer(element, target, number));
  if (understood == Understood::Yes) value.stated = number;
  wide_indices_ |= element.tag() == "Unsigned16";
  return understood;
}

Result<float> XmlReader::read_number(xml_node node, std::string_view text) {
  const auto number = parse_float(text);
  if (!number) return refuse(node, quoted(text) + " is not a number");
  return *number;
}

// Reads four numbers as children X Y Z W or as `( x, y, z, w )`; both dialects accept both forms.
Result<Understood> XmlReader::read_four(const XmlElement& element, std::array<float, 4>& four) {
  const xml_node node = element.node();
  std::array<xml_node, 4> axes;
  bool has_axes = false;
  for (xml_node child = node.first_child(); child; child = child.next_sibling()) {
    if (!is_element(child)) continue;
    const std::size_t axis = axis_of(child.name());
    if (axis == axes.size()) return Understood::No;
    if (!axes[axis]) axes[axis] = child;
    has_axes = true;
  }
  if (has_axes) {
    for (std::size_t i = 0; i < 4; ++i)
      if (axes[i]) {
        MARROW_TRY(four[i], read_number(node, axes[i].child_value()));
      }
    return Understood::Yes;
  }
  std::string_view text = trim(element.text());
  if (text.empty()) return refuse(node, "four numbers are missing");
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  if (parse_floats(text, four)) return Understood::Yes;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 3))
      return refuse(node, "there are not four numbers in " + quoted(element.text()));
    MARROW_TRY(four[i], read_number(node, text.substr(0, comma)));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return Understood::Yes;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target&, Vec4& value) {
  std::array<float, 4> four{};
  MARROW_TRY(const Understood understood, read_four(element, four));
  if (understood == Understood::Yes) value = Vec4(four[0], four[1], four[2], four[3]);
  return understood;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target&, Quat& value) {
  std::array<float, 4> four{};
  MARROW_TRY(const Understood understood, read_four(element, four));
  if (understood == Understood::Yes) value = make_quat(four[0], four[1], four[2], four[3]);
  return understood;
}

Result<std::uint64_t> XmlReader::read_id(xml_node node) {
  const auto id = parse_uint(node.child_value());
  if (!id) return refuse(node, quoted(node.child_value()) + " is not an object id");
  return *id;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, BoneLink& value) {
  const std::string_view kind = element[Word::PointerType];
  xml_node link;
  if (!find_only(element.node(), "Link", link) || (!kind.empty() && kind != "Null" && kind != "Link"))
    return Understood::No;
  value = {};
  if (!link) return Understood::Yes;
  keep_attributes(XmlElement(link), {Word::Name, Word::Path}, "Link@", target.field, target.item, target.kept);
  const xml_node inner = link.child("Value");
  MARROW_TRY(value.target, read_id(inner ? inner : link));
  return Understood::Yes;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, FileReference& value) {
  xml_node node;
  if (!find_only(element.node(), "FileReference", node)) return Understood::No;
  value = {};
  if (!node) return Understood::Yes;
  const XmlElement reference(node);
  keep_attributes(reference, {Word::Name, Word::IsGlobal, Word::Path}, "FileReference@", target.field, target.item,
                  target.kept);
  MARROW_TRY(value.id, read_id(node));
  if (reference.words().has(Word::Path)) value.path = reference[Word::Path];
  value.is_global = node.attribute("IsGlobal").as_bool();
  return Understood::Yes;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target& target, BoneName& value) {
  MARROW_TRY(const Understood understood, read_integer(element, target, value.hash));
  const std::string_view text = element[dialect_ == Dialect::Standard ? Word::HashName : Word::HashValue];
  const bool unknown = text.empty() || equal_ignoring_case(text, unknown_name(value.hash));
  value.text = unknown ? names_.find(value.hash) : text;
  return understood;
}

Result<Understood> XmlReader::read(const XmlElement& element, const Target&, Opaque& value) {
  if (has_content(element.node())) value = keep_element(element.node(), dialect_);
  return Understood::Yes;
}

}  // namespace marrow::anvil
