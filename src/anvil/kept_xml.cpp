// SPDX-License-Identifier: MIT
#include "anvil/kept_xml.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr std::array<const char*, 2> kMarkWords = {"standard", "schema"};
constexpr std::string_view kStandardPrefix = "Standard.";
constexpr std::array<const char*, 4> kAxes = {"X", "Y", "Z", "W"};

struct TypePair {
  std::string_view standard, schema;
};
constexpr std::array<TypePair, 9> kTypes = {{{"Single", "Float"},
                                             {"Byte", "Unsigned8"},
                                             {"UInt16", "Unsigned16"},
                                             {"UInt32", "Unsigned32"},
                                             {"Int32", "Signed32"},
                                             {"UInt64", "Unsigned64"},
                                             {"Int64", "Signed64"},
                                             {"Boolean", "Bool"},
                                             {"String", "String"}}};

class StringWriter : public pugi::xml_writer {
 public:
  explicit StringWriter(std::string& out) : out_(out) {}
  void write(const void* data, std::size_t size) override { out_.append(static_cast<const char*>(data), size); }

 private:
  std::string& out_;
};

// Indentation grows with the square of the depth, so very deep XML is written without it.
bool is_deep(pugi::xml_node root) {
  constexpr int most = 64;
  int depth = 0;
  for (pugi::xml_node node = root; node;) {
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > most) return true;
      continue;
    }
    while (node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node == root) return false;
    node = node.next_sibling();
  }
  return false;
}

// As the parser does for everything but processing instructions (XML 1.0, 2.11).
void end_lines_with_feeds(std::string& text) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_half = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_half) text[length++] = text[i] == '\r' ? '\n' : text[i];
  }
  text.resize(length);
}

// The type of a value always comes right after its name, so that equal values have equal text.
void put_type(pugi::xml_node node, std::string_view type) {
  node.remove_attribute("Type");
  const pugi::xml_attribute name = node.attribute("Name");
  (name ? node.insert_attribute_after("Type", name) : node.prepend_attribute("Type")) = std::string(type).c_str();
}

bool schema_value_to_standard(pugi::xml_node node) {
  const std::string_view type = standard_type(node.name());
  if (type.empty() || node.attribute("Type") || has_element_children(node)) return false;
  if (type == "Boolean") {
    const std::string_view text = node.child_value();
    if (text != "True" && text != "False") return false;
    node.text().set(text == "True" ? "true" : "false");
  }
  node.set_name("Value");
  put_type(node, type);
  return true;
}

// XML forbids it, and the parser does not mind.
bool has_two_types(pugi::xml_node node) {
  return std::ranges::count_if(node.attributes(), [](const pugi::xml_attribute& attribute) {
           return std::string_view(attribute.name()) == "Type";
         }) > 1;
}

bool standard_value_to_schema(pugi::xml_node node) {
  if (std::string_view(node.name()) != "Value" || has_element_children(node) || has_two_types(node)) return false;
  const std::string_view type = schema_type(node.attribute("Type").value());
  if (type.empty()) return false;
  if (type == "Bool") {
    const std::string_view text = node.child_value();
    if (text != "true" && text != "false") return false;
    node.text().set(text == "true" ? "True" : "False");
  }
  node.set_name(std::string(type).c_str());
  node.remove_attribute("Type");
  return true;
}

