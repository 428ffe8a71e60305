// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace marrow {

/// The one of `known` that someone who wrote `name` most likely meant: the same but for case or a few letters, or a
/// longer name that `name` is part of. Empty where none is near. For messages; not fast.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace marrow
