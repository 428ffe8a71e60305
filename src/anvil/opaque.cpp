// SPDX-License-Identifier: MIT
#include "anvil/opaque.h"

#include <algorithm>
#include <map>
#include <pugixml.hpp>

#include "anvil/kept_xml.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

std::string name_of(pugi::xml_node node) {
  const std::string_view named = node.attribute("Name").value();
  return std::string(named.empty() ? std::string_view(node.name()) : named);
}

/// A value of a parsed document: an element, or one of its attributes.
struct Spot {
  std::string path;
  pugi::xml_node node;
  pugi::xml_attribute attribute;

  std::string text() const { return attribute ? attribute.value() : std::string(trim(node.child_value())); }
};

// Lists the values below an element, without recursion.
std::vector<Spot> spots_of(pugi::xml_node root) {
  constexpr std::size_t kMostLevels = 100;  // deeper than any data of the games, and paths stay short
  struct Open {
    pugi::xml_node node;
    std::string path;
    std::size_t level;
  };
  std::vector<Spot> spots;
  std::vector<Open> open = {{root, {}, 0}};
  while (!open.empty()) {
    const Open here = std::move(open.back());
    open.pop_back();
    for (const pugi::xml_attribute attribute : here.node.attributes())
      if (const std::string_view name = attribute.name(); name != "Name" && name != "Type")
        spots.push_back({here.path + "@" + std::string(name), here.node, attribute});
    std::map<std::string, std::size_t> count, met;
    for (const pugi::xml_node child : here.node.children())
      if (child.type() == pugi::node_element) ++count[name_of(child)];
    std::vector<Open> inside;
    for (const pugi::xml_node child : here.node.children()) {
      if (child.type() != pugi::node_element || here.level == kMostLevels) continue;
      const std::string name = name_of(child);
      const std::string index = count[name] > 1 ? "[" + std::to_string(met[name]++) + "]" : "";
      inside.push_back({child, here.path + (here.path.empty() ? "" : ".") + name + index, here.level + 1});
    }
    if (inside.empty() && !here.path.empty() && !trim(here.node.child_value()).empty())
      spots.push_back({here.path, here.node, {}});
    std::ranges::reverse(inside);
    std::ranges::move(inside, std::back_inserter(open));
  }
  return spots;
}

bool load(const Opaque& data, pugi::xml_document& document) {
  return static_cast<bool>(document.load_buffer(data.xml.data(), data.xml.size(), kFragmentFlags, pugi::encoding_utf8));
}

}  // namespace

std::vector<OpaqueValue> opaque_values(const Opaque& data) {
  std::vector<OpaqueValue> values;
  pugi::xml_document document;
  if (data.is_null() || !load(data, document)) return values;
  for (const Spot& spot : spots_of(document.first_child())) values.push_back({spot.path, spot.text()});
  return values;
}

Result<void> set_opaque_value(Opaque& data, std::string_view path, std::string_view value) {
  pugi::xml_document document;
  if (data.is_null()) return fail(ErrorCode::NotFound, "there are no such data in the file");
  if (!load(data, document)) return fail(ErrorCode::Malformed, "the data cannot be read as XML");
  const std::vector<Spot> spots = spots_of(document.first_child());
  const auto found =
      std::ranges::find_if(spots, [&](const Spot& spot) { return equal_ignoring_case(spot.path, path); });
  if (found == spots.end()) {
    std::vector<std::string_view> known;
    for (const Spot& spot : spots) known.push_back(spot.path);
    return fail(ErrorCode::NotFound,
                "there is no value '" + std::string(path) + "' in the data" + did_you_mean(path, known));
  }
  const std::string text(value);
  if (found->attribute)
    pugi::xml_attribute(found->attribute) = text.c_str();
  else
    found->node.text() = text.c_str();
  data.xml = raw_xml(document.first_child());
  return {};
}

Result<void> set_opaque(Opaque& data, std::string_view name, std::string_view text) {
  if (text.empty() || equal_ignoring_case(text, "none") || equal_ignoring_case(text, "null")) {
    data = {};
    return {};
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), kFragmentFlags, pugi::encoding_utf8);
  pugi::xml_node element = document.first_child();
  if (!parsed || element.type() != pugi::node_element || element.next_sibling())
    return fail(ErrorCode::Malformed,
                std::string(name) + " takes one XML element, or none; a value inside it is set by its path, as in " +
                    std::string(name) + ".Weight=1");
  if (!element.attribute("Name")) element.prepend_attribute("Name") = std::string(name).c_str();
  if (name != element.attribute("Name").value())
    return fail(ErrorCode::Malformed, "the element is called " + std::string(element.attribute("Name").value()) +
                                          ", not " + std::string(name));
  // Elements of the Schema dialect name the kind of every pointer and array.
  const std::string_view tag = element.name();
  const bool is_schema = element.attribute("PointerType") || tag == "DynamicSmallArray" || tag == "Object";
  data = {raw_xml(element), is_schema ? Dialect::Schema : Dialect::Standard};
  return {};
}

}  // namespace marrow::anvil
