// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "anvil/xml_reader.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {

using pugi::xml_node;

namespace {

bool has_content(xml_node node) {
  for (const xml_node child : node.children())
    if (is_element(child) || (child.type() == pugi::node_pcdata && !trim(child.value()).empty()) ||
        child.type() == pugi::node_cdata)
      return true;
  return false;
}

// True for values of several parts, in the form of either dialect: children, or `( x, y, z, w )`.
bool is_group(xml_node node) { return has_element_children(node) || trim(node.child_value()).starts_with('('); }

bool has_only(xml_node node, std::initializer_list<std::string_view> tags) {
  for (xml_node child = node.first_child(); child; child = child.next_sibling())
    if (is_element(child) && std::ranges::find(tags, std::string_view(child.name())) == tags.end()) return false;
  return true;
}

}  // namespace

Result<Understood> XmlReader::read(xml_node node, const Target&, float& value) {
  if (is_group(node)) return Understood::No;
  const auto number = parse_float(node.child_value());
  if (!number) return refuse(node, quoted(node.child_value()) + " is not a number");
  value = *number;
  return Understood::Yes;
}

Result<Understood> XmlReader::read(xml_node node, const Target&, bool& value) {
  if (is_group(node)) return Understood::No;
  const std::string_view text = trim(node.child_value());
  if (equal_ignoring_case(text, "true") || text == "1")
    value = true;
  else if (equal_ignoring_case(text, "false") || text == "0")
    value = false;
  else
    return refuse(node, quoted(text) + " is neither true nor false");
  return Understood::Yes;
}

// A word that differs from the table's word for that number is kept with it.
void XmlReader::read_word(xml_node node, const Target& target, std::int64_t value) {
  const bool standard = dialect_ == Dialect::Standard;
  const bool named =
      standard ? std::string_view(node.attribute("Type").value()) == "Enum" : std::string_view(node.name()) == "Enum";
  if (!named) return;
  const std::string_view type = node.attribute(standard ? "EnumName" : "Type").value();
  const std::string_view word = node.attribute(standard ? "ValueName" : "Value").value();
  const EnumWords* words = target.slot.words;
  const bool known = words && value >= 0 && static_cast<std::size_t>(value) < words->words.size();
  const bool usual_place = words && !(standard && target.slot.plain_in_standard);
  if (usual_place && type == words->type &&
      (known ? word == words->words[static_cast<std::size_t>(value)] : word.empty() || word == std::to_string(value)))
    return;
  target.kept.labels.push_back({target.field, value, std::string(type), std::string(word)});
}

template <class Integer>
Result<Understood> XmlReader::read_integer(xml_node node, const Target& target, Integer& value) {
  if (is_group(node)) return Understood::No;
  const auto number = parse_int(node.child_value());
  if (!number) return refuse(node, quoted(node.child_value()) + " is not a whole number");
  if (!std::in_range<Integer>(*number))
    return refuse(node,
                  quoted(node.child_value()) + " does not fit into " + std::to_string(8 * sizeof(Integer)) + " bits");
  value = static_cast<Integer>(*number);
  read_word(node, target, *number);
  return Understood::Yes;
}

Result<Understood> XmlReader::read(xml_node node, const Target& target, std::uint8_t& value) {
  return read_integer(node, target, value);
}
Result<Understood> XmlReader::read(xml_node node, const Target& target, std::int32_t& value) {
  return read_integer(node, target, value);
}
Result<Understood> XmlReader::read(xml_node node, const Target& target, std::uint32_t& value) {
  return read_integer(node, target, value);
}

Result<Understood> XmlReader::read(xml_node node, const Target& target, Computed& value) {
  std::uint32_t number = 0;
  MARROW_TRY(const Understood understood, read_integer(node, target, number));
  if (understood == Understood::Yes) value.stated = number;
  wide_indices_ |= std::string_view(node.name()) == "Unsigned16";
  return understood;
}

