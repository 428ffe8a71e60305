// SPDX-License-Identifier: MIT
// Values of behaviours as texts, with nodes, events and variables by their names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "behavior/indices.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Names that stand for indices.
struct IndexNames {
  std::vector<std::string> events = {}, variables = {}, properties = {};
  std::size_t known_events = 0, known_variables = 0;  ///< lower indices stay numbers
  bool as_marks = false;                              ///< `$eventID[Name]$`, as in patches; else the name alone
};

/// Returns the names of a behaviour's tables.
IndexNames index_names_of(const havok::Packfile& file);

/// Writes values of one file as texts.
class ValueTexts {
 public:
  /// `nodes` has the name of each object; with `indices`, events and variables are written by name.
  explicit ValueTexts(std::vector<std::string> nodes, const IndexNames* indices = nullptr)
      : nodes_(std::move(nodes)), indices_(indices) {}

  /// Returns one element of a list, or a value that is not one.
  std::string element(const havok::FieldsView& fields, const havok::Member& member, std::uint32_t i) const;

 private:
  std::string name_of_index(const havok::FieldsView& fields, const havok::Member& member) const;

  std::vector<std::string> nodes_;
  const IndexNames* indices_;
  mutable IndexTable table_;
};

/// Returns how many elements a list has when it is written: vectors count by their numbers.
std::uint32_t size_of_list(const havok::FieldsView& fields, const havok::Member& member);
/// Returns a record of a list.
havok::FieldsView record_at(const havok::FieldsView& fields, const havok::Member& member, std::uint32_t i);

}  // namespace marrow::behavior
