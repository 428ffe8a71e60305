// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havok/packfile/packfile.h"

// The properties that only some packfiles have (layouts of other machines, a list of classes, class descriptions), as
// names and texts, the same in XML and JSON.

namespace marrow::havok {

/// Returns the properties that are not the usual ones of the version.
std::vector<std::pair<std::string_view, std::string>> rare_properties(const Packfile& file);

/// Finds the text of a property; nothing if it is not stated.
using FindProperty = std::function<std::optional<std::string>(std::string_view name)>;
/// Sets the properties that are stated. Returns what is wrong with them, or nothing.
std::string read_rare_properties(const FindProperty& find, Packfile& file);

/// Writes and reads the pointers of an object without a class into the class descriptions, `BEFORE FROM TO ...`.
std::string type_fixups_text(const Opaque& opaque);
bool read_type_fixups(std::string_view text, Opaque& opaque);

}  // namespace marrow::havok
