// SPDX-License-Identifier: MIT
// Paths of bindings: `member`, `member/member`, `member:INDEX/member`.
#pragma once

#include <optional>
#include <string_view>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// What a path leads to: a member of a class, ignored ones included.
struct MemberTarget {
  const havok::Member* member = nullptr;
  bool is_element = false;  ///< one element of the member, which is an array
};

/// Follows a path from an object. A pointer is followed into the object that it leads to; an index counts the elements
/// of an array. Returns nothing if the path leads nowhere.
std::optional<MemberTarget> follow(const havok::Packfile& file, const havok::Object& from, std::string_view path);

}  // namespace marrow::behavior
