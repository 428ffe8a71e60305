// SPDX-License-Identifier: MIT
// Names of objects after a trip through another program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

/// Returns the name without the number that Blender gives copies: `Crate` for `Crate.001`.
std::string without_copy_number(std::string_view name);

/// Returns a form of the name that is the same whatever a program has made of it: without a copy number, with
/// underscores instead of spaces, cut off after 63 bytes.
std::string comparable_name(std::string_view name);

/// Returns for each of `wanted` the one of `given` that has its name. Exact names come first; then names that are equal
/// but for bytes that are not UTF-8, for a copy number, for spaces that became underscores, and for what a limit of 63
/// bytes cut off. Nothing of `given` is used twice.
std::vector<std::optional<std::size_t>> match_names(const std::vector<std::string>& wanted,
                                                    const std::vector<std::string>& given);

}  // namespace marrow