// Splits `( x, y, z, w )` into four words, unchanged.
std::vector<std::string> split_tuple(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string> words;
  for (;;) {
    const std::size_t comma = text.find(',');
    words.emplace_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

bool schema_tuple_to_standard(pugi::xml_node node) {
  const std::string_view tag = node.name();
  if ((tag != "Vector4" && tag != "Quaternion") || has_element_children(node)) return false;
  const auto words = split_tuple(node.child_value());
  if (words.size() != 4) return false;
  if (tag == "Quaternion") node.set_name("Quat");
  node.text() = "";  // of a node that was parsed with `parse_embed_pcdata`
  node.remove_children();
  for (std::size_t i = 0; i < 4; ++i) node.append_child(kAxes[i]).text() = words[i].c_str();
  return true;
}

bool standard_tuple_to_schema(pugi::xml_node node) {
  const std::string_view tag = node.name();
  if ((tag != "Vector4" && tag != "Quat") || *node.value()) return false;
  std::string text;
  std::size_t i = 0;
  for (const pugi::xml_node child : node.children()) {
    if (i == 4 || std::string_view(child.name()) != kAxes[i] || child.first_attribute() ||
        has_element_children(child) || std::string_view(child.child_value()).find(',') != std::string_view::npos)
      return false;
    text += (i == 0 ? "( " : ", ") + std::string(trim(child.child_value()));
    ++i;
  }
  if (i != 4) return false;
  if (tag == "Quat") node.set_name("Quaternion");
  node.remove_children();
  node.text() = (text + " )").c_str();
  return true;
}

}  // namespace

bool has_element_children(pugi::xml_node node) {
  for (pugi::xml_node child = node.first_child(); child; child = child.next_sibling())
    if (child.type() == pugi::node_element) return true;
  return false;
}

std::string_view schema_type(std::string_view standard) {
  const auto found = std::ranges::find(kTypes, standard, &TypePair::standard);
  return found == kTypes.end() ? std::string_view{} : found->schema;
}

std::string_view standard_type(std::string_view schema) {
  const auto found = std::ranges::find(kTypes, schema, &TypePair::schema);
  return found == kTypes.end() ? std::string_view{} : found->standard;
}

std::string raw_xml(pugi::xml_node node) {
  std::string text;
  StringWriter writer(text);
  node.print(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  if (text.find('\r') != std::string::npos) end_lines_with_feeds(text);
  return text;
}

bool is_mark(std::string_view value) { return std::ranges::find(kMarkWords, value) != kMarkWords.end(); }

std::string kept_attribute_to(Dialect dialect, std::string_view name) {
  // A name that looks like one of ours gets the prefix too, so that every name comes back.
  const bool taken = name == "Type" || name == "PointerType" || name.starts_with(kStandardPrefix);
  return dialect == Dialect::Schema && taken ? std::string(kStandardPrefix).append(name) : std::string(name);
}

std::string kept_attribute_from(Dialect dialect, std::string_view name) {
  if (dialect == Dialect::Schema && name.starts_with(kStandardPrefix)) name.remove_prefix(kStandardPrefix.size());
  return std::string(name);
}

bool is_comment(std::string_view xml) { return xml.starts_with("<!--") || xml.starts_with("<?"); }

void remap_kept_links(std::string& xml, const std::unordered_map<std::uint64_t, std::uint64_t>& ids) {
  if (xml.find("<Link") == std::string::npos) return;
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size(), kFragmentFlags, pugi::encoding_utf8)) return;
  std::vector<pugi::xml_node> nodes = {document};
  bool changed = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const pugi::xml_node child : nodes[i].children()) nodes.push_back(child);
    if (std::string_view(nodes[i].name()) != "Link") continue;
    const pugi::xml_node inner = nodes[i].child("Value");
    const pugi::xml_node holder = inner ? inner : nodes[i];
    const auto id = parse_uint(holder.child_value());
    const auto found = id ? ids.find(*id) : ids.end();
    if (found == ids.end() || found->second == *id) continue;
    const std::string text = std::to_string(found->second);
    if (nodes[i].attribute("Path").value() == std::to_string(*id)) nodes[i].attribute("Path") = text.c_str();
    holder.text() = text.c_str();
    changed = true;
  }
  if (changed) xml = raw_xml(document.first_child());
}

Opaque keep_element(pugi::xml_node source, Dialect dialect) {
  if (source.type() != pugi::node_element) return {raw_xml(source), Dialect::Standard};
  pugi::xml_document document;
  const pugi::xml_node node = document.append_copy(source);
  const std::string_view mark = node.attribute(kMark).value();
  for (std::size_t i = 0; i < kMarkWords.size(); ++i)
    if (mark == kMarkWords[i]) {
      dialect = static_cast<Dialect>(i);
      pugi::xml_node(node).remove_attribute(kMark);
    }
  if (dialect == Dialect::Schema) {
    if (schema_value_to_standard(node) || schema_tuple_to_standard(node)) dialect = Dialect::Standard;
  } else if (std::string_view(node.name()) == "Value" && !schema_type(node.attribute("Type").value()).empty()) {
    put_type(node, std::string(node.attribute("Type").value()));
  } else if (standard_tuple_to_schema(node)) {
    schema_tuple_to_standard(node);  // there and back, so that white space is always the same
  }
  return {raw_xml(node), dialect};
}

void append_kept(std::string& out, const Opaque& kept, Dialect dialect, std::string_view indent, unsigned depth) {
  pugi::xml_document document;
  if (!document.load_buffer(kept.xml.data(), kept.xml.size(), kFragmentFlags, pugi::encoding_utf8)) return;
  for (pugi::xml_node node : document.children()) {
    if (node.type() == pugi::node_element && kept.dialect != dialect) {
      const bool translated =
          dialect == Dialect::Schema && (standard_value_to_schema(node) || standard_tuple_to_schema(node));
      if (!translated) node.append_attribute(kMark) = kMarkWords[static_cast<std::size_t>(kept.dialect)];
    }
    StringWriter writer(out);
    const std::string unit(indent);
    const bool deep = is_deep(node);
    node.print(writer, unit.c_str(), (deep ? pugi::format_raw : pugi::format_indent) | pugi::format_no_declaration,
               pugi::encoding_utf8, depth);
    if (deep) out += '\n';
  }
}

}  // namespace marrow::anvil
