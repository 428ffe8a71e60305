// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/havok/object/schema.h"

namespace marrow::havok {

/// The layout of a kind that needs no class: numbers, tuples, texts, pointers.
const Element& element_of(Kind kind);

/// Computes the offsets of a class for both pointer sizes and in memory. Classes that it derives from or holds in place
/// must have been laid out before.
void lay_out(Class& type);

}  // namespace marrow::havok