// Reads four numbers as children X Y Z W or as `( x, y, z, w )`; both dialects accept both forms.
Result<std::array<float, 4>> XmlReader::read_four(xml_node node) {
  std::array<float, 4> four{};
  const auto number = [&](std::string_view text, float& value) -> Result<void> {
    const auto parsed = parse_float(text);
    if (!parsed) return refuse(node, quoted(text) + " is not a number");
    value = *parsed;
    return {};
  };
  if (has_element_children(node)) {
    for (std::size_t i = 0; i < 4; ++i) {
      constexpr const char* axes[] = {"X", "Y", "Z", "W"};
      if (const xml_node child = node.child(axes[i])) MARROW_CHECK(number(child.child_value(), four[i]));
    }
    return four;
  }
  std::string_view text = trim(node.child_value());
  if (text.empty()) return refuse(node, "four numbers are missing");
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 3))
      return refuse(node, "there are not four numbers in " + quoted(node.child_value()));
    MARROW_CHECK(number(text.substr(0, comma), four[i]));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return four;
}

Result<Understood> XmlReader::read(xml_node node, const Target&, Vec4& value) {
  if (!has_only(node, {"X", "Y", "Z", "W"})) return Understood::No;
  MARROW_TRY(const auto four, read_four(node));
  value = Vec4(four[0], four[1], four[2], four[3]);
  return Understood::Yes;
}

Result<Understood> XmlReader::read(xml_node node, const Target&, Quat& value) {
  if (!has_only(node, {"X", "Y", "Z", "W"})) return Understood::No;
  MARROW_TRY(const auto four, read_four(node));
  value = make_quat(four[0], four[1], four[2], four[3]);
  return Understood::Yes;
}

Result<std::uint64_t> XmlReader::read_id(xml_node node) const {
  const auto id = parse_uint(node.child_value());
  if (!id) return refuse(node, quoted(node.child_value()) + " is not an object id");
  return *id;
}

Result<Understood> XmlReader::read(xml_node node, const Target& target, BoneLink& value) {
  const std::string_view kind = node.attribute("PointerType").value();
  if (!has_only(node, {"Link"}) || (!kind.empty() && kind != "Null" && kind != "Link")) return Understood::No;
  value = {};
  const xml_node link = node.child("Link");
  if (!link) return Understood::Yes;
  constexpr std::string_view known[] = {"Name", "Path"};
  keep_attributes(link, known, "Link@", target.field, target.item, target.kept);
  const xml_node inner = link.child("Value");
  MARROW_TRY(value.target, read_id(inner ? inner : link));
  return Understood::Yes;
}

Result<Understood> XmlReader::read(xml_node node, const Target& target, FileReference& value) {
  if (!has_only(node, {"FileReference"})) return Understood::No;
  value = {};
  const xml_node reference = node.child("FileReference");
  if (!reference) return Understood::Yes;
  constexpr std::string_view known[] = {"Name", "IsGlobal", "Path"};
  keep_attributes(reference, known, "FileReference@", target.field, target.item, target.kept);
  MARROW_TRY(value.id, read_id(reference));
  value.path = reference.attribute("Path").as_string("0");
  value.is_global = reference.attribute("IsGlobal").as_bool();
  return Understood::Yes;
}

Result<Understood> XmlReader::read(xml_node node, const Target& target, BoneName& value) {
  MARROW_TRY(const Understood understood, read_integer(node, target, value.hash));
  const std::string_view text = node.attribute(dialect_ == Dialect::Standard ? "HashName" : "HashValue").value();
  value.text = text;
  if (text.empty() || equal_ignoring_case(text, unknown_name(value.hash))) value.text = names_.find(value.hash);
  return understood;
}

Result<Understood> XmlReader::read(xml_node node, const Target&, Opaque& value) {
  if (has_content(node)) value = keep_element(node, dialect_);
  return Understood::Yes;
}

}  // namespace marrow::anvil
