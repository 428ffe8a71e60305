// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Returns a name for each object, `#0051`, no two alike: its own if it has one that XML can refer to, else a free one.
/// Objects of plain behaviour files are numbered as patches number them. Free names count from 1 if no object has a
/// name, else on from the greatest number in use.
std::vector<std::string> object_names(const Packfile& file);

}  // namespace marrow::havok
