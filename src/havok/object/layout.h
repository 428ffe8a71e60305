// SPDX-License-Identifier: MIT
#pragma once

#include "havok/object/schema.h"

namespace marrow::havok {

/// The layout of a kind that needs no class: numbers, tuples, texts, pointers.
const Element& element_of(Kind kind);

/// Computes the offsets of a class in memory and in files of the usual layouts. Classes that it derives from or holds
/// in place must have been laid out before.
void lay_out(Class& type);
/// Computes the offsets of a class in files of another layout (`FileLayout::index`), under the same condition.
void lay_out_for(Class& type, std::size_t layout);

}  // namespace marrow::havok
