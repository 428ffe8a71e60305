// SPDX-License-Identifier: MIT
/// The objects of a behaviour file, by the names that patches, lists and messages use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Names of all objects of one file. Objects of XML files and of packfiles with node ids have their own; those of plain
/// packfiles are numbered as the modders' converter numbers them (docs/formats/packfile.md).
class NodeNames {
 public:
  explicit NodeNames(const havok::Packfile& file);
  NodeNames(NodeNames&&) = default;
  NodeNames& operator=(NodeNames&&) = default;

  /// Returns the name of an object, `#0123`; empty if `id` is null.
  std::string_view of(havok::ObjectId id) const;
  /// Returns the number of a name, 123 for `#0123`; the greatest number if the name is not one.
  std::uint64_t number_of(havok::ObjectId id) const;
  /// Returns the object of that name; null if there is none. `123` and `#123` also name `#0123`.
  havok::ObjectId find(std::string_view name) const;
  /// Returns the first number after all that are in use.
  std::uint64_t next_number() const;
  /// Returns objects by ascending number.
  std::vector<havok::ObjectId> in_order() const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace marrow::behavior
