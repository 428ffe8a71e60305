// SPDX-License-Identifier: MIT
// What names an element of a list by its index: the selected one, and paths of bindings such as `children:2/weight`.
#pragma once

#include <string_view>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Moves what names elements of a list of a node, before those whose flag is set are taken out: indices after them move
/// down, and bindings to them go.
void move_element_indices(havok::Packfile& file, havok::ObjectId node, std::string_view list,
                          const std::vector<bool>& is_gone);

/// Takes out the bindings whose flag is set; the index of the one that drives `enable` follows.
void remove_bindings(havok::Packfile& file, havok::ObjectId set, const std::vector<bool>& is_gone);

}  // namespace marrow::behavior
