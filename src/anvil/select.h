// SPDX-License-Identifier: MIT
/// Bones by name as people type them: `Head`, a number, `x2BA0BB9F`, a pattern, a chain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "anvil/hierarchy.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// Returns the hash of a bone of the skeleton. A number is a hash, or else a place in depth-first order, as files
/// count. Fails with `NotFound`, the name as it was typed and the nearest one.
Result<std::uint32_t> bone_named(const Skeleton& skeleton, std::string_view typed);

/// Returns the bones that a text selects: one name, a pattern with `*` or `?`, or the chain `FIRST..LAST` from a bone
/// down to a bone below it. Chains are in order from the first bone, patterns in depth-first order. Fails with
/// `NotFound` if a bone is not there or nothing matches, with `InvalidArgument` if the two are not one chain.
Result<std::vector<std::uint32_t>> select_bones(const Skeleton& skeleton, std::string_view text);

/// True if the text selects a chain or a pattern and not one bone.
bool selects_many(std::string_view text);

/// Returns the text with each `*` of the pattern `to` replaced by what the same `*` of `from` stands for in `name`;
/// empty if `name` does not match `from` or `to` has more of them.
std::string renamed_by_pattern(std::string_view from, std::string_view name, std::string_view to);

}  // namespace marrow::anvil
