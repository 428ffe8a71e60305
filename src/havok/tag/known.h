// SPDX-License-Identifier: MIT
#pragma once

#include "havok/object/schema.h"

namespace marrow::havok {

/// Returns the class of the tables that code reads by the names of its members; null if there is none of that name.
const Class* known_class(std::string_view name);

/// True if a class that a file describes has all members of a known one, of the same kinds, so that it can be read by
/// their names.
bool is_like(const Class& described, const Class& known);

}  // namespace marrow::havok
