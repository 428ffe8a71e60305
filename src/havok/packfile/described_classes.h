// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

#include "havok/packfile/described_types.h"

namespace marrow::havok {

/// Makes classes of what a file states of those in `wanted` that the tables of its version do not have as the file
/// has them, and lays them out. One that our rules would place elsewhere than the file says is left out, as is one of a
/// known name without the members that code reads by name. Returns the schema of the version with these classes; null
/// if there are none.
std::shared_ptr<const Schema> schema_with_stated(const Schema& tables, const StatedClasses& stated,
                                                 std::span<const ClassSignature> wanted, FileLayout layout,
                                                 const Limits& limits);

}  // namespace marrow::havok
