// SPDX-License-Identifier: MIT
// Names of files as the game compares them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace marrow::behavior {

/// Returns a name in lower case with forward slashes, without `./` in front.
std::string file_key(std::string_view name);
/// Returns how many characters `file_key` takes off the front.
std::size_t file_key_shift(std::string_view name);

/// Returns the same for an animation. Behaviours name the male file; the female character has its own in its place.
std::string animation_key(std::string_view name);

}  // namespace marrow::behavior
