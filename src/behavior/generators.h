// SPDX-License-Identifier: MIT
// Which members of which classes lead to the generators below a node: one table for checks, drawings and runs.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// A member that leads on to generators, or to records on the way to them (states, children).
struct GeneratorMember {
  std::string_view class_name;
  std::string_view member;
  std::string_view leads_to;  ///< class of what it must lead to
  bool is_required = true;    ///< null or empty: the game T-poses or crashes
  bool is_node = true;        ///< false: not part of the tree of generators
};

/// Returns the rows for a class and its bases.
std::vector<const GeneratorMember*> generator_members(const havok::Class& type);

/// The same, looked up once per class.
class GeneratorTable {
 public:
  const std::vector<const GeneratorMember*>& of(const havok::Class& type) {
    const auto [entry, is_new] = known_.try_emplace(&type);
    if (is_new) entry->second = generator_members(type);
    return entry->second;
  }

 private:
  std::unordered_map<const havok::Class*, std::vector<const GeneratorMember*>> known_;
};

/// Returns the objects below a node, in member order: generators, and the states and children on the way to them. Null
/// pointers are left out.
std::vector<havok::ObjectId> nodes_below(const havok::Packfile& file, havok::ObjectId id);
std::vector<havok::ObjectId> nodes_below(const havok::Packfile& file, havok::ObjectId id, GeneratorTable& table);

}  // namespace marrow::behavior
