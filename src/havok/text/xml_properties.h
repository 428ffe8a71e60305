// SPDX-License-Identifier: MIT
#pragma once

#include <pugixml.hpp>

#include <string>

#include "havok/packfile/packfile.h"

// The properties of a packfile that Havok's XML has no place for, as attributes of the outermost element.

namespace marrow::havok {

/// Appends ` name="value"`, escaped.
void append_attribute(std::string& out, const char* name, std::string_view value);

/// Appends the attributes. The pointer size always; the others if they are not the usual ones.
void append_properties(std::string& out, const Packfile& file);

/// Makes an empty file of a version with the properties that `node` states. Returns what is wrong with them, or
/// nothing.
std::string read_properties(const pugi::xml_node& node, const Schema& schema, Packfile& file);

/// Reads bytes in hexadecimal; blanks are skipped.
std::optional<std::vector<std::byte>> parse_hex(std::string_view text);
std::string hex_bytes(std::span<const std::byte> bytes);

}  // namespace marrow::havok
