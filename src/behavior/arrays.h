// SPDX-License-Identifier: MIT
// Arrays that grow and shrink by elements.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Appends zeroed elements to an array of an object. Returns the index of the first.
std::uint32_t append_elements(havok::Fields fields, std::string_view member, std::uint32_t count = 1);
/// Removes one element.
void remove_element(havok::Fields fields, std::string_view member, std::uint32_t index);
/// Removes the elements that are marked; `is_gone` has one mark per element.
void remove_elements(havok::Fields fields, std::string_view member, const std::vector<bool>& is_gone);
/// Appends one text or pointer.
void append_text(havok::Fields fields, std::string_view member, std::string_view text);
void append_pointer(havok::Fields fields, std::string_view member, havok::ObjectId id);

/// Adds an object, with a number of its own if the objects of the file have numbers. Returns it.
havok::ObjectId add_node(havok::Packfile& file, std::string_view class_name);

}  // namespace marrow::behavior
