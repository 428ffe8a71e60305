// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "anvil/skeleton.h"
#include "core/json.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// Returns everything that a skeleton file holds, under the engine's names: `from_json` gives the same skeleton back,
/// with the elements that nobody knows, the dialect and the comments. Links are object ids.
Json to_json(const Skeleton& skeleton);

/// Reads what `to_json` wrote, edited or not. Members that are missing have their defaults; members that are not known
/// are refused. Errors have the path of the member. Safe on untrusted input.
Result<Skeleton> from_json(const Json& json);

/// True if this is the JSON of a skeleton.
bool is_skeleton_json(const Json& json);

/// Returns every object and field as text for people, with the lines of the file; links are shown by name.
std::string dump_text(const Skeleton& skeleton);

}  // namespace marrow::anvil
