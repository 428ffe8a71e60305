// SPDX-License-Identifier: MIT
// The tables of names, types and start values that behaviours and characters share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "behavior/graph.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// The objects that hold the tables of a file; null those that are not there.
struct Tables {
  havok::ObjectId data;     ///< hkbBehaviorGraphData or hkbCharacterData
  havok::ObjectId strings;  ///< hkbBehaviorGraphStringData or hkbCharacterStringData
  havok::ObjectId values;   ///< hkbVariableValueSet
};
Tables tables_of(const havok::Packfile& file);
Tables character_tables_of(const havok::Packfile& file);

/// Returns the texts of an array of strings; null ones are empty.
std::vector<std::string> texts_of(const havok::Packfile& file, havok::ObjectId id, std::string_view member);

/// Returns the types of a table of variables or properties.
std::vector<VariableType> types_of(const havok::Packfile& file, havok::ObjectId data, std::string_view infos);
/// Returns variables or properties with their start values; values that the tables do not hold are null.
std::vector<Variable> variables_of(const havok::Packfile& file, havok::ObjectId strings, std::string_view names,
                                   havok::ObjectId data, std::string_view infos, havok::ObjectId values);

/// Returns the number of elements of an array of an object; 0 if there is no such object.
std::uint32_t count_of(const havok::Packfile& file, havok::ObjectId id, std::string_view member);

}  // namespace marrow::behavior
