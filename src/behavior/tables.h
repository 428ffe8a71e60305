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

/// A list of a file.
struct TableList {
  havok::ObjectId id;
  std::string_view member;
};
/// Lists that the game reads side by side, the names first.
using TableGroup = std::vector<TableList>;
/// Returns the groups of a behaviour or character: events, variables, properties. The object of a list may be null.
std::vector<TableGroup> table_groups_of(const havok::Packfile& file);

/// True if a list of a node may get one element more: it is no part of a table, or it is shorter than others of its
/// group.
bool may_grow(const havok::Packfile& file, havok::ObjectId id, std::string_view member);
/// True if an element of a list of a node may go by itself: it is no part of a table, or the names do not go so far.
bool may_shrink(const havok::Packfile& file, havok::ObjectId id, std::string_view member, std::uint32_t index);

}  // namespace marrow::behavior
