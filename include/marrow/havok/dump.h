// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// Every object and field with its value and its offset in the file, for people. Offsets are those of the file that was
/// read; a file that came from XML has none. `only` picks one object.
std::string dump_text(const Packfile& file, std::optional<ObjectId> only = {});

/// The same as JSON: an array of {"object", "class", "offset", "fields"}. Pointers are object numbers, tuples arrays of
/// numbers, floats that are not finite strings.
std::string dump_json(const Packfile& file, std::optional<ObjectId> only = {});

}  // namespace marrow::havok
