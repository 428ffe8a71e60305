// SPDX-License-Identifier: MIT
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "anvil/skeleton.h"

namespace marrow::anvil {

/// How the dialects name a type: `Single` as an attribute in Standard, `Float` as a tag in Schema. Empty if the
/// name is not in the list.
std::string_view schema_type(std::string_view standard);
std::string_view standard_type(std::string_view schema);

/// An element that is not understood, in the form in which it is kept: values of a type that both dialects have are
/// turned into the Standard form, the rest stays as it is, with its dialect.
Opaque keep_element(pugi::xml_node node, Dialect dialect);

/// Appends a kept element to `out`, indented by `depth`, as `dialect` has it. What exists in the other dialect only is
/// written as it is and marked with the attribute `Dialect`, by which `keep_element` knows it again.
void append_kept(std::string& out, const Opaque& kept, Dialect dialect, std::string_view indent, unsigned depth);

/// The text of a node as it was, without formatting.
std::string raw_xml(pugi::xml_node node);

/// Gives every `Link` inside a kept element the id that `ids` has for the one it leads to.
void remap_kept_links(std::string& xml, const std::unordered_map<std::uint64_t, std::uint64_t>& ids);

/// The name of a kept attribute of an object in a dialect, and back. `Type` and `PointerType` mean something on an
/// object in Schema and nothing in Standard: there they become `Standard.Type` and `Standard.PointerType`.
std::string kept_attribute_to(Dialect dialect, std::string_view name);
std::string kept_attribute_from(Dialect dialect, std::string_view name);

/// The attribute that marks an element of the other dialect.
inline constexpr const char* kMark = "Dialect";
/// How a piece of XML that is kept is parsed: everything in it, and more than one element.
inline constexpr unsigned kFragmentFlags =
    pugi::parse_default | pugi::parse_comments | pugi::parse_pi | pugi::parse_ws_pcdata_single | pugi::parse_fragment;

/// True for the values that `append_kept` gives it.
bool is_mark(std::string_view value);

bool is_comment(std::string_view xml);

/// True if a node has a child that is an element.
bool has_element_children(pugi::xml_node node);

}  // namespace marrow::anvil
